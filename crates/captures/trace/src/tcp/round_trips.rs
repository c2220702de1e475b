//! Round trips of a connection, as quantiles and as a sender's timer sees them.

use super::samples::Samples;
use crate::{Bins, Spread};
use std::collections::BTreeMap;

/// The longest round trip that is told apart from longer ones, in nanoseconds: only stamps that jump make those.
pub(super) const LONGEST: u64 = 3_600_000_000_000;

/// Round trips.
#[derive(Clone, Debug, Default)]
pub struct RoundTrips {
    samples: Samples,
    /// In ms, over time.
    pub over_time: Bins,
    /// The same of those that no timer for delayed acknowledgments can have made longer.
    pub unheld: Bins,
    /// Records that ended some of those that took twice the shortest before them, or longer.
    slow: Spread<u32>,
    least_ns: Option<u64>,
    /// Smoothed round trip and its variation (RFC 6298 section 2).
    smoothed_ns: u64,
    variation_ns: u64,
}

impl RoundTrips {
    /// One sample, in nanoseconds, when and by which record it was taken, and whether the receiver may have held it back.
    pub(crate) fn add(&mut self, now_ns: u64, number: u32, sample_ns: u64, held: bool) {
        self.over_time.note(now_ns, sample_ns.min(LONGEST) as f64 / 1e6);
        self.add_but_over_time(now_ns, number, sample_ns, held);
    }

    /// The same, but for [`Self::over_time`]: of what nobody held back that has no more than [`Self::unheld`], and takes as much memory.
    pub(crate) fn add_but_over_time(&mut self, now_ns: u64, number: u32, sample_ns: u64, held: bool) {
        let sample_ns = sample_ns.min(LONGEST);
        if !held {
            self.unheld.note(now_ns, sample_ns as f64 / 1e6);
        }
        let least = self.least_ns.get_or_insert(u64::MAX);
        if *least == u64::MAX {
            self.smoothed_ns = sample_ns;
            self.variation_ns = sample_ns / 2;
        } else {
            let off = self.smoothed_ns.abs_diff(sample_ns);
            self.variation_ns = self.variation_ns - self.variation_ns / 4 + off / 4;
            self.smoothed_ns = self.smoothed_ns - self.smoothed_ns / 8 + sample_ns / 8;
        }
        *least = sample_ns.min(*least);
        if sample_ns > *least && sample_ns / 2 >= *least {
            self.slow.push(number);
        }
        self.samples.add((sample_ns / 1000).max(1) as u32);
    }

    /// How many samples there are.
    pub fn count(&self) -> u64 {
        self.samples.count()
    }

    /// The round trip in ms that a share (0 to 1) of all samples did not exceed, within 1 %; none without samples.
    pub fn quantile_ms(&self, share: f64) -> Option<f64> {
        let value_ms = self.samples.quantile(share)? as f64 * 1e-3;
        self.least_ns.map(|least_ns| value_ms.max(least_ns as f64 / 1e6))
    }

    /// The shortest in ms, as `min`, and these quantiles by their names; of no samples nothing.
    pub fn by_name_ms<const N: usize>(
        &self,
        quantiles: [(&'static str, f64); N],
    ) -> BTreeMap<&'static str, f64> {
        let least = self.least_ns().map(|least| ("min", least as f64 / 1e6));
        let quantiles =
            quantiles.into_iter().filter_map(|(name, share)| Some((name, self.quantile_ms(share)?)));
        quantiles.chain(least).collect()
    }

    /// Records that ended some long ones: of at least twice the shortest before them.
    pub fn slow(&self) -> &[u32] {
        self.slow.kept()
    }

    /// The least, in nanoseconds.
    pub const fn least_ns(&self) -> Option<u64> {
        self.least_ns
    }

    /// The smoothed round trip of RFC 6298 after the last sample, in nanoseconds.
    pub fn smoothed_ns(&self) -> Option<u64> {
        self.least_ns.map(|_| self.smoothed_ns)
    }

    /// Its variation, in nanoseconds.
    pub(super) const fn variation_ns(&self) -> u64 {
        self.variation_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_quantile_is_below_the_shortest() {
        let mut round_trips = RoundTrips::default();
        (0..100).for_each(|number| round_trips.add(0, number, 29_396_000, false));
        assert_eq!(round_trips.quantile_ms(0.05), Some(29.396));
    }
}
