//! Channels by their numbers (IEEE 802.11-2020 annex E): which there are, and which pieces of spectrum they are.

use crate::band::Band;
use airloom_rate::Width;
use airloom_wifi::Channel;

/// Runs of 20 MHz channels, each four numbers above the one before, of which blocks of 2, 4 and 8 make wider channels: the first
/// and the last (hostapd's `global_op_class` in src/common/ieee802_11_common.c).
const GHZ5: [(u8, u8); 3] = [(36, 64), (100, 144), (149, 177)];
const GHZ6: [(u8, u8); 1] = [(1, 233)];
/// Channels of 320 MHz overlap: beside those that begin at 1, 65 and 129 there are others half of one higher, of which the last reaches
/// further up (802.11be-2024 36.3.23.2, 320 MHz-1 and 320 MHz-2).
const GHZ6_320_2: [(u8, u8); 1] = [(161, 221)];
/// The last of 2.4 GHz, where channels are 5 MHz apart; 14 is for 802.11b in Japan alone.
const LAST_GHZ2: u8 = 13;

impl Band {
    /// The channel of an access point that names none, which is then the only one.
    pub(crate) const fn usual_channel(self) -> u8 {
        match self {
            Self::Ghz2 => 6,
            Self::Ghz5 => 36,
            Self::Ghz6 => 5,
        }
    }

    /// The centre of a channel of 20 MHz, in MHz.
    pub const fn centre_mhz(self, number: u8) -> u32 {
        self.start_mhz() + 5 * number as u32
    }

    /// The number whose frequency this is, in MHz.
    pub const fn number_of(self, mhz: u32) -> u8 {
        (mhz.saturating_sub(self.start_mhz()) / 5) as u8
    }

    /// What the numbers of channels count from.
    const fn start_mhz(self) -> u32 {
        match self {
            Self::Ghz2 => 2407,
            Self::Ghz5 => 5000,
            Self::Ghz6 => 5950,
        }
    }

    /// The channel of this width whose primary 20 MHz have this number, if there is one. At 5 and 6 GHz that is the block to which
    /// the primary belongs, of the two of 320 MHz the lower one if there is one; at 2.4 GHz the other half of 40 MHz lies above it.
    pub fn channel(self, primary: u8, width: Width) -> Option<Channel> {
        let of_20_mhz = (width.mhz() / 20) as u8;
        let lowest = match self {
            Self::Ghz2 => (primary > 0
                && u32::from(primary) + 4 * u32::from(of_20_mhz - 1) <= u32::from(LAST_GHZ2))
            .then_some(primary)?,
            Self::Ghz5 => lowest_of_block(&GHZ5, primary, of_20_mhz)?,
            Self::Ghz6 => lowest_of_block(&GHZ6, primary, of_20_mhz).or_else(|| {
                lowest_of_block(&GHZ6_320_2, primary, of_20_mhz).filter(|_| width == Width::Mhz320)
            })?,
        };
        Some(Channel::from_lowest(self.centre_mhz(lowest), width, self.centre_mhz(primary)))
    }

    /// The numbers that a primary channel of this width may have, lowest first.
    pub(crate) fn channels(self, width: Width) -> impl Iterator<Item = u8> {
        (1..=u8::MAX).filter(move |&number| self.channel(number, width).is_some())
    }

    /// How many channels of 20 MHz it has, all of which a station looks at that has lost its network.
    pub fn channels_to_search(self) -> u16 {
        self.channels(Width::Mhz20).count() as u16
    }

    /// How far apart the edges of two channels must be that do not disturb each other, in MHz. At 2.4 GHz the centres of channels of
    /// 20 MHz are 25 MHz apart then (IEEE 802.11-2020 15.4.4.3 and 16.3.6.3).
    pub(crate) const fn guard_mhz(self) -> u32 {
        match self {
            Self::Ghz2 => 5,
            Self::Ghz5 | Self::Ghz6 => 0,
        }
    }
}

