//! The windows of a link's flows, as captures show them: where one holds data back, the air has less to win than it would carry.

use crate::capacity::moved_mbps;
use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::{Flow, views};
use crate::link::Link;
use crate::rules::held_octets;
use crate::windows::Windows;
use airloom_trace::Air;

/// Those of all flows of a link; none if one does not show.
pub(crate) fn windows_of(evidence: &Evidence, flows: &[Flow<'_>]) -> Option<Windows> {
    Windows::together(flows.iter().map(|flow| of_flow(evidence, flow)))
}

/// What is outstanding goes in each shortest round trip, as a capture next to the sender shows.
fn of_flow(evidence: &Evidence, flow: &Flow<'_>) -> Option<Windows> {
    let all = views(evidence, flow);
    let trip_ns = all.iter().filter_map(|view| view.connection.round_trip_ns()).min()?;
    let mbps = |octets: f64| 8e3 * octets / trip_ns.max(1) as f64;
    let mut near = all.iter().filter(|view| view.is_near_sender()).peekable();
    near.peek()?;
    Some(Windows { held: near.find_map(held_octets).map(mbps) })
}

/// A cost of what goes over links of one station, as far as their windows let it be lost.
pub(crate) fn within_windows(evidence: &Evidence, air: &Air, links: &[&Link<'_>], cost: Cost) -> Cost {
    let Some(carried) = evidence.carried().filter(|_| cost.is_rate()) else { return cost };
    let each = links.iter().map(|link| carried.windows(link));
    let Some(windows) = Windows::together(each) else { return cost };
    windows.bound(cost, links.iter().filter_map(|link| moved_mbps(air, link)).sum())
}
