//! Flows: the data of a connection in one direction, from the capture that tells most of it.

use crate::evidence::Evidence;
use crate::link::Link;
use crate::strangers::sorted;
use airloom_trace::tcp::{Connection, Direction, Vantage};
use airloom_trace::{Air, Place};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// A capture this far from an end, in nanoseconds there and back, is next to it.
const NEAR: u64 = 2_000_000;

/// A hole that SACKs show for so long is no packet that another one overtook, in nanoseconds.
const HOLE: u64 = 100_000_000;

/// A display filter for what goes between two ends by a protocol, `tcp` or `udp`.
pub(crate) fn filter_between(protocol: &str, [one, other]: [SocketAddr; 2]) -> String {
    let family = if one.is_ipv4() { "ip" } else { "ipv6" };
    format!(
        "{family}.addr == {} && {family}.addr == {} && {protocol}.port == {} && {protocol}.port == {}",
        one.ip(),
        other.ip(),
        one.port(),
        other.port()
    )
}

/// A display filter for records by their numbers, of which there is one at least.
pub(crate) fn of_records(numbers: &[u32]) -> String {
    let numbers: Vec<_> = numbers.iter().map(u32::to_string).collect();
    format!("frame.number in {{{}}}", numbers.join(", "))
}

/// The data of a connection in one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    /// The place of the capture among the files.
    pub(crate) capture: usize,
    /// The connection.
    pub(crate) connection: &'a Connection,
    /// The end that sends: 0 or 1.
    pub(crate) from: usize,
}

impl<'a> Flow<'a> {
    /// The data itself.
    pub(crate) const fn data(&self) -> &'a Direction {
        &self.connection.directions[self.from]
    }

    /// What tells it from every other: capture, addresses, and which of them sends.
    pub(crate) fn key(&self) -> (usize, [SocketAddr; 2], u64, usize) {
        (self.capture, self.connection.ends, self.connection.span_ns.0, self.from)
    }

    /// The end that sends.
    pub(crate) fn sender(&self) -> SocketAddr {
        self.connection.ends[self.from]
    }

    /// Its sender and its receiver.
    pub(crate) fn ends(&self) -> [SocketAddr; 2] {
        [self.from, 1 - self.from].map(|end| self.connection.ends[end])
    }

    /// Whether both are the same data. A capture has two connections between the same ends only one after the other.
    fn is_same(&self, other: &Self) -> bool {
        self.ends() == other.ends()
            && if self.capture == other.capture {
                self.connection.number == other.connection.number
            } else {
                self.connection.is_one_with(other.connection)
            }
    }

    /// "10.0.0.1:40000 to 10.0.0.2:5001".
    pub(crate) fn named(&self) -> String {
        let [from, to] = self.ends();
        format!("{from} to {to}")
    }

    /// A display filter for the connection.
    pub(crate) fn filter(&self) -> String {
        filter_between("tcp", self.connection.ends)
    }

    /// When data went, in seconds since the first record of all captures.
    pub(crate) fn span(&self, evidence: &Evidence) -> [f64; 2] {
        let (from, to) = self.data().span_ns.unwrap_or(self.connection.span_ns);
        [from, to].map(|at| evidence.seconds_in(self.capture, at))
    }

    /// The octets of payload that went, as far as is known: those that were captured, or acknowledged if these are more. A monitor's capture may have no more of an A-MSDU than its first packet.
    pub(crate) fn octets(&self) -> u64 {
        self.data().octets.max(self.data().acknowledged)
    }

    /// Mbit/s of payload, each octet once.
    pub(crate) fn mbps(&self, evidence: &Evidence) -> f64 {
        let [from, to] = self.span(evidence);
        8e-6 * self.data().new_octets as f64 / (to - from).max(1e-3)
    }

    /// Whether the capture was made at the sender or next to it: then its packets show what was outstanding. A way that this connection shows by itself decides;
    /// the vantage, which other connections of the host may have decided, counts only where it shows none.
    pub(crate) fn is_near_sender(&self) -> bool {
        match self.connection.way_ns(self.from) {
            Some(way_ns) => way_ns < NEAR,
            None => self.connection.vantage(self.from) == Vantage::Sender,
        }
    }

    /// Whether the capture has no more than nine tenths of what was acknowledged.
    pub(crate) fn has_gaps(&self) -> bool {
        let uncaptured = &self.data().uncaptured;
        uncaptured.octets.saturating_sub(uncaptured.before) > self.data().acknowledged / 10
    }

    /// The part of what was acknowledged that the capture does not have, whenever it was sent.
    pub(crate) fn missing_share(&self) -> f64 {
        self.data().uncaptured.octets as f64 / self.data().acknowledged.max(1) as f64
    }

    /// Why it does not show what was sent again, although the receiver's SACKs show that something was: too much of the data is not in the capture.
    pub(crate) fn hides_repetitions(&self) -> Option<String> {
        let sacks = &self.data().sacks;
        (self.has_gaps() && (sacks.twice > 0 || sacks.longest_hole_ns >= HOLE)).then(|| {
            format!(
                "{}: {:.0} % of what was acknowledged is not in the capture, so that what was sent again does not show",
                self.named(),
                100.0 * self.missing_share()
            )
        })
    }

    /// Whether the capture has the first transmission of nine tenths of the packets of an end, 0 or 1: what is heard only as it is sent
    /// again says little of when it was sent.
    pub(crate) fn hears_first(&self, end: usize) -> bool {
        self.connection.heard_later[end] <= self.connection.packets[end] / 10
    }

    /// The link that carries it, if one carries about as much.
    pub(crate) fn link<'b>(&self, evidence: &Evidence, air: &'b Air) -> Option<Link<'b>> {
        let ends = (evidence.network_of(self.capture), self.ends());
        evidence.carried()?.link_of(air, ends, self.octets())
    }

    /// The smaller, the more it tells: a capture that has nearly all of it, at the sender, since that has the order in which the
    /// sender saw it, and of a host, which misses less than a monitor.
    fn remoteness(&self, evidence: &Evidence) -> (bool, u8, bool) {
        let way = match self.connection.vantage(self.from) {
            Vantage::Sender => 0,
            Vantage::Middle => 1,
            Vantage::Unknown => 2,
            Vantage::Receiver => 3,
        };
        (self.has_gaps(), way, evidence.captures[self.capture].place == Some(Place::Air))
    }
}

