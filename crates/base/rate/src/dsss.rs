//! The rates of the DSSS PHY (802.11-2020 clause 15) and the HR/DSSS PHY (clause 16), 802.11b.

use crate::{Field, Format, GuardInterval, Legacy, Scheme, Width};
use airloom_sim::{BitRate, Duration};
use std::fmt;

/// A rate of 802.11b and the preamble it goes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dsss {
    /// The rate of the PSDU.
    pub speed: Speed,
    /// The preamble; 1 Mbit/s has the long one alone.
    pub preamble: Preamble,
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

airloom_sim::kinds! {
    /// The preamble of DSSS frames.
    pub enum Preamble {
        /// 144 us and a header of 48 us.
        Long = "long",
        /// 72 us and a header of 24 us (clause 16.2.2.3), but at 1 Mbit/s.
        Short = "short",
    }
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

impl Preamble {
    /// Preamble and header (table 16-5).
    pub const fn duration(self) -> Duration {
        Duration::from_micros(match self {
            Self::Long => 144 + 48,
            Self::Short => 72 + 24,
        })
    }
}

impl Dsss {
    /// A rate with this preamble if it has it.
    pub const fn new(speed: Speed, wanted: Preamble) -> Self {
        let preamble = if matches!(speed, Speed::M1) { Preamble::Long } else { wanted };
        Self { speed, preamble }
    }
}

impl Format for Dsss {
    fn streams(self) -> u32 {
        1
    }

    /// 22 MHz, taken for 20 (16.3.7.4).
    fn width(self) -> Width {
        Width::Mhz20
    }

    fn guard_interval(self) -> Option<GuardInterval> {
        None
    }

    fn scheme(self) -> Scheme {
        Scheme::Chips(self.speed)
    }

    fn bit_rate(self) -> BitRate {
        self.speed.bit_rate()
    }

    /// 802.11-2020 16.3.4: whole microseconds.
    fn symbols(self, bytes: u32) -> Duration {
        let bits_per_ms = self.bit_rate().as_bps() / 1000;
        Duration::from_micros((8000 * u64::from(bytes)).div_ceil(bits_per_ms))
    }

    fn airtime(self, psdu: u32) -> Duration {
        self.preamble.duration() + self.symbols(psdu)
    }

    fn fields(self, psdu: u32) -> Vec<Field> {
        let (preamble, header) = match self.preamble {
            Preamble::Long => (144, 48),
            Preamble::Short => (72, 24),
        };
        let one = |name, micros| Field::new(name, Duration::from_micros(micros), 1);
        vec![one("preamble", preamble), one("header", header), Field::new("data", self.symbols(psdu), 1)]
    }

    fn aggregates(self) -> bool {
        false
    }

    fn reference(self) -> Legacy {
        Legacy::Dsss(self)
    }
}

impl fmt::Display for Dsss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Mbit/s", self.bit_rate().as_mbps_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Preamble::{Long, Short};
    use Speed::{M1, M2, M5_5, M11};

    /// Worked by hand: 192 or 96 us and ceil(8 n / rate).
    #[test]
    fn airtimes_are_the_standards() {
        let table = [
            (M1, Long, 14, 304),      // 112 / 1
            (M1, Long, 20, 352),      // 160 / 1
            (M2, Long, 14, 248),      // 112 / 2
            (M2, Short, 14, 152),     // 112 / 2
            (M5_5, Long, 1536, 2427), // 12288 / 5.5 = 2234.2 -> 2235
            (M5_5, Short, 14, 117),   // 112 / 5.5 = 20.4 -> 21
            (M11, Long, 1536, 1310),  // 12288 / 11 = 1117.1 -> 1118
            (M11, Short, 1536, 1214), // 12288 / 11 = 1117.1 -> 1118
            (M11, Long, 14, 203),     // 112 / 11 = 10.2 -> 11
            (M11, Short, 76, 152),    // 608 / 11 = 55.3 -> 56
            (M1, Short, 14, 304),     // there is no short preamble at 1 Mbit/s
        ];
        for (speed, preamble, bytes, micros) in table {
            let airtime = Dsss::new(speed, preamble).airtime(bytes);
            assert_eq!(airtime, Duration::from_micros(micros), "{speed:?} {preamble:?} {bytes} bytes");
        }
    }
}
