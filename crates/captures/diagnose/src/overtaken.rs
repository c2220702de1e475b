//! Packets that later ones overtook on their way to a host's capture: a fact, and no fault as long as the sender takes none of them for lost.

use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use airloom_trace::Place;
use airloom_trace::tcp::Vantage;
use schemars::JsonSchema;
use serde::Serialize;

/// Fewer may be what several queues of an adapter put into a capture out of order.
const FEWEST: u64 = 3;
/// The share of a flow's packets that is told.
const LEAST: f64 = 0.001;
/// A capture has a flow in order if it has no more of them out of it than this part of another one's.
const IN_ORDER: f64 = 0.1;

/// The packets of a flow that came to a capture behind later ones.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct OvertakenSeen {
    /// How many.
    pub packets: u64,
    /// How many segments lay between such a packet and the last that had come: the median, and the most.
    pub segments: u32,
    /// See `segments`.
    pub most: u32,
    /// The longest time in ms from the first that overtook such a packet to it.
    pub late_ms: f64,
    /// The capture nearer to the sender that has them in order, by its place among the captures: they overtake each other between the two. None without any.
    pub in_order_at: Option<usize>,
}

/// What came out of order of a flow, as its capture has it. What a radio sends again lies behind later frames on the air and in order behind it: a monitor's capture does not tell.
pub(crate) fn overtaken(evidence: &Evidence, flow: &Flow<'_>) -> Option<OvertakenSeen> {
    let known = &flow.data().reordered;
    let matters = known.total() >= FEWEST && known.total() as f64 >= LEAST * flow.data().packets as f64;
    let mut segments: Vec<u32> = known.kept().iter().map(|one| one.segments).collect();
    segments.sort_unstable();
    let late_ns = known.kept().iter().map(|one| one.late_ns).max()?;
    let at_host = |capture: usize| evidence.captures[capture].place == Some(Place::Host);
    let is_nearer = |view: &Flow<'_>| {
        view.capture != flow.capture
            && at_host(view.capture)
            && view.connection.vantage(view.from) == Vantage::Sender
            && view.data().reordered.total() as f64 <= IN_ORDER * known.total() as f64
    };
    (matters && at_host(flow.capture)).then(|| OvertakenSeen {
        packets: known.total(),
        segments: segments[segments.len() / 2],
        most: segments[segments.len() - 1],
        late_ms: late_ns as f64 / 1e6,
        in_order_at: views(evidence, flow).iter().find(|view| is_nearer(view)).map(|view| view.capture),
    })
}

/// What came out of order of a flow in any capture, and in which, as a sentence behind others; empty if nothing did.
pub(crate) fn said(evidence: &Evidence, flow: &Flow<'_>) -> String {
    let views = views(evidence, flow);
    let known = views.iter().find_map(|view| Some((view, overtaken(evidence, view)?)));
    known.map_or_else(String::new, |(view, known)| {
        let OvertakenSeen { packets, segments, most, in_order_at, .. } = known;
        let share = 100.0 * packets as f64 / view.data().packets.max(1) as f64;
        let between = in_order_at.map_or_else(String::new, |at| {
            format!(" {} has them in order: they overtake each other between the two.", evidence.captures[at].named())
        });
        format!(
            " {packets} packets ({share:.1} %) came to {} behind later ones, by {segments} segments mostly and {most} at most.{between}",
            evidence.captures[view.capture].named()
        )
    })
}