/// The lowest 20 MHz channel of the block of so many to which this one belongs, if all of the block is there.
fn lowest_of_block(runs: &[(u8, u8)], number: u8, members: u8) -> Option<u8> {
    let &(first, last) = runs.iter().find(|(first, last)| (*first..=*last).contains(&number))?;
    let place = number - first;
    let lowest = first + place - place % (4 * members);
    (place.is_multiple_of(4) && lowest + 4 * (members - 1) <= last).then_some(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Band::{Ghz2, Ghz5, Ghz6};
    use Width::{Mhz20, Mhz40, Mhz80, Mhz160, Mhz320};

    /// Centre frequencies as IEEE 802.11-2020 tables E-4 and 802.11ax-2021 E-4 have them: 42 is the middle of 36 to 48, 50 of 36 to
    /// 64, 7 of 1 to 13 at 6 GHz; of 320 MHz 31, 95, 159 and 191 (802.11be-2024 36.3.23.2).
    #[test]
    fn a_channel_is_the_block_of_its_primary() {
        let centre = |band: Band, primary, width| band.channel(primary, width).map(|c| c.centre_mhz);
        for (band, primary, width, expected) in [
            (Ghz2, 1, Mhz20, Some(2412)),
            (Ghz2, 13, Mhz20, Some(2472)),
            (Ghz2, 14, Mhz20, None),
            (Ghz2, 6, Mhz40, Some(2447)),
            (Ghz2, 9, Mhz40, Some(2462)),
            (Ghz2, 10, Mhz40, None),
            (Ghz5, 36, Mhz20, Some(5180)),
            (Ghz5, 38, Mhz20, None),
            (Ghz5, 68, Mhz20, None),
            (Ghz5, 40, Mhz40, Some(5190)),
            (Ghz5, 48, Mhz80, Some(5210)),
            (Ghz5, 64, Mhz160, Some(5250)),
            (Ghz5, 104, Mhz160, Some(5570)),
            (Ghz5, 132, Mhz160, None),
            (Ghz5, 144, Mhz80, Some(5690)),
            (Ghz5, 149, Mhz40, Some(5755)),
            (Ghz6, 1, Mhz20, Some(5955)),
            (Ghz6, 5, Mhz40, Some(5965)),
            (Ghz6, 5, Mhz80, Some(5985)),
            (Ghz6, 233, Mhz20, Some(7115)),
            (Ghz6, 233, Mhz40, None),
            (Ghz6, 5, Mhz320, Some(6105)),
            (Ghz6, 125, Mhz320, Some(6425)),
            (Ghz6, 189, Mhz320, Some(6745)),
            (Ghz6, 193, Mhz320, Some(6905)),
            (Ghz6, 225, Mhz320, None),
            (Ghz5, 36, Mhz320, None),
        ] {
            assert_eq!(centre(band, primary, width), expected, "{band:?} {primary} {width:?}");
        }
    }

    /// So many channels as the bands have: 13; 25 and 28 with 802.11-2024's last three, 59 (802.11ax-2021 27.3.23.2).
    #[test]
    fn every_band_has_its_channels() {
        let count = |band: Band, width| band.channels(width).count();
        assert_eq!([Mhz20, Mhz40].map(|width| count(Ghz2, width)), [13, 9]);
        assert_eq!([Mhz20, Mhz40, Mhz80, Mhz160].map(|width| count(Ghz5, width)), [28, 28, 28, 24]);
        assert_eq!([Mhz20, Mhz40, Mhz80, Mhz160].map(|width| count(Ghz6, width)), [59, 58, 56, 56]);
        let usual = |band: Band, width| band.channel(band.usual_channel(), width).is_some();
        assert!([Mhz20, Mhz40].into_iter().all(|width| usual(Ghz2, width)));
        assert_eq!(count(Ghz6, Mhz320), 56);
        assert!(
            Width::ALL.into_iter().all(|width| usual(Ghz6, width) && usual(Ghz5, width) == (width < Mhz320))
        );
    }
}
