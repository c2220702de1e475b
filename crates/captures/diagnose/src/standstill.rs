//! Flows that stand still as a capture ends: their first unacknowledged data is sent again and again.

use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::Flow;
use airloom_trace::tcp::{Connection, Shortened, Stuck};

/// How often data was sent at least, with the first time.
const MIN_TIMES: u16 = 4;
/// For how long nothing came, in seconds.
pub(crate) const LONG: f64 = 3.0;
/// The same where a timer has hardly begun: its first waits are seconds, as those of small devices.
const FEW_TIMES: u16 = 3;
const LONG_OF_FEW: f64 = 10.0;
/// A packet so much later is no answer that was on its way, in nanoseconds.
const LATER: u64 = 1_000_000_000;
/// Records that are named.
const NAMED: usize = 16;
/// A FIN alone that nobody acknowledges harms none.
const FIN: u32 = 1;
/// Every way carries packets of 1280 octets in IPv6 (RFC 8200 section 5), less IPv4's and TCP's headers with options; what is shorter is no
/// matter of its size.
pub(crate) const SMALL: u32 = 1160;

/// What a flow's sender repeats at its end, and nothing answers.
pub(crate) fn repeated(flow: &Flow<'_>) -> Option<Stuck> {
    // What the capture misses of the receiver may have been the answer.
    let is_whole = flow.connection.directions[1 - flow.from].uncaptured.octets == 0;
    let enough = |times: u16, unheard_s: f64| {
        (times >= MIN_TIMES && unheard_s >= LONG)
            || (times >= FEW_TIMES && unheard_s >= LONG_OF_FEW && is_whole)
    };
    flow.data().stuck.filter(|stuck| {
        let unheard_s = stuck.unheard_ns() as f64 / 1e9;
        // An answer in the end may have been on its way.
        enough(stuck.times, unheard_s) && (stuck.answered_ns.is_none() || unheard_s >= LONG_OF_FEW)
    })
}

/// What a flow's sender repeats at its end without an answer, if that is neither a FIN alone nor too long for the way.
pub(crate) fn given_up(flow: &Flow<'_>) -> Option<Stuck> {
    repeated(flow).filter(|stuck| stuck.octets > FIN && too_long(flow).is_none())
}

/// Whether a flow ended in repetitions, for one reason or the other: then its losses are no share of it.
pub(crate) fn stands_still(flow: &Flow<'_>) -> bool {
    repeated(flow).is_some() || too_long(flow).is_some()
}

/// The time in which nothing moves: until the connection ends.
pub(crate) fn of_time(flow: &Flow<'_>, stuck: &Stuck) -> Cost {
    let (first, end) = flow.connection.span_ns;
    let last = stuck.answered_ns.unwrap_or(end);
    let [still, all] = [stuck.span_ns.0, first].map(|from| last.saturating_sub(from) as f64 / 1e9);
    Cost::seconds(still, still / all.max(1e-3), "in which nothing moves")
}

/// The time in which nothing moves; nothing where the sender had ended the connection itself, and waits for no more.
pub(crate) fn cost(flow: &Flow<'_>, stuck: &Stuck) -> Cost {
    if flow.connection.finished[flow.from] && stuck.answered_ns.is_none() {
        Cost::NOTHING
    } else {
        of_time(flow, stuck)
    }
}

/// Whether the receiver of what stands still sends anything else to anybody in the same capture while it is repeated, a second later and more, or answers a
/// connection that was opened meanwhile; none if that does not show.
pub(crate) fn lives(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> Option<bool> {
    let receiver = flow.connection.ends[1 - flow.from].ip();
    let (since, last) = (stuck.span_ns.0.max(stuck.heard_ns), stuck.until_ns());
    let meanwhile = since..last;
    let opened = |other: &Connection| {
        let [Some(first), Some(second)] = other.offers else { return false };
        other.ends[1].ip() == receiver && [first, second].iter().all(|one| meanwhile.contains(&one.at_ns))
    };
    // The answer itself came at that time.
    let any = |from_ns| evidence.spoken[flow.capture].any(receiver, from_ns, last - 1);
    if any(since + LATER) == Some(true) || evidence.connections[flow.capture].iter().any(opened) {
        return Some(true);
    }
    any(since).filter(|said| !said)
}

/// Whether the receiver of what stands still acknowledges, on another connection of the same two hosts, data that was sent later than this: all of that
/// connection's was, and sent once.
pub(crate) fn answers_beside(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> bool {
    let [sender, receiver] = [flow.from, 1 - flow.from].map(|end| flow.connection.ends[end].ip());
    let (since, until) = (stuck.span_ns.0.max(stuck.heard_ns), stuck.until_ns());
    let answers = |other: &Connection, from: usize| {
        let data = &other.directions[from];
        let was_sent = data.span_ns.map(|(_, last)| last).filter(|last| (since..until).contains(last));
        let is_of_both = other.ends[from].ip() == sender && other.ends[1 - from].ip() == receiver;
        let has_all = data.acknowledged >= data.new_octets && data.retransmissions.segments() == 0;
        is_of_both && has_all && was_sent.is_some_and(|sent| other.last_ns[1 - from] > Some(sent))
    };
    let others = &evidence.connections[flow.capture];
    others.iter().any(|other| [0, 1].into_iter().any(|from| answers(other, from)))
}

/// Records in which it was sent again.
pub(crate) fn frames(flow: &Flow<'_>, stuck: &Stuck) -> Vec<u32> {
    let list = flow.data().retransmissions.list().iter();
    list.filter(|one| one.at_ns >= stuck.span_ns.0).map(|one| one.number).take(NAMED).collect()
}

/// What stands still since it is too long for the way.
pub(crate) fn too_long(flow: &Flow<'_>) -> Option<Stuck> {
    let data = flow.data();
    let stuck = data.stuck.filter(|stuck| stuck.times >= MIN_TIMES && stuck.answered_ns.is_none())?;
    let is_known = data.longest_arrived() > 0 || flow.connection.handshake_seen();
    (is_known && is_too_long(flow, &stuck)).then_some(stuck)
}

/// What stood still until its sender cut it into shorter packets, since it was too long for the way.
pub(crate) fn was_too_long(flow: &Flow<'_>) -> Option<Shortened> {
    flow.data().shortened.as_deref().copied().filter(|one| is_too_long(flow, &one.stuck))
}

/// Whether packets pass that are shorter than this one, and none as long ever did.
fn is_too_long(flow: &Flow<'_>, stuck: &Stuck) -> bool {
    let (first, last) = stuck.span_ns;
    // A receiver that repeats itself hears nothing any more: then the way is gone for all packets.
    let passes = stuck.overtaken || stuck.news_ns > first + (last - first) / 2;
    passes && stuck.octets > SMALL && u64::from(stuck.octets) > flow.data().longest_arrived()
}
