//! The rates of the OFDM PHY (802.11-2020 clause 17), 802.11a, which 802.11g takes over (clause 18).

use crate::field::{self, Field};
use crate::modulation::with_service_and_tail;
use crate::{Coding, Format, GuardInterval, Legacy, Modulation, Scheme, Width};
use airloom_sim::{BitRate, Duration};
use std::fmt;

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

/// Symbol interval (table 17-5).
const SYMBOL: Duration = Duration::from_micros(4);
/// Preamble 16 us, SIGNAL 4 us (equation 17-29).
const PREAMBLE: Duration = Duration::from_micros(16 + 4);
/// Subcarriers that carry data, N_SD (table 17-5).
const CARRIERS: u32 = 48;

impl Ofdm {
    /// All eight, slowest first.
    pub const ALL: [Self; 8] =
        [Self::M6, Self::M9, Self::M12, Self::M18, Self::M24, Self::M36, Self::M48, Self::M54];

    /// Modulation and coding (802.11-2020 table 17-4).
    const fn modulation(self) -> (Modulation, Coding) {
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

    /// Data bits per symbol, N_DBPS.
    const fn bits_per_symbol(self) -> u32 {
        let (modulation, coding) = self.modulation();
        coding.data_bits(CARRIERS * modulation.bits())
    }

    /// The time of this many bits in whole symbols.
    fn symbols_of(self, bits: u64) -> Duration {
        SYMBOL * bits.div_ceil(u64::from(self.bits_per_symbol()))
    }
}

impl Format for Ofdm {
    fn streams(self) -> u32 {
        1
    }

    fn width(self) -> Width {
        Width::Mhz20
    }

    fn guard_interval(self) -> Option<GuardInterval> {
        Some(GuardInterval::Ns800)
    }

    fn scheme(self) -> Scheme {
        let (modulation, coding) = self.modulation();
        Scheme::Convolutional(modulation, coding)
    }

    fn bit_rate(self) -> BitRate {
        BitRate::from_bps(u64::from(self.bits_per_symbol()) * 1_000_000_000 / SYMBOL.as_nanos())
    }

    fn symbols(self, bytes: u32) -> Duration {
        self.symbols_of(8 * u64::from(bytes))
    }

    /// 802.11-2020 equation (17-29).
    fn airtime(self, psdu: u32) -> Duration {
        PREAMBLE + self.symbols_of(with_service_and_tail(psdu, 1))
    }

    fn fields(self, psdu: u32) -> Vec<Field> {
        let symbols = self.symbols_of(with_service_and_tail(psdu, 1)).as_nanos() / SYMBOL.as_nanos();
        let [stf, ltf, sig] = field::LEGACY;
        vec![stf, ltf, sig, Field::new("data", SYMBOL, symbols)]
    }

    fn aggregates(self) -> bool {
        false
    }

    fn reference(self) -> Legacy {
        Legacy::Ofdm(self)
    }
}

impl fmt::Display for Ofdm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Mbit/s", self.bit_rate().as_mbps_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand: 20 us + 4 us x ceil((16 + 8 n + 6) / N_DBPS).
    #[test]
    fn airtimes_are_the_standards() {
        let table = [
            (Ofdm::M6, 14, 44),     // 134 / 24 -> 6
            (Ofdm::M24, 14, 28),    // 134 / 96 -> 2
            (Ofdm::M24, 20, 28),    // 182 / 96 -> 2
            (Ofdm::M24, 32, 32),    // 278 / 96 -> 3
            (Ofdm::M6, 28, 64),     // 246 / 24 -> 11
            (Ofdm::M54, 1500, 244), // 12022 / 216 -> 56
            (Ofdm::M54, 1536, 248), // 12310 / 216 -> 57
            (Ofdm::M6, 250, 360),   // 2022 / 24 -> 85
        ];
        for (rate, bytes, micros) in table {
            assert_eq!(rate.airtime(bytes), Duration::from_micros(micros), "{rate:?} {bytes} bytes");
        }
    }
}
