//! W402: a program writes too little, or lets the other end wait.

use super::{no_tcp, with_flows};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::rate::about;
use crate::rule::Rule;
use airloom_trace::Bins;
use airloom_trace::tcp::{Limit, Vantage};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W402",
    name: "limited by a program",
    means: "For much of the time this transfer waits for a program at one of its ends. The network is not the limit.",
    needs: "TCP",
    computes: "The share of a flow's time in which the sender could have sent and had nothing: all is acknowledged, or the last segment was not full. In the sender's own \
               capture all of its time counts that it seems to wait, if nine tenths of its data go in bursts that no acknowledgment lets go, at one and the same distance of 8 ms or \
               more, and sooner than round trips are long; or, where blocks of sixteen bursts each last as long as the one before, eight tenths of its data at any distance, of 2 ms or more in bursts of 4 kB and more: its program writes by a clock. A radio that takes its turns has the differences of all of them in such a block. Reported from a half on, in flows of 200 kB that need at least 3 s for 99 % of it.",
    traps: "A transfer that is over is not slow, nor is what comes before it: the time in which the first and last 0.5 % of the octets arrive does not count. Nor is one whose octets arrive by three quarters within a twentieth of its time: what follows is of somebody who reads and types, or is away. Far from the sender, pauses on the way count as the program's, so only captures at the sender \
            or within 2 ms of it decide, and the time for which data had waited below its TCP, by the sender's clock (RFC 7323), does not count. Where acknowledgments make room that is \
            not used while some data is outstanding, that may lie in the sender's own host or radio, and the rule cannot tell. Where programs ask and answer in turn, the end that ends most of the pauses is named. Packets do not show that a send buffer is full: it looks like a full congestion window. A segment is full if its payload and its own \
            options fill what the handshake allows or, where that was not captured, as much as the longest segment.",
    refuted_by: "A socket at the sender with data that was not sent (`ss -tin`: notsent).",
    judge,
};

/// The share of the time, in percent.
const REPORTED_PCT: f64 = 50.0;
/// Smaller flows say nothing, in octets.
const SMALL: u64 = 200_000;
/// Shorter flows say nothing, in seconds.
const SHORT: f64 = 3.0;
/// The pauses are the sender's own if it ended at least this share of their time.
const HALF: f64 = 0.5;
/// The part of a flow's octets that is no part of its transfer: a request before it, a farewell long after it.
const BESIDE: f64 = 0.01;
/// Where this part of the octets arrives in this part of the time, there was one transfer, and it is over.
const MOST: f64 = 0.75;
/// See `MOST`.
const MOMENT: f64 = 0.05;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    if !flows.is_empty() && !flows.iter().any(Flow::is_near_sender) {
        return Verdict::CannotTell(far(&flows));
    }
    let near = || flows.iter().filter(|flow| flow.is_near_sender());
    let all: Vec<_> = near().filter_map(|flow| found(evidence, flow)).collect();
    // Of requests and answers the end that lets the other wait is named, once.
    let is_other_way = |one: &Idle<'_>, other: &Idle<'_>| {
        one.flow.sender() != other.flow.sender() && one.flow.connection.is_one_with(other.flow.connection)
    };
    let stays = |one: &&Idle<'_>| !all.iter().any(|other| other.own > one.own && is_other_way(one, other));
    let found = all.iter().filter(stays).map(|one| one.finding.clone()).collect();
    with_flows(Verdict::unless_found(found, near().find_map(unclear)), &flows, SMALL)
}

/// Why it cannot be told of any flow that is large enough: none was captured at its sender.
fn far(flows: &[Flow<'_>]) -> String {
    let named = flows.first().map(Flow::named).unwrap_or_default();
    match flows.len() - 1 {
        0 => format!(
            "{named}: it was not captured at its sender or next to it, and no other flow is large enough"
        ),
        1 => format!(
            "{named} and 1 other flow: they were not captured at their senders or next to them, and no other is large enough"
        ),
        more => format!(
            "{named} and {more} other flows: they were not captured at their senders or next to them, and no other is large enough"
        ),
    }
}

/// Why it cannot be told whether a flow's sender waits for its program; none if that shows.
fn unclear(flow: &Flow<'_>) -> Option<String> {
    let limits = &flow.data().limits;
    let (paused, waited) = (100.0 * limits.share(Limit::Unclear), 100.0 * limits.share(Limit::Application));
    let is_long = limits.active_ns() as f64 / 1e9 >= SHORT;
    (is_long && waited < REPORTED_PCT && paused + waited >= REPORTED_PCT).then(|| {
        format!(
            "{}: for {:.0} % of the time its sender could have sent by what was acknowledged, but some of its data may still have waited in its own host or \
             for its radio: its program may pause, or what is below it",
            flow.named(),
            paused
        )
    })
}

/// A flow whose sender has nothing to send.
#[derive(Debug)]
struct Idle<'a> {
    flow: Flow<'a>,
    /// The share of the pauses, 0 to 1, that the sender's own program ended.
    own: f64,
    finding: Finding,
}

