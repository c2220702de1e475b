//! Values with units, as they are written in the configuration and on the command line.

use airloom_sim::{Bytes, Duration};

const TIMES: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000)];
const SIZES: [(&str, u64); 3] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20)];

/// A time such as `90 s`, `10 min` or `10m`.
pub fn time(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let unit = if unit == "m" { "min" } else { unit };
    Some(Duration::from_millis(scaled(number, unit, &TIMES)?))
}

/// A size such as `256 KiB`.
pub fn size(text: &str) -> Option<Bytes> {
    let (number, unit) = split(text)?;
    Some(Bytes(scaled(number, unit, &SIZES)?))
}

/// A whole number, maybe negative, with this unit, such as `-75 dBm`.
pub fn level(text: &str, unit: &str) -> Option<i16> {
    text.strip_suffix(unit)?.trim_end().parse().ok()
}

fn split(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

fn scaled(number: u64, unit: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (_, scale) = units.iter().find(|(name, _)| *name == unit)?;
    number.checked_mul(*scale).filter(|n| *n <= 1 << 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_carry_their_units() {
        assert_eq!(time("90 s"), Some(Duration::from_secs(90)));
        assert_eq!(time("10m"), time("600 s"));
        assert_eq!(time("1h"), time("60 min"));
        assert_eq!(size("256 KiB"), Some(Bytes(262_144)));
        assert_eq!(level("-75 dBm", "dBm"), Some(-75));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in
            ["", "10", "s", "-1 s", "1.5 s", "10 parsecs", "99999999999999999999 s", "18446744073709551615 h"]
        {
            assert_eq!(time(text), None, "{text:?}");
        }
        assert_eq!(size("1 GB"), None);
        assert_eq!(level("-75", "dBm"), None);
    }
}
