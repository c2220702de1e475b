//! Senders that learn the rate of their own radio link: the driver pushes it, or they poll.

use super::{End, Node, Socket, SocketId, World};
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Duration, Slot, Time};

/// How a sender learns the rate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LinkRateFeedback {
    /// Not at all.
    None,
    /// The driver reports every change.
    Pushed,
    /// The sender polls at intervals; the slot fires when the next poll is due.
    Polled { every: Duration, due: Slot },
}

impl Socket {
    /// Whether the driver reports the rate of its link to this socket.
    pub(crate) fn follows_link_rate(&self) -> bool {
        matches!(&self.end, End::Tcp(tcp) if matches!(tcp.link_rate_feedback, LinkRateFeedback::Pushed))
    }
}

impl<P: Probe> World<P> {
    /// A sender reads the current rate of its link, and schedules its next poll.
    pub(super) fn read_link_rate(&mut self, now: Time, socket: SocketId) {
        let home = self.sockets[socket].node;
        let End::Tcp(tcp) = &mut self.sockets[socket].end else { return };
        match tcp.link_rate_feedback {
            LinkRateFeedback::None => return,
            LinkRateFeedback::Pushed => {}
            LinkRateFeedback::Polled { every, due } => self.calendar.set(due, now + every),
        }
        if !matches!(self.nodes[usize::from(home.0)], Node::Radio(_)) {
            return;
        }
        let (current, highest) = self.air.link_rate(home, self.bridge.access_point_of(home));
        let (current, highest) = (current.bit_rate(), highest.bit_rate());
        tcp.endpoint.link_rate(now, current, highest, &mut tcp.fx, &mut self.probe);
        self.settle_tcp(now, socket);
    }

    /// The driver of `node` reports that the rate of its link to `peer` has changed.
    pub(crate) fn link_rate_changed(&mut self, now: Time, node: NodeId, peer: NodeId) {
        if peer != self.bridge.access_point_of(node) {
            return;
        }
        for n in 0..self.link_rate_followers.len() {
            let socket = self.link_rate_followers[n];
            if self.sockets[socket].node == node {
                self.read_link_rate(now, socket);
            }
        }
    }
}
