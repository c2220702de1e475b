//! Generic receive offload: segments of a flow that a radio passes up together reach TCP as one packet.
//!
//! Drivers with NAPI (ath10k, ath11k, mt76, iwlwifi) hand what one interrupt brought to `napi_gro_receive`, which merges neighbours of a
//! flow; those without, such as ath9k, hand up each by itself (Linux 6.18: `ieee80211_rx_napi`, net/mac80211/rx.c; `tcp_gro_receive`,
//! net/ipv4/tcp_offload.c; `skb_gro_receive`, net/core/gro.c). Here what an MPDU or a BlockAck's reorder buffer lets go in one instant is
//! merged. TCP sees its segments one by one still, but acknowledges only the last of those that came in one packet.

use super::World;
use super::id::SocketId;
use super::packet::Content;
use airloom_observe::{NodeId, Probe};
use airloom_sim::Handle;
use airloom_tcp::Segment;
use airloom_wire::TcpFlags;

/// The longest packet, headers included (`GRO_LEGACY_MAX_SIZE`).
const LONGEST: u32 = 65_536;

/// The nodes whose drivers merge, and what is held of flows while packets are passed up.
pub(super) struct Gro {
    /// By node.
    merges: Vec<bool>,
    held: Vec<Held>,
}

/// The packet to which the next segment of a flow may be added.
#[derive(Clone, Copy)]
struct Held {
    socket: SocketId,
    /// The last segment in it.
    last: Handle,
    /// Its length, and the payload of each of its segments.
    length: u32,
    each: u32,
}

impl Gro {
    /// For nodes of which these merge; none if no one does.
    pub(super) fn of(merges: Vec<bool>) -> Option<Self> {
        merges.contains(&true).then_some(Self { merges, held: Vec::new() })
    }
}

impl<P: Probe> World<P> {
    /// Radios pass packets up: marks segments that are in one packet with those that follow them.
    pub(super) fn merge(&mut self, arrived: &[(NodeId, Handle)]) {
        let Some(gro) = &mut self.gro else { return };
        gro.held.clear();
        for &(node, handle) in arrived {
            let packet = self.packets.get(handle);
            let (Content::Segment(segment), true) = (packet.content, packet.destination == node) else {
                continue;
            };
            if !gro.merges.get(usize::from(node.0)).is_some_and(|merges| *merges) || segment.payload == 0 {
                continue;
            }
            let place = gro.held.iter().position(|held| held.socket == packet.to);
            let mut held =
                Held { socket: packet.to, last: handle, length: packet.bytes, each: segment.payload };
            let Some(place) = place else {
                gro.held.push(held);
                continue;
            };
            let before = gro.held[place];
            let Content::Segment(last) = &mut self.packets.get_mut(before.last).content else { continue };
            let length = before.length + segment.payload;
            if last.payload == before.each && length < LONGEST && merges(last, &segment, before.each) {
                last.followed = true;
                held = Held { length, each: before.each, ..held };
            }
            gro.held[place] = held;
        }
    }
}

/// Whether a segment may be added to a packet whose last one this is, and whose segments have `each` octets of payload.
fn merges(last: &Segment, segment: &Segment, each: u32) -> bool {
    let ends = |flags: TcpFlags| {
        [TcpFlags::FIN, TcpFlags::PSH, TcpFlags::SYN, TcpFlags::RST].iter().any(|flag| flags.contains(*flag))
    };
    let compared = |segment: &Segment| {
        let header = &segment.header;
        let echo = [TcpFlags::ECE, TcpFlags::CWR].map(|flag| header.flags.contains(flag));
        let options = (header.options.timestamps, header.options.sack.is_empty());
        (header.ack, header.window, options, echo, segment.ecn)
    };
    segment.header.seq == last.header.seq.wrapping_add(last.payload)
        && segment.payload <= each
        && !ends(last.header.flags)
        && compared(last) == compared(segment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::Ecn;
    use airloom_wire::{TcpRepr, Timestamps};

    const EACH: u32 = 1448;

    fn segment(n: u32) -> Segment {
        let mut header =
            TcpRepr { seq: (n * EACH).wrapping_sub(3000), ack: 7, window: 99, ..TcpRepr::default() };
        header.flags = TcpFlags::ACK;
        header.options.timestamps = Some(Timestamps { value: 5, echo: 4 });
        Segment { header, payload: EACH, ..Segment::default() }
    }

    /// What `tcp_gro_receive` compares: neighbours, the word of flags and window, options, and the ECN field of IP.
    #[test]
    fn neighbours_that_differ_in_nothing_else_are_merged() {
        let with = |change: fn(&mut Segment)| {
            let mut second = segment(3);
            change(&mut second);
            merges(&segment(2), &second, EACH)
        };
        assert!(with(|_| {}));
        assert!(with(|one| one.payload = 10), "a shorter one is the last");
        assert!(
            with(|one| one.header.flags = TcpFlags::ACK | TcpFlags::PSH),
            "one that ends a write is the last"
        );
        assert!(!with(|one| one.payload = EACH + 1));
        assert!(!with(|one| one.header.seq += 1));
        assert!(!with(|one| one.header.ack += 1));
        assert!(!with(|one| one.header.window += 1));
        assert!(!with(|one| one.header.options.timestamps = Some(Timestamps { value: 6, echo: 4 })));
        assert!(!with(|one| one.ecn = Ecn::Ce));
        let mut pushed = segment(2);
        pushed.header.flags = TcpFlags::ACK | TcpFlags::PSH;
        assert!(!merges(&pushed, &segment(3), EACH));
    }
}
