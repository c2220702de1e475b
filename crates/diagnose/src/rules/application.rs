//! W402: the program that sends writes too little.

use super::no_tcp;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::rule::Rule;
use airloom_trace::tcp::Limit;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W402",
    name: "limited by the program that sends",
    needs: "TCP",
    computes: "The share of a flow's time in which the sender could have sent and had nothing: all is acknowledged, or the last segment was not full, or \
               acknowledgments made room that it did not use. Reported from a half on, in flows of at least 3 s and 200 kB.",
    traps: "A transfer that is over is not slow. Far from the sender, pauses on the way count as the program's, so only captures at the sender \
            or within 2 ms of it decide. A full send buffer is the congestion window's to the packets. A segment is full if its payload and its own \
            options fill what the handshake allows or, where that was not captured, as much as the longest segment.",
    refuted_by: "A socket at the sender with data that was not sent (`ss -tin`: notsent).",
    judge,
};

/// The share of the time, in percent.
const MUCH: f64 = 50.0;
/// Smaller flows say nothing, in octets.
const SMALL: u64 = 200_000;
/// Shorter flows say nothing, in seconds.
const SHORT: f64 = 3.0;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    if !flows.is_empty() && !flows.iter().any(Flow::is_near_sender) {
        return Verdict::CannotTell("no capture was made at a sender or next to it".to_owned());
    }
    Verdict::Found(
        flows.iter().filter(|flow| flow.is_near_sender()).filter_map(|flow| found(evidence, flow)).collect(),
    )
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let share = 100.0 * flow.data().limits.share(Limit::Application);
    let [from, to] = flow.span(evidence);
    if share < MUCH || to - from < SHORT {
        return None;
    }
    Some(Finding {
        subject: flow.named(),
        spans: vec![[from, to]],
        value: share,
        threshold: MUCH,
        unit: "% of the time",
        confidence: 0.85,
        cost: Cost::NOTHING,
        capture: flow.capture,
        frames: flow.data().limits.shown(Limit::Application).to_vec(),
        filter: flow.filter(),
        says: format!(
            "For {share:.0} % of the time the sender could have sent and had nothing to send; {:.1} Mbit/s is what the program wrote. It is not the \
             Wi-Fi.",
            flow.mbps(evidence)
        ),
        remedy: "Nothing in the network: look at the program that sends, its disk or its server. A stream at a fixed rate is meant to be so."
            .to_owned(),
    })
}
