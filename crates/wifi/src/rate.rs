//! PHY rates and what follows from them: bits per symbol, modulation, coding.

use airloom_observe::RateInfo;
use airloom_sim::{BitRate, Duration};

/// A rate of the OFDM PHY (802.11-2020 clause 17) or the HT PHY (clause 19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rate {
    /// 20 MHz OFDM, 802.11a/g.
    Ofdm(Ofdm),
    /// HT mixed format, 802.11n.
    Ht(Ht),
}

/// The eight OFDM rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the name is the rate in Mbit/s")]
pub enum Ofdm {
    M6,
    M9,
    M12,
    M18,
    M24,
    M36,
    M48,
    M54,
}

/// An HT rate with equal modulation on all streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ht {
    /// Modulation and coding scheme, 0 to 31; eight for each spatial stream.
    pub mcs: u8,
    /// 40 MHz rather than 20 MHz.
    pub wide: bool,
    /// The 400 ns guard interval rather than 800 ns.
    pub short_gi: bool,
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
    /// The code rate as (data bits, coded bits).
    pub const fn ratio(self) -> (u32, u32) {
        match self {
            Self::Half => (1, 2),
            Self::TwoThirds => (2, 3),
            Self::ThreeQuarters => (3, 4),
            Self::FiveSixths => (5, 6),
        }
    }
}

impl Ofdm {
    /// All eight, slowest first.
    pub const ALL: [Self; 8] =
        [Self::M6, Self::M9, Self::M12, Self::M18, Self::M24, Self::M36, Self::M48, Self::M54];

    /// Modulation and coding (802.11-2020 table 17-4).
    pub const fn scheme(self) -> (Modulation, Coding) {
        match self {
            Self::M6 => (Modulation::Bpsk, Coding::Half),
            Self::M9 => (Modulation::Bpsk, Coding::ThreeQuarters),
            Self::M12 => (Modulation::Qpsk, Coding::Half),
            Self::M18 => (Modulation::Qpsk, Coding::ThreeQuarters),
            Self::M24 => (Modulation::Qam16, Coding::Half),
            Self::M36 => (Modulation::Qam16, Coding::ThreeQuarters),
            Self::M48 => (Modulation::Qam64, Coding::TwoThirds),
            Self::M54 => (Modulation::Qam64, Coding::ThreeQuarters),
        }
    }
}

impl Ht {
    /// Spatial streams, 1 to 4.
    pub const fn streams(self) -> u32 {
        self.mcs as u32 / 8 + 1
    }

    /// Modulation and coding (802.11-2020 tables 19-27 to 19-34).
    pub const fn scheme(self) -> (Modulation, Coding) {
        match self.mcs % 8 {
            0 => (Modulation::Bpsk, Coding::Half),
            1 => (Modulation::Qpsk, Coding::Half),
            2 => (Modulation::Qpsk, Coding::ThreeQuarters),
            3 => (Modulation::Qam16, Coding::Half),
            4 => (Modulation::Qam16, Coding::ThreeQuarters),
            5 => (Modulation::Qam64, Coding::TwoThirds),
            6 => (Modulation::Qam64, Coding::ThreeQuarters),
            _ => (Modulation::Qam64, Coding::FiveSixths),
        }
    }

    /// Symbol interval: 3.6 us with the short guard interval, 4 us otherwise.
    pub const fn symbol(self) -> Duration {
        Duration::from_nanos(if self.short_gi { 3_600 } else { 4_000 })
    }
}

impl Rate {
    /// Modulation and coding.
    pub const fn scheme(self) -> (Modulation, Coding) {
        match self {
            Self::Ofdm(rate) => rate.scheme(),
            Self::Ht(rate) => rate.scheme(),
        }
    }

    /// Spatial streams.
    pub const fn streams(self) -> u32 {
        match self {
            Self::Ofdm(_) => 1,
            Self::Ht(rate) => rate.streams(),
        }
    }

    /// Data bits per symbol, N_DBPS.
    pub const fn bits_per_symbol(self) -> u32 {
        let (modulation, coding) = self.scheme();
        let (data, coded) = coding.ratio();
        let carriers = match self {
            Self::Ofdm(_) => 48,
            Self::Ht(Ht { wide: false, .. }) => 52,
            Self::Ht(Ht { wide: true, .. }) => 108,
        };
        carriers * modulation.bits() * self.streams() * data / coded
    }

    /// Data rate.
    pub const fn bit_rate(self) -> BitRate {
        let symbol = match self {
            Self::Ofdm(_) => 4_000,
            Self::Ht(rate) => rate.symbol().as_nanos(),
        };
        BitRate::from_bps(self.bits_per_symbol() as u64 * 1_000_000_000 / symbol)
    }

    /// The rate as observations tell it.
    pub const fn info(self) -> RateInfo {
        let rate = self.bit_rate();
        match self {
            Self::Ofdm(_) => RateInfo::Legacy { rate },
            Self::Ht(Ht { mcs, wide, short_gi }) => RateInfo::Ht { mcs, wide, short_gi, rate },
        }
    }

    /// The OFDM rate of this many Mbit/s.
    pub fn ofdm(mbps: u64) -> Option<Self> {
        let wanted = BitRate::from_mbps(mbps);
        Ofdm::ALL.into_iter().map(Self::Ofdm).find(|rate| rate.bit_rate() == wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ht(mcs: u8, wide: bool, short_gi: bool) -> f64 {
        Rate::Ht(Ht { mcs, wide, short_gi }).bit_rate().as_mbps_f64()
    }

    /// The standard's own tables, 19-27 to 19-34.
    #[test]
    fn ht_rates_are_the_standards() {
        let long20 = [6.5, 13.0, 19.5, 26.0, 39.0, 52.0, 58.5, 65.0];
        for (mcs, &mbps) in long20.iter().enumerate() {
            assert!((ht(mcs as u8, false, false) - mbps).abs() < 1e-6);
            assert!((ht(mcs as u8 + 8, false, false) - 2.0 * mbps).abs() < 1e-6);
        }
        let long40 = [13.5, 27.0, 40.5, 54.0, 81.0, 108.0, 121.5, 135.0];
        for (mcs, &mbps) in long40.iter().enumerate() {
            assert!((ht(mcs as u8, true, false) - mbps).abs() < 1e-6);
        }
        assert!((ht(7, true, true) - 150.0).abs() < 1e-6);
        assert!((ht(15, true, true) - 300.0).abs() < 1e-6);
        assert!((ht(0, false, true) - 7.222_222).abs() < 1e-6);
    }

    #[test]
    fn ofdm_rates_are_named_after_themselves() {
        for mbps in [6, 9, 12, 18, 24, 36, 48, 54] {
            assert_eq!(Rate::ofdm(mbps).expect("a rate").bit_rate(), BitRate::from_mbps(mbps));
        }
        assert_eq!(Rate::ofdm(11), None);
    }
}
