//! When Linux looks after a carrier that falls (Linux 6.18 net/core/link_watch.c).
//!
//! At once, unless it has done so for another within a second: then when that is over, for all that have fallen meanwhile
//! (`linkwatch_schedule_work`, `__linkwatch_run_queue`). Only then are the neighbours forgotten and the queue is deactivated
//! (`linkwatch_do_dev`), and not at all if the carrier is back before. One that comes back after that is urgent, and never waits
//! (`linkwatch_urgent_event`); where a look was due anyway it is one, from which the next fall waits a second too (`linkwatch_event`).

use airloom_sim::{Duration, Time};

/// Least time from one look to the next (`HZ`).
const APART: Duration = Duration::from_secs(1);

/// See the module.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linkwatch {
    /// When it looks after the last fall.
    looks: Time,
    /// The first time at which it looks after another (`linkwatch_nextevent`).
    next: Time,
}

impl Linkwatch {
    /// The carrier falls. When it looks after that.
    pub(super) fn falls(&mut self, now: Time) -> Time {
        if self.looks <= now {
            self.looks = now.max(self.next);
            self.next = self.looks + APART;
        }
        self.looks
    }

    /// The carrier is back.
    pub(super) fn rises(&mut self, now: Time) {
        if self.next <= now {
            self.next = now + APART;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// By hand from the kernel's source: when it looks after falls at these times, in ms.
    #[test]
    fn it_looks_at_once_or_a_second_after_the_last_look() {
        let mut watch = Linkwatch::default();
        for (falls, looks) in [(100, 100), (600, 1100), (900, 1100), (1500, 2100), (9000, 9000)] {
            assert_eq!(watch.falls(at(falls)), at(looks), "{falls}");
        }
    }

    /// Likewise, with the carrier back at the second of these times, and gone again at the third.
    #[test]
    fn a_carrier_that_comes_back_when_a_look_is_due_is_one() {
        for (falls, rises, again, looks) in [
            (100, 1100, 1500, 2100),
            (100, 1099, 1100, 1100),
            (100, 200, 1050, 1100),
            (100, 5000, 6000, 6000),
        ] {
            let mut watch = Linkwatch::default();
            watch.falls(at(falls));
            watch.rises(at(rises));
            assert_eq!(watch.falls(at(again)), at(looks), "{falls}, {rises}, {again}");
        }
    }

    /// It is back before the look at 1,100 ms, which comes all the same and finds it there.
    #[test]
    fn a_look_that_was_due_stays_so() {
        let mut watch = Linkwatch::default();
        watch.falls(at(100));
        watch.rises(at(200));
        watch.falls(at(600));
        watch.rises(at(800));
        assert_eq!(watch.falls(at(1000)), at(1100));
        watch.rises(at(1150));
        assert_eq!(watch.falls(at(1200)), at(2100));
    }
}
