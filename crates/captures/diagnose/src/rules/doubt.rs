//! Whether the signal of a link, rather than other senders, may be what makes its retries: who else sends is accused only where it is not.

use super::weak::margin;
use crate::link::Link;
use crate::snr::needed;

/// Receivers differ by so much in the signal that a rate needs, in dB: what is needed is told of a receiver with little noise (`link::NOISE`), and the standard allows 8 dB more: a noise figure
/// that is 3 dB higher, and 5 dB for the implementation (802.11-2020 clause 19.3.19.2).
pub(super) const BEYOND_DOUBT_DB: f64 = 8.0;
/// Radios tell their signal and noise in whole dB.
const ROUNDED_DB: f64 = 0.5;
/// A signal that varies so much within a second, in dB (standard deviation), takes PPDUs as a whole where it takes any: what loses one MPDU in ten at one signal loses nine in ten 2 to 3 dB below.
/// Radios that stand still vary by 0.5 to 2.5 dB in strangers' captures; a monitor that hears what arrived alone hears less of what fades than there is.
const FADES_DB: f64 = 2.0;
/// Fades of more than so many standard deviations are rare: one PPDU in forty meets one.
const DEEPEST: f64 = 2.0;

/// What the signal may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Doubt {
    /// It may be too weak for the rates in use, though it is so many dB above what these need.
    TooFast(f64),
    /// It varies by so many dB, and whole PPDUs may fade.
    Fades(f64),
}

impl Doubt {
    /// Whether there is one of a link with such a ratio of signal to noise, in dB: against what its rates need on average, or, with `by_slowest`, what the slowest does, where that is not spared either.
    /// Fades count against the former.
    pub(super) fn of(link: &Link<'_>, snr: f64, by_slowest: bool) -> Option<Self> {
        let over = margin(link, snr)?;
        if let Some(deviation) =
            varies_db(link).filter(|deviation| over < BEYOND_DOUBT_DB + DEEPEST * deviation)
        {
            return Some(Self::Fades(deviation));
        }
        let over = if by_slowest { over_slowest(link, snr)? } else { over };
        (over < BEYOND_DOUBT_DB - ROUNDED_DB).then_some(Self::TooFast(over))
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
