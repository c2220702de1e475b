//! What Linux expects a packet to cost on the air, before it is sent (`ieee80211_calc_expected_tx_airtime()` in
//! net/mac80211/airtime.c, Linux 6.18).
//!
//! It is an estimate by design: the last rate is taken for the next one, an aggregate for as long as such rates usually allow,
//! and nothing is reckoned for contention, the response or a retransmission.

use airloom_rate::{Eht, GuardInterval, Preamble, Punctured, Rate, Width};

/// The bytes whose duration the kernel has in its tables, `AVG_PKT_SIZE`.
const PACKET: u64 = 1024;
/// The kernel counts in 1024th parts of a microsecond.
const PARTS: u64 = 1024;
/// Bytes that the kernel adds to a frame's length.
const HEADERS: u32 = 38;
/// Data bits of a symbol and stream at the lowest scheme of HT and VHT by width, whose multiples those of the higher ones are
/// (802.11-2020 tables 19-27 and 21-29).
const VHT_LOWEST: [u64; 4] = [26, 54, 117, 234];
/// Three times what the bits of each scheme are of the lowest.
const VHT_THIRDS: [u64; 10] = [3, 6, 9, 12, 18, 24, 27, 30, 36, 40];
/// Data bits of a symbol and stream in HE by width and scheme, as the kernel has them: up to two in a hundred off the standard's.
const HE: [[u64; 12]; 4] = [
    [115, 230, 345, 475, 705, 936, 1051, 1166, 1411, 1555, 1756, 1944],
    [230, 475, 705, 936, 1411, 1872, 2102, 2347, 2808, 3124, 3513, 3902],
    [489, 979, 1468, 1958, 2937, 3916, 4406, 4896, 5875, 6523, 7344, 8164],
    [979, 1958, 2937, 3916, 5875, 7833, 8827, 9806, 11_764, 13_060, 14_702, 16_329],
];

/// What the kernel expects of frames at one rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AirtimeEstimate {
    /// Below HT, where each frame is alone: microseconds before it, and units of 100 kbit/s.
    Single {
        /// Preamble and SIFS.
        before: u32,
        /// The rate.
        rate: u32,
    },
    /// From HT on.
    Aggregated {
        /// How long 1024 bytes take, in 1024th parts of a microsecond.
        packet: u32,
        /// Preamble and SIFS of a PPDU, in microseconds.
        overhead: u32,
        /// The binary logarithm of the frames that are assumed to share them.
        shift: u8,
    },
}

impl AirtimeEstimate {
    /// What is expected at `rate`.
    pub fn of(rate: Rate) -> Self {
        match rate {
            Rate::Dsss(dsss) => {
                let before = if dsss.preamble == Preamble::Short { 96 } else { 192 };
                Self::Single { before: before + 10, rate: hundreds(rate) }
            }
            Rate::Ofdm(_) => Self::Single { before: 20 + 16, rate: hundreds(rate) },
            Rate::Ht(ht) => {
                let short = ht.guard == GuardInterval::Ns400;
                vht(u64::from(ht.mcs % 8), rate.streams(), ht.width, short)
            }
            Rate::Vht(one) => {
                vht(u64::from(one.mcs), rate.streams(), one.width, one.guard == GuardInterval::Ns400)
            }
            Rate::He(he) => {
                let bits = HE[he.width.index()];
                long_symbols([bits[0], bits[usize::from(he.mcs)]], rate, true)
            }
            Rate::Eht(eht) => {
                let of = |mcs| Eht { mcs, streams: 1, punctured: Punctured::None, ..eht }.bits_per_symbol();
                // The one number of its table that is not the standard's.
                let wrong = (eht.mcs, eht.width) == (2, Width::Mhz160);
                // It knows HE as the one format with so many frames in a PPDU.
                long_symbols([of(0), if wrong { 2937 } else { of(eht.mcs) }], rate, false)
            }
        }
    }

