//! The addresses of hosts, and the ports of flows.

use airloom_observe::{Direction, FlowId, NodeId};
use airloom_wire::MacAddr;
use std::net::Ipv4Addr;

/// The port of a flow's receiver is this plus the flow's number; iperf's own for the first.
const RECEIVER_PORT: u16 = 5001;
/// The port of a flow's sender is this plus the flow's number.
const SENDER_PORT: u16 = 40_000;

/// The least number of a group of receivers: no node has one so high.
const FIRST_GROUP: u16 = 1 << 15;

/// The MAC address of a node, locally administered (IEEE 802-2014 8.4).
///
/// Numbers from 2^15 on are those of groups, whose addresses follow from their IP addresses (RFC 1112, section 6.4).
pub fn mac(node: NodeId) -> MacAddr {
    let [high, low] = node.0.to_be_bytes();
    if node.0 >= FIRST_GROUP {
        return MacAddr([0x01, 0x00, 0x5e, 0x7f, high & 0x7f, low]);
    }
    MacAddr([0x02, 0, 0, 0, high, low])
}

/// The IP address of a station or a server: all share one subnet, bridged. An access point has none.
///
/// Groups are in the local scope of RFC 2365, 239.255.0.0/16.
pub fn ip(node: NodeId) -> Ipv4Addr {
    let [high, low] = node.0.to_be_bytes();
    if node.0 >= FIRST_GROUP {
        return Ipv4Addr::new(239, 255, high & 0x7f, low);
    }
    Ipv4Addr::new(10, 0, high, low)
}

/// The number that stands for the receivers of a publication.
pub(super) fn group_node(publication: u16) -> NodeId {
    NodeId(FIRST_GROUP | publication)
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
