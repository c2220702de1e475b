//! The rates of the EHT PHY for one user (802.11be-2024 clause 36), 802.11be: an EHT MU PPDU whose whole bandwidth, but for what is
//! punctured, goes to one receiver.

use crate::field::{self, Field, training_fields};
use crate::modulation;
use crate::segments::{Bits, End, Padding};
use crate::{Format, GuardInterval, He, LONGEST, Legacy, Rate, Scheme, Training, Width, slowest_first};
use airloom_sim::{BitRate, Duration};
use std::fmt;

/// A rate of an EHT PPDU for one user, coded with low-density parity checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Eht {
    /// Modulation and coding scheme, 0 to 13.
    pub mcs: u8,
    /// Spatial streams, 1 to 8.
    pub streams: u8,
    /// 20 to 320 MHz.
    pub width: Width,
    /// 800, 1,600 or 3,200 ns.
    pub guard: GuardInterval,
    /// The size of the long training fields: 2x or 4x.
    pub training: Training,
    /// The receiver's nominal packet padding.
    pub padding: Padding,
    /// What of the width is left out.
    pub punctured: Punctured,
}

airloom_sim::kinds! {
    /// How much of a PPDU's width is left out (preamble puncturing of a transmission to one user, 802.11be-2024 table 36-30). Where in the
    /// width it lies does not matter for the PPDU's duration.
    pub enum Punctured {
        /// Nothing.
        None = "0 MHz",
        /// 20 MHz of 80 or of 160.
        Mhz20 = "20 MHz",
        /// 40 MHz of 160 or of 320.
        Mhz40 = "40 MHz",
        /// 80 MHz of 320.
        Mhz80 = "80 MHz",
        /// 80 MHz and 40 MHz of 320.
        Mhz120 = "120 MHz",
    }
}

/// A symbol without its guard interval, T_DFT (table 36-19).
const DFT: Duration = Duration::from_nanos(12_800);
/// Symbols of EHT-SIG: 20 bits for all, 22 for the user, 4 of check and 6 of tail, at EHT-SIG's scheme 0 with its 26 bits a symbol
/// (36.3.12.8). Senders may choose a faster one of three schemes, which saves one symbol.
const EHT_SIG_SYMBOLS: u64 = 2;

/// Subcarriers of what is left of a width: those with data, N_SD (tables 36-19 to 36-21), and those of one of the first three segments of a
/// symbol, N_SD,short (table 36-46). None where the standard has no such puncturing.
const fn carriers(width: Width, punctured: Punctured) -> Option<[u32; 2]> {
    use Punctured::{Mhz20, Mhz40, Mhz80, Mhz120, None as Whole};
    Some(match (width, punctured) {
        (Width::Mhz20, Whole) => [234, 60],
        (Width::Mhz40, Whole) => [468, 120],
        (Width::Mhz80, Whole) => [980, 240],
        (Width::Mhz160, Whole) => [1960, 492],
        (Width::Mhz320, Whole) => [3920, 984],
        (Width::Mhz80, Mhz20) => [702, 180],
        (Width::Mhz160, Mhz20) => [1682, 420],
        (Width::Mhz160, Mhz40) => [1448, 360],
        (Width::Mhz320, Mhz40) => [3408, 852],
        (Width::Mhz320, Mhz80) => [2940, 732],
        (Width::Mhz320, Mhz120) => [2428, 612],
        _ => return None,
    })
}

impl Eht {
    /// The most MPDUs under one BlockAck, and the most bytes of an A-MPDU (802.11be-2024 9.4.2.321, table 36-75).
    pub const LARGEST_AGGREGATE: (u32, u32) = (1024, 15_523_200);

    /// The highest scheme for any width; 14 and 15 send everything twice, and are [not here](Self::left_out).
    pub const HIGHEST_MCS: u8 = 13;
    /// The most spatial streams that an adapter has here; the standard goes on to eight.
    pub const MOST_STREAMS: u8 = 4;

