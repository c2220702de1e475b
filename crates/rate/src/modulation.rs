//! How bits become a signal: modulation and coding.

use crate::Speed;

/// How the bits of a PPDU become a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Uncoded, over chips.
    Chips(Speed),
    /// Convolutionally coded and interleaved over subcarriers.
    Subcarriers(Modulation, Coding),
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
    pub(crate) const fn data_bits(self, coded: u32) -> u32 {
        match self {
            Self::Half => coded / 2,
            Self::TwoThirds => coded * 2 / 3,
            Self::ThreeQuarters => coded * 3 / 4,
            Self::FiveSixths => coded * 5 / 6,
        }
    }
}

/// Bits of a PSDU once the service field of 16 bits and 6 tail bits for each encoder are added (802.11-2020 17.3.5.2).
pub(crate) const fn with_service_and_tail(psdu: u32, encoders: u32) -> u64 {
    16 + 8 * psdu as u64 + 6 * encoders as u64
}
