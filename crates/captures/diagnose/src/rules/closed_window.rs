//! W407: the receiver's window stays closed.

use super::in_flows;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::Flow;
use crate::rule::Rule;
use airloom_trace::tcp::{Pause, Stall};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W407",
    name: "window that stays closed",
    means: "The program that receives does not take what has come, so that nothing more may be sent to it.",
    needs: "TCP",
    computes: "The longest time for which the receiver's window was closed. Reported from 5 s on; such time does not count for W401.",
    traps: "A program that is stopped or waits for a person closes the window too: the receiver is the reason then as well.",
    refuted_by: "The receiving program reading all that time.",
    judge,
};

/// How long, in nanoseconds.
const LONG: u64 = 5_000_000_000;

fn judge(evidence: &Evidence) -> Verdict {
    in_flows(evidence, found)
}

/// For how long a window was closed, in nanoseconds.
fn lasted(stall: &Stall) -> u64 {
    stall.to_ns.saturating_sub(stall.from_ns)
}

/// The spells of a flow in which the receiver's window was closed for so long that this rule says so.
pub(super) fn spells<'a>(flow: &Flow<'a>) -> impl Iterator<Item = &'a Stall> + use<'a> {
    let all = flow.data().stalls.list.kept().iter();
    all.filter(|stall| stall.pause == Pause::ZeroWindow && lasted(stall) >= LONG)
}

/// How long such spells lasted together, in nanoseconds.
pub(super) fn spells_ns(flow: &Flow<'_>) -> u64 {
    spells(flow).map(lasted).sum()
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let stall = spells(flow).max_by_key(|stall| lasted(stall))?;
    let [from, to] = [stall.from_ns, stall.to_ns].map(|at| evidence.seconds_in(flow.capture, at));
    let [begin, end] = flow.span(evidence);
    let share = (to - from) / (end.max(to) - begin).max(1e-3);
    let ends = if stall.number.is_some() { "Then it opened." } else { "It did not open again." };
    Some(Finding {
        subject: flow.named(),
        spans: vec![[from, to]],
        value: to - from,
        threshold: LONG as f64 / 1e9,
        unit: "s",
        confidence: 0.9,
        cost: Cost::seconds(to - from, share, "in which nothing may be sent"),
        capture: flow.capture,
        frames: stall.number.into_iter().collect(),
        filter: format!("{} && (tcp.analysis.zero_window || tcp.analysis.zero_window_probe)", flow.filter()),
        says: format!("For {:.1} s the receiver's window was closed: it had no room for a single octet. {ends}", to - from),
        remedy: "The program at the receiver does not read what has come: look there. A larger buffer only puts it off.".to_owned(),
    })
}
