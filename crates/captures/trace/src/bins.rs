//! Quantities over the time of a capture, in room that does not grow with it.

use std::num::NonZeroU64;

/// How many bins there are at most.
const MOST: usize = 512;

/// What is made coarser keeps room for as many, and room grows by as many at a time: connections have dozens of these, whose length doubled would be half
/// empty.
const FEWEST: usize = 32;

/// A bin's width at first, in nanoseconds.
const FIRST_WIDTH: u64 = 10_000_000;

/// Sums and counts in equal bins from a capture's first record on. When the capture grows beyond the last bin, each takes in its
/// neighbour and is twice as wide.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// When the first begins, in nanoseconds since 1970, and one: connections have dozens of these, and so it takes eight octets.
    origin: Option<NonZeroU64>,
    width_ns: u64,
    bins: Vec<Bin>,
    /// How many there may be.
    most: usize,
}

/// What fell into one bin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// The sum of the quantity.
    pub sum: f64,
    /// How often it was noted.
    pub count: u32,
    /// The greatest of it.
    pub most: f64,
    /// The least of it.
    pub least: f64,
}

impl Bin {
    /// Takes in what fell into another.
    pub const fn merge(&mut self, other: &Self) {
        if other.count > 0 {
            self.most = if self.count == 0 { other.most } else { self.most.max(other.most) };
            self.least = if self.count == 0 { other.least } else { self.least.min(other.least) };
            self.sum += other.sum;
            self.count += other.count;
        }
    }
}

impl Default for Bins {
    fn default() -> Self {
        Self { origin: None, width_ns: FIRST_WIDTH, bins: Vec::new(), most: MOST }
    }
}

impl Bins {
    /// Bins that begin at a time; by default they begin with what is noted first.
    pub fn from(origin_ns: u64) -> Self {
        Self { origin: Some(after(origin_ns)), ..Self::default() }
    }

    /// Notes a quantity at a time. What lies before the first bin counts into it.
    pub fn note(&mut self, at_ns: u64, quantity: f64) {
        let since = at_ns.saturating_sub(self.origin.get_or_insert(after(at_ns)).get() - 1);
        while since / self.width_ns >= self.most as u64 {
            self.widen();
        }
        let place = (since / self.width_ns) as usize;
        if place >= self.bins.capacity() {
            let room = (place + 1).next_multiple_of(FEWEST).min(self.most);
            self.bins.reserve_exact(room - self.bins.len());
        }
        if place >= self.bins.len() {
            self.bins.resize(place + 1, Bin::default());
        }
        let bin = &mut self.bins[place];
        bin.most = if bin.count == 0 { quantity } else { bin.most.max(quantity) };
        bin.least = if bin.count == 0 { quantity } else { bin.least.min(quantity) };
        bin.sum += quantity;
        bin.count += 1;
    }

    /// Takes back a quantity that was noted at a time, since it belongs elsewhere. The bin's greatest and least stay bounds.
    pub(crate) fn take_back(&mut self, at_ns: u64, quantity: f64) {
        let since = at_ns.saturating_sub(self.origin_ns().unwrap_or(at_ns));
        if let Some(bin) = self.bins.get_mut((since / self.width_ns) as usize) {
            bin.sum -= quantity;
            bin.count = bin.count.saturating_sub(1);
        }
    }

    /// Notes what lasted from one time to another, in nanoseconds, in each bin that it lasted in.
    pub fn lasted(&mut self, from_ns: u64, to_ns: u64) {
        // So that no bin becomes wider on the way.
        self.note(to_ns, 0.0);
        let origin = self.origin_ns().unwrap_or_default();
        let mut at = from_ns.max(origin);
        while at < to_ns {
            let end = to_ns.min(origin + ((at - origin) / self.width_ns + 1) * self.width_ns);
            self.note(at, (end - at) as f64);
            at = end;
        }
    }

    /// The sum of what was noted in bins that begin from one time on and before another.
    pub fn sum(&self, from_ns: u64, to_ns: u64) -> f64 {
        let begins = |place: usize| (from_ns..to_ns).contains(&self.begin_ns(place));
        let bins = self.bins.iter().enumerate().filter(|&(place, _)| begins(place));
        bins.map(|(_, bin)| bin.sum).sum()
    }

    /// Makes each bin twice as wide.
    fn widen(&mut self) {
        self.width_ns *= 2;
        self.bins = self
            .bins
            .chunks(2)
            .map(|pair| {
                let mut one = pair[0];
                pair[1..].iter().for_each(|second| one.merge(second));
                one
            })
            .collect();
    }

    /// How many bins there is room for.
    pub(crate) const fn room(&self) -> usize {
        self.bins.capacity()
    }

    /// Makes do with half of the bins, as long as these are enough for anything.
    pub(crate) fn coarsen(&mut self) {
        self.most = (self.most.min(self.bins.len().next_power_of_two()) / 2).max(FEWEST);
        while self.bins.len() > self.most {
            self.widen();
        }
        self.bins.shrink_to_fit();
    }

    /// When the first bin begins, in nanoseconds since 1970; none if nothing was noted.
    pub const fn origin_ns(&self) -> Option<u64> {
        match self.origin {
            Some(origin) => Some(origin.get() - 1),
            None => None,
        }
    }

