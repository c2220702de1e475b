//! What a signal that is not strong keeps a link from: the rates that a rate control would use with a strong one.

use super::beside::{near, streams};
use super::slow_rate::reachable;
use super::weak::{BETTER, CLEAN_PCT, NOT_WEAK, margin};
use crate::capacity::{MARGIN, capacity_mbps, fastest_in_use, most_together};
use crate::evidence::Evidence;
use crate::link::Link;
use crate::snr::needed;
use airloom_trace::Air;

/// What is meant by a strong signal, in dB: enough for every rate of two streams up to 256-QAM (802.11-2020 table 21-25).
const STRONG: f64 = 32.0;
/// No rate needs more than so much more than the next slower one, in dB (802.11-2020 table 21-25).
const STEP_DB: f64 = 5.0;
/// The rates in use need no less than this below what there is, on average, in dB, if it is the signal that keeps them slow.
const NEAR_DB: f64 = 8.0;
/// With so many retries or more collisions may be what makes rates slow, in percent.
const COLLIDES_PCT: f64 = 33.0;
/// Rates that are at least this part of what a strong signal would let a link use are no fact: rate controls differ by as much.
const MOST: f64 = 0.8;

/// What the signal of a link lets it carry with all of the air, and what a strong one would at the least, at the streams in use: in Mbit/s of payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lets {
    /// Now.
    pub(crate) mbps: f64,
    /// With a strong signal.
    pub(crate) strong_mbps: f64,
}

/// What the signal costs a link over which more is there to be sent, if it keeps its rates below what a strong one would let it use; none where the signal changes, or is not known to be
/// the link's.
pub(crate) fn lets(evidence: &Evidence, air: &Air, link: &Link<'_>) -> Option<Lets> {
    let slowness = slowness(air, link, link.snr(air)?).filter(|&part| part < MOST)?;
    let is_known = !link.is_far_off(air) && !is_heard_better(air, link) && link.change(air).is_none();
    (is_known && evidence.is_greedy(link)).then(|| {
        let at = |faster: f64| capacity_mbps(air, link, faster, most_together(link.traffic)) * (1.0 - MARGIN);
        Lets { mbps: at(1.0), strong_mbps: at(1.0 / slowness) }
    })
}

/// The rate of a link as a part of what it would be with a strong signal, where a rate control does with it what the signal lets it: it tries several rates, no faster one than those in
/// use has enough, and collisions, which make rate controls slow as well, are no more than among stations that hear each other. None where that is not so.
pub(super) fn slowness(air: &Air, link: &Link<'_>, snr: f64) -> Option<f64> {
    let by_signal = snr < NOT_WEAK
        && retries(link) < COLLIDES_PCT
        && link.traffic.speeds.len() > 1
        && fastest_margin(link, snr).is_some_and(|margin| margin < STEP_DB)
        && margin(link, snr).is_some_and(|margin| margin < NEAR_DB);
    let part = link.traffic.mean_mbps()? / strong_mbps(air, link)?;
    by_signal.then_some(part)
}

/// The share of a link's MPDUs that was sent again, in percent.
pub(super) fn retries(link: &Link<'_>) -> f64 {
    100.0 * link.traffic.retried as f64 / link.traffic.mpdus.max(1) as f64
}

/// How much more such a ratio is than what the fastest rate in use needs, in dB.
fn fastest_margin(link: &Link<'_>, snr: f64) -> Option<f64> {
    Some(snr - needed(fastest_in_use(link.traffic)?))
}

/// The mean rate that a link would have with a strong signal, in Mbit/s: that of the fastest of the stations beside it that have one, with as many streams; or what such a signal is enough
/// for where there is none.
pub(super) fn strong_mbps(air: &Air, link: &Link<'_>) -> Option<f64> {
    let used = link.traffic.speeds.iter().max_by_key(|used| used.mpdus)?;
    let own = streams(link)?;
    let with_as_many = near(air, link).into_iter().filter_map(|other| {
        let part = f64::from(own) / f64::from(streams(&other)?);
        Some(other.traffic.mean_mbps()? * part.min(1.0))
    });
    with_as_many.max_by(f64::total_cmp).or_else(|| reachable(&used.speed, STRONG))
}

/// Whether what a link sends arrives though its rates need more signal than the monitor hears: then the receiver hears it better.
pub(super) fn is_heard_better(air: &Air, link: &Link<'_>) -> bool {
    retries(link) < CLEAN_PCT
        && link.snr(air).and_then(|snr| margin(link, snr)).is_some_and(|margin| margin < -BETTER)
}
