//! W301: a queue that never empties.

use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::rule::Rule;
use airloom_trace::tcp::Vantage;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W301",
    name: "standing queue",
    computes: "The median of a flow's round trips less its shortest one, in the part of the way between the capture and the receiver and back. \
               Reported from 40 ms on, if the median is also at least three times the shortest and there are 200 samples.",
    traps: "Delayed ACKs make round trips longer by 40 ms, where less than two segments are outstanding; flows of less than 200 kB are left \
            out. Absences and retries of the radio make some round trips long, not most of them.",
    refuted_by: "As long round trips while nothing else is sent.",
    judge,
};

/// The median less the shortest, in ms.
const MUCH: f64 = 40.0;
/// The median against the shortest.
const TIMES: f64 = 3.0;
/// Fewer round trips than this say nothing.
const FEW: u64 = 200;
/// Smaller flows fill no queue, in octets.
const SMALL: u64 = 200_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return Verdict::CannotTell(
            "no TCP that can be read: take a capture at a host, or of an open network".to_owned(),
        );
    }
    let flows = flows(evidence, SMALL);
    if !flows.is_empty() && flows.iter().all(|flow| round_trips(flow) < FEW) {
        return Verdict::CannotTell(
            "too few round trips from where the captures were made: capture at the sending host".to_owned(),
        );
    }
    Verdict::Found(flows.iter().filter_map(|flow| found(evidence, flow)).collect())
}

fn round_trips(flow: &Flow<'_>) -> u64 {
    flow.connection.round_trips(flow.from).count()
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let trips = flow.connection.round_trips(flow.from);
    if trips.count() < FEW {
        return None;
    }
    let least = trips.least_ns()? as f64 / 1e6;
    let (median, most) = (trips.quantile_ms(0.5)?, trips.quantile_ms(0.95)?);
    if median - least < MUCH || median < TIMES * least {
        return None;
    }
    let place = match flow.connection.vantage(flow.from) {
        Vantage::Sender => "below the sender's TCP or on the way",
        Vantage::Middle | Vantage::Unknown => "behind the place of the capture",
        Vantage::Receiver => "at the receiver",
    };
    Some(Finding {
        code: RULE.code,
        name: RULE.name,
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value: median - least,
        threshold: MUCH,
        unit: "ms more than the shortest",
        confidence: 0.85,
        cost: Cost { value: median - least, unit: "ms" },
        capture: flow.capture,
        frames: vec![flow.connection.number],
        filter: format!("{} && tcp.analysis.ack_rtt", flow.filter()),
        says: format!(
            "Half of the round trips take more than {median:.0} ms and one in twenty more than {most:.0} ms, where the shortest took \
             {least:.1} ms: packets wait in a queue {place}."
        ),
        refuted_by: RULE.refuted_by,
        remedy: "A queue discipline that keeps queues short where the queue is: `tc qdisc replace dev wlan0 root fq_codel`, on an access \
                 point mac80211's own queues with AQL; SQM if the line behind it is the narrow place."
            .to_owned(),
    })
}
