//! The addresses of hosts, and the ports of flows.

use airloom_observe::{Direction, FlowId, NodeId};
use airloom_wire::MacAddr;
use std::net::Ipv4Addr;

/// The port of a flow's receiver is this plus the flow's number; iperf's own for the first.
const RECEIVER_PORT: u16 = 5001;
/// The port of a flow's sender is this plus the flow's number.
const SENDER_PORT: u16 = 40_000;

/// The MAC address of a node, locally administered (IEEE 802-2014 8.4).
pub fn mac(node: NodeId) -> MacAddr {
    let [high, low] = node.0.to_be_bytes();
    MacAddr([0x02, 0, 0, 0, high, low])
}

/// The IP address of a station or a server: all share one subnet, bridged. An access point has none.
pub fn ip(node: NodeId) -> Ipv4Addr {
    let [high, low] = node.0.to_be_bytes();
    Ipv4Addr::new(10, 0, high, low)
}

/// The node that has an address, if there is one of its number.
pub fn node(address: Ipv4Addr) -> Option<NodeId> {
    match address.octets() {
        [10, 0, high, low] => Some(NodeId(u16::from_be_bytes([high, low]))),
        _ => None,
    }
}

/// The source and the destination port of the packets of a flow.
pub(super) fn ports(flow: FlowId, direction: Direction) -> (u16, u16) {
    let (sender, receiver) = (SENDER_PORT.wrapping_add(flow.0), RECEIVER_PORT.wrapping_add(flow.0));
    match direction {
        Direction::Forward => (sender, receiver),
        Direction::Backward => (receiver, sender),
    }
}
