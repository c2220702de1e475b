//! The device between a host and the air: a radio, with or without a bus before it.

use super::World;
use super::packet::Packet;
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Handle, Time};
use airloom_wifi::{Category, DeviceId, Payload};

/// A device that takes a packet.
#[derive(Clone, Copy)]
pub(super) enum Device {
    /// The bus of its node.
    Bus,
    /// A radio.
    Radio(DeviceId),
}

impl<P: Probe> World<P> {
    /// The device of `node`, if it accepts a packet of this category: its bus if it has one, else its radio.
    #[inline(always)]
    pub(super) fn accepting(&mut self, node: NodeId, category: Category) -> Option<Device> {
        match &self.ports[node] {
            Some(port) => port.bus.accepts().then_some(Device::Bus),
            None => self.air.accepting(node, category).map(Device::Radio),
        }
    }

    /// A packet that `node` is about to send by air, with the user priority that it has there.
    #[inline(always)]
    pub(super) fn classify(&mut self, node: NodeId, packet: Handle) -> &Packet {
        if self.packets.get(packet).dscp != 0 {
            self.prioritise(node, packet);
        }
        self.packets.get(packet)
    }

    /// Gives a packet the user priority with which `node` sends it by air.
    #[cold]
    fn prioritise(&mut self, node: NodeId, packet: Handle) {
        let sent = self.packets.get_mut(packet);
        let tid = self.air.priority(node, sent.destination, sent.dscp);
        sent.priority = (tid, Category::of_tid(tid));
    }

    /// Hands a packet for `to` to the device of `node`, which accepts it.
    #[inline(always)]
    pub(super) fn hand_down(
        &mut self,
        now: Time,
        (node, device): (NodeId, Device),
        (to, payload): (NodeId, Payload),
    ) {
        self.tap(now, node, true, payload.packet);
        match device {
            Device::Radio(device) => {
                self.air.send(now, (device, to), payload, &mut self.air_fx, &mut self.probe)
            }
            Device::Bus => self.submit(now, node, payload),
        }
    }

    /// The radio of `node` has received a packet.
    #[inline]
    pub(super) fn heard(&mut self, now: Time, node: NodeId, packet: Handle) {
        if self.ports[node].is_none() {
            self.arrived(now, node, packet);
        } else {
            self.incoming(now, node, packet);
        }
    }

    /// The radio of `node` accepts packets of a category again.
    pub(super) fn radio_free(&mut self, now: Time, node: NodeId, category: Category) {
        if self.ports[node].is_some() {
            self.announce_room(now, node);
        } else {
            self.pump(now, node, category);
        }
    }
}
