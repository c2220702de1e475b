//! Scans of ports: one host asks very many ports of another, of which hardly any lets it in.

use crate::evidence::Evidence;
use airloom_trace::Place;
use airloom_trace::tcp::Connection;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// No program asks so many ports of one host, in numbers of ports.
const MIN_PORTS: usize = 50;
/// So many times as many ports as are open were asked at least: a passive FTP server opens each.
const ASKED_EACH: usize = 5;
/// Open ports that are named.
const NAMED: usize = 16;

/// A scan of one host's ports, as a capture of a host shows it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ScanSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// The host that asked.
    pub from: String,
    /// The host whose ports it asked.
    pub to: String,
    /// Ports that it asked.
    pub ports: usize,
    /// Those of them that did not answer, that refused (RST), and that are open.
    pub silent: usize,
    /// See `silent`.
    pub refused: usize,
    /// See `silent`.
    pub open: usize,
    /// The first open ones.
    pub open_ports: Vec<u16>,
    /// Open ones whose SYN-ACK was never acknowledged.
    pub unacknowledged: usize,
    /// From the first SYN to the last packet, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// What became of a port, the most that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Port {
    Silent,
    Refused,
    Open,
    Acknowledged,
}

impl Port {
    fn of(one: &Connection) -> Self {
        match one.offers {
            [_, Some(_)] if one.opening.is_some() => Self::Acknowledged,
            [_, Some(_)] => Self::Open,
            _ if one.reset.is_some_and(|reset| reset.by == 1) => Self::Refused,
            _ => Self::Silent,
        }
    }
}

/// Whether what two hosts have is a scan that a capture shows.
pub(crate) fn has(scans: &[ScanSeen], capture: usize, one: &Connection) -> bool {
    let [from, to] = one.ends.map(|end| end.ip().to_string());
    scans.iter().any(|scan| (scan.capture, &scan.from, &scan.to) == (capture, &from, &to))
}

/// The scans of all captures of hosts.
pub(crate) fn seen(evidence: &Evidence) -> Vec<ScanSeen> {
    let hosts =
        (0..evidence.captures.len()).filter(|&capture| evidence.captures[capture].place == Some(Place::Host));
    hosts.flat_map(|capture| of_capture(evidence, capture)).collect()
}

fn of_capture(evidence: &Evidence, capture: usize) -> Vec<ScanSeen> {
    let mut asked: BTreeMap<[IpAddr; 2], Vec<&Connection>> = BTreeMap::new();
    for one in evidence.connections[capture].iter().filter(|one| one.offers[0].is_some()) {
        asked.entry(one.ends.map(|end| end.ip())).or_default().push(one);
    }
    asked.into_iter().filter_map(|(ends, of)| scan(evidence, capture, ends, &of)).collect()
}

fn scan(
    evidence: &Evidence,
    capture: usize,
    [from, to]: [IpAddr; 2],
    of: &[&Connection],
) -> Option<ScanSeen> {
    let mut ports: BTreeMap<u16, Port> = BTreeMap::new();
    for one in of {
        let known = ports.entry(one.ends[1].port()).or_insert(Port::Silent);
        *known = Port::of(one).max(*known);
    }
    let count = |is: fn(Port) -> bool| ports.values().filter(|&&port| is(port)).count();
    let open = count(|port| port >= Port::Open);
    let first = of.iter().map(|one| one.span_ns.0).min()?;
    let last = of.iter().map(|one| one.span_ns.1).max()?;
    (ports.len() >= MIN_PORTS && ports.len() >= ASKED_EACH * open).then(|| ScanSeen {
        capture,
        from: from.to_string(),
        to: to.to_string(),
        ports: ports.len(),
        silent: count(|port| port == Port::Silent),
        refused: count(|port| port == Port::Refused),
        open,
        open_ports: ports
            .iter()
            .filter(|(_, port)| **port >= Port::Open)
            .map(|(at, _)| *at)
            .take(NAMED)
            .collect(),
        unacknowledged: count(|port| port == Port::Open),
        span_s: [first, last].map(|at| evidence.seconds_in(capture, at)),
    })
}
