//! Stations whose adapter is on USB: a bus lies between the host's queue and the adapter's driver.

use super::{Event, World};
use airloom_observe::{NodeId, Probe};
use airloom_scenario::Station;
use airloom_sim::{Calendar, Handle, Slot, Stream, Time};
use airloom_usb::{Bus, Effects};
use airloom_wifi::{Category, Payload};

/// A station's bus.
pub(super) struct Port {
    pub(super) bus: Bus,
    timer: Slot,
    /// The bus's effects.
    pub(super) fx: Effects,
}

impl Port {
    /// The bus of a station, if its adapter is on one.
    pub(super) fn of(
        station: &Station,
        node: NodeId,
        seed: u64,
        calendar: &mut Calendar<Event>,
    ) -> Option<Self> {
        let usb = station.adapter.usb.as_ref()?;
        let stream = Stream::new(seed, &station.name, "holding");
        let (bus, timer) = (Bus::new(node, usb.clone(), stream), calendar.reserve(Event::Usb(node)));
        Some(Self { bus, timer, fx: Effects::default() })
    }
}

impl<P: Probe> World<P> {
    /// The timer of a bus is due.
    pub(super) fn bus_timer(&mut self, now: Time, node: NodeId) {
        let Some(port) = &mut self.ports[node] else { return };
        port.bus.timer(now, &mut port.fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// Hands a packet to the bus of `node`, which accepts it.
    pub(super) fn submit(&mut self, now: Time, node: NodeId, Payload { packet, bytes, .. }: Payload) {
        let Some(port) = &mut self.ports[node] else { return };
        port.bus.submit(now, packet, bytes, &mut port.fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// The adapter at the bus of `node` has received a packet.
    pub(super) fn incoming(&mut self, now: Time, node: NodeId, packet: Handle) {
        let Some(port) = &mut self.ports[node] else { return };
        let bytes = self.packets.get(packet).bytes;
        port.bus.incoming(now, packet, bytes, &mut port.fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// Reports to a bus whether the radio behind it accepts a packet.
    pub(super) fn announce_room(&mut self, now: Time, node: NodeId) {
        // Its packets may be of any category, which the bus does not know.
        let room = Category::ALL.iter().all(|&category| self.air.accepting(node, category).is_some());
        let Some(port) = &mut self.ports[node] else { return };
        port.bus.set_room(now, room, &mut port.fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// Carries out the effects of the bus of `node`.
    pub(super) fn settle_usb(&mut self, now: Time, node: NodeId) {
        let Some(port) = &mut self.ports[node] else { return };
        let mut fx = std::mem::take(&mut port.fx);
        if let Some(at) = fx.timer {
            self.calendar.set_or_cancel(port.timer, at);
        }
        for &packet in &fx.arrived {
            let (to, payload) = self.packets.get(packet).addressed(packet);
            let way = (self.air.device(node), to);
            self.air.send(now, way, payload, &mut self.air_fx, &mut self.probe);
            self.announce_room(now, node);
        }
        for &packet in &fx.received {
            self.arrived(now, node, packet);
        }
        if fx.wake {
            Category::ALL.iter().for_each(|&category| self.pump(now, node, category));
        }
        fx.clear();
        if let Some(port) = &mut self.ports[node] {
            port.fx = fx;
        }
    }
}