    /// Microseconds for a frame of so many bytes, without FCS; `aggregates`: it is likely to travel with others, as all are but those
    /// of voice.
    pub fn expected(self, bytes: u32, aggregates: bool) -> u32 {
        let bytes = bytes + HEADERS;
        match self {
            Self::Single { before, rate } => before + bytes * 80 / rate,
            Self::Aggregated { packet, overhead, shift } => {
                let data = (u64::from(packet) * u64::from(bytes) / PACKET / PARTS) as u32;
                if aggregates { (data + (overhead >> shift)).max(4) } else { data + overhead }
            }
        }
    }
}

/// A rate in units of 100 kbit/s.
fn hundreds(rate: Rate) -> u32 {
    (rate.bit_rate().as_bps() / 100_000) as u32
}

/// Symbols of `bits` in each of the streams for 1024 bytes, in 1024th parts.
fn symbols(bits: u64, streams: u32) -> u64 {
    (PACKET * 8 * PARTS).div_ceil(bits * u64::from(streams))
}

/// The duration at `bits`, as coarse as the kernel keeps it: 16 bits hold that of the lowest scheme.
fn in_steps(duration: impl Fn(u64) -> u64, lowest: u64, bits: u64) -> u32 {
    let shift = (u64::BITS - duration(lowest).leading_zeros()).saturating_sub(16);
    (duration(bits) >> shift << shift) as u32
}

/// What is expected in HT and VHT.
fn vht(scheme: u64, streams: u32, width: Width, short: bool) -> AirtimeEstimate {
    let lowest = VHT_LOWEST[width.index()];
    let bits = lowest * VHT_THIRDS[scheme as usize] / 3;
    let twentieths = if short { 18 } else { 20 };
    // The kernel reckons the steps of 160 MHz from 243 bits rather than 234.
    let coarse = if width == Width::Mhz160 { 243 } else { lowest };
    let packet = in_steps(|bits| symbols(bits, streams) * 4 * twentieths / 20, coarse, bits);
    aggregated(packet, streams, false)
}

/// What is expected in HE and EHT, if a symbol of one stream has so many bits at the lowest scheme and at this one.
fn long_symbols([lowest, bits]: [u64; 2], rate: Rate, he: bool) -> AirtimeEstimate {
    // 13.6, 14.4 or 16 us.
    let twentieths = match rate.guard_interval() {
        Some(GuardInterval::Ns1600) => 18,
        Some(GuardInterval::Ns3200) => 20,
        _ => 17,
    };
    let packet = in_steps(|bits| symbols(bits, rate.streams()) * 16 * twentieths / 20, lowest, bits);
    aggregated(packet, rate.streams(), he)
}

