//! One axis of time for all that a page draws.

use crate::evidence::Evidence;
use airloom_trace::{Bin, Bins};

/// How many bins there are at most, and the width of the narrowest in seconds.
const MOST: f64 = 512.0;
const NARROWEST: f64 = 0.01;

/// Equal bins from the first record of all captures to the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The width of a bin in seconds.
    pub(crate) width_s: f64,
    /// How many there are.
    pub(crate) count: usize,
}

impl Grid {
    /// The bins of an axis that ends so many seconds after it begins.
    pub(crate) fn of(length_s: f64) -> Self {
        let mut width_s = NARROWEST;
        while length_s > (MOST - 1.0) * width_s {
            width_s *= 2.0;
        }
        // What was noted at the end may have its middle half a bin behind it.
        Self { width_s, count: (length_s / width_s + 0.5) as usize + 1 }
    }

    /// What was noted in a capture, in these bins: each of its own goes where its middle is. One that is wider, of a small connection
    /// among many, is spread evenly.
    pub(crate) fn take(&self, evidence: &Evidence, capture: usize, bins: &Bins) -> Vec<Bin> {
        let mut found = vec![Bin::default(); self.count];
        let parts = (bins.width_ns() as f64 / 1e9 / self.width_s + 0.5).max(1.0) as u32;
        let width_ns = bins.width_ns() / u64::from(parts);
        for (place, bin) in bins.bins().iter().enumerate() {
            for (part, bin) in spread(bin, parts) {
                let begin_ns = bins.begin_ns(place) + u64::from(part) * width_ns;
                let middle = evidence.seconds_in(capture, begin_ns + width_ns / 2);
                found[((middle / self.width_s) as usize).min(self.count - 1)].merge(&bin);
            }
        }
        found
    }
}

/// The parts of a bin in which something was noted, if that was even.
fn spread(bin: &Bin, parts: u32) -> impl Iterator<Item = (u32, Bin)> {
    let upto = move |part: u32| (u64::from(bin.count) * u64::from(part) / u64::from(parts)) as u32;
    (0..parts).filter_map(move |part| {
        let count = upto(part + 1) - upto(part);
        let share = f64::from(count) / f64::from(bin.count);
        (count > 0).then_some((part, Bin { count, sum: bin.sum * share, ..*bin }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nothing_is_lost(notes in prop::collection::vec((0..10_u64.pow(12), 0.0..5.0_f64), 1..100)) {
            let last = notes.iter().map(|note| note.0).max().unwrap_or_default();
            let grid = Grid::of(last as f64 / 1e9);
            prop_assert!(grid.count <= MOST as usize);
            let mut bins = Bins::from(0);
            notes.iter().for_each(|&(at, quantity)| bins.note(at, quantity));
            let evidence = Evidence::of(Vec::new());
            let taken = grid.take(&evidence, 0, &bins);
            let sum: f64 = taken.iter().map(|bin| bin.sum).sum();
            prop_assert!((sum - notes.iter().map(|note| note.1).sum::<f64>()).abs() < 1e-9);
            for (at, quantity) in notes {
                // Bins that began as wide as these lie where these do.
                let place = ((at as f64 / 1e9 / grid.width_s) as usize).min(grid.count - 1);
                prop_assert!(taken[place].count > 0 && taken[place].most >= quantity);
            }
        }

        #[test]
        fn what_is_wider_is_spread(notes in prop::collection::vec(0..10_u64.pow(12), 1..100), finer in 0..6_u32) {
            let mut bins = Bins::from(0);
            notes.iter().for_each(|&at| bins.note(at, 1.0));
            let width_s = bins.width_ns() as f64 / 1e9 / f64::from(1 << finer);
            let grid = Grid { width_s, count: (1000.0 / width_s) as usize + 64 };
            let taken = grid.take(&Evidence::of(Vec::new()), 0, &bins);
            prop_assert_eq!(taken.iter().map(|bin| bin.count as usize).sum::<usize>(), notes.len());
            for (place, wide) in bins.bins().iter().enumerate() {
                let fine = &taken[place << finer..(place + 1) << finer];
                prop_assert!((fine.iter().map(|bin| bin.sum).sum::<f64>() - wide.sum).abs() < 1e-9);
                let (least, most) = (wide.count >> finer, (wide.count >> finer) + 1);
                prop_assert!(fine.iter().all(|bin| (least..=most).contains(&bin.count)));
            }
        }
    }
}
