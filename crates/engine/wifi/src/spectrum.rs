//! Channels: the frequencies that radios are tuned to.

use airloom_rate::Width;

/// A channel: a piece of spectrum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The frequency in its middle, in MHz.
    pub centre_mhz: u32,
    /// Its width.
    pub width: Width,
}

impl Channel {
    /// The channel of this width whose lowest 20 MHz lie around `primary_mhz`.
    pub const fn from_primary(primary_mhz: u32, width: Width) -> Self {
        Self { centre_mhz: primary_mhz - 10 + width.mhz() / 2, width }
    }

    /// Whether the two have spectrum in common: only then do their radios hear each other.
    pub const fn overlaps(&self, other: &Self) -> bool {
        !self.is_apart(other, 0)
    }

    /// Whether at least so many MHz lie between the two.
    pub const fn is_apart(&self, other: &Self, guard_mhz: u32) -> bool {
        2 * self.centre_mhz.abs_diff(other.centre_mhz) >= self.width.mhz() + other.width.mhz() + 2 * guard_mhz
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Width::{Mhz20, Mhz40, Mhz80};

    /// Channels of the 5 GHz band as 802.11-2020 table E-4 has them: 36 is at 5180 MHz, and 42 is the middle of 36 to 48.
    #[test]
    fn channels_overlap_where_they_share_20_mhz() {
        let primary = |number: u32, width| Channel::from_primary(5000 + 5 * number, width);
        assert_eq!(primary(36, Mhz80), Channel { centre_mhz: 5210, width: Mhz80 });
        for (one, other, expected) in [
            (primary(36, Mhz20), primary(36, Mhz20), true),
            (primary(36, Mhz20), primary(40, Mhz20), false),
            (primary(36, Mhz40), primary(40, Mhz20), true),
            (primary(36, Mhz40), primary(44, Mhz40), false),
            (primary(36, Mhz80), primary(48, Mhz20), true),
            (primary(36, Mhz80), primary(52, Mhz80), false),
        ] {
            assert_eq!(
                (one.overlaps(&other), other.overlaps(&one)),
                (expected, expected),
                "{one:?} {other:?}"
            );
        }
    }
}
