//! The clock of timestamps (RFC 7323 section 4; `tcp_time_stamp`).

use airloom_sim::{Duration, Time};

/// A clock that counts ticks, or milliseconds without a tick.
#[derive(Clone, Copy)]
pub(crate) struct TimestampClock {
    unit: Duration,
}

impl TimestampClock {
    /// A clock with ticks of `tick`, or of a millisecond if that is zero.
    pub(crate) fn new(tick: Duration) -> Self {
        Self { unit: if tick == Duration::ZERO { Duration::from_millis(1) } else { tick } }
    }

    /// What it shows. It begins at one, since an echo of zero is none.
    pub(crate) fn at(self, now: Time) -> u32 {
        ((now.as_nanos() / self.unit.as_nanos()) as u32).wrapping_add(1)
    }

    /// The time since it showed `stamp`.
    pub(crate) fn since(self, now: Time, stamp: u32) -> Duration {
        self.unit * u64::from(self.at(now).wrapping_sub(stamp))
    }

    /// The time between two ticks.
    pub(crate) fn unit(self) -> Duration {
        self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_ticks_or_milliseconds_from_one_on_and_wraps() {
        let at = |ms| Time::ZERO + Duration::from_millis(ms);
        let (exact, ticking) =
            (TimestampClock::new(Duration::ZERO), TimestampClock::new(Duration::from_millis(4)));
        assert_eq!((exact.at(at(0)), exact.at(at(7)), ticking.at(at(7))), (1, 8, 2));
        assert_eq!(ticking.since(at(41), 2), Duration::from_millis(36));
        let wrapped = at(u64::from(u32::MAX) + 10);
        assert_eq!(exact.since(wrapped, u32::MAX), Duration::from_millis(11));
    }
}
