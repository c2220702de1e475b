//! Rates in words.

/// A rate in the unit in which it is not below a tenth: "4.2 Mbit/s", "31.2 kbit/s".
pub(crate) fn rate(mbps: f64) -> String {
    let bits = 1e6 * mbps;
    if bits >= 1e5 {
        format!("{mbps:.1} Mbit/s")
    } else if bits >= 1e3 {
        format!("{:.1} kbit/s", bits / 1e3)
    } else {
        format!("{bits:.0} bit/s")
    }
}

/// The same where two digits are all that is known of it: "13 Mbit/s", "1.1 Mbit/s".
pub(crate) fn about(mbps: f64) -> String {
    let (value, unit) = match 1e6 * mbps {
        1e5.. => (mbps, "Mbit/s"),
        1e3.. => (1e3 * mbps, "kbit/s"),
        bits => (bits, "bit/s"),
    };
    let digit = if value < 10.0 { 0.1 } else { libm::pow(10.0, libm::floor(libm::log10(value)) - 1.0) };
    let rounded = libm::round(value / digit) * digit;
    if value < 10.0 { format!("{rounded:.1} {unit}") } else { format!("{rounded:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_rate_is_not_nothing() {
        assert_eq!(
            [13.08, 1.06, 0.0312, 123.4].map(about),
            ["13 Mbit/s", "1.1 Mbit/s", "31 kbit/s", "120 Mbit/s"]
        );
        assert_eq!(
            [12.34, 0.1, 0.0312, 0.000_04].map(rate),
            ["12.3 Mbit/s", "0.1 Mbit/s", "31.2 kbit/s", "40 bit/s"]
        );
    }
}
