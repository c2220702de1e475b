//! W303: segments are sent again though nothing was lost.

use super::in_flows;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::kinds::kinds;
use crate::rule::Rule;
use airloom_trace::tcp::{Needless, Retransmissions, Trigger};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W303",
    name: "retransmission without loss",
    means: "Data is sent again that had arrived already. Many senders take that for a loss, and those with much to send slow down for nothing.",
    needs: "TCP",
    computes: "Retransmissions of which the packets prove that the first transmission was not lost: the receiver reports a duplicate (D-SACK), the \
               acknowledgment echoes the clock of the first one, comes sooner than a round trip can be, or had come before; each transmission has an acknowledgment of its own, \
               in the order of their sending; or the first one comes after it. Reported from three on, if they are a half of all retransmissions but probes at least: where more had been lost, that is what slowed the \
               sender down.",
    traps: "A packet that was captured twice is not a retransmission. Tail loss probes are sent on suspicion, and do not count. Data that comes a third time \
            after its acknowledgment, with nothing new in between, shows that the acknowledgment never reached its sender, and does not count. Where the capture lacks a \
            tenth of what was acknowledged, or all acknowledgments without data, the rule says nothing.",
    refuted_by: "The segment missing at the receiver's own interface until the second one came.",
    judge,
};

/// Fewer than this may be chance.
const MIN_NEEDLESS: u64 = 3;
/// The share of a flow's retransmissions, in percent.
const REPORTED_PCT: f64 = 50.0;
/// Smaller flows hardly leave the window that they begin with, in octets.
const LARGE: u64 = 100_000;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    match in_flows(evidence, found) {
        Verdict::Found(findings) => {
            let flows = flows(evidence, 1);
            let unclear = flows.iter().find_map(Flow::hides_repetitions);
            let unclear = unclear.or_else(|| flows.iter().find_map(unanswered));
            Verdict::unless_found(findings, unclear)
        }
        silent => silent,
    }
}

/// Whether too few acknowledgments of a flow are in the capture to show what had arrived.
fn lacks_acks(flow: &Flow<'_>) -> bool {
    flow.has_gaps() || flow.data().acks.bare == 0
}

/// Why it does not show whether what was sent again had arrived; none if it does, or hardly anything was.
fn unanswered(flow: &Flow<'_>) -> Option<String> {
    let again = flow.data().retransmissions.segments();
    (lacks_acks(flow) && again >= MIN_NEEDLESS).then(|| {
        format!(
            "{}: {again} segments were sent again, and the acknowledgments that tell whether they had arrived are not in the capture",
            flow.named()
        )
    })
}

/// Segments with data that were sent again for this reason and without need. Probes are sent on suspicion.
fn needless_by(again: &Retransmissions, trigger: Trigger) -> u64 {
    match trigger {
        Trigger::Probe | Trigger::Handshake => 0,
        _ => again.needless_by(trigger),
    }
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let again = &flow.data().retransmissions;
    let of = |trigger| needless_by(again, trigger);
    let needless: u64 = Trigger::ALL.into_iter().map(of).sum();
    let but_probes = again.segments() - again.by_trigger(Trigger::Probe);
    let share = 100.0 * needless as f64 / but_probes.max(1) as f64;
    if needless < MIN_NEEDLESS || share < REPORTED_PCT || lacks_acks(flow) {
        return None;
    }
    let listed = || again.list().iter().filter(|one| one.needless.is_some() && of(one.trigger) > 0);
    // A window that never had to grow was not halved for anything.
    let halved = if flow.data().octets >= LARGE { " The sender halved its window for nothing." } else { "" };
    let early = match of(Trigger::Timeout) {
        0 => "",
        _ if again.by_proof(Needless::Acknowledged) == 0 => " The timer expired too early.",
        _ => " The timer expired too early, or acknowledgments were lost behind the capture.",
    };
    Some(Finding {
        subject: flow.named(),
        spans: listed().map(|one| [evidence.seconds_in(flow.capture, one.at_ns); 2]).collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the retransmissions",
        confidence: 0.95,
        cost: Cost::unknown("how far the window would have grown does not show"),
        capture: flow.capture,
        frames: listed().map(|one| one.number).take(NAMED).collect(),
        filter: format!("{} && tcp.analysis.retransmission", flow.filter()),
        says: format!(
            "{} of {} retransmitted segments had not been lost ({}).{early}{halved}",
            again.needless(),
            again.segments(),
            kinds(|trigger| again.needless_by(trigger))
        ),
        remedy: "If round trips jump (scans, dozing, retries of the radio), mend that; if packets overtake each other, RACK tolerates it \
                 (`sysctl net.ipv4.tcp_recovery`), and more than one link or queue for a flow does not help."
            .to_owned(),
    })
}
