//! The rates of the HT PHY (802.11-2020 clause 19), 802.11n.

use crate::field::{self, Field, in_whole_4_us, training_fields};
use crate::modulation::{self, with_service_and_tail};
use crate::{Coding, Format, GuardInterval, Legacy, Modulation, Rate, Scheme, Width};
use airloom_sim::{BitRate, Duration};
use std::fmt;

/// An HT rate with equal modulation on all streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ht {
    /// Modulation and coding scheme, 0 to 31; eight for each number of spatial streams.
    pub mcs: u8,
    /// 20 or 40 MHz.
    pub width: Width,
    /// 800 or 400 ns.
    pub guard: GuardInterval,
}

/// Schemes for each number of streams.
const SCHEMES: u8 = 8;
/// A symbol without its guard interval, T_DFT (table 19-6).
const DFT: Duration = Duration::from_nanos(3_200);

impl Ht {
    /// The most MPDUs under one BlockAck, and the most bytes of an A-MPDU (802.11-2020 9.4.2.55.3).
    pub const LARGEST_AGGREGATE: (u32, u32) = (64, 65_535);

    /// The most spatial streams.
    pub const MOST_STREAMS: u8 = 4;

    /// The lowest scheme with this number of streams, which is at least one.
    pub const fn first_mcs(streams: u8) -> u8 {
        SCHEMES.saturating_mul(streams.saturating_sub(1))
    }

    /// The highest scheme with this number of streams, which is at least one.
    pub const fn highest_mcs(streams: u8) -> u8 {
        streams.saturating_mul(SCHEMES).saturating_sub(1)
    }

    /// All rates of up to `streams` streams in a channel of this width with these guard intervals, slowest first.
    pub fn rates(streams: u8, width: Width, shortest: GuardInterval) -> Vec<Rate> {
        let guards =
            [GuardInterval::Ns800, GuardInterval::Ns400].into_iter().filter(|&guard| guard >= shortest);
        let mut rates: Vec<_> = (0..=Self::highest_mcs(streams))
            .flat_map(|mcs| guards.clone().map(move |guard| Rate::Ht(Self { mcs, width, guard })))
            .collect();
        rates.sort_by_key(|rate| rate.bit_rate());
        rates
    }

    /// Modulation and coding (802.11-2020 tables 19-27 to 19-34).
    const fn modulation(self) -> (Modulation, Coding) {
        modulation::of_scheme(self.mcs % SCHEMES)
    }

    /// Symbol interval: 3.6 us with the short guard interval, 4 us otherwise.
    fn symbol(self) -> Duration {
        DFT + self.guard.duration()
    }

    /// Data bits per symbol, N_DBPS.
    fn bits_per_symbol(self) -> u32 {
        let (modulation, coding) = self.modulation();
        // Subcarriers that carry data, N_SD (table 19-6).
        let carriers = if self.width == Width::Mhz20 { 52 } else { 108 };
        coding.data_bits(carriers * modulation.bits() * self.streams())
    }

    /// The time of this many bits in whole symbols.
    fn symbols_of(self, bits: u64) -> Duration {
        self.symbol() * bits.div_ceil(u64::from(self.bits_per_symbol()))
    }

    /// Symbols of a PSDU.
    fn data(self, psdu: u32) -> Duration {
        // Two encoders above 300 Mbit/s (19.3.11.4).
        let encoders = if self.bit_rate().as_bps() > 300_000_000 { 2 } else { 1 };
        self.symbols_of(with_service_and_tail(psdu, encoders))
    }

    /// L-STF 8, L-LTF 8, L-SIG 4, HT-SIG 8, HT-STF 4 us, and 4 us for each HT-LTF (19.3.9).
    fn preamble(self) -> Duration {
        Duration::from_micros(8 + 8 + 4 + 8 + 4 + 4 * training_fields(self.streams()))
    }
}

impl Format for Ht {
    fn streams(self) -> u32 {
        u32::from(self.mcs / SCHEMES) + 1
    }

    fn width(self) -> Width {
        self.width
    }

    fn guard_interval(self) -> Option<GuardInterval> {
        Some(self.guard)
    }

    fn scheme(self) -> Scheme {
        let (modulation, coding) = self.modulation();
        Scheme::Convolutional(modulation, coding)
    }

    fn bit_rate(self) -> BitRate {
        BitRate::from_bps(u64::from(self.bits_per_symbol()) * 1_000_000_000 / self.symbol().as_nanos())
    }

    fn symbols(self, bytes: u32) -> Duration {
        self.symbols_of(8 * u64::from(bytes))
    }

