//! W407: the receiver's window stays closed.

use super::in_flows;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::Flow;
use crate::rule::Rule;
use airloom_trace::tcp::{Limit, Pause, Stall};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W407",
    name: "window that stays closed",
    needs: "TCP",
    computes: "The longest time for which the receiver's window was closed. Reported from 5 s on, unless the receiver limits the flow for most of its \
               time (W401).",
    traps: "A program that is stopped or waits for a person closes the window too: the receiver is the reason then as well.",
    refuted_by: "The receiving program reading all that time.",
    judge,
};

/// How long, in seconds.
const LONG: f64 = 5.0;
/// Where the receiver limits so great a share of a flow of so many octets, W401 says it.
const MUCH: f64 = 0.5;
const LARGE: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    in_flows(evidence, found)
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let data = flow.data();
    let limited = data.limits.share(Limit::Receiver) >= MUCH && data.octets >= LARGE;
    // Behind its last packet nobody asked whether it was still closed.
    let until = |stall: &Stall| stall.to_ns.min(flow.connection.span_ns.1);
    let lasted = |stall: &&Stall| until(stall).saturating_sub(stall.from_ns);
    let closed = data.stalls.list.kept().iter().filter(|stall| stall.pause == Pause::ZeroWindow);
    let stall = closed.max_by_key(lasted).filter(|_| !limited)?;
    let [from, to] = [stall.from_ns, until(stall)].map(|at| evidence.seconds_in(flow.capture, at));
    if to - from < LONG {
        return None;
    }
    let [begin, end] = flow.span(evidence);
    let share = 100.0 * (to - from) / (end.max(to) - begin).max(1e-3);
    let ends = if stall.number.is_some() { "Then it opened." } else { "It did not open again." };
    Some(Finding {
        subject: flow.named(),
        spans: vec![[from, to]],
        value: to - from,
        threshold: LONG,
        unit: "s",
        confidence: 0.9,
        cost: Cost::percent(share.min(100.0), "% of the time", "in which nothing may be sent"),
        capture: flow.capture,
        frames: stall.number.into_iter().collect(),
        filter: format!("{} && (tcp.analysis.zero_window || tcp.analysis.zero_window_probe)", flow.filter()),
        says: format!("For {:.1} s the receiver's window was closed: it had no room for a single octet. {ends}", to - from),
        remedy: "The program at the receiver does not read what has come: look there. A larger buffer only puts it off.".to_owned(),
    })
}
