//! Senders that learn the rate of their own radio link, from the driver or by asking for it.

use super::{End, Node, Socket, SocketId, World};
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Duration, Slot, Time};

/// How a sender learns the rate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Curiosity {
    /// Not at all.
    None,
    /// The driver tells it.
    Told,
    /// It asks every so often; the slot fires when the next question is due.
    Asks { every: Duration, due: Slot },
}

impl Socket {
    /// Whether the driver tells it the rate of its link.
    pub(crate) fn is_told(&self) -> bool {
        matches!(&self.end, End::Tcp(tcp) if matches!(tcp.curiosity, Curiosity::Told))
    }
}

impl<P: Probe> World<P> {
    /// A sender learns the rate that its link has now, and when it will ask again.
    pub(super) fn ask_link_rate(&mut self, now: Time, socket: SocketId) {
        let home = self.sockets[socket].node;
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        match tcp.curiosity {
            Curiosity::None => return,
            Curiosity::Told => {}
            Curiosity::Asks { every, due } => self.calendar.set(due, now + every),
        }
        if !matches!(self.nodes[usize::from(home.0)], Node::Radio(_)) {
            return;
        }
        let (current, highest) = self.air.link_rate(home, self.ap);
        let (current, highest) = (current.bit_rate(), highest.bit_rate());
        tcp.endpoint.link_rate(now, current, highest, &mut tcp.fx, &mut self.probe);
        self.settle_tcp(now, socket);
    }

    /// The driver of `node` tells that the rate of its link to `peer` has changed.
    pub(crate) fn tell_link_rate(&mut self, now: Time, node: NodeId, peer: NodeId) {
        if peer != self.ap {
            return;
        }
        for n in 0..self.told.len() {
            let socket = self.told[n];
            if self.sockets[socket].node == node {
                self.ask_link_rate(now, socket);
            }
        }
    }
}
