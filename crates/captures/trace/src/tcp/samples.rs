//! Samples of a time: as they are while there are few, counted within 1 % once there are more.

use hdrhistogram::Histogram;

/// Significant digits that are kept: a value is known within 1 %.
const DIGITS: u8 = 2;
/// So many samples of four octets take no more memory than the histogram of them, of some kilobytes.
const MOST_LISTED: usize = 512;

/// Samples in whole microseconds, each 1 at least.
#[derive(Clone, Debug)]
pub(super) enum Samples {
    Few(Vec<u32>),
    Many(Box<Histogram<u32>>),
}

impl Default for Samples {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Samples {
    pub(super) fn add(&mut self, micros: u32) {
        match self {
            Self::Few(few) if few.len() < MOST_LISTED => few.push(micros),
            Self::Few(few) => {
                let mut many = counted(few);
                record(&mut many, micros);
                *self = Self::Many(Box::new(many));
            }
            Self::Many(many) => record(many, micros),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Few(few) => few.len() as u64,
            Self::Many(many) => many.len(),
        }
    }

    /// What a share (0 to 1) of all samples did not exceed, within 1 % and the same for few as for many; none without samples.
    pub(super) fn quantile(&self, share: f64) -> Option<u64> {
        let of = |many: &Histogram<u32>| many.median_equivalent(many.value_at_quantile(share));
        match self {
            Self::Few(few) if few.is_empty() => None,
            Self::Few(few) => Some(of(&counted(few))),
            Self::Many(many) => Some(of(many)),
        }
    }
}

/// It grows with its greatest value.
fn counted(few: &[u32]) -> Histogram<u32> {
    let mut many = Histogram::new(DIGITS).expect("two digits are allowed");
    few.iter().for_each(|&micros| record(&mut many, micros));
    many
}

fn record(many: &mut Histogram<u32>, micros: u32) {
    many.record(micros.into()).expect("it grows");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_quantile_is_that_of_the_sorted_samples_within_one_percent(
            samples in prop::collection::vec(1..3_600_000_000_u32, 1..3 * MOST_LISTED),
            share in 0.0..=1.0_f64,
        ) {
            let mut all = Samples::default();
            samples.iter().for_each(|&micros| all.add(micros));
            let mut sorted = samples;
            sorted.sort_unstable();
            let place = ((share * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len());
            let (told, truth) = (all.quantile(share).unwrap() as f64, f64::from(sorted[place - 1]));
            prop_assert!((told - truth).abs() <= 0.01 * truth + 1.0, "{} for {}", told, truth);
            prop_assert_eq!(all.count(), sorted.len() as u64);
            prop_assert_eq!(matches!(all, Samples::Few(_)), sorted.len() <= MOST_LISTED);
        }
    }
}
