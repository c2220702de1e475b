//! Virtual time, which packetdrill reads and lets pass.

use airloom_sim::{Duration, Time};

/// A clock that stands still but while time is let pass.
pub(crate) struct Clock {
    now: Time,
    read: bool,
}

impl Clock {
    /// A clock that begins well after zero, so that no time before it is negative.
    pub(crate) fn new() -> Self {
        Self { now: Time::ZERO + Duration::from_secs(1000), read: false }
    }

    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Moves to `at`; never back.
    pub(crate) fn set(&mut self, at: Time) {
        self.now = self.now.max(at);
        self.read = false;
    }

    /// The time as a program reads it. A second reading, with nothing in between, is a microsecond later: packetdrill waits for
    /// the last microseconds before an event by reading the clock over and over.
    pub(crate) fn read(&mut self) -> Time {
        if self.read {
            self.now += Duration::from_micros(1);
        }
        self.read = true;
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_read_over_and_over_moves_by_microseconds() {
        let mut clock = Clock::new();
        let begin = clock.read();
        assert_eq!(clock.read().since(begin), Duration::from_micros(1));
        clock.set(begin + Duration::from_millis(1));
        assert_eq!(clock.read().since(begin), Duration::from_millis(1));
        clock.set(begin);
        assert_eq!(clock.now().since(begin), Duration::from_millis(1), "never back");
    }
}
