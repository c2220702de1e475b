//! The two ends of every flow, and the applications that use them.

use super::packet::Packet;
use super::{Node, World};
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Slot, Time};
use airloom_tcp::{Endpoint, Segment, Timer, TimerChange};

/// How much an application that has no end offers at a time, in bytes.
const CHUNK: u64 = 1 << 20;

/// What the application at a socket does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Application {
    /// Writes this many more bytes, or for ever.
    Writer { left: Option<u64>, stopped: bool },
    /// Reads whatever comes, at once.
    Reader,
}

/// One end of a flow. The sender of flow n is socket 2n, its receiver the next one.
pub(super) struct Socket {
    pub(super) endpoint: Endpoint,
    pub(super) node: NodeId,
    pub(super) application: Application,
    pub(super) slots: [Slot; Timer::ALL.len()],
}

impl<P: Probe> World<P> {
    pub(super) fn start_flow(&mut self, now: Time, socket: u16) {
        self.sockets[usize::from(socket)].endpoint.open(now, &mut self.tcp_fx, &mut self.probe);
        self.write(now, socket);
        self.settle_tcp(now, socket);
    }

    pub(super) fn stop_flow(&mut self, now: Time, socket: u16) {
        if let Application::Writer { stopped, .. } = &mut self.sockets[usize::from(socket)].application {
            *stopped = true;
        }
        self.write(now, socket);
        self.settle_tcp(now, socket);
    }

    /// A segment has reached its socket.
    pub(super) fn receive(&mut self, now: Time, packet: &Packet) {
        let endpoint = &mut self.sockets[usize::from(packet.to)].endpoint;
        let segment = Segment { ecn: packet.ecn, ..packet.segment };
        endpoint.receive(now, &segment, &mut self.tcp_fx, &mut self.probe);
        self.settle_tcp(now, packet.to);
    }

    /// Memory of segments that have left comes back to its socket.
    pub(super) fn credit(&mut self, now: Time, socket: u16, truesize: u64) {
        let endpoint = &mut self.sockets[usize::from(socket)].endpoint;
        endpoint.sent(now, truesize, &mut self.tcp_fx, &mut self.probe);
        self.settle_tcp(now, socket);
    }

    /// Lets the application write what the socket takes.
    fn write(&mut self, now: Time, socket: u16) {
        let Socket { endpoint, application, .. } = &mut self.sockets[usize::from(socket)];
        let Application::Writer { left, stopped } = application else { return };
        loop {
            let offer = if *stopped { 0 } else { left.unwrap_or(CHUNK) };
            if offer == 0 {
                endpoint.close(now, &mut self.tcp_fx, &mut self.probe);
                return;
            }
            let taken = endpoint.write(now, offer, &mut self.tcp_fx, &mut self.probe);
            if let Some(left) = left {
                *left -= taken;
            }
            if taken < offer {
                return;
            }
        }
    }

    /// Carries out what an endpoint wants until it wants nothing more.
    pub(super) fn settle_tcp(&mut self, now: Time, socket: u16) {
        while !self.tcp_fx.is_empty() {
            let mut fx = self.tcp_spare.take().unwrap_or_default();
            std::mem::swap(&mut self.tcp_fx, &mut fx);
            let slots = self.sockets[usize::from(socket)].slots;
            for (slot, change) in slots.into_iter().zip(fx.timers) {
                match change {
                    TimerChange::Keep => {}
                    TimerChange::Set(at) => self.calendar.set(slot, at),
                    TimerChange::Cancel => self.calendar.cancel(slot),
                }
            }
            let writable = fx.writable;
            let mut refusing = false;
            for outgoing in fx.segments.drain(..) {
                if refusing || !self.output(now, socket, &outgoing) {
                    refusing = true;
                    let endpoint = &mut self.sockets[usize::from(socket)].endpoint;
                    endpoint.refused(now, &outgoing.segment, &mut self.tcp_fx, &mut self.probe);
                }
            }
            if writable {
                self.write(now, socket);
            }
            fx.clear();
            self.tcp_spare = Some(fx);
        }
    }

    /// Hands a segment to the node's queue; false if that has no room.
    fn output(&mut self, now: Time, socket: u16, outgoing: &airloom_tcp::Outgoing) -> bool {
        let home = self.sockets[usize::from(socket)].node;
        let to = socket ^ 1;
        let destination = self.sockets[usize::from(to)].node;
        let bytes = Packet::length(&outgoing.segment);
        let (segment, truesize) = (outgoing.segment, outgoing.truesize);
        let from = socket;
        let ecn = outgoing.segment.ecn;
        let packet = Packet { segment, bytes, ecn, truesize, from, to, home, destination, holders: 1 };
        let handle = self.packets.insert(packet);
        let accepted = match *self.node(home) {
            Node::Server { uplink } => self.enter_pipe(now, uplink, handle),
            _ => self.enter_air(now, (home, destination), handle, bytes),
        };
        if !accepted {
            self.packets.remove(handle);
        }
        accepted
    }

    /// A segment waits in its sender's own network card: its memory comes back when it has left. A reader, which nothing
    /// holds back, gets it at once.
    pub(super) fn owe(&mut self, now: Time, pipe: u16, socket: u16, truesize: u32) {
        let Socket { endpoint, application, .. } = &mut self.sockets[usize::from(socket)];
        if matches!(application, Application::Reader) {
            endpoint.sent(now, u64::from(truesize), &mut self.tcp_fx, &mut self.probe);
            return;
        }
        let wire = &mut self.pipes[usize::from(pipe)];
        if let Some(at) = wire.owe(socket, truesize) {
            self.calendar.set(wire.departure, at);
        }
    }
}
