//! Connections that were not opened: nobody answered, or the other end refused.

use crate::evidence::Evidence;
use airloom_trace::Place;
use airloom_trace::tcp::Connection;
use serde::Serialize;

/// After a last SYN a capture goes on for so long at least, in nanoseconds: a sender tries again then (RFC 6298 section 2).
const PATIENCE: u64 = 1_000_000_000;
/// The most that are told one by one.
const MOST: usize = 200;

/// An attempt to open a connection, as a host's capture shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttemptSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// Address and port of the end that tried.
    pub from: String,
    /// Address and port of the other.
    pub to: String,
    /// SYNs that it sent.
    pub syns: u32,
    /// From the first SYN to the last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
    /// Whether the other end refused it (RST), and did not say nothing at all.
    pub refused: bool,
}

/// Those of all hosts' captures, but for those of which another capture has an answer.
pub(crate) fn seen(evidence: &Evidence) -> Vec<AttemptSeen> {
    let answered = |one: &Connection| {
        let mut all = evidence.connections.iter().flatten();
        all.any(|other| other.offers[1].is_some() && one.is_one_with(other))
    };
    let at_hosts = evidence
        .connections
        .iter()
        .enumerate()
        .filter(|(capture, _)| evidence.captures[*capture].place == Some(Place::Host));
    let all = at_hosts.flat_map(|(capture, all)| all.iter().map(move |one| (capture, one)));
    all.filter_map(|(capture, one)| Some((attempt(evidence, capture, one)?, one)))
        .filter(|(_, one)| !answered(one))
        .map(|(attempt, _)| attempt)
        .take(MOST)
        .collect()
}

/// A connection that has nothing but SYNs of one end, and perhaps a refusal.
fn attempt(evidence: &Evidence, capture: usize, one: &Connection) -> Option<AttemptSeen> {
    let [Some(offer), None] = one.offers else { return None };
    let refused = one.reset_by == Some(1);
    let [syns, answers] = one.packets;
    let (from, to) = one.span_ns;
    let ended = evidence.captures[capture].span_ns?.1;
    let alone = syns == u64::from(offer.times) && (answers == 0 || refused);
    (alone && one.octets() == 0 && (refused || ended.saturating_sub(to) >= PATIENCE)).then(|| AttemptSeen {
        capture,
        from: one.ends[0].to_string(),
        to: one.ends[1].to_string(),
        syns: offer.times,
        span_s: [from, to].map(|at| evidence.seconds_in(capture, at)),
        refused,
    })
}
