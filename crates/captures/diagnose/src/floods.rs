//! Floods of SYNs: many, each from another address or all to one end, and nothing that answers.

use crate::evidence::Evidence;
use airloom_trace::Place;
use airloom_trace::tcp::Connection;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

/// Fewer SYNs are no flood.
const FEWEST: usize = 50;
/// So many a second at least.
const EACH_SECOND: f64 = 20.0;
/// The share of them that has an address of its own: many programs of one host have its one.
const APART: f64 = 0.9;

/// SYNs that nothing answers, from an address each, or all to one end (RFC 4987 section 2).
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct FloodSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// SYNs, each sent once and without an answer.
    pub syns: usize,
    /// The addresses that they come from.
    pub sources: usize,
    /// Addresses and ports that they go to.
    pub ends: usize,
    /// The one of these where it is one.
    pub to: Option<String>,
    /// From the first to the last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// The floods of all captures of hosts: one of each at most.
pub(crate) fn seen(evidence: &Evidence) -> Vec<FloodSeen> {
    let hosts =
        (0..evidence.captures.len()).filter(|&capture| evidence.captures[capture].place == Some(Place::Host));
    hosts.filter_map(|capture| flood(evidence, capture)).collect()
}

fn flood(evidence: &Evidence, capture: usize) -> Option<FloodSeen> {
    let syns: Vec<&Connection> = evidence.connections[capture].iter().filter(|one| is_lone(one)).collect();
    let sources: BTreeSet<IpAddr> = syns.iter().map(|one| one.ends[0].ip()).collect();
    let ends: BTreeSet<SocketAddr> = syns.iter().map(|one| one.ends[1]).collect();
    let first = syns.iter().map(|one| one.span_ns.0).min()?;
    let last = syns.iter().map(|one| one.span_ns.1).max()?;
    let seconds = last.saturating_sub(first) as f64 / 1e9;
    let is_flood = syns.len() >= FEWEST
        && syns.len() as f64 >= EACH_SECOND * seconds
        && (ends.len() == 1 || sources.len() as f64 >= APART * syns.len() as f64);
    let one = ends.first().filter(|_| ends.len() == 1).map(ToString::to_string);
    is_flood.then(|| FloodSeen {
        capture,
        syns: syns.len(),
        sources: sources.len(),
        ends: ends.len(),
        to: one,
        span_s: [first, last].map(|at| evidence.seconds_in(capture, at)),
    })
}

/// Whether a connection is a single SYN.
fn is_lone(one: &Connection) -> bool {
    one.packets == [1, 0] && one.offers[0].is_some_and(|offer| offer.times == 1)
}
