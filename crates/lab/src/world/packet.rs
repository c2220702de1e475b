//! A packet on its way.

use airloom_observe::NodeId;
use airloom_tcp::Segment;

/// Bytes of an IPv4 header without options (RFC 791).
const IP_HEADER: u32 = 20;

/// An IP packet with a TCP segment inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) segment: Segment,
    /// Its length in bytes, IP header included.
    pub(super) bytes: u32,
    /// What its memory counts for in the sending socket, in bytes.
    pub(super) truesize: u32,
    /// The sending socket.
    pub(super) from: u16,
    /// The receiving socket.
    pub(super) to: u16,
    /// The node that sent it, where its memory is given back.
    pub(super) home: NodeId,
    /// The node it is for.
    pub(super) destination: NodeId,
    /// How many hold it: queues, drivers, reorder buffers, wires.
    pub(super) holders: u8,
}

impl Packet {
    /// The IP length of `segment`.
    pub(super) fn length(segment: &Segment) -> u32 {
        IP_HEADER + segment.header_bytes() + segment.payload
    }
}
