//! What stations beside a link, that have a strong signal, show of what it would carry.

use super::weak::{MIN_MPDUS, NOT_WEAK};
use crate::capacity::{fastest_in_use, moved_mbps, shares, taken};
use crate::evidence::Evidence;
use crate::link::{Link, links};
use airloom_trace::Air;

/// The most streams among the rates that a rate control tries, however seldom: with a strong signal it uses these.
pub(super) fn streams(link: &Link<'_>) -> Option<u8> {
    link.traffic.speeds.iter().map(|used| used.speed.streams).max()
}

/// What goes the same way between an access point and other stations that have a strong signal, by the same standard and in the same width.
pub(super) fn near<'a>(air: &'a Air, link: &Link<'_>) -> Vec<Link<'a>> {
    let kind = |link: &Link<'_>| {
        let used = link.traffic.speeds.iter().max_by_key(|used| used.mpdus)?;
        Some((used.speed.phy, used.speed.mhz))
    };
    let is_near = |other: &Link<'_>| {
        other.is_up() == link.is_up()
            && other.station().mac != link.station().mac
            && other.snr(air).is_some_and(|snr| snr >= NOT_WEAK)
            && kind(other) == kind(link)
    };
    links(air, MIN_MPDUS).into_iter().filter(is_near).collect()
}

/// A station beside a link shows what that would carry if its rates are so many times as fast: one at rates as low as the link's may be held down as well.
const FASTER: f64 = 2.0;

/// Mbit/s that a link would carry more if it carried as much in a fair share of the air as the best of the stations beside it that have a strong signal, and faster rates, does in its own: what they
/// lose and wait for there, the link would as well. None without such.
pub(super) fn as_beside_mbps(evidence: &Evidence, air: &Air, link: &Link<'_>) -> Option<f64> {
    let taken = taken(air);
    let all: f64 = taken.values().sum();
    let of_all_air = |other: &Link<'_>| {
        let part = f64::from(streams(link)?) / f64::from(streams(other)?);
        Some(moved_mbps(air, other)? * all / taken.get(&other.station().mac)? * part.min(1.0))
    };
    let own = fastest_in_use(link.traffic)?.mbps;
    let is_faster =
        |other: &Link<'_>| fastest_in_use(other.traffic).is_some_and(|speed| speed.mbps >= FASTER * own);
    let waiting = near(air, link).into_iter().filter(|other| evidence.is_greedy(other) && is_faster(other));
    let most = waiting.filter_map(|other| of_all_air(&other)).max_by(f64::total_cmp)?;
    let fair = shares(evidence, air, link.station().mac)?.fair;
    Some((most * fair - moved_mbps(air, link)?).max(0.0))
}
