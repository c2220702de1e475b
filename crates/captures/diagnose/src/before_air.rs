//! Segments that were lost before the air: a capture has them on their way to it, and a monitor never heard them.

use crate::beside_air::Beside;
use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::heard::all_given_up;
use crate::losses::{Lost, share, side_of, unseen};
use airloom_trace::Place;
use airloom_trace::tcp::Vantage;
use schemars::JsonSchema;
use serde::Serialize;

/// Fewer segments, or a smaller share of them in percent, are how a sender learns its share of the way.
const CHANCE: u64 = 4;
const LEAST_PCT: f64 = 0.05;
/// The air took no more than this part of what was lost: its sender gave up so few MPDUs after all tries.
const IN_THE_AIR: f64 = 0.1;

/// Segments of a flow that a host's capture has before the air, and that were never heard there.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct BeforeAirSeen {
    /// The host's capture and the monitor's, by their places, in the order in which packets pass them.
    pub captures: [usize; 2],
    /// How many at least: of some it does not show where they were lost.
    pub segments: u64,
    /// Their share of the flow's, from 0 to 1.
    pub share: f64,
    /// Whether its station sends: then its own queue lies between the two, and else the wire and the access point's.
    pub up: bool,
    /// Whether the monitor, by their numbers, did not hear as many frames of the link as a part of these that matters: then the air may be what took them, and the captures do not show which.
    pub perhaps_in_air: bool,
}

/// What of a flow was lost between a host's capture and the air; none if nothing that matters was, or if that does not show.
pub(crate) fn lost_before_air(evidence: &Evidence, flow: &Flow<'_>) -> Option<BeforeAirSeen> {
    let (_, air) = evidence.air.as_ref()?;
    let is_of_air = |view: &&Flow<'_>| evidence.captures[view.capture].place == Some(Place::Air);
    let all = views(evidence, flow);
    let of_air = all.iter().find(is_of_air).filter(|view| side_of(view) == Some(Lost::Before))?;
    let before = all.iter().find(|view| passed(evidence, view))?;
    let (segments, percent) = never_there(share(before.data()), unseen(of_air.data())?);
    let link = flow.link(evidence, air)?;
    let in_the_air = all_given_up(&link)? as f64;
    let matters = segments > CHANCE && percent >= LEAST_PCT && in_the_air <= IN_THE_AIR * segments as f64;
    matters.then(|| BeforeAirSeen {
        captures: [before.capture, of_air.capture],
        segments,
        share: percent / 100.0,
        up: link.is_up(),
        perhaps_in_air: link.traffic.left_out_for_long() as f64 > IN_THE_AIR * segments as f64,
    })
}

/// How many of so many lost segments never came to the air, and their share in percent, where a monitor has not seen so much of them before they were sent again.
fn never_there((lost, percent): (u64, f64), unseen: f64) -> (u64, f64) {
    ((lost as f64 * unseen) as u64, percent * unseen)
}

/// Whether a host's capture has a flow's lost segments on their way to the air: it is its sender's, or they were lost behind it.
fn passed(evidence: &Evidence, view: &Flow<'_>) -> bool {
    let at_host = evidence.captures[view.capture].place == Some(Place::Host) && !view.has_gaps();
    let is_senders = view.connection.vantage(view.from) == Vantage::Sender;
    let is_before =
        || side_of(view) == Some(Lost::Behind) && Beside::of(evidence, view) == Some(Beside::Before);
    at_host && (is_senders || is_before())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_monitor_has_seen_was_not_lost_before_it() {
        assert_eq!(never_there((100, 2.0), 0.9), (90, 1.8));
        assert_eq!(never_there((7, 2.0), 1.0), (7, 2.0));
        assert_eq!(never_there((9, 2.0), 0.95).0, 8, "at least");
    }
}
