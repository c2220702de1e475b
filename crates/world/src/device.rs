//! The device between a host and the air: a radio, with or without a bus before it.

use super::World;
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Handle, Time};

impl<P: Probe> World<P> {
    /// Whether the device of `node` accepts a packet: its bus if it has one, else its radio.
    #[inline]
    pub(super) fn device_accepts(&mut self, node: NodeId) -> bool {
        match &self.ports[node] {
            Some(port) => port.bus.accepts(),
            None => self.air.accepts(node),
        }
    }

    /// Hands a packet to the device of `node`, which accepts it.
    #[inline(always)]
    pub(super) fn hand_down(&mut self, now: Time, node: NodeId, packet: Handle, bytes: u32) {
        self.tap(now, node, true, packet);
        if self.ports[node].is_none() {
            self.transmit(now, node, packet);
        } else {
            self.submit(now, node, packet, bytes);
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

    /// The radio of `node` accepts packets again.
    pub(super) fn radio_free(&mut self, now: Time, node: NodeId) {
        if self.ports[node].is_some() {
            self.tell_room(now, node);
        } else {
            self.pump(now, node);
        }
    }

    /// Hands a packet to the radio of `node`.
    #[inline(always)]
    pub(super) fn transmit(&mut self, now: Time, node: NodeId, packet: Handle) {
        let sent = self.packets.get(packet);
        let (way, payload) = ((node, sent.destination), sent.payload(packet));
        self.air.send(now, way, payload, &mut self.air_fx, &mut self.probe);
    }
}
