//! Packets as they would be on a wire.

use crate::{Ecn, FlowId, NodeId};
use airloom_sim::Handle;
use airloom_wire::Transport;

/// An IP packet of a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketSeen {
    /// The flow that it belongs to.
    pub flow: FlowId,
    /// The host that sent it.
    pub from: NodeId,
    /// The host it is for.
    pub to: NodeId,
    /// ECN field of the IP header.
    pub ecn: Ecn,
    /// DSCP of the IP header.
    pub dscp: u8,
    /// The header above IP.
    pub transport: Transport,
    /// Payload bytes.
    pub payload: u32,
}

/// The bytes of a packet that was put in from outside, as it passes a host's network interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctetsSeen<'a> {
    /// The host whose interface it passes.
    pub node: NodeId,
    /// Whether it left the host rather than reached it.
    pub sent: bool,
    /// The packet.
    pub packet: Handle,
    /// The host that sent it.
    pub from: NodeId,
    /// The host it is for.
    pub to: NodeId,
    /// The packet from its IPv4 header on.
    pub octets: &'a [u8],
}
