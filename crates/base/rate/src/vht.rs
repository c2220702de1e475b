//! The rates of the VHT PHY (802.11-2020 clause 21), 802.11ac.

use crate::field::{self, Field, in_whole_4_us, training_fields};
use crate::modulation::{self, with_service_and_tail};
use crate::{Format, GuardInterval, LONGEST, Legacy, Rate, Scheme, Width, ldpc, slowest_first};
use airloom_sim::{BitRate, Duration};
use std::fmt;

/// A VHT rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vht {
    /// Modulation and coding scheme, 0 to 9.
    pub mcs: u8,
    /// Spatial streams, 1 to 8.
    pub streams: u8,
    /// 20 to 160 MHz.
    pub width: Width,
    /// 800 or 400 ns.
    pub guard: GuardInterval,
    /// The code.
    pub code: Code,
}

airloom_sim::kinds! {
    /// The code that corrects errors.
    pub enum Code {
        /// The binary convolutional code, which every VHT device has.
        Convolutional = "bcc",
        /// Low-density parity checks, which most have and prefer.
        LowDensity = "ldpc",
    }
}

/// A symbol without its guard interval, T_DFT (table 21-5).
const DFT: Duration = Duration::from_nanos(3_200);
/// What one convolutional encoder can do with the short guard interval (21.5).
const ENCODER_BPS: u64 = 600_000_000;

impl Vht {
    /// The most MPDUs under one BlockAck, and the most bytes of an A-MPDU (802.11-2020 9.4.2.157.2).
    pub const LARGEST_AGGREGATE: (u32, u32) = (64, 1_048_575);

    /// The highest scheme.
    pub const HIGHEST_MCS: u8 = 9;

    /// Whether the standard has this rate: bits must fill whole symbols in every encoder (21.5, tables 21-29 to 21-60; for
    /// up to four streams).
    pub const fn exists(self) -> bool {
        let fits = !matches!(
            (self.width, self.streams, self.mcs),
            (Width::Mhz20, 1 | 2 | 4, 9) | (Width::Mhz80, 3, 6) | (Width::Mhz160, 3, 9) | (Width::Mhz320, ..)
        );
        fits && self.mcs <= Self::HIGHEST_MCS
            && 1 <= self.streams
            && self.streams <= Self::MOST_STREAMS
            && matches!(self.guard, GuardInterval::Ns400 | GuardInterval::Ns800)
    }

    /// The most spatial streams that an adapter has here; the standard goes on to eight.
    pub const MOST_STREAMS: u8 = 4;

    /// All rates of up to `streams` streams in a channel of this width with guard intervals down to `shortest`, slowest first.
    pub fn rates(streams: u8, width: Width, shortest: GuardInterval, code: Code) -> Vec<Rate> {
        let guards = [GuardInterval::Ns800, GuardInterval::Ns400];
        slowest_first(streams, Self::HIGHEST_MCS, guards, shortest, |streams, mcs, guard| {
            let rate = Self { mcs, streams, width, guard, code };
            rate.exists().then_some(Rate::Vht(rate))
        })
    }

    /// Symbol interval: 3.6 us with the short guard interval, 4 us otherwise.
    fn symbol(self) -> Duration {
        DFT + self.guard.duration()
    }

    /// Coded bits per symbol, N_CBPS.
    fn coded_per_symbol(self) -> u32 {
        // Subcarriers that carry data, N_SD (table 21-5).
        let carriers = match self.width {
            Width::Mhz20 => 52,
            Width::Mhz40 => 108,
            Width::Mhz80 => 234,
            Width::Mhz160 | Width::Mhz320 => 468,
        };
        carriers * modulation::of_scheme(self.mcs).0.bits() * u32::from(self.streams)
    }

    /// Data bits per symbol, N_DBPS.
    fn bits_per_symbol(self) -> u32 {
        modulation::of_scheme(self.mcs).1.data_bits(self.coded_per_symbol())
    }

    /// Convolutional encoders, N_ES: one for each 600 Mbit/s with the short guard interval, but six for four streams of
    /// MCS 7 in 160 MHz (tables 21-29 to 21-60, up to four streams).
    fn encoders(self) -> u32 {
        let exceptional = matches!((self.width, self.streams, self.mcs), (Width::Mhz160, 4, 7));
        let short = Self { guard: GuardInterval::Ns400, ..self };
        let needed = short.bit_rate().as_bps().div_ceil(ENCODER_BPS) as u32;
        if exceptional { 6 } else { needed }
    }

