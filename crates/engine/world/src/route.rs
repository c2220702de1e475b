//! Routes packets from hop to hop: station, access point, server.

use super::id::{SocketId, WiredLinkId};
use super::packet::{Content, Packet};
use super::wired_link::ManagedQueue;
use super::{Node, World};
use airloom_observe::{NodeId, Observation, Probe};
use airloom_queue::{Item, Next, Queueing};
use airloom_sim::{Handle, Time};
use airloom_wifi::Done;

impl<P: Probe> World<P> {
    /// Hands a packet to the queue of its sending node, `home`; false if there is no room.
    // Inlined, so that the packet is built in its final place.
    #[inline(always)]
    pub(super) fn launch(&mut self, now: Time, home: NodeId, packet: impl FnOnce() -> Packet) -> bool {
        let handle = self.packets.insert_with(packet);
        let accepted = match *self.node(home) {
            Node::Server { uplink, .. } => self.enter_wired_link(now, uplink, handle),
            Node::Radio(_) => self.enter_air(now, home, handle),
        };
        if !accepted {
            self.release(handle);
        }
        accepted
    }

    /// A packet has reached `node`, over a wired link or through its reorder buffer; the node receives it or passes it on.
    #[inline(always)]
    pub(super) fn arrived(&mut self, now: Time, node: NodeId, handle: Handle) {
        let destination = self.packets.get(handle).destination;
        if destination == node {
            self.tap(now, node, false, handle);
            self.receive(now, handle);
        } else {
            self.forward(now, node, destination, handle);
        }
    }

    /// A packet that has come to `node`, an access point, goes on once the processors on its way, if there are any, have had the
    /// time for it.
    #[inline(always)]
    fn forward(&mut self, now: Time, node: NodeId, destination: NodeId, handle: Handle) {
        if self.bridge.has_processors() {
            self.come_in(now, node, handle);
        } else {
            self.send_on(now, destination, handle);
        }
    }

    /// A packet leaves an access point: to a server over a wired link, to a station by air, from the access point at which it is.
    #[inline(always)]
    pub(super) fn send_on(&mut self, now: Time, destination: NodeId, handle: Handle) {
        let accepted = match *self.node(destination) {
            Node::Server { downlink, .. } => self.enter_wired_link(now, downlink, handle),
            _ => self.enter_air(now, self.bridge.access_point_of(destination), handle),
        };
        if !accepted {
            self.release(handle);
        }
    }

    /// A packet has reached the end of a wired link.
    pub(super) fn arrival(&mut self, now: Time, link: WiredLinkId) {
        let wired_link = &mut self.wired_links[link];
        let (slot, node, impaired) = (wired_link.arrival, wired_link.to, wired_link.impairment.is_some());
        let Some((handle, next)) = wired_link.arrive() else { return };
        self.calendar.set_or_cancel(slot, next);
        if !impaired || self.passes(now, link, handle) {
            self.arrived(now, node, handle);
        }
    }

    /// A packet has left its sender's own card, and the sender gets its memory back.
    pub(super) fn departure(&mut self, now: Time, link: WiredLinkId) {
        let wired_link = &mut self.wired_links[link];
        let slot = wired_link.departure;
        let Some((credit, next)) = wired_link.depart() else { return };
        self.calendar.set_or_cancel(slot, next);
        self.credit(now, credit.socket, u64::from(credit.truesize));
    }

    /// Drivers have finished with packets: their senders get the memory back, one credit per socket.
    pub(super) fn transmitted(&mut self, now: Time, done: &[Done]) {
        let mut pending: Option<(SocketId, u64)> = None;
        for &Done { node, packet: handle, .. } in done {
            let packet = self.packets.get(handle);
            let (home, from, truesize) = (packet.home, packet.from, u64::from(packet.truesize));
            self.release(handle);
            if home != node {
                continue;
            }
            pending = match pending {
                Some((socket, sum)) if socket == from => Some((socket, sum + truesize)),
                other => {
                    if let Some((socket, sum)) = other {
                        self.credit(now, socket, sum);
                    }
                    Some((from, truesize))
                }
            };
        }
        if let Some((socket, sum)) = pending {
            self.credit(now, socket, sum);
        }
    }

    /// Puts a packet on a wired link, through its managed queue if it has one; false if there is no room.
    #[inline(always)]
    pub(super) fn enter_wired_link(&mut self, now: Time, link: WiredLinkId, handle: Handle) -> bool {
        if self.wired_links[link].managed.is_none() {
            self.enter_line(now, link, handle)
        } else {
            self.enter_managed(now, link, handle)
        }
    }

