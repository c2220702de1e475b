//! What idle air would carry of a flow that something beyond the air holds back: at most, since the next limit may come first.

use crate::capacity::{full, moved_mbps, shares, taken_by_others};
use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::{Flow, views};
use crate::gaps::Gaps;
use crate::heard::heard_of;
use crate::let_through::{LetThrough, let_through, untold};
use crate::link::{Link, data_span, links};
use crate::ppdus::{can_aggregate, is_parted};
use crate::waits::others_take;
use airloom_trace::tcp::Limit;
use airloom_trace::{Air, MacAddr};

/// The share of the time in which a receiver's window is full that bounds a flow where nothing else does: one that its host widens with what arrives is not.
const FULL_AT_TIMES: f64 = 0.05;
/// Whose the cost is.
const OF_FLOW: &str = "of this flow";
/// The part of what the air would carry that is about as much.
const AS_FAST: f64 = 0.8;
/// Why what holds a flow back has no cost without a capture of the air.
const NO_AIR: Cost = Cost::unknown("what the air would have carried shows only in a monitor's capture of it");

/// What the air would carry of a flow that something else holds back: at most.
pub(crate) fn cost_of_idle_air(evidence: &Evidence, flow: &Flow<'_>) -> Cost {
    let Some((_, air)) = &evidence.air else { return NO_AIR };
    match flow.link(evidence, air).and_then(|link| left_mbps(evidence, air, flow, &link)) {
        Some(more) if more > 0.0 => let_more_through(evidence, flow, more),
        Some(_) => {
            Cost::unknown("by its rates and by what else is on the air the link would carry hardly more")
        }
        None => Cost::unknown("no link in the air is known to carry this flow alone"),
    }
}

/// A cost of a flow that something else than its receiver's window holds back, which that would bound next: one that is full at times and does not grow.
pub(crate) fn within_receivers(evidence: &Evidence, flow: &Flow<'_>, cost: Cost) -> Cost {
    let moved = arrived_mbps(evidence, flow);
    let windows = views(evidence, flow).into_iter().filter_map(|view| {
        let is_full = view.data().limits.share(Limit::Receiver) >= FULL_AT_TIMES;
        let window = view.data().limits.settled_window().filter(|_| is_full)?;
        Some(8e3 * window as f64 / view.connection.round_trip_ns()?.max(1) as f64)
    });
    match windows.reduce(f64::max) {
        Some(most) if cost.unknown.is_none() && most < moved + cost.value => {
            cost.at_most((most - moved).max(0.0), moved)
        }
        _ => cost,
    }
}

/// That what is beyond the air may carry less than a cost says, in a sentence; empty where it does not.
pub(crate) fn beyond(evidence: &Evidence, flow: &Flow<'_>, cost: &Cost) -> String {
    if cost.of_the_air { untold(evidence, flow, arrived_mbps(evidence, flow)) } else { String::new() }
}

/// What the air would carry more of a flow, so many Mbit/s, is what its way would where that has let trains of packets through about as fast. A line that lets trains go at one rate
/// lets no more through; where neither shows, it is what the air alone would carry.
fn let_more_through(evidence: &Evidence, flow: &Flow<'_>, more: f64) -> Cost {
    let moved = arrived_mbps(evidence, flow);
    let of_air = Cost { at_most: true, ..Cost::mbps(more, moved, OF_FLOW) };
    let as_air = AS_FAST * (moved + more);
    match let_through(evidence, flow, moved) {
        Some(LetThrough::Line(mbps)) if mbps < as_air => Cost::mbps(mbps - moved, moved, OF_FLOW),
        Some(LetThrough::Line(_)) => of_air,
        Some(LetThrough::AtLeast(mbps)) if mbps >= as_air => of_air,
        _ => Cost { of_the_air: true, ..of_air },
    }
}

/// Mbit/s of payload that arrived of a flow: a monitor's capture may have no more of an MPDU of several packets than the first.
fn arrived_mbps(evidence: &Evidence, flow: &Flow<'_>) -> f64 {
    let [from, to] = flow.span(evidence);
    flow.mbps(evidence).max(8e-6 * flow.data().acknowledged as f64 / (to - from).max(1e-3))
}

/// Mbit/s of payload that a link would carry more of a flow in the time that nobody used and that its own station did, or in a fair share of the air if that is more: others that
/// take more than that would leave it. What else goes over the link stays as it is.
fn left_mbps(evidence: &Evidence, air: &Air, flow: &Flow<'_>, link: &Link<'_>) -> Option<f64> {
    let station = link.station().mac;
    let others = flow.data().span_ns.and_then(|span| others_take(air, station, span));
    let left = 1.0 - others.or_else(|| taken_by_others(air, station))?;
    let fair = shares(evidence, air, station)?.fair;
    let full = full(air, link);
    let moved = moved_mbps(air, link)?.max(arrived_mbps(evidence, flow));
    Some(full.mbps * beside_longer(air, station, left, full.ns)?.max(fair) - moved)
}

/// The share of the air that others would leave to a station which always has something to send, of which each turn takes so long: in idle air others send what comes at once, and behind its turns more of it together,
/// with fewer gaps and preambles.
fn beside_longer(air: &Air, station: MacAddr, left: f64, turn_ns: f64) -> Option<f64> {
    let (from, to) = data_span(air)?;
    let span = to.saturating_sub(from).max(1) as f64;
    let (mut spared, mut turns) = (0.0, 0.0);
    for other in links(air, 1).iter().filter(|other| other.station().mac != station) {
        let ppdus = other.traffic.ppdus as f64 / heard_of(air, other);
        if can_aggregate(other.traffic) && !is_parted(other.traffic) && ppdus * turn_ns > left * span {
            let gaps = Gaps::of(air, other);
            let each = gaps.around + gaps.preamble + gaps.answer;
            spared += ppdus * each / span;
            turns += each / turn_ns;
        }
    }
    Some(((left + spared) / (1.0 + turns)).max(left).min(1.0))
}