    /// The width of each bin in nanoseconds.
    pub const fn width_ns(&self) -> u64 {
        self.width_ns
    }

    /// When a bin begins, in nanoseconds since 1970.
    pub fn begin_ns(&self, place: usize) -> u64 {
        self.origin_ns().unwrap_or_default() + place as u64 * self.width_ns
    }

    /// What was noted per nanosecond from one time to another, both where bins begin; 0 without any bin.
    pub fn density(&self, from_ns: u64, to_ns: u64) -> f64 {
        let origin = self.origin_ns().unwrap_or_default();
        let place = |at: u64| ((at.saturating_sub(origin)) / self.width_ns) as usize;
        let first = place(from_ns).min(self.bins.len());
        let end = place(to_ns).max(place(from_ns) + 1).min(self.bins.len()).max(first);
        let sum: f64 = self.bins[first..end].iter().map(|bin| bin.sum).sum();
        sum / ((end - first).max(1) as u64 * self.width_ns) as f64
    }

    /// Between which times all but a part of the sum lies, with as much of that part before as behind, in nanoseconds since 1970; none if nothing was noted.
    /// Quantities are positive.
    pub fn between(&self, part: f64) -> Option<(u64, u64)> {
        let beside = part / 2.0 * self.bins.iter().map(|bin| bin.sum).sum::<f64>();
        let behind = |sum: &mut f64, bin: &Bin| {
            *sum += bin.sum;
            Some(*sum > beside)
        };
        let first = self.bins.iter().scan(0.0, behind).position(|is_in| is_in)?;
        let last = self.bins.len() - self.bins.iter().rev().scan(0.0, behind).position(|is_in| is_in)?;
        Some((self.begin_ns(first), self.begin_ns(last)))
    }

    /// The bins from the first to the last in which something was noted.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }
}

const fn after(at_ns: u64) -> NonZeroU64 {
    NonZeroU64::MIN.saturating_add(at_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn coarser_bins_hold_the_same(
            notes in prop::collection::vec((0..10_u64.pow(13), 0..100_u32), 1..200),
            more in prop::collection::vec((0..10_u64.pow(13), 0..100_u32), 0..200),
            times in 1..6,
        ) {
            let mut bins = Bins::from(0);
            notes.iter().for_each(|&(at, quantity)| bins.note(at, quantity.into()));
            (0..times).for_each(|_| bins.coarsen());
            let room = (MOST >> times).max(FEWEST);
            prop_assert!(bins.bins().len() <= room && bins.room() <= room);
            more.iter().for_each(|&(at, quantity)| bins.note(at, quantity.into()));
            prop_assert!(bins.bins().len() <= room);
            let all = notes.iter().chain(&more);
            let sum: f64 = bins.bins().iter().map(|bin| bin.sum).sum();
            prop_assert_eq!(sum as u32, all.clone().map(|note| note.1).sum::<u32>());
            for &(at, quantity) in all {
                let bin = &bins.bins()[(at / bins.width_ns()) as usize];
                prop_assert!(bin.count > 0 && bin.most >= quantity.into());
            }
        }

        #[test]
        fn what_lasts_is_in_every_bin_that_it_lasted_in(
            spells in prop::collection::vec((0..10_u64.pow(12), 1..10_u64.pow(11)), 1..50),
        ) {
            let mut bins = Bins::from(0);
            spells.iter().for_each(|&(from, length)| bins.lasted(from, from + length));
            let sum: u64 = spells.iter().map(|spell| spell.1).sum();
            prop_assert!((bins.sum(0, u64::MAX) - sum as f64).abs() < 1.0 + 1e-9 * sum as f64);
            let width = bins.width_ns() as f64;
            prop_assert!(bins.bins().iter().all(|bin| bin.sum <= width * spells.len() as f64 + 1.0));
        }

        #[test]
        fn nothing_is_lost_and_nothing_grows(
            notes in prop::collection::vec((0..10_u64.pow(15), -5.0..5.0_f64), 1..200),
        ) {
            let mut bins = Bins::from(0);
            for &(at, quantity) in &notes {
                bins.note(at, quantity);
            }
            prop_assert!(bins.bins().len() <= MOST);
            let sum: f64 = bins.bins().iter().map(|bin| bin.sum).sum();
            prop_assert!((sum - notes.iter().map(|note| note.1).sum::<f64>()).abs() < 1e-9);
            prop_assert_eq!(bins.bins().iter().map(|bin| bin.count as usize).sum::<usize>(), notes.len());
            let greatest = bins.bins().iter().filter(|bin| bin.count > 0).map(|bin| bin.most).fold(f64::MIN, f64::max);
            prop_assert!((greatest - notes.iter().map(|note| note.1).fold(f64::MIN, f64::max)).abs() < 1e-12);
            let least = bins.bins().iter().filter(|bin| bin.count > 0).map(|bin| bin.least).fold(f64::MAX, f64::min);
            prop_assert!((least - notes.iter().map(|note| note.1).fold(f64::MAX, f64::min)).abs() < 1e-12);
            let (at, _) = notes[0];
            prop_assert!(bins.bins()[(at / bins.width_ns()) as usize].count > 0);
        }
    }
}
