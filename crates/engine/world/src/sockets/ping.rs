//! Pings: echo requests at an interval.

use super::{Content, End, Envelope, Socket, SocketId, World};
use airloom_observe::{DatagramEvent, Observation, Probe};
use airloom_sim::{Duration, Slot, Time};

/// The sender of echo requests.
pub(crate) struct Pinger {
    interval: Duration,
    payload: u32,
    /// Fires when the next one is due.
    due: Slot,
    sent: u64,
    pub(super) stopped: bool,
}

impl Pinger {
    pub(crate) fn new(interval: Duration, payload: u32, due: Slot) -> Self {
        Self { interval, payload, due, sent: 0, stopped: false }
    }
}

impl<P: Probe> World<P> {
    /// A request has reached its socket: it is answered, unless the local queue refuses the answer.
    pub(super) fn answer_ping(&mut self, now: Time, socket: SocketId, echo: Content) {
        let _ = self.send(now, socket, Envelope::of(&echo), || echo);
    }

    /// Sends a request, and arms the timer for the next one.
    pub(super) fn ping(&mut self, now: Time, socket: SocketId) {
        let Socket { flow, end: End::Ping(pinger), .. } = &mut self.sockets[socket] else { return };
        if pinger.stopped {
            return;
        }
        pinger.sent += 1;
        let (payload, sequence) = (pinger.payload, pinger.sent as u16);
        self.calendar.set(pinger.due, now + pinger.interval);
        let (flow, event) = (*flow, DatagramEvent::Sent);
        self.probe.see(now, Observation::Datagram { flow, event });
        // A request that the local queue refuses is lost.
        let request = Content::Echo { payload, sequence, sent: now };
        let _ = self.send(now, socket, Envelope::of(&request), || request);
    }
}
