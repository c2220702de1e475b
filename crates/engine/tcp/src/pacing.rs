//! Pacing: a segment leaves no earlier than the rate permits (the internal timer of `tcp_output.c`, Linux 4.13 on; the credit for
//! late departures as since 4.20, `tcp_update_skb_after_send`).

use airloom_sim::{Duration, Time};

/// Segments at the beginning that leave at once, as `sch_fq` does it: a gap follows the last of them.
const FREE: u32 = 10;

/// When the next segment may leave.
#[derive(Default)]
pub(crate) struct Pacer {
    /// When the next segment leaves, at the earliest (`tcp_wstamp_ns`).
    departure: Time,
    sent: u32,
    /// The burst that left last: when, how late that was, its payload in bytes.
    left: Time,
    late: Duration,
    bytes: u64,
}

impl Pacer {
    /// When the next segment leaves, if not now.
    pub(crate) fn holds_until(&self, now: Time) -> Option<Time> {
        Some(self.departure).filter(|departure| *departure > now)
    }

    /// When the next segment leaves, now at the earliest.
    pub(crate) fn departure(&self, now: Time) -> Time {
        self.departure.max(now)
    }

    /// A segment with `payload` bytes leaves, at a rate in bytes per second. A late departure shortens the next gap, by
    /// at most a half.
    pub(crate) fn sent(&mut self, now: Time, payload: u32, rate: u64) {
        self.left = self.departure.max(now);
        self.late = self.left.since(self.departure);
        self.bytes = 0;
        self.joined(payload, rate);
    }

    /// A segment leaves in one burst with the one before: one gap follows both.
    pub(crate) fn joined(&mut self, payload: u32, rate: u64) {
        self.bytes += u64::from(payload);
        self.departure = self.left;
        self.sent = self.sent.saturating_add(1);
        if self.sent < FREE || rate == 0 || rate == u64::MAX {
            return;
        }
        let gap = Duration::from_nanos(self.bytes * 1_000_000_000 / rate);
        self.departure = self.left + gap - self.late.min(gap / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn begun() -> Pacer {
        let mut pacer = Pacer::default();
        (1..FREE).for_each(|_| pacer.sent(Time::ZERO, 1000, 1_000_000));
        assert_eq!(pacer.holds_until(Time::ZERO), None);
        pacer
    }

    #[test]
    fn a_gap_is_the_time_that_the_payload_takes_at_the_rate() {
        let mut pacer = begun();
        pacer.sent(Time::ZERO, 1000, 1_000_000);
        assert_eq!(pacer.holds_until(Time::ZERO), Some(Time::ZERO + MS));
        pacer.sent(Time::ZERO + MS, 500, 1_000_000);
        assert_eq!(pacer.departure(Time::ZERO), Time::ZERO + MS + MS / 2);
    }

    /// Linux counts the segment before it asks whether ten were sent.
    #[test]
    fn a_gap_follows_the_tenth_segment() {
        let mut pacer = Pacer::default();
        for n in 1..=10 {
            assert_eq!(pacer.holds_until(Time::ZERO), None, "segment {n}");
            pacer.sent(Time::ZERO, 1000, 1_000_000);
        }
        assert_eq!(pacer.holds_until(Time::ZERO), Some(Time::ZERO + MS));
    }

    #[test]
    fn a_burst_has_one_gap_and_its_lateness_shortens_all_of_it() {
        let mut pacer = begun();
        pacer.sent(Time::ZERO, 1000, 1_000_000);
        let late = Time::ZERO + MS * 2;
        pacer.sent(late, 1000, 1_000_000);
        pacer.joined(1000, 1_000_000);
        pacer.joined(1000, 1_000_000);
        assert_eq!(pacer.holds_until(late), Some(late + MS * 2), "3 ms, of which one had passed");
    }

    #[test]
    fn a_late_departure_is_made_up_for_by_half_a_gap() {
        let mut pacer = begun();
        pacer.sent(Time::ZERO, 1000, 1_000_000);
        pacer.sent(Time::ZERO + MS * 9, 1000, 1_000_000);
        assert_eq!(pacer.holds_until(Time::ZERO + MS * 9), Some(Time::ZERO + MS * 9 + MS / 2));
    }
}
