//! Channels: the frequencies that radios are tuned to.

use crate::interferer::Spectrum;
use airloom_rate::Width;

/// A channel: a piece of spectrum, in which the 20 MHz that every frame of its radios fills are its primary ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The frequency in its middle, in MHz.
    pub centre_mhz: u32,
    /// Its width.
    pub width: Width,
    /// The frequency in the middle of its primary 20 MHz.
    pub primary_mhz: u32,
}

/// What radios tuned to a channel sense of a PPDU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sensed {
    /// Nothing: it has no spectrum in common with their channel, or does not reach them.
    #[default]
    Nothing,
    /// Its preamble, which every 20 MHz of it have: it fills their primary channel (802.11-2020 17.3.10.6, 19.3.19.5, 21.3.18.5).
    Primary,
    /// Its energy alone: it lies in the upper or lower half of this part of their channel, their primary channel in the other
    /// (21.3.18.5.4).
    Secondary(Width),
}

impl Channel {
    /// The channel of this width whose lowest 20 MHz are the primary ones, around `primary_mhz`.
    pub const fn from_primary(primary_mhz: u32, width: Width) -> Self {
        Self::from_lowest(primary_mhz, width, primary_mhz)
    }

    /// The channel of this width whose lowest 20 MHz lie around `lowest_mhz`.
    pub const fn from_lowest(lowest_mhz: u32, width: Width, primary_mhz: u32) -> Self {
        Self { centre_mhz: lowest_mhz - 10 + width.mhz() / 2, width, primary_mhz }
    }

    /// Its lower edge, in MHz.
    const fn lower_edge(&self) -> u32 {
        self.centre_mhz - self.width.mhz() / 2
    }

    /// What it fills.
    pub const fn spectrum(&self) -> Spectrum {
        Spectrum::around(self.centre_mhz, self.width.mhz())
    }

    /// What a PPDU of this width fills of it: the half, the quarter, the eighth or the sixteenth in which its primary 20 MHz are, or all of it
    /// (802.11-2020 21.3.14).
    pub const fn part(&self, width: Width) -> Self {
        if width.mhz() >= self.width.mhz() {
            return *self;
        }
        let before = (self.primary_mhz - self.lower_edge()) / width.mhz();
        Self { centre_mhz: self.lower_edge() + before * width.mhz() + width.mhz() / 2, width, ..*self }
    }

    /// Whether the two have spectrum in common: only then do their radios sense each other.
    pub const fn overlaps(&self, other: &Self) -> bool {
        !self.is_apart(other, 0)
    }

    /// Whether a network on another channel comes to this one as it goes to this primary channel, in MHz: it keeps its width.
    pub fn follows(&self, before: &Self, primary_mhz: u32) -> bool {
        (self.width, self.primary_mhz) == (before.width, primary_mhz)
    }

    /// Whether one of the two has the primary 20 MHz of the other, so that it gets every preamble there.
    pub const fn has_primary_of(&self, other: &Self) -> bool {
        self.overlaps(&other.part(Width::Mhz20)) || other.overlaps(&self.part(Width::Mhz20))
    }

    /// Whether at least so many MHz lie between the two.
    pub const fn is_apart(&self, other: &Self, guard_mhz: u32) -> bool {
        2 * self.centre_mhz.abs_diff(other.centre_mhz) >= self.width.mhz() + other.width.mhz() + 2 * guard_mhz
    }

    /// Whether the narrower of the two is a half, a quarter or an eighth of the wider one, or all of it.
    pub const fn nests(&self, other: &Self) -> bool {
        let (wide, narrow) = if self.width.mhz() < other.width.mhz() { (other, self) } else { (self, other) };
        let (from, to) = (wide.lower_edge(), wide.lower_edge() + wide.width.mhz());
        let (start, end) = (narrow.lower_edge(), narrow.lower_edge() + narrow.width.mhz());
        start >= from && end <= to && (start - from).is_multiple_of(narrow.width.mhz())
    }

