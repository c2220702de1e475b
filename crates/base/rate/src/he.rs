//! The rates of the HE PHY for one user (802.11ax-2021 clause 27), 802.11ax.

use crate::field::{self, Field, training_fields};
use crate::modulation;
use crate::segments::{Bits, End, Padding};
use crate::{Format, GuardInterval, LONGEST, Legacy, Rate, Scheme, Width, slowest_first};
use airloom_sim::{BitRate, Duration};
use std::fmt;

/// A rate of an HE PPDU for one user over the whole of its width, coded with low-density parity checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct He {
    /// Modulation and coding scheme, 0 to 11.
    pub mcs: u8,
    /// Spatial streams, 1 to 8.
    pub streams: u8,
    /// 20 to 160 MHz.
    pub width: Width,
    /// 800, 1,600 or 3,200 ns.
    pub guard: GuardInterval,
    /// The size of the long training fields.
    pub training: Training,
    /// The receiver's nominal packet padding.
    pub padding: Padding,
}

airloom_sim::kinds! {
    /// The size of HE long training fields (802.11ax-2021 table 27-12).
    pub enum Training {
        /// 3.2 us and a guard interval.
        X1 = "1x",
        /// 6.4 us and a guard interval.
        X2 = "2x",
        /// 12.8 us and a guard interval, as data.
        X4 = "4x",
    }
}

/// A symbol without its guard interval, T_DFT (table 27-12).
const DFT: Duration = Duration::from_nanos(12_800);
impl Training {
    pub(crate) const fn duration(self) -> Duration {
        Duration::from_nanos(match self {
            Self::X1 => 3_200,
            Self::X2 => 6_400,
            Self::X4 => 12_800,
        })
    }
}

impl He {
    /// The most MPDUs under one BlockAck, and the most bytes of an A-MPDU (802.11ax-2021 table 27-54).
    pub const LARGEST_AGGREGATE: (u32, u32) = (256, 6_500_631);

    /// The guard intervals of HE and EHT.
    pub(crate) const GUARDS: [GuardInterval; 3] =
        [GuardInterval::Ns3200, GuardInterval::Ns1600, GuardInterval::Ns800];

    /// The highest scheme.
    pub const HIGHEST_MCS: u8 = 11;
    /// The most spatial streams that an adapter has here; the standard goes on to eight.
    pub const MOST_STREAMS: u8 = 4;

    /// Whether the standard has this rate: long training fields go with guard intervals in five combinations (27.3.4, table 27-19:
    /// HE-SIG-A's field GI+LTF Size).
    pub const fn exists(self) -> bool {
        use {GuardInterval as Guard, Training as Size};
        let together = matches!(
            (self.training, self.guard),
            (Size::X1, Guard::Ns800)
                | (Size::X2, Guard::Ns800 | Guard::Ns1600)
                | (Size::X4, Guard::Ns800 | Guard::Ns3200)
        );
        together
            && self.mcs <= Self::HIGHEST_MCS
            && 1 <= self.streams
            && self.streams <= Self::MOST_STREAMS
            && !matches!(self.width, Width::Mhz320)
    }

    /// The long training fields that go with a guard interval where nothing else is said.
    pub const fn training_for(guard: GuardInterval) -> Training {
        match guard {
            GuardInterval::Ns3200 => Training::X4,
            _ => Training::X2,
        }
    }

    /// All rates of up to `streams` streams in a channel of this width with guard intervals down to `shortest`, slowest first.
    pub fn rates(streams: u8, width: Width, shortest: GuardInterval, padding: Padding) -> Vec<Rate> {
        slowest_first(streams, Self::HIGHEST_MCS, Self::GUARDS, shortest, |streams, mcs, guard| {
            let training = Self::training_for(guard);
            Some(Rate::He(Self { mcs, streams, width, guard, training, padding }))
        })
    }

    /// Symbol interval: 13.6, 14.4 or 16 us.
    fn symbol(self) -> Duration {
        DFT + self.guard.duration()
    }

    /// Bits of this many subcarriers in a symbol.
    fn bits_of(self, carriers: u32) -> Bits {
        Bits::of(self.mcs, carriers, self.streams)
    }

    /// Bits of a symbol, N_CBPS and N_DBPS (subcarriers N_SD of table 27-13).
    fn per_symbol(self) -> Bits {
        self.bits_of(match self.width {
            Width::Mhz20 => 234,
            Width::Mhz40 => 468,
            Width::Mhz80 => 980,
            Width::Mhz160 | Width::Mhz320 => 1960,
        })
    }

    /// Bits of one of the first three segments of a symbol, N_CBPS,short and N_DBPS,short (table 27-30).
    fn per_segment(self) -> Bits {
        self.bits_of(match self.width {
            Width::Mhz20 => 60,
            Width::Mhz40 => 120,
            Width::Mhz80 => 240,
            Width::Mhz160 | Width::Mhz320 => 492,
        })
    }

    /// Where the data of a PSDU end.
    fn end(self, psdu: u32) -> End {
        End::of(psdu, self.per_symbol(), self.per_segment(), modulation::of_scheme(self.mcs).1)
    }

    /// One HE-LTF with its guard interval.
    fn training_field(self) -> Duration {
        self.training.duration() + self.guard.duration()
    }

    /// L-STF 8, L-LTF 8, L-SIG 4, RL-SIG 4, HE-SIG-A 8, HE-STF 4 us, and the HE-LTFs (27.3.4, table 27-12).
    fn preamble(self) -> Duration {
        Duration::from_micros(8 + 8 + 4 + 4 + 8 + 4) + self.training_field() * training_fields(self.streams())
    }
}

