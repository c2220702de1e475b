//! A line that a page draws: a value for each bin of time.

use airloom_trace::Bin;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A value for each bin; none where there is nothing to say.
#[derive(Clone, Debug, JsonSchema, PartialEq)]
pub struct Line(pub(crate) Vec<Option<f64>>);

impl Serialize for Line {
    /// Five significant digits are more than a page can show.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|value| value.map(rounded)))
    }
}

/// A value with five significant digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(value.abs())) - 4.0);
    // Dividing by a power of ten is exact where multiplying by its inverse is not.
    if unit < 1.0 {
        libm::round(value / unit) / libm::round(1.0 / unit)
    } else {
        libm::round(value / unit) * unit
    }
}

impl Line {
    pub(crate) fn of(bins: &[Bin], value: impl Fn(&Bin) -> Option<f64>) -> Self {
        Self(bins.iter().map(value).collect())
    }

    /// The mean of what was noted in each bin.
    pub(crate) fn means(bins: &[Bin]) -> Self {
        Self::of(bins, |bin| (bin.count > 0).then(|| bin.sum / f64::from(bin.count)))
    }

    /// A sum in each bin between the first and the last in which something was noted.
    pub(crate) fn sums(bins: &[Bin], scale: f64) -> Self {
        let first = bins.iter().position(|bin| bin.count > 0).unwrap_or(bins.len());
        let last = bins.iter().rposition(|bin| bin.count > 0).unwrap_or_default();
        Self(
            bins.iter()
                .enumerate()
                .map(|(place, bin)| (first..=last).contains(&place).then_some(scale * bin.sum))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn five_digits_are_kept(value in prop_oneof![-1e9..1e9_f64, -1.0..1.0_f64]) {
            prop_assert!((rounded(value) - value).abs() <= 1e-4 * value.abs());
            prop_assert!(format!("{}", rounded(value)).len() <= 15, "{}", rounded(value));
        }
    }
}
