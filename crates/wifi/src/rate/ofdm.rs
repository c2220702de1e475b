//! The rates of the OFDM PHY (802.11-2020 clause 17), 802.11a, which 802.11g takes over (clause 18).

use super::{Coding, Modulation};
use airloom_sim::BitRate;

/// The eight OFDM rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// Data bits per 4 us symbol, N_DBPS: 48 subcarriers carry data.
    pub const fn bits_per_symbol(self) -> u32 {
        let (modulation, coding) = self.scheme();
        coding.data_bits(48 * modulation.bits())
    }

    /// Data bits per second.
    pub const fn bit_rate(self) -> BitRate {
        BitRate::from_bps(self.bits_per_symbol() as u64 * 250_000)
    }
}
