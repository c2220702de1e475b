//! W301: a queue that never empties.

use super::no_tcp;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::join::Passage;
use crate::rule::Rule;
use airloom_trace::tcp::{Direction, RoundTrips, Vantage};
use airloom_trace::{Bin, Bins};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W301",
    name: "standing queue",
    needs: "TCP",
    computes: "The share of a flow's seconds in which even the shortest round trip is 40 ms longer than the shortest of all, and three times as \
               long: then no packet found the queue empty. The shortest is of all connections between the two hosts to the same port. Round trips go from the capture to the receiver and back, by acknowledgments; \
               where the capture was made elsewhere than at the sender, also to the sender and back, from a clock value of the receiver to its \
               echo in data (RFC 7323). Reported from a quarter on in any capture that has nine tenths of the data and of the first transmissions, if there are 100 samples.",
    traps: "Delayed ACKs make round trips longer where less than two segments are outstanding: those do not count, nor do seconds with \
            fewer than five others, and flows of less than 100 kB. Absences and retries of the radio make some round trips of a second long, not all of them. A sender that \
            pauses echoes late: an echo counts only if data came within half of the time before it. A queue that stands from the first record on shows by another connection alone: where \
            half of the round trips of one that began before the capture take 100 ms, and none was short, the rule cannot tell.",
    refuted_by: "As long round trips while nothing else is sent.",
    judge,
};

/// The shortest of a second less the shortest of all, in ms.
const LONG: f64 = 40.0;
/// The shortest of a second against the shortest of all.
const TIMES: f64 = 3.0;
/// The share of the seconds, in percent.
const MUCH: f64 = 25.0;
/// Round trips that are long without a queue only where the ends are far from each other, in ms.
const FAR: f64 = 100.0;
/// In nanoseconds.
const SECOND: u64 = 1_000_000_000;
/// Fewer round trips than this say nothing.
const FEW: u64 = 100;
/// A second with fewer says nothing.
const FEW_A_SECOND: u32 = 5;
/// Smaller flows fill no queue, in octets.
const SMALL: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    let shortest = shortest(evidence);
    let found: Vec<_> = flows.iter().filter_map(|flow| found(evidence, flow, &shortest)).collect();
    if found.is_empty() {
        if let Some(flow) = flows.iter().find(|flow| may_stand(flow, &shortest)) {
            return Verdict::CannotTell(format!(
                "{}: the capture begins within it, and no round trip is short: a queue that stood all the time is not told from a long way",
                flow.named()
            ));
        }
        if !flows.is_empty() && !flows.iter().any(seen_whole) {
            return Verdict::CannotTell(
                "too few round trips to the sender from where the captures were made: capture at the sending host"
                    .to_owned(),
            );
        }
    }
    Verdict::Found(found)
}

/// Whether a queue stands in the way of a flow.
pub(super) fn holds(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    found(evidence, flow, &shortest(evidence)).is_some()
}

fn found(evidence: &Evidence, flow: &Flow<'_>, shortest: &Shortest) -> Option<Finding> {
    let views = views(evidence, flow);
    let all = views.iter().flat_map(|view| parts(view).into_iter().map(move |part| (view, part)));
    // A queue that one capture shows is there, though another shows moments in which a packet found it empty.
    let standing = all.filter_map(|(view, part)| stands(evidence, view, &part, shortest));
    standing.max_by(|one, other| one.cost.value.total_cmp(&other.cost.value))
}

/// A way in a capture: from one host to another, for a service. Something in between may answer for another service.
type Way = (usize, [IpAddr; 2], u16);

/// The shortest round trips in nanoseconds on each way, to the receiver and to the sender.
type Shortest = BTreeMap<Way, [Option<u64>; 2]>;

fn shortest(evidence: &Evidence) -> Shortest {
    let mut shortest = Shortest::new();
    for (capture, connections) in evidence.connections.iter().enumerate() {
        for (connection, from) in connections.iter().flat_map(|one| [(one, 0), (one, 1)]) {
            let known = shortest.entry(way(&Flow { capture, connection, from })).or_default();
            let trips = [connection.round_trips(from), &connection.directions[from].sender_round_trips];
            for (known, trips) in known.iter_mut().zip(trips) {
                *known = known.iter().copied().chain(trips.least_ns()).min();
            }
        }
    }
    shortest
}

/// The way of a flow; of its two ports the lower is that of the service.
fn way(flow: &Flow<'_>) -> Way {
    let [from, to] = [flow.from, 1 - flow.from].map(|end| flow.connection.ends[end]);
    (flow.capture, [from.ip(), to.ip()], from.port().min(to.port()))
}

/// Whether a queue may have stood in a flow from its first record on: it goes on from before the capture, and never was a round trip short.
fn may_stand(flow: &Flow<'_>, shortest: &Shortest) -> bool {
    let none_short = |part: &Part<'_>| {
        let least = shortest[&way(flow)][usize::from(part.to_sender)];
        least.is_some_and(|least| least as f64 / 1e6 >= LONG)
            && part.trips.quantile_ms(0.5).is_some_and(|median| median >= FAR)
    };
    !flow.connection.handshake_seen() && parts(flow).iter().any(none_short)
}

fn at_sender(view: &Flow<'_>) -> bool {
    view.connection.vantage(view.from) == Vantage::Sender
}

