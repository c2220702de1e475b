//! ICMP echo, each pair of hosts as each capture shows it.

use crate::evidence::Evidence;
use airloom_trace::Pings;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What one host asks another by ICMP echo, as a host's capture shows it.
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

/// All pairs of all captures.
pub(crate) fn seen(evidence: &Evidence) -> Vec<PingsSeen> {
    // Of two with as many packets the one farther from who answers has more of the way in its round trips.
    let worth = |one: &Pings| {
        (!one.is_at_answerer(), one.requests + one.answered + one.unasked, one.round_trips.least_ns())
    };
    let all = || {
        evidence.pings.iter().enumerate().flat_map(|(capture, all)| all.iter().map(move |one| (capture, one)))
    };
    let mut most = BTreeMap::new();
    for (capture, one) in all() {
        let known = most.entry(one.ends).or_insert((capture, worth(one)));
        if worth(one) > known.1 {
            *known = (capture, worth(one));
        }
    }
    all()
        .map(|(capture, one)| PingsSeen {
            capture,
            from: one.ends[0].to_string(),
            to: one.ends[1].to_string(),
            tells_most: most.get(&one.ends).is_some_and(|known| known.0 == capture),
            at_answerer: one.is_at_answerer(),
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
