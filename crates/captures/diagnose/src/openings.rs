//! Connections that opened late: a SYN or its answer had to be sent again.

use crate::evidence::Evidence;
use crate::strangers::sorted;
use airloom_trace::Place;
use airloom_trace::tcp::Connection;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// No timer of a SYN is shorter, in nanoseconds (Linux: `TCP_RTO_MIN`, 200 ms): one that comes sooner is a copy.
const SHORTEST: u64 = 200_000_000;
/// The most that have an entry of their own.
const MOST: usize = 200;

/// A connection that opened late, as a host's capture shows it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct OpeningSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// Address and port of the end that opened it.
    pub from: String,
    /// Address and port of the other.
    pub to: String,
    /// When the first SYN was captured, in seconds since the first record of all captures.
    pub at_s: f64,
    /// From then to the packet that ends the handshake, in seconds.
    pub took_s: f64,
    /// SYNs that were sent until then.
    pub syns: u32,
    /// SYN-ACKs that were sent until then.
    pub answers: u32,
    /// Whether the first SYN was answered by an acknowledgment of an earlier connection of the same ports.
    pub was_known: bool,
    /// Which of several SYNs the first SYN-ACK answers, counted from 1, by the clock value that it echoes (RFC 7323); none where that does not show.
    pub answered: Option<u32>,
}

/// All that opened late, each once, however many captures show it; and how many more there are than have an entry.
pub(crate) fn seen(evidence: &Evidence) -> (Vec<OpeningSeen>, u64) {
    let mut known: BTreeMap<_, Vec<&Connection>> = BTreeMap::new();
    let mut found = Vec::new();
    for (capture, all) in evidence.connections.iter().enumerate() {
        if evidence.captures[capture].place != Some(Place::Host) {
            continue;
        }
        for one in all {
            let Some(opening) = opening(evidence, capture, one) else { continue };
            let others = known.entry(sorted(one.ends)).or_default();
            if !others.iter().any(|other| one.is_one_with(other)) {
                others.push(one);
                found.push(opening);
            }
        }
    }
    let left_out = found.len().saturating_sub(MOST) as u64;
    found.truncate(MOST);
    (found, left_out)
}

fn opening(evidence: &Evidence, capture: usize, one: &Connection) -> Option<OpeningSeen> {
    let [Some(first), Some(_)] = one.offers else { return None };
    let opening = one.opening?;
    let [syns, answers] = opening.times;
    (opening.times != [1, 1] && opening.took_ns >= SHORTEST).then(|| OpeningSeen {
        capture,
        from: one.ends[0].to_string(),
        to: one.ends[1].to_string(),
        at_s: evidence.seconds_in(capture, first.at_ns),
        took_s: opening.took_ns as f64 / 1e9,
        syns,
        answers,
        was_known: opening.was_known,
        answered: opening.answered,
    })
}
