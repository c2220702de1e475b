//! Packets as they would be read off a wire.

use crate::{Ecn, FlowId, NodeId};
use airloom_wire::Transport;

/// An IP packet.
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
    /// The header above IP.
    pub transport: Transport,
    /// Payload bytes.
    pub payload: u32,
}
