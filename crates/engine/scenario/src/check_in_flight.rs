//! Checks that datagrams and pings on wires fit into memory: rates and delays are bounded apart, their product is not.

use crate::flow::{Flow, FlowKind, MOST_DATAGRAMS, UdpRate};
use crate::server::{Link, Server};
use airloom_config::error::{At, Faults};
use airloom_config::toml_tree::{Table, TomlNode};

/// The most datagrams on all wires at once: some hundred bytes of memory each.
const MOST_IN_FLIGHT: f64 = 4e6;
/// Bytes of a datagram on a wire besides its payload: headers of IP and UDP, and what Ethernet puts around a packet.
const HEADERS: u32 = 28 + 38;

/// Reports the flow with which packets on wires become too many.
pub(super) fn check(faults: &Faults, root: &Table, servers: &[Server], flows: &[Flow]) {
    let mut loads: Vec<Load> = servers.iter().map(|server| Load::none(&server.link)).collect();
    let mut in_flight = 0.0;
    for (flow, node) in flows.iter().zip(simulated(root)) {
        let ends = servers.iter().zip(&mut loads);
        for (server, load) in ends.filter(|(server, _)| [&flow.from, &flow.to].contains(&&server.name)) {
            let Some((asked, payload, key)) = asked(flow, server) else { continue };
            in_flight -= load.in_flight();
            load.asked += asked;
            load.shortest = load.shortest.min(payload);
            in_flight += load.in_flight();
            if in_flight > MOST_IN_FLIGHT {
                let message = format!(
                    "more than 4,000,000 packets would be on the way at once, over the link of `{}`",
                    server.name
                );
                let hint =
                    "give the `link` less `delay` or a lower `rate`, or ask for fewer or larger packets";
                return faults.fail(place(node, key), message, Some(hint.to_owned()));
            }
        }
    }
}

/// What flows have a server's link carry, one way.
struct Load<'a> {
    link: &'a Link,
    /// Packets a second.
    asked: f64,
    /// The shortest payload of any.
    shortest: u32,
}

impl<'a> Load<'a> {
    fn none(link: &'a Link) -> Self {
        Self { link, asked: 0.0, shortest: u32::MAX - HEADERS }
    }

    fn in_flight(&self) -> f64 {
        let carried = self.link.rate.highest().as_bps() as f64 / 8.0 / f64::from(self.shortest + HEADERS);
        let late = self.link.late.as_ref().map_or(0.0, |late| late.share * late.by.as_secs_f64());
        self.asked.min(carried) * (self.link.delay.as_secs_f64() + late)
    }
}

/// The tables of flows that are simulated, in their order.
fn simulated(root: &Table) -> impl Iterator<Item = &TomlNode> {
    let is_program = |node: &&TomlNode| {
        node.table().and_then(|table| table.get("kind")).and_then(TomlNode::text) == Some("command")
    };
    root.items("flow").iter().filter(move |node| !is_program(node))
}

fn place(flow: &TomlNode, key: &str) -> At {
    flow.table().and_then(|table| table.get(key)).map_or(flow.at, |node| node.at)
}

/// How many packets a second a flow asks a server's link to carry, one way, with their payload, and the key that says so. None for
/// TCP, which has no more in flight than its window, and of what `traffic` sends, which may be a class of one's own, of which nobody knows.
fn asked(flow: &Flow, server: &Server) -> Option<(f64, u32, &'static str)> {
    match flow.kind {
        FlowKind::Tcp { .. } | FlowKind::Udp { rate: UdpRate::Traffic(_), .. } => None,
        FlowKind::Udp { rate: UdpRate::Paced(rate, _), payload } => {
            Some((rate.as_bps() as f64 / 8.0 / f64::from(payload), payload, "rate"))
        }
        FlowKind::Publish { rate, payload, .. } => {
            Some((rate.as_bps() as f64 / (8.0 * f64::from(payload)), payload, "rate"))
        }
        FlowKind::Udp { rate: UdpRate::Saturated, payload } if flow.from == server.name => {
            Some((f64::INFINITY, payload, "rate"))
        }
        FlowKind::Udp { rate: UdpRate::Saturated, payload } => Some((MOST_DATAGRAMS as f64, payload, "rate")),
        FlowKind::Ping { interval, payload } => Some((1.0 / interval.as_secs_f64(), payload, "interval")),
    }
}
