//! What idle air would carry of a flow that something beyond the air holds back: at most, since the next limit may come first.

use crate::capacity::{moved_mbps, shares, swiftest_mbps, taken_by_others};
use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::Flow;
use crate::link::Link;
use crate::waits::others_take;
use airloom_trace::Air;

/// Why what holds a flow back has no cost without a capture of the air.
const NO_AIR: Cost = Cost::unknown("what the air would have carried shows only in a monitor's capture of it");

/// What the air would carry of a flow that something else holds back: at most.
pub(crate) fn cost_of_idle_air(evidence: &Evidence, flow: &Flow<'_>) -> Cost {
    let Some((_, air)) = &evidence.air else { return NO_AIR };
    match flow.link(evidence, air).and_then(|link| left_mbps(evidence, air, flow, &link)) {
        Some(more) if more > 0.0 => {
            Cost { at_most: true, ..Cost::mbps(more, flow.mbps(evidence), "of this flow") }
        }
        Some(_) => {
            Cost::unknown("by its rates and by what else is on the air the link would carry hardly more")
        }
        None => Cost::unknown("no link in the air is known to carry this flow alone"),
    }
}

/// Mbit/s of payload that a link would carry more of a flow in the time that nobody used and that its own station did, or in a fair share of the air if that is more: others that
/// take more than that would leave it. What else goes over the link stays as it is.
fn left_mbps(evidence: &Evidence, air: &Air, flow: &Flow<'_>, link: &Link<'_>) -> Option<f64> {
    let station = link.station().mac;
    let others = flow.data().span_ns.and_then(|span| others_take(air, station, span));
    let left = 1.0 - others.or_else(|| taken_by_others(air, station))?;
    let fair = shares(evidence, air, station)?.fair;
    Some(swiftest_mbps(air, link) * left.max(fair) - moved_mbps(air, link)?.max(flow.mbps(evidence)))
}