    /// Puts a packet into the managed queue of a link, or on the link if both are free.
    fn enter_managed(&mut self, now: Time, link: WiredLinkId, handle: Handle) -> bool {
        let item = self.item(handle);
        let wired_link = &mut self.wired_links[link];
        let (node, free) = (wired_link.from, wired_link.free_at() <= now);
        let Some(ManagedQueue { queue, free: slot }) = &mut wired_link.managed else { return false };
        if free && queue.is_bypassed() {
            let accepted = self.enter_line(now, link, handle);
            if accepted {
                self.wired_links[link].bypassed(now, &mut self.probe);
                if self.datagrams_follow {
                    self.passed_queue(node, handle);
                }
            }
            return accepted;
        }
        if free && queue.is_empty() {
            self.calendar.set(*slot, now);
        }
        let accepted = queue.enqueue(now, item, &mut self.dropped, &mut self.probe).is_ok();
        self.discard(node);
        accepted
    }

    /// A link behind a managed queue is free: it takes the next packet, or polls again when the queue allows it.
    pub(super) fn line_free(&mut self, now: Time, link: WiredLinkId) {
        let wired_link = &mut self.wired_links[link];
        let node = wired_link.from;
        let Some(ManagedQueue { queue, free }) = &mut wired_link.managed else { return };
        let next = queue.dequeue(now, &mut self.dropped, &mut self.probe);
        if let Next::NotBefore(at) = next {
            self.calendar.set(*free, at);
        }
        self.discard(node);
        if let Next::Packet(item) = next {
            let packet = self.packets.get_mut(item.packet);
            packet.ecn = item.ecn;
            let from = packet.from;
            self.enter_line(now, link, item.packet);
            self.left_queue(now, node, item.packet);
            self.settle_tcp(now, from);
        }
    }

    /// Puts a packet on the link itself; false if there is no room.
    fn enter_line(&mut self, now: Time, link: WiredLinkId, handle: Handle) -> bool {
        let &Packet { bytes, home, from, truesize, .. } = self.packets.get(handle);
        let wired_link = &mut self.wired_links[link];
        let Ok(arrival) = wired_link.enqueue(now, handle, bytes, &mut self.probe) else { return false };
        if arrival.is_some() {
            self.calendar.set_or_cancel(wired_link.arrival, arrival);
        }
        if let Some(ManagedQueue { free, .. }) = wired_link.managed {
            self.calendar.set(free, wired_link.free_at());
        }
        let near = wired_link.from;
        if home == near {
            self.tap(now, home, true, handle);
            self.credit_at_departure(now, link, from, truesize);
        }
        true
    }

    /// A packet as a queue sees it.
    pub(super) fn item(&self, handle: Handle) -> Item {
        let &Packet { bytes, hash: flow, ecn, .. } = self.packets.get(handle);
        Item { packet: handle, bytes, flow, ecn }
    }

    /// Releases the packets that a queue of `node` has dropped. A local socket gets their memory back later: packets
    /// that it then sends must not overtake the one being sent.
    #[inline]
    pub(super) fn discard(&mut self, node: NodeId) {
        if !self.dropped.is_empty() {
            self.let_go(node);
        }
    }

    #[cold]
    fn let_go(&mut self, node: NodeId) {
        while let Some(Item { packet: handle, .. }) = self.dropped.pop() {
            let &Packet { home, from, truesize, .. } = self.packets.get(handle);
            if home == node {
                self.pending_credits.push_back((from, truesize));
            }
            self.release(handle);
        }
    }

    /// Shows the probe a packet at the interface of `node`, where a capture on that host would see it.
    pub(super) fn tap(&mut self, now: Time, node: NodeId, sent: bool, handle: Handle) {
        if P::DETAIL {
            let Packet { home, destination, .. } = *self.packets.get(handle);
            if home != node && destination != node {
                return;
            }
            match self.packets.get(handle).seen() {
                Some(content) => {
                    self.probe.see(now, Observation::Packet { node, sent, packet: handle, content });
                }
                None => self.show_octets(now, (node, sent), handle),
            }
        }
    }

    /// One holder releases the packet.
    #[inline]
    pub(super) fn release(&mut self, handle: Handle) {
        let let_go = |packet: &mut Packet| {
            packet.holders -= 1;
            packet.holders == 0
        };
        if let Some(packet) = self.packets.remove_if(handle, let_go)
            && let Content::Octets { octets, .. } = packet.content
            && !packet.arrived
        {
            self.fed.lose(octets);
        }
    }
}
