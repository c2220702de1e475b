//! The signal that a receiver has to manage with.

use crate::Width;

/// In 20 MHz by MCS, in dBm: 802.11-2020 table 21-25 (0 to 7 as in table 19-23), 802.11ax-2021 table 27-51 for 10 and 11,
/// 802.11be-2024 table 36-78 for 12 and 13.
const IN_20_MHZ: [f64; 14] =
    [-82.0, -79.0, -77.0, -74.0, -70.0, -66.0, -65.0, -64.0, -59.0, -57.0, -54.0, -52.0, -49.0, -46.0];

/// Minimum input level sensitivity at an MCS of one stream, in dBm: at that signal a receiver loses at most one MPDU in ten. Twice
/// the width has twice the noise. Above the highest MCS it is the highest one's.
#[must_use]
pub fn sensitivity(mcs: u8, width: Width) -> f64 {
    let doublings = (width.mhz() / 20).ilog2();
    IN_20_MHZ[usize::from(mcs).min(IN_20_MHZ.len() - 1)] + 3.0 * f64::from(doublings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_the_tables() {
        let whole = |mcs, width| sensitivity(mcs, width).round();
        assert!((whole(0, Width::Mhz20) + 82.0).abs() < 0.1 && (whole(9, Width::Mhz160) + 48.0).abs() < 0.1);
        assert!((whole(11, Width::Mhz80) + 46.0).abs() < 0.1 && (whole(7, Width::Mhz40) + 61.0).abs() < 0.1);
    }
}
