//! What windows let flows carry: where one holds a link's data back, the air has less to win than it would carry.

use crate::capacity::moved_mbps;
use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::{Flow, views};
use crate::link::Link;
use crate::rules::{held_octets, most_octets};
use airloom_trace::Air;

/// Why what the air would carry is no cost of a flow whose windows were always smaller.
const NEVER_SO_MUCH: Cost = Cost::unknown(
    "its sender never had as much outstanding as the air would carry, and whether it would have does not show",
);

/// Mbit/s that the windows of a link's flows let it carry at most, if nothing waited on the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Windows {
    /// As receivers' windows are, where these are full; none where one may grow.
    held: Option<f64>,
    /// As they have been at most.
    most: f64,
}

impl Windows {
    /// Those of all flows of a link; none if one does not show.
    pub(crate) fn of(evidence: &Evidence, flows: &[Flow<'_>]) -> Option<Self> {
        Self::together(flows.iter().map(|flow| Self::of_flow(evidence, flow)))
    }

    /// What several let go together; none if one of them does not show.
    fn together(each: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        each.reduce(|sum, one| {
            let (sum, one) = (sum?, one?);
            let held = sum.held.zip(one.held).map(|(sum, one)| sum + one);
            Some(Self { held, most: sum.most + one.most })
        })?
    }

    /// What is outstanding goes in each shortest round trip, as a capture next to the sender shows.
    fn of_flow(evidence: &Evidence, flow: &Flow<'_>) -> Option<Self> {
        let all = views(evidence, flow);
        let trip_ns = all.iter().filter_map(|view| view.connection.round_trip_ns()).min()?;
        let mbps = |octets: f64| 8e3 * octets / trip_ns.max(1) as f64;
        let near = || all.iter().filter(|view| view.is_near_sender());
        let most = near().map(most_octets).reduce(f64::max)?;
        Some(Self { held: near().find_map(held_octets).map(mbps), most: mbps(most) })
    }
}

/// A cost of what goes over links of one station, as far as their windows let it be lost: what holds them back by itself is the most that can be won. What they never had outstanding
/// may have been more without the cause, or not: then the cost does not show.
pub(crate) fn within_windows(evidence: &Evidence, air: &Air, links: &[&Link<'_>], cost: Cost) -> Cost {
    let Some(carried) = evidence.carried().filter(|_| cost.is_rate()) else { return cost };
    let each = links.iter().map(|link| carried.windows(link));
    let Some(windows) = Windows::together(each) else { return cost };
    let moved: f64 = links.iter().filter_map(|link| moved_mbps(air, link)).sum();
    match windows.held {
        Some(held) if held < moved + cost.value => cost.at_most((held - moved).max(0.0), moved),
        None if cost.at_least && windows.most < moved + cost.value => NEVER_SO_MUCH,
        _ => cost,
    }
}
