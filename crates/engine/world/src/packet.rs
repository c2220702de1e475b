//! A packet in transit.

use super::addresses;
use super::id::{PublicationId, SocketId};
use airloom_observe::{Direction, Ecn, FlowId, NodeId, PacketSeen};
use airloom_sim::{Handle, Index, Time};
use airloom_tcp::Segment;
use airloom_wifi::{Category, Payload};
use airloom_wire::{EchoKind, EchoRepr, TcpRepr, Transport, UdpRepr};

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
    /// Its DSCP.
    pub(super) dscp: u8,
    /// Its user priority on the air, and the category of that: of the hop that it entered last.
    pub(super) priority: (u8, Category),
    /// The hash of its flow.
    pub(super) hash: u32,
    /// Its share of the sending socket's memory: bytes for TCP, one for other sockets.
    pub(super) truesize: u32,
    /// The flow it belongs to.
    pub(super) flow: FlowId,
    /// Its direction within the flow.
    pub(super) direction: Direction,
    /// The sending socket.
    pub(super) from: SocketId,
    /// The receiving socket.
    pub(super) to: SocketId,
    /// The node that sent it, to which its memory is credited.
    pub(super) home: NodeId,
    /// The node that it is for.
    pub(super) destination: NodeId,
    /// Number of its holders: queues, drivers, reorder buffers, wired links.
    pub(super) holders: u16,
    /// Its socket has received it; its transmitter may hold it a little longer.
    pub(super) arrived: bool,
}

/// The user priority of a packet without a DSCP.
pub(super) const BEST_EFFORT: (u8, Category) = (0, Category::BestEffort);

/// The content of a packet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A TCP segment.
    Segment(Segment),
    /// A UDP datagram, and when it was sent.
    Datagram { payload: u32, sent: Time },
    /// A UDP datagram to a group of stations, and when it was sent.
    Published { payload: u32, sent: Time, publication: PublicationId },
    /// A packet that was put in: its bytes, stored apart, and the fields read from them.
    Octets { octets: Handle, length: u32, ecn: Ecn, tcp: bool },
    /// A ping or the answer to it, and when the ping was sent.
    Echo { payload: u32, sequence: u16, sent: Time },
}

/// The fields of a packet that do not depend on its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope {
    /// Its length in bytes, IP header included.
    pub(super) bytes: u32,
    /// Its ECN field.
    pub(super) ecn: Ecn,
    /// Its share of the sending socket's memory: bytes for TCP, one for other sockets.
    pub(super) truesize: u32,
}

impl Envelope {
    /// Of a packet other than TCP's.
    pub(super) fn of(content: &Content) -> Self {
        Self { bytes: content.bytes(), ecn: content.ecn(), truesize: 1 }
    }

    /// Of a packet that carries `segment`.
    pub(super) fn of_segment(segment: &Segment, truesize: u32) -> Self {
        Self { bytes: segment_bytes(segment), ecn: segment.ecn, truesize }
    }
}

fn segment_bytes(segment: &Segment) -> u32 {
    IP_HEADER + segment.header.header_len() as u32 + segment.payload
}

impl Content {
    /// When a datagram or a ping was sent.
    pub(super) fn sent(&self) -> Option<Time> {
        match *self {
            Self::Datagram { sent, .. } | Self::Published { sent, .. } | Self::Echo { sent, .. } => {
                Some(sent)
            }
            Self::Segment(_) | Self::Octets { .. } => None,
        }
    }

    /// The length of the packet in bytes, IP header included.
    pub(super) fn bytes(&self) -> u32 {
        match self {
            Self::Segment(segment) => segment_bytes(segment),
            Self::Datagram { payload, .. } | Self::Published { payload, .. } | Self::Echo { payload, .. } => {
                IP_HEADER + DATAGRAM_HEADER + payload
            }
            &Self::Octets { length, .. } => length,
        }
    }

    /// Its ECN field.
    pub(super) fn ecn(&self) -> Ecn {
        match self {
            Self::Segment(segment) => segment.ecn,
            &Self::Octets { ecn, .. } => ecn,
            Self::Datagram { .. } | Self::Published { .. } | Self::Echo { .. } => Ecn::NotEct,
        }
    }

    /// Whether it is TCP.
    pub(super) fn is_tcp(&self) -> bool {
        matches!(self, Self::Segment(_) | Self::Octets { tcp: true, .. })
    }
}

impl Packet {
    /// The packet as a radio's driver gets it.
    pub(super) fn payload(&self, packet: Handle) -> Payload {
        Payload { packet, bytes: self.bytes, tcp: self.content.is_tcp(), tid: self.priority.0 }
    }

    /// The same, with the node that it is for.
    pub(super) fn addressed(&self, packet: Handle) -> (NodeId, Payload) {
        (self.destination, self.payload(packet))
    }

    /// The packet as a capture on an interface shows it; none if it was put in, since its bytes are shown instead.
    pub(super) fn seen(&self) -> Option<PacketSeen> {
        let &Self { flow, direction, home: from, destination: to, ecn, dscp, .. } = self;
        let (src_port, dst_port) = addresses::ports(flow, direction);
        let (transport, payload) = match self.content {
            Content::Segment(Segment { header, payload, .. }) => {
                (Transport::Tcp(TcpRepr { src_port, dst_port, ..header }), payload)
            }
            Content::Datagram { payload, .. } | Content::Published { payload, .. } => {
                (Transport::Udp(UdpRepr { src_port, dst_port }), payload)
            }
            Content::Echo { sequence, payload, .. } => {
                let kind = match direction {
                    Direction::Forward => EchoKind::Request,
                    Direction::Backward => EchoKind::Reply,
                };
                (Transport::Echo(EchoRepr { kind, ident: flow.0 + 1, sequence }), payload)
            }
            Content::Octets { .. } => return None,
        };
        let to = match self.content {
            Content::Published { publication, .. } => addresses::group_node(publication.place() as u16),
            _ => to,
        };
        Some(PacketSeen { flow, from, to, ecn, dscp, transport, payload })
    }
}