    /// What a scheme is that the standard has and that is not here.
    pub const fn left_out(mcs: i64) -> Option<&'static str> {
        match mcs {
            14 => Some("BPSK twice over, in either half of a channel of 6 GHz (DUP, 802.11be-2024 36.5)"),
            15 => Some("BPSK twice over, on two subcarriers each (DCM, 802.11be-2024 36.5)"),
            _ => None,
        }
    }

    /// Whether the standard has this rate: long training fields go with guard intervals in four combinations (table 36-36), and puncturing
    /// with widths in six.
    pub const fn exists(self) -> bool {
        use {GuardInterval as Guard, Training as Size};
        let together = matches!(
            (self.training, self.guard),
            (Size::X2, Guard::Ns800 | Guard::Ns1600) | (Size::X4, Guard::Ns800 | Guard::Ns3200)
        );
        together
            && self.mcs <= Self::HIGHEST_MCS
            && 1 <= self.streams
            && self.streams <= Self::MOST_STREAMS
            && carriers(self.width, self.punctured).is_some()
    }

    /// All rates of up to `streams` streams in a channel of this width with guard intervals down to `shortest`, slowest first.
    pub fn rates(streams: u8, width: Width, shortest: GuardInterval, padding: Padding) -> Vec<Rate> {
        slowest_first(streams, Self::HIGHEST_MCS, He::GUARDS, shortest, |streams, mcs, guard| {
            let (training, punctured) = (He::training_for(guard), Punctured::None);
            Some(Rate::Eht(Self { mcs, streams, width, guard, training, padding, punctured }))
        })
    }

    /// Symbol interval: 13.6, 14.4 or 16 us.
    fn symbol(self) -> Duration {
        DFT + self.guard.duration()
    }

    /// Bits of a symbol, and of one of its first three segments.
    fn bits(self) -> [Bits; 2] {
        // What does not exist is sent over the whole width.
        let whole = || carriers(self.width, Punctured::None).unwrap_or_default();
        let carriers = carriers(self.width, self.punctured).unwrap_or_else(whole);
        carriers.map(|carriers| Bits::of(self.mcs, carriers, self.streams))
    }

    /// Data bits of a symbol, N_DBPS.
    pub fn bits_per_symbol(self) -> u64 {
        self.bits()[0].data
    }

    /// Where the data of a PSDU end.
    fn end(self, psdu: u32) -> End {
        let [symbol, segment] = self.bits();
        End::of(psdu, symbol, segment, modulation::of_scheme(self.mcs).1)
    }

    /// One EHT-LTF with its guard interval.
    fn training_field(self) -> Duration {
        self.training.duration() + self.guard.duration()
    }

    /// L-STF 8, L-LTF 8, L-SIG 4, RL-SIG 4, U-SIG 8, EHT-SIG 8, EHT-STF 4 us, and the EHT-LTFs (36.3.4, table 36-19).
    fn preamble(self) -> Duration {
        let fixed = 8 + 8 + 4 + 4 + 8 + 4 * EHT_SIG_SYMBOLS + 4;
        Duration::from_micros(fixed) + self.training_field() * training_fields(self.streams())
    }
}

