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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_rate_is_not_nothing() {
        assert_eq!(
            [12.34, 0.1, 0.0312, 0.000_04].map(rate),
            ["12.3 Mbit/s", "0.1 Mbit/s", "31.2 kbit/s", "40 bit/s"]
        );
    }
}