    /// HT mixed format, equation (19-90), with the short guard interval's total rounded up to whole 4 us symbols.
    fn airtime(self, psdu: u32) -> Duration {
        self.preamble() + in_whole_4_us(self.data(psdu))
    }

    fn fields(self, psdu: u32) -> Vec<Field> {
        let data = self.data(psdu);
        let micros = |name, micros, times| Field::new(name, Duration::from_micros(micros), times);
        let mut fields = field::LEGACY.to_vec();
        fields.extend([
            micros("HT-SIG", 4, 2),
            micros("HT-STF", 4, 1),
            micros("HT-LTF", 4, training_fields(self.streams())),
            Field::new("data", self.symbol(), data.as_nanos() / self.symbol().as_nanos()),
            Field::new("to whole 4 us", in_whole_4_us(data) - data, 1),
        ]);
        fields
    }

    fn largest_aggregate(self) -> Option<(u32, u32)> {
        Some(Self::LARGEST_AGGREGATE)
    }

    fn reference(self) -> Legacy {
        modulation::reference_of(self.mcs % SCHEMES)
    }
}

impl fmt::Display for Ht {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MCS {}", self.mcs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GuardInterval::{Ns400, Ns800};
    use Width::{Mhz20, Mhz40};

    fn mbps(mcs: u8, width: Width, guard: GuardInterval) -> f64 {
        Ht { mcs, width, guard }.bit_rate().as_mbps_f64()
    }

    /// The standard's own tables, 19-27 to 19-34.
    #[test]
    fn bit_rates_are_the_standards() {
        let long20 = [6.5, 13.0, 19.5, 26.0, 39.0, 52.0, 58.5, 65.0];
        for (mcs, &wanted) in (0..).zip(&long20) {
            assert!((mbps(mcs, Mhz20, Ns800) - wanted).abs() < 1e-6);
            assert!((mbps(mcs + 8, Mhz20, Ns800) - 2.0 * wanted).abs() < 1e-6);
        }
        let long40 = [13.5, 27.0, 40.5, 54.0, 81.0, 108.0, 121.5, 135.0];
        for (mcs, &wanted) in (0..).zip(&long40) {
            assert!((mbps(mcs, Mhz40, Ns800) - wanted).abs() < 1e-6);
        }
        assert!((mbps(7, Mhz40, Ns400) - 150.0).abs() < 1e-6);
        assert!((mbps(15, Mhz40, Ns400) - 300.0).abs() < 1e-6);
        assert!((mbps(0, Mhz20, Ns400) - 7.222_222).abs() < 1e-6);
    }

    /// Worked by hand from the formulas: symbols = ceil((16 + 8 n + 6) / N_DBPS), after 36 us with one stream and 40 us
    /// with two.
    #[test]
    fn airtimes_are_the_standards() {
        let table = [
            (0, Mhz20, Ns800, 1538, 1936),    // 12326 / 26 -> 475 x 4 = 1900
            (7, Mhz20, Ns800, 1538, 228),     // 12326 / 260 -> 48 x 4 = 192
            (7, Mhz40, Ns800, 1538, 128),     // 12326 / 540 -> 23 x 4 = 92
            (7, Mhz40, Ns400, 1538, 120),     // 23 x 3.6 = 82.8 -> 84
            (15, Mhz40, Ns400, 1538, 84),     // 12326 / 1080 -> 12 x 3.6 = 43.2 -> 44
            (15, Mhz40, Ns400, 15_438, 456),  // 123526 / 1080 -> 115 x 3.6 = 414 -> 416
            (15, Mhz40, Ns800, 65_535, 1984), // 524302 / 1080 -> 486 x 4 = 1944
            (8, Mhz20, Ns800, 1538, 992),     // 12326 / 52 -> 238 x 4 = 952
            (9, Mhz20, Ns400, 100, 72),       // 822 / 104 -> 8 x 3.6 = 28.8 -> 32
        ];
        for (mcs, width, guard, bytes, micros) in table {
            let rate = Ht { mcs, width, guard };
            assert_eq!(rate.airtime(bytes), Duration::from_micros(micros), "{rate:?} {bytes} bytes");
        }
    }

    #[test]
    fn a_channel_offers_every_scheme_with_every_guard_interval() {
        let rates = Ht::rates(2, Mhz40, Ns400);
        assert_eq!(rates.len(), 2 * 16);
        assert!(rates.is_sorted_by_key(|rate| rate.bit_rate()));
        assert!(rates.iter().all(|rate| rate.width() == Mhz40));
        let long = Ht::rates(1, Mhz20, Ns800);
        assert_eq!(long.len(), 8);
        assert!(long.iter().all(|rate| rate.guard_interval() == Some(Ns800)));
    }
}
