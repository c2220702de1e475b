//! A packet on its way.

use airloom_observe::{Direction, Ecn, FlowId, NodeId, PacketSeen};
use airloom_tcp::Segment;

/// Bytes of an IPv4 header without options (RFC 791).
const IP_HEADER: u32 = 20;

/// An IP packet with a TCP segment inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) segment: Segment,
    /// Its length in bytes, IP header included.
    pub(super) bytes: u32,
    /// Its ECN field.
    pub(super) ecn: Ecn,
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
    /// What a capture on an interface would show of it.
    pub(super) fn seen(&self) -> PacketSeen {
        let Segment { seq, ack, payload, window, flags, options, .. } = self.segment;
        let mut blocks = [(0, 0); 4];
        let sack = options.sack.as_slice();
        blocks[..sack.len()].copy_from_slice(sack);
        // The sender of flow n is socket 2n.
        let direction = if self.from.is_multiple_of(2) { Direction::Forward } else { Direction::Backward };
        PacketSeen {
            flow: FlowId(self.from / 2),
            direction,
            from: self.home,
            to: self.destination,
            seq,
            ack,
            payload,
            window,
            ecn: self.ecn,
            flags: flags.bits(),
            mss: options.mss,
            window_scale: options.window_scale,
            sack_permitted: options.sack_permitted,
            timestamps: options.timestamps,
            sack: (blocks, sack.len() as u8),
        }
    }

    /// The IP length of `segment`.
    pub(super) fn length(segment: &Segment) -> u32 {
        IP_HEADER + segment.header_bytes() + segment.payload
    }
}
