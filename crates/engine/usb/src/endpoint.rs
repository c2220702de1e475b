//! The adapter's OUT endpoint: two buffers of one transaction each, cleared one after the other.

use airloom_sim::{Duration, Time};

/// When each buffer will be clear, the earlier one first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endpoint {
    clear: [Time; 2],
    drain: Duration,
}

impl Endpoint {
    pub(crate) const fn new(drain: Duration) -> Self {
        Self { clear: [Time::ZERO; 2], drain }
    }

    /// Takes a transaction's payload that has arrived by `now`; false if both buffers are full.
    pub(crate) fn take(&mut self, now: Time) -> bool {
        let [first, last] = self.clear;
        let room = first <= now;
        if room {
            self.clear = [last, last.max(now) + self.drain];
        }
        room
    }

    /// From when on both buffers are clear.
    pub(crate) const fn idle(&self) -> Time {
        self.clear[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(n: u64) -> Time {
        Time::from_nanos(n * 1_000)
    }

    #[test]
    fn a_buffer_is_free_again_when_it_has_been_cleared() {
        let mut endpoint = Endpoint::new(Duration::from_micros(100));
        assert!(endpoint.take(us(10)) && endpoint.take(us(20)));
        assert!(!endpoint.take(us(109)));
        assert!(endpoint.take(us(110)), "the first is clear");
        assert!(!endpoint.take(us(209)) && endpoint.take(us(210)), "one after the other");
    }
}
