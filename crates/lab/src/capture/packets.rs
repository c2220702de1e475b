//! Packets by their handles, as headers.

use airloom_observe::{NodeId, PacketSeen};
use airloom_sim::{Handle, IndexVec};
use airloom_wire::{Ecn, Ipv4Repr, Packet, Payload};
use airloom_world::addresses::ip;

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
        let PacketSeen { from, to, ecn, transport, payload, .. } = content;
        let ip = Ipv4Repr {
            ident,
            dont_fragment: true,
            ecn: match ecn {
                airloom_observe::Ecn::NotCapable => Ecn::NotEct,
                airloom_observe::Ecn::Capable => Ecn::Ect0,
                airloom_observe::Ecn::Marked => Ecn::Ce,
            },
            ..Ipv4Repr::new(ip(from), ip(to))
        };
        Some((Packet { ip, transport, payload: Payload::Zeros(payload as usize) }, from, to))
    }
}