    /// What radios tuned to it sense of PPDUs on another channel, by their width.
    pub(crate) fn senses_each(&self, other: &Self) -> [Sensed; Width::ALL.len()] {
        Width::ALL.map(|width| self.senses(&other.part(width)))
    }

    /// What they sense of a PPDU that fills this channel, or this part of one.
    fn senses(&self, ppdu: &Self) -> Sensed {
        let least = Width::ALL.into_iter().find(|&width| self.part(width).overlaps(ppdu));
        match least {
            None => Sensed::Nothing,
            Some(Width::Mhz20) => Sensed::Primary,
            Some(width) => Sensed::Secondary(width),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Width::{Mhz20, Mhz40, Mhz80, Mhz160};

    /// Channels of the 5 GHz band as 802.11-2020 table E-4 has them: 36 is at 5180 MHz, and 42 is the middle of 36 to 48.
    #[test]
    fn channels_overlap_where_they_share_20_mhz() {
        let primary = |number: u32, width| Channel::from_primary(5000 + 5 * number, width);
        assert_eq!(primary(36, Mhz80), Channel { centre_mhz: 5210, width: Mhz80, primary_mhz: 5180 });
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

    /// By hand, with the numbers of table E-4: 42 is the block of 36 to 48, 38 its lower half, 46 its upper one.
    #[test]
    fn a_part_of_a_channel_is_the_one_with_its_primary() {
        let part = |primary: u32, width| {
            let channel = Channel::from_lowest(5180, Mhz160, 5000 + 5 * primary);
            (channel.part(width).centre_mhz - 5000) / 5
        };
        for (primary, expected) in [(36, [36, 38, 42, 50]), (44, [44, 46, 42, 50]), (60, [60, 62, 58, 50])] {
            assert_eq!(
                [Mhz20, Mhz40, Mhz80, Mhz160].map(|width| part(primary, width)),
                expected,
                "{primary}"
            );
        }
        let narrow = Channel::from_primary(5180, Mhz40);
        assert_eq!(narrow.part(Mhz160), narrow);
    }

    #[test]
    fn channels_nest_where_one_is_a_half_or_a_quarter_of_the_other() {
        let (whole, at) = (Channel::from_primary(2412, Mhz40), |mhz| Channel::from_primary(mhz, Mhz20));
        for (mhz, expected) in [(2412, true), (2417, false), (2422, false), (2432, true), (2442, false)] {
            assert_eq!((whole.nests(&at(mhz)), at(mhz).nests(&whole)), (expected, expected), "{mhz}");
        }
    }

    /// 802.11-2020 10.23.2.5: a PPDU of 80 MHz needs the other 20 of its 40 and the other 40 of its 80.
    #[test]
    fn radios_sense_preambles_on_their_primary_channel_and_energy_beside_it() {
        let wide = Channel::from_lowest(5180, Mhz160, 5200);
        let narrow = |mhz, width| wide.senses(&Channel::from_primary(mhz, width));
        assert_eq!(narrow(5200, Mhz20), Sensed::Primary);
        assert_eq!(narrow(5180, Mhz20), Sensed::Secondary(Mhz40));
        assert_eq!([narrow(5180, Mhz40), narrow(5180, Mhz80)], [Sensed::Primary; 2]);
        assert_eq!([narrow(5220, Mhz20), narrow(5220, Mhz40)], [Sensed::Secondary(Mhz80); 2]);
        assert_eq!([narrow(5260, Mhz20), narrow(5260, Mhz80)], [Sensed::Secondary(Mhz160); 2]);
        assert_eq!(narrow(5500, Mhz20), Sensed::Nothing);
        let half = Channel::from_primary(5180, Mhz20);
        assert_eq!(
            half.senses_each(&wide),
            [Sensed::Nothing, Sensed::Primary, Sensed::Primary, Sensed::Primary, Sensed::Primary]
        );
    }
}
