//! Rates in words.

/// A rate of which two digits are known, in the unit in which it is not below a tenth: "13 Mbit/s", "1.1 Mbit/s", "31 kbit/s".
pub(crate) fn about(mbps: f64) -> String {
    let (value, unit) = match 1e6 * mbps {
        1e5.. => (mbps, "Mbit/s"),
        1e3.. => (1e3 * mbps, "kbit/s"),
        bits => (bits, "bit/s"),
    };
    if value < 10.0 {
        return format!("{value:.1} {unit}");
    }
    let digit = libm::pow(10.0, libm::floor(libm::log10(value)) - 1.0);
    format!("{:.0} {unit}", libm::round(value / digit) * digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_two_digits_and_a_slow_one_is_not_nothing() {
        assert_eq!(
            [123.4, 13.08, 1.06, 0.1, 0.0312, 0.000_04].map(about),
            ["120 Mbit/s", "13 Mbit/s", "1.1 Mbit/s", "0.1 Mbit/s", "31 kbit/s", "40 bit/s"]
        );
    }
}