    /// Symbols of a PSDU (equations 21-62 and 21-65; 21.3.10.5.4 for the one that LDPC may add).
    fn count(self, psdu: u32) -> u64 {
        let per_symbol = u64::from(self.bits_per_symbol());
        match self.code {
            Code::Convolutional => with_service_and_tail(psdu, self.encoders()).div_ceil(per_symbol),
            Code::LowDensity => {
                let symbols = with_service_and_tail(psdu, 0).div_ceil(per_symbol);
                let coding = modulation::of_scheme(self.mcs).1;
                let available = symbols * u64::from(self.coded_per_symbol());
                symbols + u64::from(ldpc::needs_more_room(symbols * per_symbol, available, coding))
            }
        }
    }

    /// L-STF 8, L-LTF 8, L-SIG 4, VHT-SIG-A 8, VHT-STF 4, 4 us for each VHT-LTF, VHT-SIG-B 4 (21.3.4, table 21-5).
    fn preamble(self) -> Duration {
        Duration::from_micros(8 + 8 + 4 + 8 + 4 + 4 * training_fields(self.streams()) + 4)
    }
}

impl Format for Vht {
    fn streams(self) -> u32 {
        u32::from(self.streams)
    }

    fn width(self) -> Width {
        self.width
    }

    fn guard_interval(self) -> Option<GuardInterval> {
        Some(self.guard)
    }

    fn scheme(self) -> Scheme {
        match (self.code, modulation::of_scheme(self.mcs)) {
            (Code::Convolutional, (modulation, coding)) => Scheme::Convolutional(modulation, coding),
            (Code::LowDensity, _) => Scheme::LowDensity(self.mcs),
        }
    }

    fn bit_rate(self) -> BitRate {
        BitRate::from_bps(u64::from(self.bits_per_symbol()) * 1_000_000_000 / self.symbol().as_nanos())
    }

    fn symbols(self, bytes: u32) -> Duration {
        self.symbol() * (8 * u64::from(bytes)).div_ceil(u64::from(self.bits_per_symbol()))
    }

    /// Equation (21-106).
    fn airtime(self, psdu: u32) -> Duration {
        self.preamble() + in_whole_4_us(self.symbol() * self.count(psdu))
    }

    fn fields(self, psdu: u32) -> Vec<Field> {
        let micros = |name, micros, times| Field::new(name, Duration::from_micros(micros), times);
        let data = Field::new("data", self.symbol(), self.count(psdu));
        let mut fields = field::LEGACY.to_vec();
        fields.extend([
            micros("VHT-SIG-A", 4, 2),
            micros("VHT-STF", 4, 1),
            micros("VHT-LTF", 4, training_fields(self.streams())),
            micros("VHT-SIG-B", 4, 1),
            data,
            Field::new("to whole 4 us", in_whole_4_us(data.duration()) - data.duration(), 1),
        ]);
        fields
    }

    fn delimits_one(self) -> bool {
        true
    }

    fn longest(self) -> Option<Duration> {
        Some(LONGEST)
    }

    fn largest_aggregate(self) -> Option<(u32, u32)> {
        Some(Self::LARGEST_AGGREGATE)
    }

    fn reference(self) -> Legacy {
        modulation::reference_of(self.mcs)
    }
}

impl fmt::Display for Vht {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VHT MCS {} x{}", self.mcs, self.streams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Code::{Convolutional, LowDensity};
    use GuardInterval::{Ns400, Ns800};
    use Width::{Mhz20, Mhz40, Mhz80, Mhz160};

    /// The highest rates of the standard's tables 21-30 to 21-56, in tenths of a megabit per second, with the long guard interval and
    /// the short one.
    #[test]
    fn bit_rates_are_the_standards() {
        let table = [
            (8, 1, Mhz20, 780, 867),
            (9, 3, Mhz20, 2600, 2889),
            (9, 1, Mhz40, 1800, 2000),
            (9, 2, Mhz40, 3600, 4000),
            (0, 1, Mhz80, 293, 325),
            (9, 1, Mhz80, 3900, 4333),
            (9, 2, Mhz80, 7800, 8667),
            (9, 4, Mhz80, 15_600, 17_333),
            (9, 1, Mhz160, 7800, 8667),
            (9, 2, Mhz160, 15_600, 17_333),
            (9, 4, Mhz160, 31_200, 34_667),
        ];
        for (mcs, streams, width, long, short) in table {
            for (guard, tenths) in [(Ns800, long), (Ns400, short)] {
                let rate = Vht { mcs, streams, width, guard, code: LowDensity };
                assert!(rate.exists());
                assert_eq!((rate.bit_rate().as_bps() + 50_000) / 100_000, tenths, "{rate:?}");
            }
        }
    }