/// What is expected where 1024 bytes take `packet`: the faster, the more frames share a PPDU's overhead.
fn aggregated(packet: u32, streams: u32, he: bool) -> AirtimeEstimate {
    let shift = match packet.div_ceil(PARTS as u32) {
        401.. => 1,
        251.. => 2,
        151.. => 3,
        71.. => 4,
        21.. => 5,
        _ if he => 6,
        _ => 5,
    };
    AirtimeEstimate::Aggregated { packet, overhead: 36 + 4 * streams, shift }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{Code, Dsss, He, Ht, Ofdm, Padding, Speed, Training, Vht};

    fn ht(mcs: u8, width: Width, guard: GuardInterval) -> Rate {
        Rate::Ht(Ht { mcs, width, guard })
    }

    fn vht(mcs: u8, streams: u8, width: Width, guard: GuardInterval) -> Rate {
        Rate::Vht(Vht { mcs, streams, width, guard, code: Code::LowDensity })
    }

    fn he(mcs: u8, streams: u8, width: Width, guard: GuardInterval) -> Rate {
        Rate::He(He { mcs, streams, width, guard, training: Training::X2, padding: Padding::Us16 })
    }

    /// Worked by hand from the kernel's formulas for a frame of 1,534 bytes, which count as 1,572. Such as HT MCS 0 in 20 MHz:
    /// ceil(8,192 x 1,024 / 26) = 322,639 parts of a symbol are 1,290,556 of a microsecond, or 1,290,528 in steps of 32, as 16 bits
    /// allow; x 1,572 / 1,024 / 1,024 = 1,934 us; and 40 us, which two share or one has alone.
    #[test]
    fn rows_worked_by_hand() {
        use GuardInterval::{Ns400, Ns800, Ns1600, Ns3200};
        use Width::{Mhz20, Mhz40, Mhz80, Mhz160};
        let rows = [
            (ht(0, Mhz20, Ns800), 1934 + 20, 1934 + 40),
            // ceil(8,388,608 / 104) = 80,660, x 4 = 322,640, in steps of 32: 322,624.
            (ht(3, Mhz20, Ns800), 483 + 10, 483 + 40),
            // ceil(8,388,608 / (2 x 540)) = 7,768, x 3.6 = 27,964, in steps of 8: 27,960.
            (ht(15, Mhz40, Ns400), 41 + 1, 41 + 44),
            // ceil(8,388,608 / (2 x 1,560)) = 2,689, x 3.6 = 9,680.
            (vht(9, 2, Mhz80, Ns400), 14 + 1, 14 + 44),
            // 346 bits of each stream, where the standard has 1,040 of all three.
            (vht(9, 3, Mhz20, Ns800), 48 + 1, 48 + 48),
            (vht(9, 4, Mhz160, Ns800), 4 + 1, 4 + 52),
            // ceil(8,388,608 / 115) = 72,945, x 16 = 1,167,120, in steps of 32: 1,167,104.
            (he(0, 1, Mhz20, Ns3200), 1749 + 20, 1749 + 40),
            (he(7, 1, Mhz20, Ns1600), 155 + 2, 155 + 40),
            // ceil(8,388,608 / (2 x 8,164)) = 514, x 13.6 = 6,990.
            (he(11, 2, Mhz80, Ns800), 10, 10 + 44),
            (he(11, 2, Mhz160, Ns800), 5, 5 + 44),
            (he(11, 4, Mhz160, Ns800), 4, 2 + 52),
            (Rate::Ofdm(Ofdm::M54), 36 + 232, 36 + 232),
            (Rate::Dsss(Dsss::new(Speed::M11, Preamble::Long)), 202 + 1143, 202 + 1143),
            (Rate::Dsss(Dsss::new(Speed::M5_5, Preamble::Short)), 106 + 2286, 106 + 2286),
        ];
        for (rate, together, alone) in rows {
            let estimate = AirtimeEstimate::of(rate);
            let both = (estimate.expected(1534, true), estimate.expected(1534, false));
            assert_eq!(both, (together, alone), "{rate:?}: {estimate:?}");
        }
    }

    /// No packet is expected to cost nothing, more bytes never cost less, and one that travels alone is as dear as the PPDU that it is
    /// within a tenth, where the kernel's tables are as fine as its formula.
    #[test]
    fn every_rate_has_an_estimate() {
        let mut rates: Vec<_> = Ofdm::ALL.map(Rate::Ofdm).to_vec();
        rates
            .extend([Width::Mhz20, Width::Mhz40].iter().flat_map(|&w| Ht::rates(4, w, GuardInterval::Ns400)));
        for width in [Width::Mhz20, Width::Mhz40, Width::Mhz80, Width::Mhz160] {
            rates.extend(Vht::rates(4, width, GuardInterval::Ns400, Code::LowDensity));
            rates.extend(He::rates(4, width, GuardInterval::Ns800, Padding::Us16));
        }
        for rate in rates {
            let estimate = AirtimeEstimate::of(rate);
            let sizes = [40, 576, 1534, 3000].map(|bytes| estimate.expected(bytes, true));
            assert!(sizes[0] >= 4 && sizes.is_sorted(), "{rate:?}: {sizes:?}");
            let data = rate.airtime(30_000) - rate.airtime(0);
            let guess = estimate.expected(30_000, false) - estimate.expected(0, false);
            let ratio = f64::from(guess) / (data.as_nanos() as f64 / 1e3);
            assert!((0.9..1.1).contains(&ratio), "{rate:?}: {guess} us for {data:?}");
        }
    }
}
