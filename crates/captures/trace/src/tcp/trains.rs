//! How fast trains of packets pass, which is how fast the slowest part of the way before lets them go.

use super::samples::Samples;

/// Segments of a train behind its first one.
const LENGTH: u32 = 8;

/// Rates of trains of eight full segments each, whatever silence lies between trains.
#[derive(Clone, Debug, Default)]
pub struct Trains {
    /// When the train began, in nanoseconds, and the octets behind its first packet.
    held: Option<(u64, u64)>,
    /// In kbit/s.
    rates: Samples,
}

impl Trains {
    /// Octets pass at a time, in segments of so many; whether they come behind a silence, which no train goes over.
    pub(super) fn passed(&mut self, now_ns: u64, octets: u64, segment: u32, is_behind_silence: bool) {
        let Some((since_ns, before)) = self.held.filter(|_| !is_behind_silence) else {
            self.held = Some((now_ns, 0));
            return;
        };
        let all = before + octets;
        if all < u64::from(LENGTH) * u64::from(segment.max(1)) {
            self.held = Some((since_ns, all));
            return;
        }
        let kbps = 8e6 * all as f64 / now_ns.saturating_sub(since_ns).max(1) as f64;
        let kbps = (kbps as u32).max(1);
        self.rates.add(kbps);
        self.held = Some((now_ns, 0));
    }

    /// How many trains there are.
    pub fn count(&self) -> u64 {
        self.rates.count()
    }

    /// The rate in Mbit/s of payload that a share (0 to 1) of all trains did not exceed; none without trains.
    pub fn quantile_mbps(&self, share: f64) -> Option<f64> {
        Some(self.rates.quantile(share)? as f64 / 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trains of packets of 1448 octets, each so many nanoseconds behind the one before, every tenth behind a silence.
    fn of(gap_ns: impl Fn(u64) -> u64) -> Trains {
        let mut trains = Trains::default();
        let mut now_ns = 1;
        for packet in 0..1_000 {
            let is_first = packet % 10 == 0;
            now_ns += if is_first { 20_000_000 } else { gap_ns(packet) };
            trains.passed(now_ns, 1448, 1448, is_first);
        }
        trains
    }

    #[test]
    fn a_line_lets_trains_go_at_its_rate_however_long_they_are_apart() {
        // 1448 octets at 50 Mbit/s.
        let trains = of(|_| 231_680);
        assert_eq!(trains.count(), 100);
        for share in [0.05, 0.5, 0.95] {
            let mbps = trains.quantile_mbps(share).expect("trains");
            assert!((mbps - 50.0).abs() < 0.5, "{mbps}");
        }
    }

    #[test]
    fn what_comes_at_once_is_fast_and_too_little_is_no_train() {
        assert!(of(|_| 0).quantile_mbps(0.5).expect("trains") > 1e5);
        let mut few = Trains::default();
        (0..8).for_each(|packet| few.passed(1_000 * packet, 1448, 1448, false));
        assert_eq!((few.count(), few.quantile_mbps(0.5)), (0, None));
    }
}
