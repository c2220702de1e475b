//! When Linux looks after a carrier that falls (Linux 6.18 net/core/link_watch.c).
//!
//! At once, unless it has done so for another within a second: then when that is over, for all that have fallen meanwhile
//! (`linkwatch_schedule_work`, `__linkwatch_run_queue`). Only then are the neighbours forgotten and the queue is deactivated
//! (`linkwatch_do_dev`), and not at all if the carrier is back before. One that comes back after that is urgent, and never waits
//! (`linkwatch_urgent_event`).

use airloom_sim::{Duration, Time};

/// Least time from one look to the next (`HZ`).
const APART: Duration = Duration::from_secs(1);

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linkwatch {
    /// When it looks after the last fall; none if there was none.
    looks: Option<Time>,
}

impl Linkwatch {
    /// The carrier falls.
    pub(super) fn falls(&mut self, now: Time) {
        let next = |looks: Time| if now < looks { looks } else { now.max(looks + APART) };
        self.looks = Some(self.looks.map_or(now, next));
    }

    /// Whether it has looked after the last fall.
    pub(super) fn has_looked(&self, now: Time) -> bool {
        self.looks.is_some_and(|looks| looks <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand from the kernel's source: when it looks after falls at these times, in ms.
    #[test]
    fn it_looks_at_once_or_a_second_after_the_last_look() {
        let (mut watch, at) = (Linkwatch::default(), |ms: u64| Time::ZERO + Duration::from_millis(ms));
        assert!(!watch.has_looked(at(0)), "no carrier has fallen");
        for (falls, looks) in [(100, 100), (600, 1100), (900, 1100), (1500, 2100), (9000, 9000)] {
            watch.falls(at(falls));
            assert_eq!(watch.looks, Some(at(looks)), "{falls}");
            assert!(looks == falls || !watch.has_looked(at(looks - 1)));
            assert!(watch.has_looked(at(looks)));
        }
    }
}
