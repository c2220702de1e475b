//! How many segments a host with segmentation offload hands down at once (`tcp_tso_autosize`, `tcp_cwnd_test`, Linux 5.18 on).

use airloom_sim::Duration;

/// The most bytes of a burst (`sk_gso_max_size`).
pub(crate) const LARGEST: u64 = 65_536;
/// Near peers get larger bursts: the room beyond the rate's is halved for each 2^9 us of round trip (`tcp_tso_rtt_log`).
const RTT_LOG: u32 = 9;

/// What the size of a burst depends on.
#[derive(Clone, Copy, Debug)]
pub struct Burst {
    /// Payload of a full segment in bytes.
    pub mss: u32,
    /// The pacing rate in bytes per second.
    pub pacing_rate: u64,
    /// A burst holds what this rate sends in 1 / 2^n seconds (`sk_pacing_shift`).
    pub shift: u32,
    /// The least round trip of a segment that was sent once.
    pub least_rtt: Option<Duration>,
    /// The congestion window in segments, of which a burst takes a half at most.
    pub cwnd: u32,
    /// The least segments of a burst (`tcp_min_tso_segs`).
    pub least: u32,
}

impl Burst {
    /// Its segments at most.
    pub fn segments(&self) -> u32 {
        let halvings = self.least_rtt.map_or(u64::MAX, |rtt| rtt.as_nanos() / 1000) >> RTT_LOG;
        let near = if halvings < 32 { LARGEST >> halvings } else { 0 };
        let bytes = (self.pacing_rate >> self.shift).saturating_add(near).min(LARGEST);
        let segments = (bytes / u64::from(self.mss.max(1))) as u32;
        segments.max(self.least).min((self.cwnd / 2).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(least_rtt: Duration, pacing_rate: u64, cwnd: u32) -> u32 {
        Burst { mss: 1000, pacing_rate, shift: 10, least_rtt: Some(least_rtt), cwnd, least: 2 }.segments()
    }

    #[test]
    fn a_burst_is_what_the_rate_sends_in_a_millisecond_and_more_to_a_near_peer() {
        assert_eq!(segments(Duration::from_millis(100), 0, 200), 2);
        assert_eq!(segments(Duration::from_millis(100), 5000 << 10, 200), 5);
        assert_eq!(segments(Duration::from_micros(512), 0, 200), 32);
        assert_eq!(segments(Duration::ZERO, 0, 200), 65);
        assert_eq!(segments(Duration::ZERO, 0, 10), 5, "half of the window");
    }
}
