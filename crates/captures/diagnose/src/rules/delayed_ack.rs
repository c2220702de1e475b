//! W404: a sender waits for acknowledgments that are held back.

use super::{no_tcp, with_enough};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows_where};
use crate::rule::Rule;
use airloom_trace::tcp::{Pause, Stall, Vantage};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W404",
    name: "held acknowledgments",
    means: "The sender waits for a confirmation that the receiver holds back, again and again, though \
            nothing is lost.",
    needs: "TCP",
    computes: "Times in which fewer than two segments were outstanding, their acknowledgment came 30 to 550 ms later than a round trip, and the sender \
               went on at once; away from the sender, with less than a full segment unless it never has two of them outstanding. Reported from five on, if they take a twentieth of the flow's time.",
    traps: "A program that has nothing to send does not go on as the acknowledgment comes, and one that waits for an answer goes on as that comes: where \
            the receiver sent data before the sender went on, it is not counted. Full segments that a queue before the capture delays seem to wait for acknowledgments too, but Nagle's algorithm holds \
            none of them back. Where the capture was made in between, the wait may be \
            on either side, and the rule abstains.",
    refuted_by: "The same pauses with `TCP_NODELAY` at the sender.",
    judge,
};

/// Fewer than this may be chance.
const MIN_WAITS: u64 = 5;
/// The share of the flow's time, in percent.
const REPORTED_PCT: f64 = 5.0;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let at_an_end =
        |flow: &Flow<'_>| matches!(flow.connection.vantage(flow.from), Vantage::Sender | Vantage::Receiver);
    // A monitor in between tells less than a host at either end, though it may be nearer to the sender.
    let flows = flows_where(evidence, |flow| flow.data().octets > 0 && at_an_end(flow));
    if flows.is_empty() {
        let all = flows_where(evidence, |flow| flow.data().octets > 0);
        let busiest = all.iter().max_by_key(|flow| flow.data().octets);
        return busiest.map_or_else(
            || with_enough(Verdict::NOTHING, false, || "no flow with data".to_owned()),
            |flow| Verdict::CannotTell(not_at_an_end(evidence, flow)),
        );
    }
    let found = flows.iter().filter_map(|flow| found(evidence, flow)).collect();
    let enough = flows.iter().any(|flow| flow.data().packets >= MIN_WAITS);
    with_enough(Verdict::Found(found), enough, || format!("no flow with {MIN_WAITS} packets of data"))
}

/// Why a flow does not show at which end it was captured.
fn not_at_an_end(evidence: &Evidence, flow: &Flow<'_>) -> String {
    let us = |end: usize| flow.connection.distance_ns[end].map(|way| way.div_ceil(1000));
    let unsure = |time_us: u64| evidence.captures[flow.capture].steps_back(1000 * time_us);
    if flow.connection.proxied_ns().is_some() {
        let end = flow.connection.ends[1];
        return format!("{}: what acknowledges for {end} stands near, and is not that end", flow.named());
    }
    match (flow.connection.vantage(flow.from), us(flow.from), us(1 - flow.from)) {
        (Vantage::Unknown, Some(sender), Some(receiver)) => match unsure(sender.min(receiver)) {
            Some(why) => format!(
                "{}: {why}: it does not show how near the capture was made to either end",
                flow.named()
            ),
            None => format!(
                "{}: both ends are so near that it does not show at which of them the capture was made: the sender answers within {sender} us at \
             best, the receiver within {receiver} us",
                flow.named()
            ),
        },
        _ => "no capture shows that it was made at an end of a connection, which handshakes show best"
            .to_owned(),
    }
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let stalls = &flow.data().stalls;
    let (count, lasted) = (stalls.count(Pause::DelayedAck), stalls.lasted_ns(Pause::DelayedAck));
    let [from, to] = flow.span(evidence);
    let share = lasted as f64 / 1e7 / (to - from).max(1e-3);
    if count < MIN_WAITS || share < REPORTED_PCT {
        return None;
    }
    let listed = || stalls.list.kept().iter().filter(|stall| stall.pause == Pause::DelayedAck);
    let span = |stall: &Stall| [stall.from_ns, stall.to_ns].map(|at| evidence.seconds_in(flow.capture, at));
    Some(Finding {
        subject: flow.named(),
        spans: listed().map(span).collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the time",
        confidence: 0.85,
        cost: Cost::ms(lasted as f64 / 1e6 / count as f64, share / 100.0, "each time, on average"),
        capture: flow.capture,
        frames: listed().filter_map(|stall| stall.number).take(NAMED).collect(),
        filter: format!("{} && tcp.analysis.ack_rtt > 0.03", flow.filter()),
        says: format!(
            "{count} times the sender waited for an acknowledgment that the receiver held back, {:.0} ms each: a part of a segment waits for it \
             (Nagle's algorithm), and the receiver waits for more data.",
            lasted as f64 / 1e6 / count as f64
        ),
        remedy: "The program that sends should write what belongs together at once, or set TCP_NODELAY; at the receiver TCP_QUICKACK, or a route \
                 with `quickack 1`."
            .to_owned(),
    })
}