impl Format for Eht {
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
        Scheme::LowDensity(self.mcs)
    }

    fn bit_rate(self) -> BitRate {
        BitRate::from_bps(self.bits_per_symbol() * 1_000_000_000 / self.symbol().as_nanos())
    }

    fn symbols(self, bytes: u32) -> Duration {
        self.symbol() * (8 * u64::from(bytes)).div_ceil(self.bits_per_symbol())
    }

    /// Equation (36-110).
    fn airtime(self, psdu: u32) -> Duration {
        let end = self.end(psdu);
        self.preamble() + self.symbol() * end.symbols + self.padding.extension(end.segments)
    }

    fn fields(self, psdu: u32) -> Vec<Field> {
        let micros = |name, micros, times| Field::new(name, Duration::from_micros(micros), times);
        let end = self.end(psdu);
        let mut fields = field::LEGACY.to_vec();
        fields.extend([
            micros("RL-SIG", 4, 1),
            micros("U-SIG", 4, 2),
            micros("EHT-SIG", 4, EHT_SIG_SYMBOLS),
            micros("EHT-STF", 4, 1),
            Field::new("EHT-LTF", self.training_field(), training_fields(self.streams())),
            Field::new("data", self.symbol(), end.symbols),
            Field::new("packet extension", self.padding.extension(end.segments), 1),
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

impl fmt::Display for Eht {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EHT MCS {} x{}", self.mcs, self.streams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GuardInterval::{Ns800, Ns1600, Ns3200};
    use Width::{Mhz20, Mhz40, Mhz80, Mhz160, Mhz320};

    const fn eht(mcs: u8, streams: u8, width: Width, guard: GuardInterval) -> Eht {
        let training = He::training_for(guard);
        Eht { mcs, streams, width, guard, training, padding: Padding::None, punctured: Punctured::None }
    }

    /// Rates that the standard's tables 36-79 ff. print, in tenths of a megabit per second, with guard intervals of 0.8, 1.6 and 3.2 us;
    /// the last is the 11.5 Gbit/s of four streams that data sheets have.
    #[test]
    fn bit_rates_are_the_standards() {
        let table = [
            (0, 1, Mhz20, [86, 81, 73]),
            (12, 1, Mhz20, [1549, 1463, 1316]),
            (13, 1, Mhz20, [1721, 1625, 1463]),
            (13, 2, Mhz40, [6882, 6500, 5850]),
            (13, 1, Mhz80, [7206, 6806, 6125]),
            (13, 2, Mhz160, [28_824, 27_222, 24_500]),
            (12, 1, Mhz320, [25_941, 24_500, 22_050]),
            (13, 2, Mhz320, [57_647, 54_444, 49_000]),
            (13, 4, Mhz320, [115_294, 108_889, 98_000]),
        ];
        for (mcs, streams, width, wanted) in table {
            let tenths = [Ns800, Ns1600, Ns3200]
                .map(|guard| (eht(mcs, streams, width, guard).bit_rate().as_bps() + 50_000) / 100_000);
            assert_eq!(tenths, wanted, "MCS {mcs} x{streams} in {}", width.name());
        }
    }

    /// ns-3's own vectors of EHT for one user (src/wifi/test/tx-duration-test.cc, 802.11be SU durations), each with what differs: ns-3 has
    /// long training fields of 8 us, ends of the convolutional code (6 bits more), neither segments nor a packet extension, and in EHT-SIG
    /// the fields of many users beyond 40 MHz (12 us at 80 and 160 MHz, 20 us at 320), at scheme 5 where the data have a higher one (4 us).
    #[test]
    fn durations_are_those_of_ns3_but_for_what_it_leaves_out() {
        let vectors = [
            (0, Mhz20, Ns800, 1536, 1_493_600),
            (0, Mhz20, Ns800, 76, 133_600),
            (0, Mhz20, Ns800, 14, 79_200),
            (0, Mhz40, Ns800, 1536, 772_800),
            (0, Mhz40, Ns800, 76, 92_800),
            (0, Mhz40, Ns800, 14, 65_600),
            (0, Mhz80, Ns800, 1536, 409_600),
            (0, Mhz80, Ns800, 76, 83_200),
            (0, Mhz160, Ns800, 1536, 232_800),
            (0, Mhz160, Ns800, 14, 69_600),
            (0, Mhz320, Ns800, 1536, 159_200),
            (0, Mhz320, Ns800, 76, 77_600),
            (0, Mhz20, Ns1600, 1536, 1_578_400),
            (0, Mhz20, Ns1600, 76, 138_400),
            (0, Mhz40, Ns1600, 1536, 815_200),
            (13, Mhz20, Ns800, 1536, 129_600),
            (13, Mhz40, Ns800, 1536, 88_800),
            (13, Mhz80, Ns800, 1536, 75_200),
            (13, Mhz160, Ns800, 76, 61_600),
            (13, Mhz320, Ns800, 1536, 61_600),
            (13, Mhz20, Ns1600, 1536, 134_400),
        ];
        for (mcs, width, guard, bytes, theirs) in vectors {
            let ours = eht(mcs, 1, width, guard);
            let eht_sig = match width {
                _ if mcs > 5 => 4_000,
                Mhz20 | Mhz40 => 8_000,
                Mhz80 | Mhz160 => 12_000,
                Mhz320 => 20_000,
            };
            let symbols = (16 + 8 * u64::from(bytes) + 6).div_ceil(ours.bits_per_symbol());
            let field = 8_000 - ours.training_field().as_nanos();
            let of_symbols = ours.symbol().as_nanos() * symbols;
            let preamble = ours.preamble().as_nanos() - 8_000 + eht_sig + field;
            assert_eq!(preamble + of_symbols, theirs, "{ours:?} {bytes} bytes");
            // And by ours the data take as many symbols, or, where the convolutional code's tail would have begun another, one fewer.
            assert!(symbols - ours.end(bytes).symbols <= 1);
        }
    }

    /// Worked by hand: 44 us and the training fields (2 x 7.2 us), symbols = ceil((16 + 8 n) / N_DBPS), and the extension.
    #[test]
    fn airtimes_are_the_standards() {
        let fast = |padding| Eht { padding, ..eht(13, 2, Mhz320, Ns800) };
        // 12 x 3920 x 2 x 5/6 = 78,400 bits a symbol. 12368 bits: one; segments have 19,680: one. 58.4 + 13.6, then 8 us of 20.
        assert_eq!(fast(Padding::None).airtime(1544).as_nanos(), 72_000);
        assert_eq!(fast(Padding::Us16).airtime(1544).as_nanos(), 76_000);
        assert_eq!(fast(Padding::Us20).airtime(1544).as_nanos(), 80_000);
        // 1024 x 1544 bytes: 12,648,464 bits in 162 symbols; the excess of 26,064 is two segments.
        assert_eq!(fast(Padding::Us20).airtime(1024 * 1544).as_nanos(), 58_400 + 162 * 13_600 + 12_000);
    }

    #[test]
    fn puncturing_goes_with_some_widths() {
        let all = Width::ALL
            .into_iter()
            .flat_map(|width| Punctured::ALL.map(|punctured| Eht { punctured, ..eht(7, 2, width, Ns800) }));
        let exist: Vec<_> = all.filter(|rate| rate.exists()).collect();
        assert_eq!(exist.len(), Width::ALL.len() + 6);
        for rate in exist {
            let whole = Eht { punctured: Punctured::None, ..rate };
            let left =
                1.0 - f64::from([0, 20, 40, 80, 120][rate.punctured.index()]) / f64::from(rate.width.mhz());
            let share = rate.bit_rate().as_mbps_f64() / whole.bit_rate().as_mbps_f64();
            // A wider piece has a little more for its width than a narrower one.
            assert!(
                (left - 0.04..=left).contains(&share),
                "{rate:?}: {share} of the whole, {left} of the width"
            );
        }
    }

    #[test]
    fn long_training_fields_go_with_some_guard_intervals() {
        let all = [Training::X1, Training::X2, Training::X4].into_iter().flat_map(|training| {
            [GuardInterval::Ns400, Ns800, Ns1600, Ns3200]
                .map(|guard| Eht { training, ..eht(0, 1, Mhz20, guard) })
        });
        assert_eq!(all.filter(|rate| rate.exists()).count(), 4);
        assert_eq!(Eht::rates(2, Mhz80, Ns800, Padding::Us20).len(), 2 * 14 * 3);
    }
}
