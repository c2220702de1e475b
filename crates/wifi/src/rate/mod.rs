//! PHY rates and what follows from them.

mod basic;
mod dsss;
mod ht;
mod ofdm;

pub use basic::BasicRates;
pub use dsss::{Dsss, Speed};
pub use ht::Ht;
pub use ofdm::Ofdm;

use airloom_observe::RateInfo;
use airloom_sim::BitRate;

/// A rate of any PHY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rate {
    /// DSSS or CCK, 802.11b.
    Dsss(Dsss),
    /// 20 MHz OFDM, 802.11a/g.
    Ofdm(Ofdm),
    /// HT mixed format, 802.11n.
    Ht(Ht),
}

/// Subcarrier modulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the name says it")]
pub enum Modulation {
    Bpsk,
    Qpsk,
    Qam16,
    Qam64,
}

/// Convolutional code rate (constraint length 7, punctured).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the name says it")]
pub enum Coding {
    Half,
    TwoThirds,
    ThreeQuarters,
    FiveSixths,
}

impl Modulation {
    /// Coded bits per subcarrier and stream.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bpsk => 1,
            Self::Qpsk => 2,
            Self::Qam16 => 4,
            Self::Qam64 => 6,
        }
    }
}

impl Coding {
    /// Data bits among this many coded bits.
    const fn data_bits(self, coded: u32) -> u32 {
        match self {
            Self::Half => coded / 2,
            Self::TwoThirds => coded * 2 / 3,
            Self::ThreeQuarters => coded * 3 / 4,
            Self::FiveSixths => coded * 5 / 6,
        }
    }
}

impl Rate {
    /// Spatial streams.
    pub const fn streams(self) -> u32 {
        match self {
            Self::Dsss(_) | Self::Ofdm(_) => 1,
            Self::Ht(rate) => rate.streams(),
        }
    }

    /// Whether its frames take 40 MHz.
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::Ht(Ht { wide: true, .. }))
    }

    /// Data rate.
    pub const fn bit_rate(self) -> BitRate {
        match self {
            Self::Dsss(rate) => rate.speed.bit_rate(),
            Self::Ofdm(rate) => rate.bit_rate(),
            Self::Ht(rate) => rate.bit_rate(),
        }
    }

    /// Whether MPDUs may travel together and be acknowledged together.
    pub const fn aggregates(self) -> bool {
        matches!(self, Self::Ht(_))
    }

    /// The rate as observations tell it.
    pub const fn info(self) -> RateInfo {
        let rate = self.bit_rate();
        match self {
            Self::Dsss(Dsss { short_preamble, .. }) => RateInfo::Dsss { short_preamble, rate },
            Self::Ofdm(_) => RateInfo::Legacy { rate },
            Self::Ht(Ht { mcs, wide, short_gi }) => RateInfo::Ht { mcs, wide, short_gi, rate },
        }
    }

    /// The rate that an observation tells of; none if there is no such rate.
    pub fn of(info: RateInfo) -> Option<Self> {
        match info {
            RateInfo::Dsss { short_preamble, rate } => Self::dsss(rate, short_preamble),
            RateInfo::Legacy { rate } => Self::ofdm(rate.as_bps() / 1_000_000),
            RateInfo::Ht { mcs, wide, short_gi, .. } => Some(Self::Ht(Ht { mcs, wide, short_gi })),
        }
    }

    /// The OFDM rate of this many Mbit/s.
    pub fn ofdm(mbps: u64) -> Option<Self> {
        let wanted = BitRate::from_mbps(mbps);
        Ofdm::ALL.into_iter().find(|rate| rate.bit_rate() == wanted).map(Self::Ofdm)
    }

    /// The DSSS or CCK rate of this bit rate, with the short preamble if it is wanted and there is one.
    pub fn dsss(wanted: BitRate, short_preamble: bool) -> Option<Self> {
        let speed = Speed::ALL.into_iter().find(|speed| speed.bit_rate() == wanted)?;
        Some(Self::Dsss(Dsss::new(speed, short_preamble)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_rates_are_named_after_themselves() {
        for mbps in [6, 9, 12, 18, 24, 36, 48, 54] {
            assert_eq!(Rate::ofdm(mbps).expect("a rate").bit_rate(), BitRate::from_mbps(mbps));
        }
        assert_eq!(Rate::ofdm(11), None);
        for kbps in [1000, 2000, 5500, 11_000] {
            let wanted = BitRate::from_bps(kbps * 1000);
            assert_eq!(Rate::dsss(wanted, true).expect("a rate").bit_rate(), wanted);
        }
        assert_eq!(Rate::dsss(BitRate::from_mbps(7), false), None);
        for rate in [Rate::ofdm(54), Rate::dsss(BitRate::from_mbps(11), true)].map(Option::unwrap) {
            assert_eq!(Rate::of(rate.info()), Some(rate));
        }
    }
}
