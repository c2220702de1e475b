//! Connections that were not opened: nobody answered, or the other end refused.

use crate::evidence::Evidence;
use crate::scans::{self, ScanSeen};
use crate::strangers::sorted;
use airloom_trace::Place;
use airloom_trace::tcp::Connection;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// After a last SYN a capture goes on for so long at least, in nanoseconds: a sender tries again then (RFC 6298 section 2).
const SYN_REPEATED_BY: u64 = 1_000_000_000;
/// The most attempts that have an entry of their own.
const MOST: usize = 200;

/// An attempt to open a connection, as a host's capture shows it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
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
    /// Whether the other end refused it (RST). Otherwise nothing came from there.
    pub refused: bool,
    /// Whether the capture went on for less than a second after its last SYN, so that more may have come: to its end, or to a minute and more without any record.
    pub goes_on: bool,
}

/// All attempts but those of scans, each once, however many captures show it; and how many more there are than have an entry.
pub(crate) fn seen(evidence: &Evidence, scans: &[ScanSeen]) -> (Vec<AttemptSeen>, u64) {
    let mut answered: BTreeMap<_, Vec<&Connection>> = BTreeMap::new();
    for one in evidence.connections.iter().flatten().filter(|one| one.offers[1].is_some()) {
        answered.entry(sorted(one.ends)).or_default().push(one);
    }
    let at_hosts = evidence
        .connections
        .iter()
        .enumerate()
        .filter(|(capture, _)| evidence.captures[*capture].place == Some(Place::Host));
    let all = at_hosts.flat_map(|(capture, all)| all.iter().map(move |one| (capture, one)));
    let mut found: Vec<AttemptSeen> = Vec::new();
    let mut places: BTreeMap<_, Vec<(&Connection, usize)>> = BTreeMap::new();
    for (capture, one) in all {
        let Some(attempt) = attempt(evidence, capture, one).filter(|_| !scans::has(scans, capture, one))
        else {
            continue;
        };
        let ends = sorted(one.ends);
        if answered.get(&ends).into_iter().flatten().any(|other| one.is_one_with(other)) {
            continue;
        }
        let known = places.entry(ends).or_default();
        match known.iter().find(|(other, _)| one.is_one_with(other)) {
            Some(&(_, place)) if worth(&attempt) > worth(&found[place]) => found[place] = attempt,
            Some(_) => {}
            None => {
                known.push((one, found.len()));
                found.push(attempt);
            }
        }
    }
    let left_out = found.len().saturating_sub(MOST) as u64;
    found.truncate(MOST);
    (found, left_out)
}

/// The greater, the more a capture shows of an attempt that several have.
const fn worth(attempt: &AttemptSeen) -> (bool, u32) {
    (attempt.refused, attempt.syns)
}

/// A connection that has nothing but SYNs of one end, and perhaps a refusal, or a reset by which that end gave up. A single SYN at the end of a capture, or before a time in which nothing at
/// all was captured, may still be answered; one that its sender resets may have been, on a way that is not captured.
fn attempt(evidence: &Evidence, capture: usize, one: &Connection) -> Option<AttemptSeen> {
    let [Some(offer), None] = one.offers else { return None };
    let refused = one.reset.is_some_and(|reset| reset.by == 1);
    let [syns, answers] = one.packets;
    let (from, to) = one.span_ns;
    let gave_up = offer.times > 1
        && one.reset.is_some_and(|reset| reset.by == 0)
        && one.directions[1].acks.packets == 0;
    let goes_on = !refused && !gave_up && evidence.captures[capture].watched_ns(to) < SYN_REPEATED_BY;
    let alone = (syns == u64::from(offer.times) || gave_up) && (answers == 0 || refused);
    let waited = !goes_on || offer.times > 1;
    (alone && one.octets() == 0 && waited).then(|| AttemptSeen {
        capture,
        from: one.ends[0].to_string(),
        to: one.ends[1].to_string(),
        syns: offer.times,
        span_s: [from, to].map(|at| evidence.seconds_in(capture, at)),
        refused,
        goes_on,
    })
}
