//! A packet on its way.

use super::id::SocketId;
use airloom_observe::{Direction, Ecn, FlowId, HeaderSeen, NodeId, PacketSeen, TcpHeaderSeen};
use airloom_sim::{Handle, Time};
use airloom_tcp::Segment;
use airloom_wifi::Payload;

/// Bytes of an IPv4 header without options (RFC 791).
const IP_HEADER: u32 = 20;
/// Bytes of a header of UDP (RFC 768), and of an ICMP echo (RFC 792).
const DATAGRAM_HEADER: u32 = 8;

/// An IP packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet {
    pub(super) content: Content,
    /// Its length in bytes, IP header included.
    pub(super) bytes: u32,
    /// Its ECN field.
    pub(super) ecn: Ecn,
    /// What its memory counts for in the sending socket: bytes in one of TCP, one in others.
    pub(super) truesize: u32,
    /// The flow it belongs to.
    pub(super) flow: FlowId,
    /// Which way of the flow it travels.
    pub(super) direction: Direction,
    /// The sending socket.
    pub(super) from: SocketId,
    /// The receiving socket.
    pub(super) to: SocketId,
    /// The node that sent it, where its memory is given back.
    pub(super) home: NodeId,
    /// The node it is for.
    pub(super) destination: NodeId,
    /// How many hold it: queues, drivers, reorder buffers, wires.
    pub(super) holders: u8,
    /// Its socket has it; whoever transmitted it may hold it a little longer.
    pub(super) arrived: bool,
}

/// What is in a packet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A TCP segment.
    Segment(Segment),
    /// A UDP datagram, and when it was sent.
    Datagram { payload: u32, sent: Time },
    /// A ping or the answer to it, and when the ping was sent.
    Echo { payload: u32, sequence: u16, sent: Time },
}

impl Content {
    /// The length of the packet in bytes, IP header included.
    pub(super) fn bytes(&self) -> u32 {
        match self {
            Self::Segment(segment) => IP_HEADER + segment.header_bytes() + segment.payload,
            Self::Datagram { payload, .. } | Self::Echo { payload, .. } => {
                IP_HEADER + DATAGRAM_HEADER + payload
            }
        }
    }

    /// Its ECN field as it is sent.
    pub(super) fn ecn(&self) -> Ecn {
        match self {
            Self::Segment(segment) => segment.ecn,
            _ => Ecn::NotCapable,
        }
    }

    /// Whether it is TCP.
    pub(super) fn is_tcp(&self) -> bool {
        matches!(self, Self::Segment(_))
    }

    fn seen(&self) -> (HeaderSeen, u32) {
        match *self {
            Self::Segment(segment) => (HeaderSeen::Tcp(header(&segment)), segment.payload),
            Self::Datagram { payload, .. } => (HeaderSeen::Udp, payload),
            Self::Echo { payload, sequence, .. } => (HeaderSeen::Echo { sequence }, payload),
        }
    }
}

fn header(segment: &Segment) -> TcpHeaderSeen {
    let Segment { seq, ack, window, flags, options, .. } = *segment;
    let mut blocks = [(0, 0); 4];
    let sack = options.sack.as_slice();
    blocks[..sack.len()].copy_from_slice(sack);
    TcpHeaderSeen {
        seq,
        ack,
        window,
        flags: flags.bits(),
        mss: options.mss,
        window_scale: options.window_scale,
        sack_permitted: options.sack_permitted,
        timestamps: options.timestamps,
        sack: (blocks, sack.len() as u8),
    }
}

impl Packet {
    /// What a radio's driver is told of it.
    pub(super) fn payload(&self, packet: Handle) -> Payload {
        Payload { packet, bytes: self.bytes, tcp: self.content.is_tcp() }
    }

    /// What a capture on an interface would show of it.
    pub(super) fn seen(&self) -> PacketSeen {
        let &Self { flow, direction, home: from, destination: to, ecn, .. } = self;
        let (header, payload) = self.content.seen();
        PacketSeen { flow, direction, from, to, ecn, payload, header }
    }
}
