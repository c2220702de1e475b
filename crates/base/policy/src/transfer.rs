//! Whether a transfer goes on: data moved since the last look, above a threshold.

use airloom_sim::{Bytes, Duration, Time};

/// Bytes moved recently, by which a transfer is detected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transfer {
    threshold: Bytes,
    look: Duration,
    looked_at: Time,
    moved_then: u64,
    going_on: bool,
}

impl Transfer {
    /// Data above `threshold` within `look` is a transfer; with `look` zero, within the time since the last sample.
    pub(crate) fn new(threshold: Bytes, look: Duration) -> Self {
        Self { threshold, look, looked_at: Time::ZERO, moved_then: 0, going_on: false }
    }

    /// Counts from here: `moved` bytes were sent and received until now.
    pub(crate) fn begin(&mut self, now: Time, moved: u64) {
        (self.looked_at, self.moved_then) = (now, moved);
    }

    /// Whether a transfer goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.going_on
    }

    /// `moved` bytes have been sent and received until `now`. A transfer is noticed at once, its end at the next look.
    /// A counter that decreased has been reset, and its value is the bytes moved since.
    pub(crate) fn sample(&mut self, now: Time, moved: u64) {
        let since = moved.checked_sub(self.moved_then).unwrap_or(moved);
        let over = since > self.threshold.0;
        if now.since(self.looked_at) >= self.look {
            (self.looked_at, self.moved_then, self.going_on) = (now, moved, over);
        } else if over {
            self.going_on = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(n: u64) -> Time {
        Time::ZERO + Duration::from_secs(n)
    }

    #[test]
    fn small_talk_is_no_transfer() {
        let mut t = Transfer::new(Bytes(1000), Duration::from_secs(5));
        t.sample(s(5), 1000);
        assert!(!t.goes_on());
        t.sample(s(10), 2001);
        assert!(t.goes_on());
    }

    #[test]
    fn a_transfer_is_noticed_at_once_and_its_end_at_the_next_look() {
        let mut t = Transfer::new(Bytes(1000), Duration::from_secs(5));
        t.sample(s(5), 0);
        t.sample(s(6), 1001);
        assert!(t.goes_on());
        t.sample(s(10), 1001);
        assert!(t.goes_on(), "it moved within these five seconds");
        t.sample(s(14), 1001);
        assert!(t.goes_on());
        t.sample(s(15), 1001);
        assert!(!t.goes_on());
    }

    #[test]
    fn a_counter_that_starts_anew_is_no_transfer() {
        let mut t = Transfer::new(Bytes(1000), Duration::ZERO);
        t.sample(s(1), 1_000_000);
        t.sample(s(2), 10);
        assert!(!t.goes_on());
    }
}
