//! Packets that did not arrive, as ICMP tells in each capture of a host.

use crate::evidence::Evidence;
use crate::flow::Flow;
use airloom_trace::{Hindrance, Undelivered};
use schemars::JsonSchema;
use serde::Serialize;
use std::net::IpAddr;

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
    /// Why: "protocol" if the host does not speak that of the packets, "port" if nothing listens there, "forbidden" if a rule does not let them pass, "gone" if the host or its network is not there.
    pub why: &'static str,
    /// How often it said so.
    pub times: u64,
    /// The first time and the last, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// All packets of which it is said that they were too big.
pub(crate) fn too_big(evidence: &Evidence) -> Vec<TooBigSeen> {
    let seen = |(capture, one): (usize, &Undelivered)| {
        let Hindrance::TooBig { most } = one.why else { return None };
        Some(TooBigSeen {
            capture,
            by: one.by.to_string(),
            from: one.ends[0].to_string(),
            to: one.ends[1].to_string(),
            most: Some(most).filter(|&most| most > 0),
            times: one.times,
            span_s: one.span_ns.map(|at| evidence.seconds_in(capture, at)),
        })
    };
    all(evidence).into_iter().filter_map(seen).collect()
}

/// All packets of which it is said that nobody is there.
pub(crate) fn unreachable(evidence: &Evidence) -> Vec<UnreachableSeen> {
    let seen = |(capture, one): (usize, &Undelivered)| {
        let Hindrance::Absent { code, port } = one.why else { return None };
        Some(UnreachableSeen {
            capture,
            by: one.by.to_string(),
            from: one.ends[0].to_string(),
            to: one.ends[1].to_string(),
            port,
            why: absence(one.by, code),
            times: one.times,
            span_s: one.span_ns.map(|at| evidence.seconds_in(capture, at)),
        })
    };
    all(evidence).into_iter().filter_map(seen).collect()
}

/// All that is said, and in which capture: where several have the same, in that which has it most often.
fn all(evidence: &Evidence) -> Vec<(usize, &Undelivered)> {
    let mut known: Vec<(usize, &Undelivered)> = Vec::new();
    for (capture, said) in evidence.undelivered.iter().enumerate() {
        for one in said {
            match known.iter_mut().find(|(_, other)| other.key() == one.key()) {
                Some(other) if other.1.times < one.times => *other = (capture, one),
                Some(_) => {}
                None => known.push((capture, one)),
            }
        }
    }
    known
}

/// Why nobody is there, by the code (RFC 1812 section 5.2.7.1, RFC 4443 section 3.1).
const fn absence(by: IpAddr, code: u8) -> &'static str {
    match (by, code) {
        (IpAddr::V4(_), 2) => "protocol",
        (IpAddr::V4(_), 3) | (IpAddr::V6(_), 4) => "port",
        (IpAddr::V4(_), 9 | 10 | 13) | (IpAddr::V6(_), 1 | 5) => "forbidden",
        _ => "gone",
    }
}

/// Which router says that packets of a flow are too big, and the most that fits, or zero; none if no router says so.
pub(crate) fn too_big_of(evidence: &Evidence, flow: &Flow<'_>) -> Option<(IpAddr, u32)> {
    let ends = [flow.from, 1 - flow.from].map(|end| flow.connection.ends[end].ip());
    let of_it = |one: &&Undelivered| one.ends == ends && matches!(one.why, Hindrance::TooBig { .. });
    let one = evidence.undelivered.iter().flatten().filter(of_it).max_by_key(|one| one.times)?;
    let Hindrance::TooBig { most } = one.why else { return None };
    Some((one.by, most))
}
