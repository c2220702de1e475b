//! What hosts' captures alone show of a line, or a limit of the rate, that holds a flow back: packets that pass at one and the same distance. The air makes no such distance.

use super::window;
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, views};
use crate::idle_air::cost_of_idle_air;
use crate::spare::{EVEN, LineSeen, line};
use airloom_trace::tcp::{Direction, Limit};

/// Shorter flows say nothing, in seconds.
const SHORT: f64 = 2.0;
/// The part of what a line lets go that a flow has, if the line is what holds it back: what a narrow place before it lets go in batches, a line that is a little faster spaces out as well.
const FULL: f64 = 0.95;
/// For so much of its time a flow that a line holds back is not held by its program or its receiver.
const HELD: f64 = 0.5;

/// What the captures of hosts show of flows that a line holds back, where none of the air tells more.
pub(super) fn judged(evidence: &Evidence, flows: &[Flow<'_>]) -> Verdict {
    let found: Vec<_> = flows.iter().filter_map(|flow| certain(evidence, flow)).collect();
    let unclear = flows.iter().find_map(|flow| unclear(evidence, flow));
    Verdict::unless_found_suspects(found, unclear)
}

/// That a line, or a limit of the rate, holds a flow back: its packets come out of it at one and the same distance, and a queue stands before it.
fn certain(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let seen = paced(evidence, flow).filter(|seen| flow.mbps(evidence) >= FULL * seen.pace.mbps())?;
    let view = views(evidence, flow).into_iter().find(|view| view.capture == seen.capture)?;
    let wanted = wanted(&view).filter(|_| !view.is_near_sender())?;
    let share = 100.0 * seen.pace.share_with_others();
    Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value: share,
        threshold: EVEN,
        unit: "% of the time in which packets pass at one and the same distance",
        confidence: 0.75,
        cost: cost_of_idle_air(evidence, flow),
        capture: view.capture,
        frames: view.data().limits.shown(Limit::Congestion).to_vec(),
        filter: flow.filter(),
        says: format!(
            "For {share:.0} % of the time packets{} come to {} at one and the same distance, as a line of {:.1} Mbit/s of data lets them go, and {wanted}. Frames that wait for the air come at \
             no such distance: it is not what limits it.",
            together(&seen),
            evidence.captures[seen.capture].named(),
            seen.pace.mbps()
        ),
        remedy: REMEDY.to_owned(),
    })
}

/// That a flow's packets pass at one and the same distance, where nothing shows whether its sender had more to send.
fn unclear(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let seen = paced(evidence, flow)?;
    let view = views(evidence, flow).into_iter().find(|view| view.capture == seen.capture)?;
    if is_of_its_program(&view) {
        return None;
    }
    let (pass, what, tells) = if view.is_near_sender() {
        (
            "leave",
            "the line at its sender's own interface, a limit of the rate there (a shaper, or a congestion control that paces) or its program",
            "`ss -tin` at the sender (pacing_rate, app_limited, notsent) and `tc -s qdisc` tell",
        )
    } else {
        (
            "come to",
            "a line on the way there, a limit of the rate at its sender or its program",
            "whether that had more to send shows in a capture at the sender",
        )
    };
    Some(format!(
        "{}: for {:.0} % of the time packets{} {pass} {} at one and the same distance, as a line of {:.1} Mbit/s of data lets them go, which frames that wait for the air do not: {what} holds it \
         back, and {tells}",
        flow.named(),
        100.0 * seen.pace.share_with_others(),
        together(&seen),
        evidence.captures[seen.capture].named(),
        seen.pace.mbps()
    ))
}

/// How packets of a flow pass a host, if they do so at one and the same distance and nothing else is known to hold it back.
fn paced(evidence: &Evidence, flow: &Flow<'_>) -> Option<LineSeen> {
    let [from, to] = flow.span(evidence);
    let limits = &flow.data().limits;
    let others = limits.share(Limit::Receiver) + limits.share(Limit::Application);
    let at_receiver = || window::fills_receivers(evidence, flow) == Some(true);
    line(evidence, flow).filter(|_| to - from >= SHORT && others < HELD && !at_receiver())
}

/// What shows that the sender of a flow had more to send than came out of a line. That something was lost before it does not: a congestion control that paces sends on as evenly.
fn wanted(view: &Flow<'_>) -> Option<String> {
    window::queue_ms(&view.data().trips.to_sender).map(|[shortest, usual]| {
        format!("half of the round trips to its sender take {usual:.0} ms and longer, where the shortest took {shortest:.0} ms: a queue stands before it")
    })
}

/// Whose packets pass so.
fn together(seen: &LineSeen) -> &'static str {
    if seen.is_shared { ", with those of its host's other connections together," } else { "" }
}

const REMEDY: &str = "Measure the way between the sender and the place of the capture by wire: its rate (the contract of the line, a shaper, a policer). Where the line is the narrow place, only a faster one makes \
                      this faster; SQM at its router keeps its queue short.";

/// What may be outstanding before a sender knows anything of the way, in octets (RFC 6928 section 2). If it never has more and
/// loses nothing, no window holds it back.
const INITIAL: f64 = 14_600.0;

/// Whether a flow, seen near its sender, never loses anything nor has more outstanding than any sender may.
pub(super) fn is_of_its_program(flow: &Flow<'_>) -> bool {
    let data = flow.data();
    flow.is_near_sender() && data.retransmissions.segments() == 0 && most_outstanding(data) <= INITIAL
}

/// The most that was outstanding, in octets.
fn most_outstanding(data: &Direction) -> f64 {
    data.limits.flight.bins().iter().map(|bin| bin.most).fold(0.0, f64::max)
}