/// Whether most octets arrive in one short part of this time: what went then is over, and the rest is of somebody who reads and types, or is away.
fn goes_at_once(delivered: &Bins, (from_ns, to_ns): (u64, u64)) -> bool {
    let all = delivered.sum(from_ns, to_ns);
    let part_ns = (to_ns.saturating_sub(from_ns) as f64 * MOMENT) as u64;
    let begins = (0..delivered.bins().len()).map(|place| delivered.begin_ns(place));
    begins.into_iter().any(|begin_ns| delivered.sum(begin_ns, begin_ns.saturating_add(part_ns)) >= MOST * all)
}

/// The share of the time in pauses between two times that the sender ended itself; 1 if there was no pause.
fn own(flow: &Flow<'_>, (begin_ns, end_ns): (u64, u64)) -> f64 {
    let lasted_ns = |from: usize| flow.connection.directions[from].paused.sum(begin_ns, end_ns);
    let (own_ns, others_ns) = (lasted_ns(flow.from), lasted_ns(1 - flow.from));
    if own_ns + others_ns == 0.0 { 1.0 } else { own_ns / (own_ns + others_ns) }
}

fn found<'a>(evidence: &Evidence, flow: &Flow<'a>) -> Option<Idle<'a>> {
    let limits = &flow.data().limits;
    let (from_ns, to_ns) = flow.data().delivered.between(BESIDE)?;
    let [from, to] = [from_ns, to_ns].map(|at| evidence.seconds_in(flow.capture, at));
    // Before and after the transfer, which does not count, the sender had nothing to send.
    let beside = (limits.active_ns() as f64 / 1e9 - (to - from)).max(0.0);
    let idle = limits.lasted_ns(Limit::Application) as f64 / 1e9 - beside;
    let share = 100.0 * idle / (to - from);
    if to - from < SHORT || share < REPORTED_PCT || goes_at_once(&flow.data().delivered, (from_ns, to_ns)) {
        return None;
    }
    let mbps = (1.0 - BESIDE) * flow.data().new_octets as f64 * 8e-6 / (to - from);
    let own = own(flow, (from_ns, to_ns));
    let other = flow.connection.ends[1 - flow.from];
    let at_sender = flow.connection.vantage(flow.from) == Vantage::Sender;
    let timer = flow
        .data()
        .clocking
        .bursts
        .by_timer()
        .filter(|_| at_sender && limits.share(Limit::Congestion) <= 0.0);
    let (wrote, remedy) = if let Some(every_ms) = timer {
        (
            format!(
                "about {} goes in bursts every {every_ms:.1} ms, whether or not an acknowledgment has come: its program writes by a clock",
                about(mbps)
            ),
            WRITES.to_owned(),
        )
    } else if own >= HALF {
        (format!("about {} in this time is what the program wrote", about(mbps)), WRITES.to_owned())
    } else {
        (
            format!(
                "for {:.0} % of the time in which neither end sent, both waited for the program at {other}, whose data ended these pauses; about {} in this time is what \
                 was asked for",
                100.0 * (1.0 - own),
                about(mbps)
            ),
            format!("Nothing in the network: look at the program at {other}, which lets this one wait."),
        )
    };
    let finding = Finding {
        subject: flow.named(),
        spans: vec![[from, to]],
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the time",
        confidence: 0.85,
        cost: Cost::NOTHING,
        capture: flow.capture,
        frames: flow.data().limits.shown(Limit::Application).to_vec(),
        filter: flow.filter(),
        says: format!(
            "For {share:.0} % of the time the sender could have sent and had nothing to send; {wrote}. No network makes it faster."
        ),
        remedy,
    };
    Some(Idle { flow: *flow, own, finding })
}

/// What helps where the sender's own program pauses.
const WRITES: &str = "Nothing in the network: look at the program that sends, its disk or its server. A stream at a fixed rate is meant to be so.";

#[cfg(test)]
mod tests {
    use super::*;

    /// Octets by hundredths of a second.
    fn arrive(octets: impl Fn(u64) -> f64) -> Bins {
        let mut bins = Bins::from(0);
        (0..1_350).for_each(|at| bins.note(at * 10_000_000, octets(at)));
        bins
    }

    /// `06-vnc-Password-3.3.pcap` of suricata-verify: 1.5 of 1.8 MB in 0.4 s, then small updates for 13 s.
    #[test]
    fn what_goes_at_once_and_then_in_small_answers_waits_for_no_program() {
        let span = (0, 13_500_000_000);
        assert!(goes_at_once(&arrive(|at| if at < 40 { 38_000.0 } else { 170.0 }), span));
        assert!(!goes_at_once(&arrive(|at| if at % 100 < 10 { 38_000.0 } else { 0.0 }), span), "in bursts");
        assert!(!goes_at_once(&arrive(|_| 1_000.0), span), "evenly");
        assert!(!goes_at_once(&arrive(|at| if at < 40 { 38_000.0 } else { 600.0 }), span), "as much goes on");
    }
}