/// A part of the way that packets of a flow pass twice, there and back.
#[derive(Debug)]
struct Part<'a> {
    trips: &'a RoundTrips,
    /// Whether they go to the sender and back.
    to_sender: bool,
    /// Where packets wait that wait in it.
    place: &'static str,
    /// What a display filter needs besides the flow to show its round trips.
    shown: &'static str,
}

/// The parts of the way whose round trips the capture shows: to the receiver, and to the sender unless it was made there.
fn parts<'a>(flow: &Flow<'a>) -> Vec<Part<'a>> {
    let (ahead, behind) = match flow.connection.vantage(flow.from) {
        Vantage::Sender => ("below the sender's TCP or on the way", None),
        Vantage::Middle | Vantage::Unknown => {
            ("behind the place of the capture", Some("before the place of the capture"))
        }
        Vantage::Receiver => {
            ("at the receiver", Some("on the way to the receiver, or below the sender's TCP"))
        }
    };
    let Direction { sender_round_trips, .. } = &flow.connection.directions[flow.from];
    let trips = flow.connection.round_trips(flow.from);
    let to_receiver = Part { trips, to_sender: false, place: ahead, shown: " && tcp.analysis.ack_rtt" };
    let to_sender = behind.map(|place| Part { trips: sender_round_trips, to_sender: true, place, shown: "" });
    // Each round trip begins with a packet of one end.
    let begun = [(flow.from, Some(to_receiver)), (1 - flow.from, to_sender)];
    let known = begun.into_iter().filter(|&(end, _)| flow.hears_first(end)).filter_map(|(_, part)| part);
    known.filter(|part| !flow.has_gaps() && part.trips.count() >= FEW).collect()
}

/// Whether no part of the way is hidden.
fn seen_whole(flow: &Flow<'_>) -> bool {
    let ends = if at_sender(flow) { 1 } else { 2 };
    parts(flow).len() == ends
}

/// A queue that stands in a part of the way.
fn stands(evidence: &Evidence, flow: &Flow<'_>, part: &Part<'_>, shortest: &Shortest) -> Option<Finding> {
    let &Part { trips, to_sender, place, shown } = part;
    let least = shortest[&way(flow)][usize::from(to_sender)]? as f64 / 1e6;
    let (median, most) = (trips.quantile_ms(0.5)?, trips.quantile_ms(0.95)?);
    let seconds = shortest_by_second(&trips.unheld);
    let stands = |&&(_, shortest): &&(u64, f64)| shortest - least >= LONG && shortest >= TIMES * least;
    let standing: Vec<u64> = seconds.iter().filter(stands).map(|&(at_ns, _)| at_ns).collect();
    let share = 100.0 * standing.len() as f64 / seconds.len().max(1) as f64;
    if share < MUCH {
        return None;
    }
    let length = trips.unheld.width_ns().max(SECOND);
    Some(Finding {
        subject: flow.named(),
        spans: standing.iter().map(|&at| [at, at + length].map(|at| evidence.seconds_in(flow.capture, at))).collect(),
        value: share,
        threshold: MUCH,
        unit: "% of the seconds",
        confidence: 0.85,
        cost: Cost::ms(median - least, 1.0 - least / median, "for half of the packets, or more"),
        capture: flow.capture,
        frames: trips.slow().to_vec(),
        filter: format!("{}{shown}", flow.filter()),
        says: format!(
            "In {share:.0} % of the seconds no packet found the queue empty: half of all round trips take more than {median:.0} ms and one in \
             twenty more than {most:.0} ms, where the shortest took {least:.1} ms. Packets wait {place}.{}",
            between(evidence, flow, median - least).unwrap_or_default()
        ),
        remedy: "A queue discipline that keeps queues short where the queue is: `tc qdisc replace dev wlan0 root fq_codel`, on an access \
                 point mac80211's own queues with AQL; SQM if the line behind it is the narrow place."
            .to_owned(),
    })
}

/// When each second with enough round trips began, and its shortest in ms. Where bins are longer than a second they stand for seconds.
fn shortest_by_second(trips: &Bins) -> Vec<(u64, f64)> {
    let bins = (SECOND / trips.width_ns()).max(1) as usize;
    let seconds = trips.bins().chunks(bins).enumerate();
    seconds
        .filter_map(|(place, second)| {
            let mut all = Bin::default();
            second.iter().for_each(|bin| all.merge(bin));
            (all.count >= FEW_A_SECOND).then(|| (trips.begin_ns(place * bins), all.least))
        })
        .collect()
}

/// Between which two captures most of a wait in ms passes; none if it does so between no two.
fn between(evidence: &Evidence, flow: &Flow<'_>, wait_ms: f64) -> Option<String> {
    let ends = [0, 1].map(|way| flow.connection.ends[flow.from ^ way].ip());
    let passages = evidence.joins.iter().enumerate().flat_map(|(capture, join)| {
        join.passages().iter().map(move |passage| (capture, passage)).filter(|(_, one)| one.ends == ends)
    });
    let median = |passage: &Passage| passage.delays_ms[passage.delays_ms.len() / 2];
    let (capture, most) = passages.max_by(|a, b| median(a.1).total_cmp(&median(b.1)))?;
    let name = |at: usize| evidence.captures[at].named();
    let (other, capture) = (name(evidence.reference()), name(capture));
    let (first, second) = if most.there { (other, capture) } else { (capture, other) };
    (median(most) >= wait_ms / 2.0)
        .then(|| format!(" Half of them need more than {:.0} ms from {first} to {second}.", median(most)))
}
