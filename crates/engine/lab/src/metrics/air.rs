//! How much of the time the air was busy. Overlapping frames count once.

use airloom_observe::{Fate, Ppdu};
use airloom_sim::{Duration, Time};

/// No frame lasts longer: 65,535 bytes at the slowest rate of HT, 6.5 Mbit/s, take 81 ms; 2,346 at 1 Mbit/s, 19 ms.
const LONGEST: Duration = Duration::from_millis(100);
/// The number of spells kept before old ones are summed up.
const MAX_SPELLS: usize = 4096;

/// The union of all frames, though a long frame is reported after short ones that it overlaps.
#[derive(Clone, Debug, Default)]
pub(super) struct AirTime {
    /// Recent spells, disjoint and in order.
    spells: Vec<(Time, Time)>,
    /// The length of the spells before them.
    before: Duration,
}

impl AirTime {
    /// A frame was on the air. Frames may come in any order, if each is reported no later than at its end.
    // Inlined where each frame comes by; the other caller is cold.
    #[inline(always)]
    pub(super) fn frame(&mut self, mut start: Time, mut end: Time) {
        if self.spells.len() >= MAX_SPELLS {
            self.forget(start);
        }
        if self.spells.last().is_none_or(|(_, until)| *until < start) {
            return self.spells.push((start, end));
        }
        let first = self.spells.partition_point(|(_, until)| *until < start);
        let beyond = self.spells.partition_point(|(from, _)| *from <= end);
        if first < beyond {
            start = start.min(self.spells[first].0);
            end = end.max(self.spells[beyond - 1].1);
            self.spells.drain(first..beyond);
        }
        self.spells.insert(first, (start, end));
    }

    /// The same, out of line, so that worlds without interferers do not pay.
    #[cold]
    #[inline(never)]
    pub(super) fn frame_cold(&mut self, start: Time, end: Time) {
        self.frame(start, end);
    }

    /// Sums up the spells that no later frame can overlap, since one that begins at `start` is reported now.
    #[cold]
    fn forget(&mut self, start: Time) {
        let past = self.spells.partition_point(|(_, until)| *until + LONGEST < start);
        self.before += self.spells.drain(..past).map(|(from, until)| until - from).sum();
    }

    /// For how long the air was busy.
    pub(super) fn total(&self) -> Duration {
        self.before + self.spells.iter().map(|(from, until)| *until - *from).sum()
    }
}

/// Frames that collided, where radios have places: others, out of reach, may be received meanwhile.
#[derive(Clone, Debug, Default)]
pub(super) struct Collided(AirTime);

impl Collided {
    /// A PPDU was on the air from `start` to `end`.
    #[cold]
    #[inline(never)]
    pub(super) fn ppdu(&mut self, ppdu: &Ppdu, (start, end): (Time, Time)) {
        if ppdu.users.iter().all(|user| user.fate == Fate::Collided) {
            self.0.frame(start, end);
        }
    }

    /// For how long any of them was on the air.
    pub(super) fn total(&self) -> Duration {
        self.0.total()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(us: u64) -> Time {
        Time::ZERO + Duration::from_micros(us)
    }

    #[test]
    fn a_long_frame_that_is_reported_last_covers_short_ones() {
        let mut air = AirTime::default();
        for (from, until) in [(20, 50), (60, 70), (0, 100), (100, 110), (200, 210)] {
            air.frame(at(from), at(until));
        }
        assert_eq!(air.total(), Duration::from_micros(120));
    }

    #[test]
    fn what_is_summed_up_early_still_counts_once() {
        let mut air = AirTime::default();
        for n in 0..30_000 {
            air.frame(at(20 * n), at(20 * n + 10));
            if n % 1000 == 999 {
                air.frame(at(20 * (n - 999)), at(20 * n + 10));
            }
        }
        // Each long frame covers a thousand short ones and the gaps between them.
        assert_eq!(air.total(), Duration::from_micros(30 * 19_990));
    }

    proptest! {
        #[test]
        fn the_total_is_that_of_the_union(mut frames in prop::collection::vec((0u64..400_000, 1u64..90_000), 1..60)) {
            frames.sort_by_key(|(from, length)| from + length);
            let mut air = AirTime::default();
            let mut covered = vec![false; 500_000];
            for (from, length) in frames {
                air.frame(at(from), at(from + length));
                covered[from as usize..(from + length) as usize].fill(true);
            }
            let covered = covered.into_iter().filter(|c| *c).count() as u64;
            prop_assert_eq!(air.total(), Duration::from_micros(covered));
        }
    }
}