    /// Worked by hand: preamble 40, 44, 52 or 52 us for 1 to 4 streams; symbols = ceil((16 + 8 n + 6 N_ES) / N_DBPS), without
    /// tail in LDPC; a short guard interval's total rounded up to 4 us.
    #[test]
    fn airtimes_are_the_standards() {
        let table = [
            ((8, 1, Mhz20, Ns800, Convolutional), 1536, 200), // 12310 / 312 -> 40 x 4
            ((8, 1, Mhz20, Ns800, LowDensity), 1536, 200),    // 12304 / 312 -> 40 x 4
            ((9, 2, Mhz80, Ns400, Convolutional), 98_816, 960), // 790556 / 3120 -> 254 x 3.6 = 914.4 -> 916
            ((9, 2, Mhz80, Ns400, LowDensity), 98_816, 960),  // 790544 / 3120 -> 254
            ((9, 2, Mhz80, Ns400, Convolutional), 1544, 60),  // 12380 / 3120 -> 4 x 3.6 = 14.4 -> 16
            ((0, 1, Mhz20, Ns800, Convolutional), 1544, 1944), // 12374 / 26 -> 476 x 4 = 1904
            ((0, 1, Mhz80, Ns400, Convolutional), 100, 72),   // 822 / 117 -> 8 x 3.6 = 28.8 -> 32
            ((9, 4, Mhz160, Ns400, Convolutional), 1_048_575, 2476), // 8388652 / 12480 -> 673 x 3.6 = 2422.8 -> 2424
            ((9, 4, Mhz160, Ns400, LowDensity), 1_048_575, 2476),
            ((7, 2, Mhz40, Ns800, LowDensity), 1544, 92), // 12368 / 1080 -> 12 x 4 = 48: 14 words, no symbol more
        ];
        for ((mcs, streams, width, guard, code), bytes, micros) in table {
            let rate = Vht { mcs, streams, width, guard, code };
            assert_eq!(rate.airtime(bytes), Duration::from_micros(micros), "{rate:?} {bytes} bytes");
        }
    }

    #[test]
    fn the_standard_leaves_out_what_does_not_fill_its_encoders() {
        let missing = |width| -> Vec<(u8, u8)> {
            (1..=4)
                .flat_map(|streams| (0..=9).map(move |mcs| (streams, mcs)))
                .filter(|&(streams, mcs)| {
                    !Vht { mcs, streams, width, guard: Ns800, code: LowDensity }.exists()
                })
                .collect()
        };
        assert_eq!(missing(Mhz20), [(1, 9), (2, 9), (4, 9)]);
        assert_eq!(missing(Mhz40), []);
        assert_eq!(missing(Mhz80), [(3, 6)]);
        assert_eq!(missing(Mhz160), [(3, 9)]);
        assert_eq!(Vht::rates(4, Mhz80, Ns400, LowDensity).len(), 2 * 39);
    }

    /// Each of N_ES encoders must get whole bits of each symbol, coded and not.
    #[test]
    fn bits_divide_among_encoders_exactly_where_a_rate_exists() {
        for width in [Mhz20, Mhz40, Mhz80, Mhz160] {
            for (streams, mcs) in (1..=4).flat_map(|streams| (0..=9).map(move |mcs| (streams, mcs))) {
                let rate = Vht { mcs, streams, width, guard: Ns800, code: Convolutional };
                let (data, of) = modulation::of_scheme(mcs).1.fraction();
                let (coded, encoders) = (rate.coded_per_symbol(), rate.encoders());
                let whole = (coded * data).is_multiple_of(of)
                    && coded.is_multiple_of(encoders)
                    && rate.bits_per_symbol().is_multiple_of(encoders)
                    && (coded / encoders).is_multiple_of(of);
                assert_eq!(whole, rate.exists(), "{rate:?} with {encoders} encoders");
            }
        }
    }
}
