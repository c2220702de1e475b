//! Packets by their handles, as they would be on a wire.

use airloom_observe::{NodeId, OctetsSeen, PacketSeen};
use airloom_sim::{Handle, IndexVec};
use airloom_wire::{Error, Ipv4Repr, Packet, Payload};
use airloom_world::addresses::ip;

/// A packet in transit.
pub(super) struct Sent {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) content: Content,
}

/// The content of a packet.
pub(super) enum Content {
    /// Headers, and a payload of zeros.
    Headers(Packet<'static>),
    /// The bytes of a packet that was put in from outside.
    Octets(Vec<u8>),
}

impl Content {
    /// Appends the first octets, at most `room` of them, and returns the length of the whole packet in octets.
    pub(super) fn emit(&self, room: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        match self {
            Self::Headers(packet) => packet.emit(room, out),
            Self::Octets(octets) => {
                Payload::Bytes(octets).emit(room, out);
                Ok(octets.len())
            }
        }
    }
}

/// The packets in transit, by handle.
#[derive(Default)]
pub(super) struct Packets {
    known: Vec<Option<Sent>>,
    /// The next IP identification of each host.
    next: IndexVec<NodeId, u16>,
}

impl Packets {
    /// A host sends `packet`, which gets the host's next identification.
    pub(super) fn number(&mut self, packet: Handle, seen: &PacketSeen) {
        let &PacketSeen { from, to, ecn, dscp, transport, payload, .. } = seen;
        let next = self.next.grown_to(from);
        let ident = *next;
        *next = next.wrapping_add(1);
        let ip = Ipv4Repr { ident, dont_fragment: true, ecn, dscp, ..Ipv4Repr::new(ip(from), ip(to)) };
        let content = Content::Headers(Packet { ip, transport, payload: Payload::Zeros(payload as usize) });
        self.keep(packet, Sent { from, to, content });
    }

    /// The current bytes of a packet that was put in from outside.
    pub(super) fn octets(&mut self, seen: &OctetsSeen<'_>) {
        let &OctetsSeen { packet, from, to, octets, .. } = seen;
        self.keep(packet, Sent { from, to, content: Content::Octets(octets.to_vec()) });
    }

    /// The packet as it was sent; none if it was sent before the capture began.
    pub(super) fn get(&self, packet: Handle) -> Option<&Sent> {
        self.known.get(packet.0 as usize)?.as_ref()
    }

    fn keep(&mut self, packet: Handle, sent: Sent) {
        let place = packet.0 as usize;
        if self.known.len() <= place {
            self.known.resize_with(place + 1, || None);
        }
        self.known[place] = Some(sent);
    }
}
