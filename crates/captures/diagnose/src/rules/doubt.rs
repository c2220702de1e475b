//! Whether the signal of a link, rather than other senders, may be what makes its retries: who else sends is accused only where it is not.

use super::weak::margin;
use crate::link::Link;
use crate::snr::needed;
use airloom_trace::Air;

/// Receivers differ by so much in the signal that a rate needs, in dB: what is needed is told of a receiver with little noise (`link::NOISE`), and the standard allows 8 dB more: a noise figure
/// that is 3 dB higher, and 5 dB for the implementation (802.11-2020 clause 19.3.19.2).
pub(super) const BEYOND_DOUBT_DB: f64 = 8.0;
/// A signal that varies so much within a second, in dB, fades for whole PPDUs: what loses one MPDU in ten at one signal loses nine in ten 2 to 3 dB below, so that most PPDUs arrive or are lost as a whole.
/// Radios that stand still vary by 0.5 to 2.5 dB in strangers' captures.
const FADES_DB: f64 = 3.0;

/// What the signal may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Doubt {
    /// It may be too weak for the rates in use, though it is so many dB above what these need.
    TooFast(f64),
    /// It varies by so many dB, and whole PPDUs may fade.
    Fades(f64),
}

impl Doubt {
    /// Whether there is one, where PPDUs with retries alone show that something takes them, or, with `by_rate` false, what goes at the slowest rate as well.
    pub(super) fn of(air: &Air, link: &Link<'_>, snr: f64, by_rate: bool) -> Option<Self> {
        if let Some(deviation) = varies_db(link) {
            return Some(Self::Fades(deviation));
        }
        let over = if by_rate { margin(link, snr) } else { over_slowest(link, link.lowest_snr(air)?) };
        over.filter(|&over| over < BEYOND_DOUBT_DB).map(Self::TooFast)
    }

    /// In words, behind what is sent again.
    pub(super) fn says(self) -> String {
        match self {
            Self::TooFast(over) => format!(
                "the signal is {over:.0} dB above what the rates need, and receivers differ by as much as {BEYOND_DOUBT_DB:.0} dB: the rates may be too fast for this one, which a slower one would show"
            ),
            Self::Fades(deviation) => format!(
                "the signal varies by {deviation:.0} dB (standard deviation within a second): it may fade for whole PPDUs"
            ),
        }
    }
}

/// By how much a link's signal varies, in dB, if that is so much that whole PPDUs fade.
pub(super) fn varies_db(link: &Link<'_>) -> Option<f64> {
    link.station().unsteady.deviation_db().filter(|&deviation| deviation >= FADES_DB)
}

/// How much more such a ratio is than what the slowest rate in use needs, in dB.
fn over_slowest(link: &Link<'_>, snr: f64) -> Option<f64> {
    let needs = link.traffic.speeds.iter().map(|used| needed(&used.speed));
    needs.min_by(f64::total_cmp).map(|least| snr - least)
}
