//! Loss detection by time: a segment sent well before one that has arrived is lost (RACK, RFC 8985 section 6;
//! `tcp_recovery.c`, Linux 4.4 on).

use crate::scoreboard::Acked;
use airloom_sim::{Duration, Time};

/// Recoveries for which a wider window for late segments lasts (`TCP_RACK_RECOVERY_THRESH`).
const WIDE_FOR: u32 = 16;
/// The most quarters of a round trip in that window.
const MOST_STEPS: u64 = 255;

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
    /// The window for late segments in quarters of the least round trip, less one (`reo_wnd_steps`).
    more_steps: u64,
    /// For how many recoveries it lasts (`reo_wnd_persist`).
    wide_for: u32,
    /// A D-SACK has reported a needless retransmission (`dsack_seen`).
    needless: bool,
    /// When the window was last widened.
    widened: Option<Time>,
    /// Something arrived since losses were last looked for.
    advanced: bool,
    /// How long to wait for late segments.
    pub(crate) wait: Option<Duration>,
}

impl Rack {
    /// Takes a round-trip time of a segment that was sent once.
    pub(crate) fn sampled(&mut self, rtt: Duration) {
        self.least_rtt = Some(self.least_rtt.map_or(rtt, |least| least.min(rtt)));
    }

    /// Records the segments that an ACK covered, in their order: the round trip is that of the last (`tcp_rack_advance`). What
    /// was sent again does not count if the ACK is for the `original`.
    pub(crate) fn arrived(&mut self, now: Time, acked: &Acked, original: bool) {
        let once = acked.last.map(|at| (at, acked.last_end));
        // An ACK sooner than ever after a retransmission is one for the original, too.
        let soonest = self.least_rtt.unwrap_or(Duration::ZERO);
        let plausible = |again: &(Time, u64)| !original && now.since(again.0) >= soonest;
        let again = acked.last_repeat.filter(plausible);
        let once_first = once.map(|sent| sent.1) < again.map(|sent| sent.1);
        let [first, second] = if once_first { [once, again] } else { [again, once] };
        first.into_iter().chain(second).for_each(|sent| self.advance(now, sent));
    }

    fn advance(&mut self, now: Time, sent: (Time, u64)) {
        self.advanced = true;
        self.rtt = now.since(sent.0);
        self.newest = self.newest.max(sent);
    }

    /// A D-SACK has reported a retransmission that reordering may have caused.
    pub(crate) fn was_needless(&mut self) {
        self.needless = true;
    }

    /// An ACK has covered a segment, the last of which was sent at `newest`: after a D-SACK the window for late segments grows
    /// by a quarter of the least round trip, once in a round trip (`tcp_rack_update_reo_wnd`).
    pub(crate) fn adapt(&mut self, now: Time, newest: Time) {
        if self.widened.is_some_and(|at| newest < at) {
            self.needless = false;
        }
        if std::mem::take(&mut self.needless) {
            self.more_steps = (self.more_steps + 1).min(MOST_STEPS - 1);
            self.widened = Some(now);
            self.wide_for = WIDE_FOR;
        } else if self.wide_for == 0 {
            self.more_steps = 0;
        }
    }

    /// A recovery is over. If D-SACKs have undone it, that is another reason to wait (`tcp_try_undo_recovery`,
    /// `tcp_try_undo_dsack`).
    pub(crate) fn recovered(&mut self, undone: bool) {
        self.wide_for =
            if undone { (self.wide_for + 1).min(WIDE_FOR) } else { self.wide_for.saturating_sub(1) };
    }

    /// Losses are looked for with the next ACK even if nothing has arrived (`tcp_undo_cwnd_reduction`).
    pub(crate) fn look_again(&mut self) {
        self.advanced = true;
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

    /// How long after it was sent a segment is lost, once something sent later has arrived and if none may be late.
    pub(crate) fn rtt(&self) -> Duration {
        self.rtt
    }

    /// The same if segments may be late: by a quarter of the least round trip or, after D-SACKs, by more (`tcp_rack_reo_wnd`).
    pub(crate) fn patient_rtt(&self, srtt: Duration) -> Duration {
        let quarter = self.least_rtt.unwrap_or(Duration::ZERO) / 4;
        self.rtt + (quarter * (1 + self.more_steps)).min(srtt)
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
        rack.arrived(at(now), &acked, false);
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

    /// Linux walks the queue in order, whatever each segment's history.
    #[test]
    fn the_round_trip_is_that_of_the_last_segment_covered() {
        let mut rack = Rack::default();
        let acked = |last_end, again_end| Acked {
            last: Some(at(10)),
            last_end,
            last_repeat: Some((at(20), again_end)),
            ..Acked::default()
        };
        rack.arrived(at(32), &acked(4001, 1001), false);
        assert_eq!((rack.rtt(), rack.newest()), (Duration::from_millis(22), (at(20), 1001)));
        rack.arrived(at(32), &acked(4001, 5001), false);
        assert_eq!(rack.rtt(), Duration::from_millis(12));
    }

    #[test]
    fn a_segment_may_be_late_by_a_quarter_of_the_least_round_trip_and_a_mean_one_at_most() {
        let ms = Duration::from_millis;
        let mut rack = Rack::default();
        rack.sampled(ms(40));
        assert_eq!(rack.patient_rtt(ms(200)), ms(10));
        assert_eq!(rack.patient_rtt(ms(6)), ms(6));
    }

    /// RFC 8985 section 6.2, step 4.
    #[test]
    fn a_needless_retransmission_widens_the_window_once_a_round_trip_and_for_sixteen_recoveries() {
        let ms = Duration::from_millis;
        let mut rack = Rack::default();
        rack.sampled(ms(40));
        rack.was_needless();
        rack.adapt(at(100), at(60));
        assert_eq!(rack.patient_rtt(ms(200)), ms(20));
        rack.was_needless();
        rack.adapt(at(110), at(70));
        assert_eq!(rack.patient_rtt(ms(200)), ms(20), "what it covers was sent before");
        rack.was_needless();
        rack.adapt(at(150), at(110));
        assert_eq!(rack.patient_rtt(ms(200)), ms(30));
        (0..15).for_each(|_| rack.recovered(false));
        rack.adapt(at(200), at(160));
        assert_eq!(rack.patient_rtt(ms(200)), ms(30));
        rack.recovered(false);
        rack.adapt(at(201), at(161));
        assert_eq!(rack.patient_rtt(ms(200)), ms(10));
    }
}
