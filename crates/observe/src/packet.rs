//! Packets as they would be read off a wire.

use crate::{Direction, Ecn, FlowId, NodeId};

/// An IP packet of a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketSeen {
    /// The flow.
    pub flow: FlowId,
    /// Which way it travels in its flow.
    pub direction: Direction,
    /// The host that sent it.
    pub from: NodeId,
    /// The host it is for.
    pub to: NodeId,
    /// ECN field of the IP header.
    pub ecn: Ecn,
    /// Payload bytes.
    pub payload: u32,
    /// The header above IP.
    pub header: HeaderSeen,
}

/// The header above IP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeaderSeen {
    /// A TCP segment.
    Tcp(TcpHeaderSeen),
    /// A UDP datagram.
    Udp,
    /// A ping forward, its answer backward.
    Echo {
        /// Counts the pings.
        sequence: u16,
    },
}

/// A TCP header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TcpHeaderSeen {
    /// First sequence number.
    pub seq: u32,
    /// Acknowledgment number.
    pub ack: u32,
    /// Window as on the wire.
    pub window: u16,
    /// Control bits as in byte 13 of the TCP header.
    pub flags: u8,
    /// Maximum segment size option in bytes.
    pub mss: Option<u16>,
    /// Window scale option.
    pub window_scale: Option<u8>,
    /// SACK-permitted option.
    pub sack_permitted: bool,
    /// Timestamp value and echo reply.
    pub timestamps: Option<(u32, u32)>,
    /// SACK blocks and how many of them there are.
    pub sack: ([(u32, u32); 4], u8),
}
