//! PHY rates as data: a rate is a format and what that format leaves to choose, and everything else follows from it.
//!
//! One [`Rate`] goes from the scenario through rate control and the air to observations and captures. A format is a file
//! with its table and its formulas behind the trait `Format`, a variant of [`Rate`] and an arm of `ask!`.
//!
//! ```
//! use airloom_rate::{GuardInterval, Ht, Rate, Width};
//!
//! let rate = Rate::Ht(Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 });
//! assert_eq!(rate.bit_rate().as_bps(), 300_000_000);
//! assert_eq!(rate.airtime(1538).as_micros(), 84);
//! ```

mod dsss;
mod eht;
mod field;
mod guard_interval;
mod he;
mod ht;
mod ldpc;
mod modulation;
mod ofdm;
mod segments;
mod sensitivity;
mod vht;
mod width;

pub use dsss::{Dsss, Preamble, Speed};
pub use eht::{Eht, Punctured};
pub use field::Field;
pub use guard_interval::GuardInterval;
pub use he::{He, Training};
pub use ht::Ht;
pub use modulation::{Coding, Modulation, Scheme};
pub use ofdm::Ofdm;
pub use segments::Padding;
pub use sensitivity::sensitivity;
pub use vht::{Code, Vht};
pub use width::Width;

use airloom_sim::{BitRate, Duration};
use std::fmt;

/// A rate of any format, aligned so that it is copied as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(8))]
pub enum Rate {
    /// DSSS or CCK, 802.11b.
    Dsss(Dsss),
    /// OFDM, 802.11a and 802.11g.
    Ofdm(Ofdm),
    /// HT mixed format, 802.11n.
    Ht(Ht),
    /// VHT, 802.11ac.
    Vht(Vht),
    /// HE for one user, 802.11ax.
    He(He),
    /// EHT for one user, 802.11be.
    Eht(Eht),
}

/// A rate below HT, at which every response goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legacy {
    /// DSSS or CCK.
    Dsss(Dsss),
    /// OFDM.
    Ofdm(Ofdm),
}

/// What a format says of each of its rates; [`Rate`] asks it.
trait Format: Copy + fmt::Display {
    /// See [`Rate::streams`].
    fn streams(self) -> u32;
    /// See [`Rate::width`].
    fn width(self) -> Width;
    /// See [`Rate::guard_interval`].
    fn guard_interval(self) -> Option<GuardInterval>;
    /// See [`Rate::scheme`].
    fn scheme(self) -> Scheme;
    /// See [`Rate::bit_rate`].
    fn bit_rate(self) -> BitRate;
    /// See [`Rate::symbols`].
    fn symbols(self, bytes: u32) -> Duration;
    /// See [`Rate::airtime`].
    fn airtime(self, psdu: u32) -> Duration;
    /// See [`Rate::fields`].
    fn fields(self, psdu: u32) -> Vec<Field>;
    /// See [`Rate::aggregates`].
    fn aggregates(self) -> bool {
        true
    }
    /// See [`Rate::delimits_one`].
    fn delimits_one(self) -> bool {
        false
    }
    /// See [`Rate::largest_aggregate`].
    fn largest_aggregate(self) -> Option<(u32, u32)> {
        None
    }
    /// See [`Rate::longest`].
    fn longest(self) -> Option<Duration> {
        None
    }
    /// See [`Rate::reference`].
    fn reference(self) -> Legacy;
}

/// aPPDUMaxTime of VHT, HE and EHT (802.11-2020 table 21-29, 802.11ax-2021 table 27-54, 802.11be-2024 table 36-75).
const LONGEST: Duration = Duration::from_micros(5484);

/// The rates that a format makes of each number of streams up to `streams`, each of its schemes and each of these guard intervals down to
/// `shortest`, slowest first.
fn slowest_first<const N: usize>(
    streams: u8,
    highest_mcs: u8,
    guards: [GuardInterval; N],
    shortest: GuardInterval,
    make: impl Fn(u8, u8, GuardInterval) -> Option<Rate>,
) -> Vec<Rate> {
    let mut rates = Vec::new();
    for streams in 1..=streams {
        for mcs in 0..=highest_mcs {
            let guards = guards.into_iter().filter(|&guard| guard >= shortest);
            rates.extend(guards.filter_map(|guard| make(streams, mcs, guard)));
        }
    }
    rates.sort_by_key(|rate| rate.bit_rate());
    rates
}

/// What the rate's format says.
macro_rules! ask {
    ($rate:expr, $of:ident => $answer:expr) => {
        match $rate {
            Rate::Dsss($of) => $answer,
            Rate::Ofdm($of) => $answer,
            Rate::Ht($of) => $answer,
            Rate::Vht($of) => $answer,
            Rate::He($of) => $answer,
            Rate::Eht($of) => $answer,
        }
    };
}

impl Rate {
    /// Spatial streams.
    #[inline]
    pub fn streams(self) -> u32 {
        ask!(self, rate => rate.streams())
    }

    /// The width of its frames.
    #[inline]
    pub fn width(self) -> Width {
        ask!(self, rate => rate.width())
    }

    /// The guard interval before each symbol; none without OFDM.
    #[inline]
    pub fn guard_interval(self) -> Option<GuardInterval> {
        ask!(self, rate => rate.guard_interval())
    }

    /// How bits become a signal, which decides how they fare in noise.
    #[inline]
    pub fn scheme(self) -> Scheme {
        ask!(self, rate => rate.scheme())
    }