/// The flows with at least this many octets, each once, in the order in which they appeared.
pub(crate) fn flows(evidence: &Evidence, at_least: u64) -> Vec<Flow<'_>> {
    flows_where(evidence, |flow| flow.data().octets >= at_least)
}

/// The same of every channel, whichever is looked at.
pub(crate) fn flows_everywhere(evidence: &Evidence) -> Vec<Flow<'_>> {
    best(evidence, |flow| flow.data().octets >= 1)
}

/// The same data as each capture shows it.
pub(crate) fn views<'a>(evidence: &'a Evidence, flow: &Flow<'a>) -> Vec<Flow<'a>> {
    let known = evidence.between_ends.get(&sorted(flow.connection.ends)).into_iter().flatten();
    let all = known.flat_map(|&(capture, place)| {
        let connection = &evidence.connections[capture][place];
        [0, 1].map(|from| Flow { capture, connection, from })
    });
    all.filter(|view| view.is_same(flow)).collect()
}

/// The same of captures that fit alone, on the channel that is looked at.
pub(crate) fn flows_where<'a>(evidence: &'a Evidence, fits: impl Fn(&Flow<'a>) -> bool) -> Vec<Flow<'a>> {
    best(evidence, |flow| fits(flow) && evidence.is_here(flow.capture, flow.connection.ends))
}

fn best<'a>(evidence: &'a Evidence, fits: impl Fn(&Flow<'a>) -> bool) -> Vec<Flow<'a>> {
    let mut best: BTreeMap<_, Vec<Flow<'_>>> = BTreeMap::new();
    for (capture, connections) in evidence.connections.iter().enumerate() {
        for connection in connections {
            for from in [0, 1] {
                let flow = Flow { capture, connection, from };
                if !fits(&flow) {
                    continue;
                }
                let between = best.entry(flow.ends()).or_default();
                match between.iter_mut().find(|known| known.is_same(&flow)) {
                    Some(known) if flow.remoteness(evidence) < known.remoteness(evidence) => *known = flow,
                    Some(_) => {}
                    None => between.push(flow),
                }
            }
        }
    }
    let mut flows: Vec<_> = best.into_values().flatten().collect();
    flows.sort_by_key(|flow| (flow.connection.span_ns.0, flow.from));
    flows
}
