//! Packets for which nobody is there, as ICMP tells in each capture of a host.

use crate::evidence::Evidence;
use airloom_trace::Unreachable;
use schemars::JsonSchema;
use serde::Serialize;
use std::net::IpAddr;

/// What one host or router says of packets for which nobody is there (ICMP and ICMPv6 "destination unreachable").
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct UnreachableSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// Which one says so.
    pub by: String,
    /// The host that sent them.
    pub from: String,
    /// The host to which they were on their way.
    pub to: String,
    /// The port of UDP or TCP that they were for.
    pub port: Option<u16>,
    /// Why: "port" if nothing listens there, "forbidden" if a rule does not let them pass, "gone" if the host or its network is not there.
    pub why: &'static str,
    /// How often it said so.
    pub times: u64,
    /// The first time and the last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// All that hosts and routers say: where several captures have the same, that of the one which has it most often.
pub(crate) fn seen(evidence: &Evidence) -> Vec<UnreachableSeen> {
    let mut known: Vec<(usize, &Unreachable)> = Vec::new();
    let key = |one: &Unreachable| (one.by, one.ends, one.port, one.code);
    for (capture, all) in evidence.unreachable.iter().enumerate() {
        for one in all {
            match known.iter_mut().find(|(_, other)| key(other) == key(one)) {
                Some(other) if other.1.times < one.times => *other = (capture, one),
                Some(_) => {}
                None => known.push((capture, one)),
            }
        }
    }
    let said = |(capture, one): (usize, &Unreachable)| UnreachableSeen {
        capture,
        by: one.by.to_string(),
        from: one.ends[0].to_string(),
        to: one.ends[1].to_string(),
        port: one.port,
        why: why(one),
        times: one.times,
        span_s: one.span_ns.map(|at| evidence.seconds_in(capture, at)),
    };
    known.into_iter().map(said).collect()
}

/// Why, by the code (RFC 1812 section 5.2.7.1, RFC 4443 section 3.1).
const fn why(one: &Unreachable) -> &'static str {
    match (one.by, one.code) {
        (IpAddr::V4(_), 3) | (IpAddr::V6(_), 4) => "port",
        (IpAddr::V4(_), 9 | 10 | 13) | (IpAddr::V6(_), 1 | 5) => "forbidden",
        _ => "gone",
    }
}
