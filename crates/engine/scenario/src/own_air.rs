//! What an access point has of its own where its network's air is another than that of `[air]`.

use airloom_rate::{Preamble, Width};
use airloom_sim::BitRate;
use airloom_wifi::Protection;

use crate::air::{Air, LEAST_BASIC, MOST_BASIC, OTHER_NAMES, OTHER_WIDTHS, SlotTime, Standard};
use crate::band::Band;
use airloom_config::form::{List, Optional, rate, words};
use airloom_config::record;
use std::borrow::Cow;

record! {
    /// What an access point has of its own where its network's air is another than that of `[air]`.
    pub struct OwnAir {
        /// The 802.11 amendment of its network, such as "802.11ax"; that of `[air]` if left out.
        standard: Option<Standard> = Optional(words(Standard::WORDS, &[]).hinted(OTHER_NAMES)), default None;
        /// The band of its network, "2.4 GHz", "5 GHz" or "6 GHz"; that of `[air]` if left out.
        band: Option<Band> = Optional(words(Band::WORDS, &[]).hinted(Band::OTHER_NAMES)), default None;
        /// The width of its channel, "20 MHz" to "320 MHz"; that of `[air]` if left out.
        width: Option<Width> = Optional(words(Width::WORDS, &[]).hinted(OTHER_WIDTHS)), default None;
        /// The preamble of DSSS frames in its network, "long" or "short"; that of `[air]` if left out and its network has that
        /// standard in that band, long otherwise.
        preamble: Option<Preamble> = Optional(words(Preamble::WORDS, &[])), default None;
        /// The slot time of its network, "short" or "long"; where it is left out that of `[air]`, or what its own stations ask for.
        slot: Option<SlotTime> = Optional(words(SlotTime::WORDS, &[])), default None;
        /// How OFDM frames of its network at 2.4 GHz are protected from stations of 802.11b: "none", "rts-cts" or "cts-to-self"; where
        /// it is left out as `[air]` says, or as stations of 802.11b on its channel ask for.
        protection: Option<Protection> = Optional(words(Protection::WORDS, &[])), default None;
        /// The rates that every station of its network supports; where they are left out those of `[air]`, or hostapd's if its network
        /// has another standard or band.
        basic_rates: Option<Vec<BitRate>> = Optional(List(rate(LEAST_BASIC, MOST_BASIC))), default None;
    }
}

impl OwnAir {
    /// Nothing.
    pub const NONE: Self = Self {
        standard: None,
        band: None,
        width: None,
        preamble: None,
        slot: None,
        protection: None,
        basic_rates: None,
    };

    /// The air of its network where `[air]` says this. What depends on standard and band is inherited with them alone.
    pub fn over<'a>(&self, shared: &'a Air) -> Cow<'a, Air> {
        if *self == Self::NONE {
            return Cow::Borrowed(shared);
        }
        let mut air = shared.clone();
        air.standard = self.standard.unwrap_or(shared.standard);
        air.band = self.band.unwrap_or(shared.band);
        air.width = self.width.unwrap_or(shared.width);
        if !self.is_of_shared_kind(shared) {
            (air.preamble, air.slot, air.protection, air.basic_rates) = (Preamble::Long, None, None, None);
        }
        air.preamble = self.preamble.unwrap_or(air.preamble);
        air.slot = self.slot.or(air.slot);
        air.protection = self.protection.or(air.protection);
        air.basic_rates = self.basic_rates.clone().or(air.basic_rates);
        Cow::Owned(air)
    }

    /// Whether its network has the standard and the band of `[air]`.
    pub(crate) fn is_of_shared_kind(&self, shared: &Air) -> bool {
        self.standard.is_none_or(|standard| standard == shared.standard)
            && self.band.is_none_or(|band| band == shared.band)
    }

    /// Writes down what its network's air has that would not follow from this `[air]`.
    pub(crate) fn keep(&mut self, air: &Air, shared: &Air) {
        let plain = self.over(shared);
        let (slot, protection) = (plain.slot != air.slot, plain.protection != air.protection);
        let basic_rates = plain.basic_rates != air.basic_rates;
        if slot {
            self.slot = air.slot;
        }
        if protection {
            self.protection = air.protection;
        }
        if basic_rates {
            self.basic_rates.clone_from(&air.basic_rates);
        }
    }
}
