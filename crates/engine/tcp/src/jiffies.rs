//! The ticks on which a kernel's timers expire (`kernel/time/timer.c`, the wheel of Linux 4.8 on).

use airloom_sim::{Duration, Time};

/// How many ticks ahead the finest level of the wheel reaches (`LVL_SIZE` less one). Each coarser level reaches eight times as
/// far and has ticks eight times as long (`LVL_CLK_SHIFT`).
const FINEST: u64 = 63;
const COARSER: u32 = 3;

/// A clock of ticks, or one without any on which everything happens in exact time.
#[derive(Clone, Copy)]
pub(crate) struct Jiffies {
    /// In ns; zero without ticks.
    tick: u64,
}

impl Jiffies {
    pub(crate) fn new(tick: Duration) -> Self {
        Self { tick: tick.as_nanos() }
    }

    /// Whether there are ticks.
    pub(crate) fn tick(self) -> bool {
        self.tick > 0
    }

    /// A time in whole ticks, not less than `wait` (`usecs_to_jiffies`).
    #[inline]
    pub(crate) fn whole(self, wait: Duration) -> Duration {
        match self.tick {
            0 => wait,
            tick => Duration::from_nanos(wait.as_nanos().next_multiple_of(tick)),
        }
    }

    /// When the present tick began; now, without ticks.
    #[inline]
    pub(crate) fn began(self, now: Time) -> Time {
        match self.tick {
            0 => now,
            tick => Time::from_nanos(now.as_nanos() / tick * tick),
        }
    }

    /// When a timer expires that is set at `now` for `at`: with the tick after that, or with the next one of its level of the
    /// wheel if it is far ahead, so that it never expires early (`calc_wheel_index`).
    #[inline]
    pub(crate) fn expiry(self, now: Time, at: Time) -> Time {
        if self.tick == 0 {
            return at;
        }
        let due = at.as_nanos() / self.tick;
        let ahead = due.saturating_sub(now.as_nanos() / self.tick);
        let mut shift = 0;
        while ahead >= FINEST << shift {
            shift += COARSER;
        }
        Time::from_nanos((((due >> shift) + 1) << shift) * self.tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HZ_250: Duration = Duration::from_millis(4);

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn a_wait_is_of_whole_ticks_and_ends_with_the_tick_after_it() {
        let jiffies = Jiffies::new(HZ_250);
        assert_eq!(jiffies.whole(Duration::from_micros(8_001)), Duration::from_millis(12));
        assert_eq!(jiffies.whole(Duration::from_millis(12)), Duration::from_millis(12));
        // Between two ticks and on one: more than the wait, and up to a tick more.
        assert_eq!(jiffies.expiry(at(103), at(103 + 12)), at(116));
        assert_eq!(jiffies.expiry(at(104), at(104 + 12)), at(120));
    }

    /// 63 ticks ahead the wheel has ticks of eight, 504 ticks ahead of 64.
    #[test]
    fn far_ahead_ticks_are_longer() {
        let jiffies = Jiffies::new(HZ_250);
        assert_eq!(jiffies.expiry(at(0), at(62 * 4)), at(63 * 4));
        assert_eq!(jiffies.expiry(at(0), at(63 * 4)), at(64 * 4));
        assert_eq!(jiffies.expiry(at(0), at(64 * 4)), at(72 * 4));
        assert_eq!(jiffies.expiry(at(0), at(1000)), at(1024));
        assert_eq!(jiffies.expiry(at(0), at(504 * 4)), at(512 * 4));
        assert_eq!(jiffies.expiry(at(0), at(512 * 4)), at(576 * 4));
    }

    #[test]
    fn without_ticks_time_is_exact() {
        let jiffies = Jiffies::new(Duration::ZERO);
        assert_eq!(jiffies.expiry(at(103), at(115)), at(115));
        assert_eq!((jiffies.began(at(103)), Jiffies::new(HZ_250).began(at(103))), (at(103), at(100)));
        assert_eq!(jiffies.whole(Duration::from_micros(1)), Duration::from_micros(1));
    }
}
