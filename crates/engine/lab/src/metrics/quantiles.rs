//! How long packets took, as a histogram whose bins are narrow where the values are small.

use airloom_sim::Duration;
use hdrhistogram::Histogram;

/// Significant digits that are kept: a value is known within 1 % (the histogram's own bound is 1 in 128).
const DIGITS: u8 = 2;

/// Times, counted in bins of microseconds.
#[derive(Clone, Debug)]
pub(super) struct Quantiles(Histogram<u32>);

impl Default for Quantiles {
    fn default() -> Self {
        Self(Histogram::new(DIGITS).expect("so many digits are allowed"))
    }
}

impl Quantiles {
    /// One sample.
    pub(super) fn add(&mut self, sample: Duration) {
        self.0.record(sample.as_micros().max(1)).expect("it grows with its values");
    }

    /// The time in ms that a share of all samples did not exceed, if there are any: the middle of its bin.
    pub(super) fn at(&self, share: f64) -> Option<f64> {
        let value = self.0.value_at_quantile(share);
        (!self.0.is_empty()).then(|| self.middle(value))
    }

    /// Round trips per minute: 60 s over the mean of the round trips up to their 95th percentile, as
    /// draft-ietf-ippm-responsiveness takes it (section 5.2, trimmed mean).
    pub(super) fn per_minute(&self) -> Option<f64> {
        let kept = (self.0.len() as f64 * 0.95).ceil() as u64;
        let (mut left, mut sum) = (kept, 0.0);
        for bin in self.0.iter_recorded() {
            let count = u64::from(bin.count_at_value()).min(left);
            sum += count as f64 * self.middle(bin.value_iterated_to());
            left -= count;
        }
        (sum > 0.0).then(|| 60_000.0 * kept as f64 / sum)
    }

    /// The middle of the bin of a value, from microseconds to ms.
    fn middle(&self, value: u64) -> f64 {
        self.0.median_equivalent(value) as f64 * 1e-3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against the sorted samples, nearest rank.
        #[test]
        fn a_quantile_is_within_one_percent(mut samples in prop::collection::vec(1u64..20_000_000, 1..400), share in 0.0..1.0f64) {
            let mut quantiles = Quantiles::default();
            samples.iter().for_each(|&us| quantiles.add(Duration::from_micros(us)));
            samples.sort_unstable();
            let rank = ((share * samples.len() as f64).ceil() as usize).max(1);
            let (exact, found) = (samples[rank - 1] as f64 * 1e-3, quantiles.at(share).expect("samples"));
            prop_assert!((found - exact).abs() <= 0.01 * exact + 1e-3, "{found} ms rather than {exact} ms");
        }

        #[test]
        fn round_trips_per_minute_leave_out_the_slowest_twentieth(us in 1000u64..100_000, n in 1usize..10) {
            let mut quantiles = Quantiles::default();
            prop_assert_eq!((quantiles.at(0.5), quantiles.per_minute()), (None, None));
            (0..95 * n).for_each(|_| quantiles.add(Duration::from_micros(us)));
            (0..5 * n).for_each(|_| quantiles.add(Duration::from_secs(9)));
            let (exact, found) = (60e6 / us as f64, quantiles.per_minute().expect("samples"));
            prop_assert!((found / exact - 1.0).abs() < 0.01, "{found} rather than {exact}");
        }
    }
}
