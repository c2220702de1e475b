//! How bits become a signal: modulation and coding.

use crate::{Legacy, Ofdm, Speed};

/// How the bits of a PPDU become a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Uncoded, over chips.
    Chips(Speed),
    /// Coded convolutionally and interleaved over subcarriers.
    Convolutional(Modulation, Coding),
    /// Coded with low-density parity checks and spread over subcarriers: the scheme with this number in VHT, HE and EHT, 0 to 13.
    LowDensity(u8),
}

/// Subcarrier modulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the name says it")]
pub enum Modulation {
    Bpsk,
    Qpsk,
    Qam16,
    Qam64,
    Qam256,
    Qam1024,
    Qam4096,
}

/// The share of data among coded bits, of the convolutional code and of the one with low-density parity checks.
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
            Self::Qam256 => 8,
            Self::Qam1024 => 10,
            Self::Qam4096 => 12,
        }
    }
}

impl Coding {
    /// It as a fraction.
    pub const fn fraction(self) -> (u32, u32) {
        match self {
            Self::Half => (1, 2),
            Self::TwoThirds => (2, 3),
            Self::ThreeQuarters => (3, 4),
            Self::FiveSixths => (5, 6),
        }
    }

    /// Data bits among this many coded bits, rounded down (N_DBPS of 802.11-2020 21.5 and 802.11ax-2021 27.5).
    pub(crate) const fn data_bits(self, coded: u32) -> u32 {
        let (data, of) = self.fraction();
        coded * data / of
    }
}

/// Modulation and coding of a scheme of VHT, HE or EHT (802.11-2020 tables 21-29 ff., 802.11ax-2021 tables 27-55 ff., 802.11be-2024 tables
/// 36-79 ff.); that of HT is its remainder by eight (tables 19-27 to 19-34).
pub(crate) const fn of_scheme(mcs: u8) -> (Modulation, Coding) {
    match mcs {
        0 => (Modulation::Bpsk, Coding::Half),
        1 => (Modulation::Qpsk, Coding::Half),
        2 => (Modulation::Qpsk, Coding::ThreeQuarters),
        3 => (Modulation::Qam16, Coding::Half),
        4 => (Modulation::Qam16, Coding::ThreeQuarters),
        5 => (Modulation::Qam64, Coding::TwoThirds),
        6 => (Modulation::Qam64, Coding::ThreeQuarters),
        7 => (Modulation::Qam64, Coding::FiveSixths),
        8 => (Modulation::Qam256, Coding::ThreeQuarters),
        9 => (Modulation::Qam256, Coding::FiveSixths),
        10 => (Modulation::Qam1024, Coding::ThreeQuarters),
        11 => (Modulation::Qam1024, Coding::FiveSixths),
        12 => (Modulation::Qam4096, Coding::ThreeQuarters),
        _ => (Modulation::Qam4096, Coding::FiveSixths),
    }
}

/// The rate below HT with the modulation and coding of this scheme (802.11-2020 table 10-9): 54 Mbit/s beyond it.
pub(crate) const fn reference_of(mcs: u8) -> Legacy {
    Legacy::Ofdm(match mcs {
        0 => Ofdm::M6,
        1 => Ofdm::M12,
        2 => Ofdm::M18,
        3 => Ofdm::M24,
        4 => Ofdm::M36,
        5 => Ofdm::M48,
        _ => Ofdm::M54,
    })
}

/// Bits of a PSDU once the service field of 16 bits and 6 tail bits for each encoder are added (802.11-2020 17.3.5.2).
pub(crate) const fn with_service_and_tail(psdu: u32, encoders: u32) -> u64 {
    16 + 8 * psdu as u64 + 6 * encoders as u64
}
