//! The rates of the DSSS PHY (802.11-2020 clause 15) and the HR/DSSS PHY (clause 16), 802.11b.

use airloom_sim::{BitRate, Duration};

/// A rate of 802.11b and the preamble it goes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dsss {
    /// The rate of the PSDU.
    pub speed: Speed,
    /// The short preamble (clause 16.2.2.3) rather than the long; 1 Mbit/s has the long one alone.
    pub short_preamble: bool,
}

/// The four rates: differential BPSK and QPSK over the Barker sequence, then complementary code keying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the name is the rate in Mbit/s")]
pub enum Speed {
    M1,
    M2,
    M5_5,
    M11,
}

impl Speed {
    /// All four, slowest first.
    pub const ALL: [Self; 4] = [Self::M1, Self::M2, Self::M5_5, Self::M11];

    /// Data bits per second.
    pub const fn bit_rate(self) -> BitRate {
        BitRate::from_bps(match self {
            Self::M1 => 1_000_000,
            Self::M2 => 2_000_000,
            Self::M5_5 => 5_500_000,
            Self::M11 => 11_000_000,
        })
    }
}

impl Dsss {
    /// A rate with the short preamble if it is wanted and there is one.
    pub const fn new(speed: Speed, short_preamble: bool) -> Self {
        Self { speed, short_preamble: short_preamble && !matches!(speed, Speed::M1) }
    }

    /// PLCP preamble and header: 144 + 48 us, or 72 + 24 us (table 16-5).
    pub const fn preamble(self) -> Duration {
        Duration::from_micros(if self.short_preamble { 96 } else { 192 })
    }
}
