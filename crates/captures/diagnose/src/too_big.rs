//! Packets that were too big for their way, as ICMP tells in each capture of a host.

use crate::evidence::Evidence;
use crate::flow::Flow;
use airloom_trace::TooBig;
use schemars::JsonSchema;
use serde::Serialize;

/// What one router says of packets that were too big for their way (ICMP "fragmentation needed", ICMPv6 "packet too big").
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TooBigSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// The router.
    pub by: String,
    /// The host that sent them.
    pub from: String,
    /// The host to which they were on their way.
    pub to: String,
    /// The most that fits, in octets with the IP header, the least that it said; none if it does not say.
    pub most: Option<u32>,
    /// How often it said so.
    pub times: u64,
    /// The first time and the last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// All that routers say: where several captures have the same, that of the one which has it most often.
pub(crate) fn seen(evidence: &Evidence) -> Vec<TooBigSeen> {
    let mut known: Vec<(usize, &TooBig)> = Vec::new();
    for (capture, all) in evidence.too_big.iter().enumerate() {
        for one in all {
            match known.iter_mut().find(|(_, other)| (other.by, other.ends) == (one.by, one.ends)) {
                Some(other) if other.1.times < one.times => *other = (capture, one),
                Some(_) => {}
                None => known.push((capture, one)),
            }
        }
    }
    let said = |(capture, one): (usize, &TooBig)| TooBigSeen {
        capture,
        by: one.by.to_string(),
        from: one.ends[0].to_string(),
        to: one.ends[1].to_string(),
        most: Some(one.most).filter(|&most| most > 0),
        times: one.times,
        span_s: one.span_ns.map(|at| evidence.seconds_in(capture, at)),
    };
    known.into_iter().map(said).collect()
}

/// What a router says of the packets of a flow, if it says that they are too big.
pub(crate) fn of<'a>(evidence: &'a Evidence, flow: &Flow<'_>) -> Option<&'a TooBig> {
    let ends = [flow.from, 1 - flow.from].map(|end| flow.connection.ends[end].ip());
    evidence.too_big.iter().flatten().filter(|one| one.ends == ends).max_by_key(|one| one.times)
}
