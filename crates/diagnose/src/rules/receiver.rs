//! W401: the receiver's window holds the sender back.

use super::no_tcp;
use crate::capacity::cost_of_idle_air;
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::rule::Rule;
use airloom_trace::tcp::{Limit, Pause};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W401",
    name: "limited by the receiver",
    needs: "TCP",
    computes: "The share of a flow's time in which as much was outstanding as the receiver's window allows. Reported from a half on.",
    traps: "Without the handshake the scale of the window is not known, and the rule abstains. A window that is full because the way is long \
            is the same limit, and a larger buffer is what helps.",
    refuted_by: "The same rate with a larger receive buffer.",
    judge,
};

/// The share of the time, in percent.
const MUCH: f64 = 50.0;
/// Smaller flows say nothing, in octets.
const SMALL: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    if !flows.is_empty() && flows.iter().all(|flow| !flow.connection.handshake_seen()) {
        return Verdict::CannotTell(
            "no handshake was captured, so that the scale of windows is not known".to_owned(),
        );
    }
    Verdict::Found(flows.iter().filter_map(|flow| found(evidence, flow)).collect())
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let data = flow.data();
    let share = 100.0 * data.limits.share(Limit::Receiver);
    if share < MUCH || !flow.connection.handshake_seen() {
        return None;
    }
    let closed = data.stalls.count(Pause::ZeroWindow);
    Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value: share,
        threshold: MUCH,
        unit: "% of the time",
        confidence: 0.85,
        cost: cost_of_idle_air(evidence, flow),
        capture: flow.capture,
        frames: data.limits.shown(Limit::Receiver).to_vec(),
        filter: format!("{} && (tcp.analysis.window_full || tcp.analysis.zero_window)", flow.filter()),
        says: format!(
            "For {share:.0} % of the time as much was outstanding as the receiver takes; its window was closed {closed} times. It is not \
             the Wi-Fi."
        ),
        remedy: "A larger receive buffer at the receiver (`sysctl net.ipv4.tcp_rmem`, no SO_RCVBUF in the program), or a program there that \
                 reads faster."
            .to_owned(),
    })
}
