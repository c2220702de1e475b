//! Who is who in a capture: addresses of nodes, ports of flows, and packets by their handles.

use airloom_observe::{Direction, HeaderSeen, NodeId, PacketSeen, TcpHeaderSeen};
use airloom_sim::{Handle, IndexVec};
use airloom_wire::{
    EchoKind, EchoRepr, Ecn, Ipv4Repr, MacAddr, Packet, Payload, SackBlock, SackBlocks, TcpFlags, TcpOptions,
    TcpRepr, Timestamps, Transport, UdpRepr,
};
use std::net::Ipv4Addr;

/// The port of a flow's receiver is this plus the flow's number; iperf's own for the first.
const RECEIVER_PORT: u16 = 5001;
/// The port of a flow's sender is this plus the flow's number.
const SENDER_PORT: u16 = 40_000;

/// A locally administered MAC address (IEEE 802-2014 8.4).
pub(super) fn mac(node: NodeId) -> MacAddr {
    let [high, low] = node.0.to_be_bytes();
    MacAddr([0x02, 0, 0, 0, high, low])
}

/// The access point has no IP address; stations and servers share one subnet, bridged.
fn ip(node: NodeId) -> Ipv4Addr {
    let [high, low] = node.0.to_be_bytes();
    Ipv4Addr::new(10, 0, high, low)
}

/// What is in the packets that are on their way, by handle, with the IP identification each was sent with.
#[derive(Default)]
pub(super) struct Packets {
    known: Vec<Option<(PacketSeen, u16)>>,
    /// The next identification of each host.
    next: IndexVec<NodeId, u16>,
}

impl Packets {
    /// A host sends `packet`.
    pub(super) fn number(&mut self, packet: Handle, content: &PacketSeen) {
        let next = self.next.grown_to(content.from);
        let ident = *next;
        *next = next.wrapping_add(1);
        let place = packet.0 as usize;
        self.known.resize(self.known.len().max(place + 1), None);
        self.known[place] = Some((*content, ident));
    }

    /// The packet as headers, and its ends; none if it was sent before anybody looked.
    pub(super) fn get(&self, packet: Handle) -> Option<(Packet<'static>, NodeId, NodeId)> {
        let (content, ident) = self.known.get(packet.0 as usize).copied().flatten()?;
        let ip = Ipv4Repr {
            ident,
            dont_fragment: true,
            ecn: match content.ecn {
                airloom_observe::Ecn::NotCapable => Ecn::NotEct,
                airloom_observe::Ecn::Capable => Ecn::Ect0,
                airloom_observe::Ecn::Marked => Ecn::Ce,
            },
            ..Ipv4Repr::new(ip(content.from), ip(content.to))
        };
        let packet =
            Packet { ip, transport: transport(&content), payload: Payload::Zeros(content.payload as usize) };
        Some((packet, content.from, content.to))
    }
}

fn transport(content: &PacketSeen) -> Transport {
    let (sender, receiver) = (SENDER_PORT + content.flow.0, RECEIVER_PORT + content.flow.0);
    let (ports, kind) = match content.direction {
        Direction::Forward => ((sender, receiver), EchoKind::Request),
        Direction::Backward => ((receiver, sender), EchoKind::Reply),
    };
    match &content.header {
        HeaderSeen::Tcp(header) => Transport::Tcp(tcp(header, ports)),
        HeaderSeen::Udp => Transport::Udp(UdpRepr { src_port: ports.0, dst_port: ports.1 }),
        &HeaderSeen::Echo { sequence } => {
            Transport::Echo(EchoRepr { kind, ident: content.flow.0 + 1, sequence })
        }
    }
}

fn tcp(header: &TcpHeaderSeen, (src_port, dst_port): (u16, u16)) -> TcpRepr {
    let (blocks, count) = header.sack;
    let blocks = blocks.into_iter().take(usize::from(count));
    let sack: SackBlocks = blocks.map(|(left, right)| SackBlock { left, right }).collect();
    TcpRepr {
        src_port,
        dst_port,
        seq: header.seq,
        ack: header.ack,
        flags: TcpFlags(u16::from(header.flags)),
        window: header.window,
        urgent: 0,
        options: TcpOptions {
            mss: header.mss,
            window_scale: header.window_scale,
            sack_permitted: header.sack_permitted,
            timestamps: header.timestamps.map(|(value, echo)| Timestamps { value, echo }),
            sack,
        },
    }
}
