//! Stations whose adapter is on USB: between the host's queue and the adapter's driver lies a bus.

use super::{Event, World};
use crate::scenario::{self, Station, Usb};
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Calendar, Handle, Slot, Stream, Time};
use airloom_usb::{Bus, Config, Holding, Traversal};

/// A station's bus.
pub(super) struct Port {
    pub(super) bus: Bus,
    pub(super) timer: Slot,
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
        Some(Self { bus: Bus::new(node, config(usb), stream), timer: calendar.reserve(Event::Usb(node)) })
    }
}

fn config(usb: &Usb) -> Config {
    let holding = usb.hold.as_ref().map(|hold| Holding {
        scripted: hold.at.iter().flatten().map(|&at| (Time::ZERO + at, hold.longest)).collect(),
        every: hold.every,
        length: (hold.shortest, hold.longest),
    });
    Config {
        traversal: match usb.traversal {
            scenario::Traversal::BreadthFirst => Traversal::Breadth,
            scenario::Traversal::DepthFirst => Traversal::Depth,
        },
        reclamation: usb.reclamation,
        queue: usb.queue,
        descriptor: usb.descriptor,
        drain: usb.drain,
        holding: holding.unwrap_or_default(),
    }
}

impl<P: Probe> World<P> {
    /// Whether the device of `node` takes a packet: its bus, or else its radio.
    pub(super) fn device_accepts(&mut self, node: NodeId) -> bool {
        match &self.ports[usize::from(node.0)] {
            Some(port) => port.bus.accepts(),
            None => self.air.accepts(node),
        }
    }

    /// Hands a packet to the device of `node`, which accepts it.
    pub(super) fn hand_down(&mut self, now: Time, node: NodeId, packet: Handle, bytes: u32) {
        self.tap(now, node, true, packet);
        let Some(port) = &mut self.ports[usize::from(node.0)] else {
            return self.transmit(now, node, packet);
        };
        port.bus.submit(now, packet, bytes, &mut self.usb_fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// The radio of `node` has received a packet.
    pub(super) fn heard(&mut self, now: Time, node: NodeId, packet: Handle) {
        let Some(port) = &mut self.ports[usize::from(node.0)] else {
            return self.arrived(now, node, packet);
        };
        let bytes = self.packets.get(packet).bytes;
        port.bus.incoming(now, packet, bytes, &mut self.usb_fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// The radio of `node` takes packets again.
    pub(super) fn radio_free(&mut self, now: Time, node: NodeId) {
        if self.ports[usize::from(node.0)].is_some() {
            self.tell_room(now, node);
        } else {
            self.pump(now, node);
        }
    }

    /// The timer of a bus is due.
    pub(super) fn bus_timer(&mut self, now: Time, node: NodeId) {
        let Some(port) = &mut self.ports[usize::from(node.0)] else { return };
        port.bus.timer(now, &mut self.usb_fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// Tells a bus whether the radio behind it takes a packet.
    fn tell_room(&mut self, now: Time, node: NodeId) {
        let room = self.air.accepts(node);
        let Some(port) = &mut self.ports[usize::from(node.0)] else { return };
        port.bus.set_room(now, room, &mut self.usb_fx, &mut self.probe);
        self.settle_usb(now, node);
    }

    /// Carries out what the bus of `node` wants.
    fn settle_usb(&mut self, now: Time, node: NodeId) {
        let mut fx = std::mem::take(&mut self.usb_fx);
        if let (Some(at), Some(port)) = (fx.timer, &self.ports[usize::from(node.0)]) {
            self.calendar.set_or_cancel(port.timer, at);
        }
        for &packet in &fx.arrived {
            self.transmit(now, node, packet);
            self.tell_room(now, node);
        }
        for &packet in &fx.received {
            self.arrived(now, node, packet);
        }
        if fx.wake {
            self.pump(now, node);
        }
        fx.clear();
        self.usb_fx = fx;
    }

    fn transmit(&mut self, now: Time, node: NodeId, packet: Handle) {
        let sent = self.packets.get(packet);
        let (way, payload) = ((node, sent.destination), sent.payload(packet));
        self.air.send(now, way, payload, &mut self.air_fx, &mut self.probe);
    }
}