    /// Data bits per second.
    #[inline]
    pub fn bit_rate(self) -> BitRate {
        ask!(self, rate => rate.bit_rate())
    }

    /// Air time of the whole symbols that `bytes` take by themselves: without preamble, service field and tail.
    #[inline]
    pub fn symbols(self, bytes: u32) -> Duration {
        ask!(self, rate => rate.symbols(bytes))
    }

    /// Air time of one PPDU that carries `psdu` bytes, without the signal extension that belongs to OFDM at 2.4 GHz.
    #[inline]
    pub fn airtime(self, psdu: u32) -> Duration {
        ask!(self, rate => rate.airtime(psdu))
    }

    /// What that air time is made of, in the order of the air.
    pub fn fields(self, psdu: u32) -> Vec<Field> {
        ask!(self, rate => rate.fields(psdu))
    }

    /// Whether MPDUs may travel together and be acknowledged together.
    #[inline]
    pub fn aggregates(self) -> bool {
        ask!(self, rate => rate.aggregates())
    }

    /// Whether an MPDU that travels alone has a delimiter too (S-MPDU, 802.11-2020 10.12.7).
    #[inline]
    pub fn delimits_one(self) -> bool {
        ask!(self, rate => rate.delimits_one())
    }

    /// The most MPDUs under one BlockAck, which are those of an A-MPDU, and the most bytes of an A-MPDU; none below HT.
    pub fn largest_aggregate(self) -> Option<(u32, u32)> {
        ask!(self, rate => rate.largest_aggregate())
    }

    /// The longest PPDU, if the format bounds it by its duration rather than its length alone.
    #[inline]
    pub fn longest(self) -> Option<Duration> {
        ask!(self, rate => rate.longest())
    }

    /// The rate below HT by which the rate of a response is chosen (802.11-2020 table 10-9); a rate below HT is its own.
    #[inline]
    pub fn reference(self) -> Legacy {
        ask!(self, rate => rate.reference())
    }

    /// The DSSS or OFDM rate of this many bits per second; one of DSSS with this preamble if it has it.
    pub fn legacy(wanted: BitRate, preamble: Preamble) -> Option<Self> {
        let dsss = Speed::ALL.map(|speed| Self::Dsss(Dsss::new(speed, preamble)));
        dsss.into_iter().chain(Ofdm::ALL.map(Self::Ofdm)).find(|rate| rate.bit_rate() == wanted)
    }

    /// The OFDM rate of this many Mbit/s.
    pub fn ofdm(mbps: u64) -> Option<Self> {
        let wanted = BitRate::from_mbps(mbps);
        Ofdm::ALL.map(Self::Ofdm).into_iter().find(|rate| rate.bit_rate() == wanted)
    }
}

/// As people call it: `54 Mbit/s`, `MCS 15`.
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ask!(self, rate => rate.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_below_ht_are_found_by_their_bit_rate() {
        for mbps in [6, 9, 12, 18, 24, 36, 48, 54] {
            let rate = Rate::legacy(BitRate::from_mbps(mbps), Preamble::Long);
            assert_eq!(rate, Rate::ofdm(mbps));
            assert_eq!(rate.expect("a rate").bit_rate(), BitRate::from_mbps(mbps));
        }
        assert_eq!(Rate::ofdm(11), None);
        for kbps in [1000, 2000, 5500, 11_000] {
            let wanted = BitRate::from_bps(kbps * 1000);
            let rate = Rate::legacy(wanted, Preamble::Short).expect("a rate");
            assert_eq!((rate.bit_rate(), rate.guard_interval()), (wanted, None));
        }
        assert_eq!(Rate::legacy(BitRate::from_mbps(7), Preamble::Long), None);
    }

    #[test]
    fn rates_are_called_by_their_names() {
        let ht = Ht { mcs: 15, width: Width::Mhz40, guard: GuardInterval::Ns400 };
        let names = [Rate::Dsss(Dsss::new(Speed::M5_5, Preamble::Long)), Rate::Ofdm(Ofdm::M54), Rate::Ht(ht)];
        assert_eq!(names.map(|rate| rate.to_string()), ["5.5 Mbit/s", "54 Mbit/s", "MCS 15"]);
    }

    /// Of every rate and of PSDUs of many sizes.
    #[test]
    fn fields_last_as_long_as_the_ppdu() {
        let dsss = Speed::ALL
            .into_iter()
            .flat_map(|speed| [Preamble::Long, Preamble::Short].map(|preamble| Dsss::new(speed, preamble)));
        let mut rates: Vec<_> = dsss.map(Rate::Dsss).chain(Ofdm::ALL.map(Rate::Ofdm)).collect();
        let (short, widths) = (GuardInterval::Ns400, Width::ALL);
        rates.extend([Width::Mhz20, Width::Mhz40].into_iter().flat_map(|width| Ht::rates(4, width, short)));
        for width in widths {
            rates.extend(Eht::rates(4, width, short, Padding::Us20));
            rates.extend(Vht::rates(4, width, short, Code::Convolutional));
            rates.extend(Vht::rates(4, width, short, Code::LowDensity));
            rates.extend(He::rates(4, width, short, Padding::Us16));
        }
        assert!(rates.len() > 700);
        for rate in rates {
            for psdu in (0..3000).step_by(137).chain([65_535, 1_048_575]) {
                let sum: Duration = rate.fields(psdu).into_iter().map(Field::duration).sum();
                assert_eq!(sum, rate.airtime(psdu), "{rate:?} {psdu} bytes");
            }
        }
    }
}
