//! The air: which standard, which band, how wide a channel.

use super::form::{level, words};
use super::record::record;

/// The standard by which stations and access point talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// 802.11n, high throughput (IEEE 802.11-2012 clause 20).
    N80211,
}

/// The band, which sets interframe spaces and slot time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// 5 GHz: SIFS 16 us, slot 9 us (IEEE 802.11-2012 table 18-17).
    Ghz5,
}

/// The width of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 20 MHz.
    Mhz20,
    /// 40 MHz.
    Mhz40,
}

impl Width {
    /// The width in hertz.
    pub const fn hertz(self) -> u64 {
        match self {
            Self::Mhz20 => 20_000_000,
            Self::Mhz40 => 40_000_000,
        }
    }
}

record! {
    /// The air that everybody shares.
    pub struct Air {
        /// The 802.11 amendment, such as "802.11n".
        standard: Standard = words(
            &[("802.11n", Standard::N80211)],
            &["802.11a", "802.11b", "802.11g", "802.11ac", "802.11ax"],
        );
        /// The band, such as "5 GHz".
        band: Band = words(&[("5 GHz", Band::Ghz5)], &["2.4 GHz", "6 GHz"]);
        /// The channel's width, "20 MHz" or "40 MHz".
        width: Width = words(
            &[("20 MHz", Width::Mhz20), ("40 MHz", Width::Mhz40)],
            &["80 MHz", "160 MHz"],
        );
        /// By how much the signal-to-noise ratio varies from PPDU to PPDU: its standard deviation, in dB.
        fading: f64 = level(0.0, 20.0), default 0.0;
    }
}
