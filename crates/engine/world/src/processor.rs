//! An access point's processor: every packet that passes between wires and air takes its time, one after the other.
//!
//! Linux forwards in soft interrupts, here on one core. NAPI takes up to 300 packets from the Ethernet's receive ring, then the
//! radio's tasklet takes what its ring holds (`net/core/dev.c`, `net_rx_action`, `netdev_budget`). That is about a ring of each
//! in turn, so no packet waits for many that came later: in this model the order is that of arrival. What finds its ring full
//! is lost.

use super::packet::Packet;
use super::{Event, World};
use airloom_observe::{DropCause, NodeId, Observation, Probe, QueueEvent, QueueId, QueueLayer};
use airloom_sim::{Calendar, Duration, Handle, Slot, Time};
use std::collections::VecDeque;

/// A packet that waits, or is in work.
struct Waiting {
    packet: Handle,
    since: Time,
    cost: Duration,
    /// The ring that it came through.
    ring: Ring,
}

/// A receive ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ring {
    Ethernet,
    Radio,
}

/// The processor of an access point.
pub(super) struct Processor {
    id: QueueId,
    to_air: Duration,
    to_wire: Duration,
    /// How many packets wait in the Ethernet's ring and in the radio's, and how many there is room for.
    held: [u32; 2],
    room: [u32; 2],
    /// In the order in which they came; the first is in work.
    packets: VecDeque<Waiting>,
    /// Fires when the packet in work is done.
    done: Slot,
}

impl Processor {
    /// The processor of the access point `node`.
    pub(super) fn new(
        node: NodeId,
        given: &airloom_scenario::Processor,
        calendar: &mut Calendar<Event>,
    ) -> Self {
        Self {
            id: QueueId { node, layer: QueueLayer::Processor },
            to_air: given.to_air,
            to_wire: given.to_wire,
            held: [0; 2],
            room: [given.ethernet_ring, given.radio_ring],
            packets: VecDeque::new(),
            done: calendar.reserve(Event::Processed(node)),
        }
    }

    /// Takes in a packet that came through `ring` and leaves by air or over a wire. Returns when the timer must be armed,
    /// if it was not; an error is a drop.
    fn take_in<P: Probe>(
        &mut self,
        now: Time,
        packet: Handle,
        (ring, by_air): (Ring, bool),
        probe: &mut P,
    ) -> Result<Option<Time>, ()> {
        let (queue, at) = (self.id, ring as usize);
        let idle = self.packets.is_empty();
        if !idle && self.held[at] >= self.room[at] {
            let (cause, packets) = (DropCause::Full, self.packets.len() as u32);
            probe.see(now, Observation::Queue(QueueEvent::Drop { queue, cause, packets }));
            return Err(());
        }
        let cost = if by_air { self.to_air } else { self.to_wire };
        self.held[at] += u32::from(!idle);
        self.packets.push_back(Waiting { packet, since: now, cost, ring });
        let packets = self.packets.len() as u32;
        probe.see(now, Observation::Queue(QueueEvent::In { queue, packets }));
        Ok(idle.then(|| now + cost))
    }

    /// The packet in work is done: it, and when the next one will be.
    fn finish<P: Probe>(&mut self, now: Time, probe: &mut P) -> Option<(Handle, Option<Time>)> {
        let Waiting { packet, since, .. } = self.packets.pop_front()?;
        let out =
            QueueEvent::Out { queue: self.id, packets: self.packets.len() as u32, sojourn: now - since };
        probe.see(now, Observation::Queue(out));
        let next = self.packets.front().map(|next| {
            self.held[next.ring as usize] -= 1;
            now + next.cost
        });
        Some((packet, next))
    }
}

impl<P: Probe> World<P> {
    /// A packet has come to an access point, by air or over the wire that ends there.
    #[cold]
    pub(super) fn come_in(&mut self, now: Time, node: NodeId, handle: Handle) {
        let &Packet { home, destination, .. } = self.packets.get(handle);
        self.process(now, self.bridge.way_in(node, home, destination), handle);
    }

    /// A packet comes to an access point's processor, if that has one.
    fn process(&mut self, now: Time, access_point: NodeId, handle: Handle) {
        let &Packet { home, destination, .. } = self.packets.get(handle);
        let is_here = |station: NodeId| self.bridge.access_point_of(station) == access_point;
        let ring = if is_here(home) { Ring::Radio } else { Ring::Ethernet };
        let by_air = is_here(destination);
        let Some(processor) = self.bridge.processor(access_point) else {
            return self.go_on(now, access_point, handle);
        };
        match processor.take_in(now, handle, (ring, by_air), &mut self.probe) {
            Ok(None) => {}
            Ok(Some(at)) => self.calendar.set(processor.done, at),
            Err(()) => self.release(handle),
        }
    }

    /// An access point's processor is done with a packet, which goes on.
    pub(super) fn processed(&mut self, now: Time, access_point: NodeId) {
        let Some(processor) = self.bridge.processor(access_point) else { return };
        let Some((handle, next)) = processor.finish(now, &mut self.probe) else { return };
        self.calendar.set_or_cancel(processor.done, next);
        self.go_on(now, access_point, handle);
    }

    /// A packet leaves an access point: to the one at which its receiver is, or by air or wire to the receiver.
    fn go_on(&mut self, now: Time, access_point: NodeId, handle: Handle) {
        if self.absences.is_any() && self.is_lost_at(now, access_point, handle) {
            return self.release(handle);
        }
        let destination = self.packets.get(handle).destination;
        match self.bridge.way_on(access_point, destination) {
            Some(next) => self.process(now, next, handle),
            None => self.send_on(now, destination, handle),
        }
    }
}
