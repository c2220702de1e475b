//! Loss detection by time: a segment sent well before one that has arrived is lost (RACK, RFC 8985 section 6;
//! `tcp_recovery.c`, Linux 4.4 on).

use crate::scoreboard::Acked;
use airloom_sim::{Duration, Time};

/// Added to a wait for late segments (`TCP_TIMEOUT_MIN_US`).
pub(crate) const SLACK: Duration = Duration::from_millis(2);

/// The order in which segments arrive, as far as known.
#[derive(Default)]
pub(crate) struct Rack {
    /// When the last sent of the segments known to have arrived left, and where it ends.
    newest: (Time, u64),
    /// Its round-trip time.
    rtt: Duration,
    least_rtt: Option<Duration>,
    /// Something sent earlier arrived after something sent later.
    reordered: bool,
    /// Something arrived since losses were last looked for.
    advanced: bool,
    /// The end of the wait for late segments.
    pub(crate) wait_until: Option<Time>,
}

impl Rack {
    /// Takes a round-trip time of a segment that was sent once.
    pub(crate) fn sampled(&mut self, rtt: Duration) {
        self.least_rtt = Some(self.least_rtt.map_or(rtt, |least| least.min(rtt)));
    }

    /// Records the segments that an ACK covered (`tcp_rack_advance`).
    pub(crate) fn arrived(&mut self, now: Time, acked: &Acked) {
        self.reordered |= acked.reordered;
        if let Some(at) = acked.last {
            self.advance(now, (at, acked.last_end));
        }
        // An ACK sooner than ever after a retransmission is one for the original.
        if let Some(again) = acked.last_repeat
            && self.least_rtt.is_none_or(|least| now.since(again.0) >= least)
        {
            self.advance(now, again);
        }
    }

    fn advance(&mut self, now: Time, sent: (Time, u64)) {
        self.advanced = true;
        self.rtt = now.since(sent.0);
        self.newest = self.newest.max(sent);
    }

    /// The least round trip of a segment that was sent once.
    pub(crate) fn least_rtt(&self) -> Option<Duration> {
        self.least_rtt
    }

    /// When the last sent of the segments known to have arrived left, and where it ends.
    pub(crate) fn newest(&self) -> (Time, u64) {
        self.newest
    }

    /// Whether something arrived since this was last asked.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.advanced)
    }

    /// How long after it was sent a segment is lost, once something sent later has arrived; `evidence` as in `patience`.
    pub(crate) fn allowed(&self, evidence: bool, srtt: Duration) -> Duration {
        self.rtt + self.patience(evidence, srtt)
    }

    /// How long a segment may be late (`tcp_rack_reo_wnd`): zero if no segment was ever late and there is other
    /// evidence of a loss.
    fn patience(&self, evidence: bool, srtt: Duration) -> Duration {
        if evidence && !self.reordered {
            return Duration::ZERO;
        }
        (self.least_rtt.unwrap_or(Duration::ZERO) / 4).min(srtt / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(n: u64) -> Time {
        Time::ZERO + Duration::from_millis(n)
    }

    fn arrived(rack: &mut Rack, now: u64, sent: u64, again: bool) {
        let one = (at(sent), 1000 + sent);
        let acked = if again {
            Acked { last_repeat: Some(one), ..Acked::default() }
        } else {
            Acked { last: Some(one.0), last_end: one.1, ..Acked::default() }
        };
        rack.arrived(at(now), &acked);
    }

    #[test]
    fn the_newest_arrival_counts_unless_it_may_have_been_the_original() {
        let mut rack = Rack::default();
        rack.sampled(Duration::from_millis(20));
        arrived(&mut rack, 30, 10, false);
        assert_eq!(rack.newest, (at(10), 1010));
        arrived(&mut rack, 45, 40, true);
        assert_eq!(rack.newest, (at(10), 1010), "5 ms are too short for a retransmission");
        arrived(&mut rack, 60, 40, true);
        assert_eq!(rack.newest, (at(40), 1040));
        arrived(&mut rack, 61, 12, false);
        assert_eq!(rack.newest, (at(40), 1040));
    }

    #[test]
    fn patience_is_a_quarter_of_the_least_round_trip_and_an_eighth_of_the_mean_at_most() {
        let ms = Duration::from_millis;
        let mut rack = Rack::default();
        rack.sampled(ms(40));
        assert_eq!(rack.patience(false, ms(200)), ms(10));
        assert_eq!(rack.patience(false, ms(48)), ms(6));
        assert_eq!(rack.patience(true, ms(200)), Duration::ZERO);
        rack.reordered = true;
        assert_eq!(rack.patience(true, ms(200)), ms(10), "the path reorders");
    }
}
