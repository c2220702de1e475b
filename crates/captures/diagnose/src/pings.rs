//! ICMP echo, each pair of hosts as each capture shows it.

use crate::evidence::Evidence;
use crate::grid::Grid;
use crate::line::Line;
use airloom_trace::{Bins, Pings, Place};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// What one host asks another by ICMP echo, as a capture shows it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct PingsSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// The host that asks.
    pub from: String,
    /// The host that answers.
    pub to: String,
    /// Whether of all captures this one tells most of it: one at the host that answers tells less than any other.
    pub tells_most: bool,
    /// Whether the capture was made at the host that answers, so that no time passes between a request and its answer.
    pub at_answerer: bool,
    /// From the first packet to the last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
    /// Requests, and those of them of which an answer was captured.
    pub requests: u64,
    /// See `requests`.
    pub answered: u64,
    /// Requests without an answer as the capture ends, or before a minute and more without any record, to which one may still come: within twice the longest round trip, or a
    /// second.
    pub open: u64,
    /// Requests to which an ICMP error came instead of an answer, as to those of a traceroute, whose hops run out.
    pub returned: u64,
    /// Answers to no request that was captured.
    pub unasked: u64,
    /// Octets of data in requests and answers.
    pub bytes: u64,
    /// The most in one of them.
    pub longest: u32,
    /// The shortest round trip and quantiles in ms, between the place of the capture and the host that answers.
    pub rtt_ms: BTreeMap<&'static str, f64>,
}

/// ICMP echo between two hosts over time.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct PingLayers {
    /// The host that asks.
    pub from: String,
    /// The host that answers.
    pub to: String,
    /// Whether the capture was made at the host that answers, so that no round trip shows.
    pub at_answerer: bool,
    /// Round trips in ms from the place of the capture, the mean.
    pub rtt: Line,
    /// Requests that were answered, in the bin in which they were asked.
    pub answered: Line,
    /// The same of those without an answer, but for those to which one may still come.
    pub lost: Line,
}

/// The most pairs that have a line of their own over time: those with most requests.
const MOST: usize = 64;

/// All pairs, each with its capture.
pub(crate) fn all(evidence: &Evidence) -> impl Iterator<Item = (usize, &Pings)> {
    evidence.pings.iter().enumerate().flat_map(|(capture, all)| all.iter().map(move |one| (capture, one)))
}

/// Whether a capture was made at the host that answers: one of the air was not, however soon that answers.
fn is_at_answerer(evidence: &Evidence, capture: usize, one: &Pings) -> bool {
    evidence.captures[capture].place != Some(Place::Air) && one.is_at_answerer()
}

/// The captures that tell most, one of each pair, by its ends.
fn best(evidence: &Evidence) -> BTreeMap<[IpAddr; 2], (usize, &Pings)> {
    // Of two with as many packets the one farther from the host that answers has more of the way in its round trips.
    let worth = |capture: usize, one: &Pings| {
        (
            !is_at_answerer(evidence, capture, one),
            one.requests + one.answered + one.unasked,
            one.round_trips.least_ns(),
        )
    };
    let mut best = BTreeMap::new();
    for (capture, one) in all(evidence) {
        let known = best.entry(one.ends).or_insert((capture, one));
        if worth(capture, one) > worth(known.0, known.1) {
            *known = (capture, one);
        }
    }
    best
}

/// The pairs over time, each once, those with most requests first.
pub(crate) fn layers(evidence: &Evidence, grid: &Grid) -> Vec<PingLayers> {
    let mut known: Vec<_> = best(evidence).into_values().collect();
    known.sort_by_key(|(_, one)| std::cmp::Reverse(one.requests));
    let of = |(capture, one): (usize, &Pings)| {
        let take = |bins: &Bins| grid.take(evidence, capture, bins);
        let many = |bins: &Bins| Line::of(&take(bins), |bin| Some(f64::from(bin.count)));
        PingLayers {
            from: one.ends[0].to_string(),
            to: one.ends[1].to_string(),
            at_answerer: is_at_answerer(evidence, capture, one),
            rtt: Line::means(&take(&one.round_trips.over_time)),
            answered: many(&one.came),
            lost: many(&one.lost(|asked_ns| evidence.captures[capture].watched_ns(asked_ns))),
        }
    };
    known.into_iter().take(MOST).map(of).collect()
}

/// All pairs of all captures.
pub(crate) fn seen(evidence: &Evidence) -> Vec<PingsSeen> {
    let best = best(evidence);
    all(evidence)
        .map(|(capture, one)| PingsSeen {
            capture,
            from: one.ends[0].to_string(),
            to: one.ends[1].to_string(),
            tells_most: best.get(&one.ends).is_some_and(|known| known.0 == capture),
            at_answerer: is_at_answerer(evidence, capture, one),
            span_s: one.span_ns.map(|at| evidence.seconds_in(capture, at)),
            requests: one.requests,
            answered: one.answered,
            open: one.open(|asked_ns| evidence.captures[capture].watched_ns(asked_ns)),
            returned: one.returned,
            unasked: one.unasked,
            bytes: one.octets,
            longest: one.longest,
            rtt_ms: one.round_trips.by_name_ms([("p50", 0.5), ("p95", 0.95), ("p99", 0.99)]),
        })
        .collect()
}