impl Format for He {
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
        BitRate::from_bps(self.per_symbol().data * 1_000_000_000 / self.symbol().as_nanos())
    }

    fn symbols(self, bytes: u32) -> Duration {
        self.symbol() * (8 * u64::from(bytes)).div_ceil(self.per_symbol().data)
    }

    /// Equation (27-135).
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
            micros("HE-SIG-A", 4, 2),
            micros("HE-STF", 4, 1),
            Field::new("HE-LTF", self.training_field(), training_fields(self.streams())),
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

impl fmt::Display for He {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HE MCS {} x{}", self.mcs, self.streams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GuardInterval::{Ns800, Ns1600, Ns3200};
    use Width::{Mhz20, Mhz40, Mhz80, Mhz160};

    const fn he(mcs: u8, streams: u8, width: Width, guard: GuardInterval, padding: Padding) -> He {
        He { mcs, streams, width, guard, training: He::training_for(guard), padding }
    }

    /// Rates of the standard's tables 27-79 to 27-112, in tenths of a megabit per second, with guard intervals of 0.8, 1.6 and
    /// 3.2 us.
    #[test]
    fn bit_rates_are_the_standards() {
        let table = [
            (0, 1, Mhz20, [86, 81, 73]),
            (7, 1, Mhz20, [860, 813, 731]),
            (11, 1, Mhz20, [1434, 1354, 1219]),
            (9, 2, Mhz40, [4588, 4333, 3900]),
            (11, 2, Mhz40, [5735, 5417, 4875]),
            (11, 1, Mhz80, [6004, 5671, 5104]), // the table prints 600.5, from 8166 2/3 bits instead of its own N_DBPS of 8166
            (11, 2, Mhz80, [12_010, 11_342, 10_208]),
            (11, 2, Mhz160, [24_019, 22_685, 20_416]),
            (11, 4, Mhz160, [48_039, 45_370, 40_833]),
        ];
        for (mcs, streams, width, wanted) in table {
            let tenths = [Ns800, Ns1600, Ns3200].map(|guard| {
                (he(mcs, streams, width, guard, Padding::None).bit_rate().as_bps() + 50_000) / 100_000
            });
            assert_eq!(tenths, wanted, "MCS {mcs} x{streams} in {}", width.name());
        }
    }

    /// Worked by hand: 36 us and the training fields (2 x 7.2 us for two streams and the short guard interval), symbols =
    /// ceil((16 + 8 n) / N_DBPS), and 4, 8, 12 or 16 us by the quarter in which the last symbol's data end.
    #[test]
    fn airtimes_are_the_standards() {
        let fast = |padding| he(11, 2, Mhz80, Ns800, padding);
        let slow = he(0, 1, Mhz20, Ns3200, Padding::Us16);
        let table = [
            // 12320 / 16333: one symbol. The excess of 12320 is 3.08 segments of 4000, so four. 50.4 + 13.6.
            (fast(Padding::None), 1538, 64_000),
            (fast(Padding::Us8), 1538, 72_000),
            (fast(Padding::Us16), 1538, 80_000),
            // 790544 / 16333 -> 49 x 13.6 = 666.4. The excess of 6560 is two segments.
            (fast(Padding::None), 64 * 1544, 716_800),
            (fast(Padding::Us8), 64 * 1544, 716_800),
            (fast(Padding::Us16), 64 * 1544, 724_800),
            // 3162128 / 16333 -> 194 x 13.6 = 2638.4. The excess of 9859 is three segments.
            (fast(Padding::None), 256 * 1544, 2_688_800),
            (fast(Padding::Us8), 256 * 1544, 2_692_800),
            (fast(Padding::Us16), 256 * 1544, 2_700_800),
            // 12368 / 117 -> 106 x 16 = 1696, after 36 + 16. The excess of 83 is three segments of 30; 6 words of 1944 hold 5832
            // of data, 12375 need 13.
            (slow, 1544, 1_760_000),
        ];
        for (rate, bytes, nanos) in table {
            assert_eq!(rate.airtime(bytes).as_nanos(), nanos, "{rate:?} {bytes} bytes");
        }
    }

    /// 16 + 8 x 14 = 128 bits of 117 a symbol: the second holds 11, one segment of 30. 147 bits in 294 make one word of 648 with
    /// 177 shortened and 648 - 294 - 177 = 177 of 324 punctured, so a second segment. The other way round 12,400 bits in 16,333 end
    /// in a fourth segment; eleven words are punctured by 8 %, and nothing is added.
    #[test]
    fn a_short_psdu_takes_a_segment_more() {
        assert_eq!(he(0, 1, Mhz20, Ns800, Padding::Us16).end(14), End { symbols: 2, segments: 2 });
        assert_eq!(he(11, 2, Mhz80, Ns800, Padding::Us16).end(1548), End { symbols: 1, segments: 4 });
        // 16 + 8 x 60 = 496 bits of 8166: one segment of 2000, 2000 bits in 2400: two words of 1296, 160 shortened, 32 punctured of 432.
        assert_eq!(he(11, 1, Mhz80, Ns800, Padding::Us16).end(60), End { symbols: 1, segments: 1 });
    }

    #[test]
    fn long_training_fields_go_with_some_guard_intervals() {
        let all = [Training::X1, Training::X2, Training::X4].into_iter().flat_map(|training| {
            [GuardInterval::Ns400, Ns800, Ns1600, Ns3200]
                .map(|guard| He { training, ..he(0, 1, Mhz20, guard, Padding::None) })
        });
        assert_eq!(all.filter(|rate| rate.exists()).count(), 5);
        assert!(He::rates(2, Mhz80, Ns800, Padding::Us16).len() == 2 * 12 * 3);
        assert_eq!(he(11, 2, Mhz40, Ns800, Padding::None).airtime(100).as_nanos(), 64_000);
    }
}
