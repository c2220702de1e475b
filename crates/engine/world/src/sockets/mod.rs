//! The two ends of every flow, and the applications that use them: one file for each kind of flow.

mod application;
mod link_rate;
mod ping;
mod tcp;
mod traffic_script;
mod udp;

pub(super) use application::OwnTraffic;
pub(super) use link_rate::LinkRateFeedback;
pub(super) use ping::Pinger;
pub(super) use tcp::{Application, Plan, Tcp, Writes};
pub(super) use udp::{Pace, Sender};

use super::id::{PublicationId, SocketId, WiredLinkId};
use super::packet::{BEST_EFFORT, Content, Envelope, Packet};
use super::{Node, World};
use airloom_observe::{DatagramEvent, Direction, FlowId, NodeId, Observation, Probe};
use airloom_sim::{Handle, Time};

/// One end of a flow.
pub(super) struct Socket {
    pub(super) flow: FlowId,
    /// The hash of its flow, as queues see it.
    pub(super) hash: u32,
    /// The direction in which it sends: forward from the initiating end.
    pub(super) direction: Direction,
    /// The other end, and its node.
    pub(super) peer: SocketId,
    pub(super) peer_node: NodeId,
    pub(super) node: NodeId,
    /// The DSCP of its packets.
    pub(super) dscp: u8,
    /// Bytes that its node adds to the headers of every packet.
    pub(super) overhead: u32,
    pub(super) end: End,
}

impl Socket {
    /// The socket of packets that were put in: they belong to no flow of the scenario and use no socket memory.
    pub(super) fn outside(node: NodeId, own: SocketId, flow: FlowId) -> Self {
        let (direction, end) = (Direction::Backward, End::Sink);
        Self { flow, hash: 0, direction, peer: own, peer_node: node, node, dscp: 0, overhead: 0, end }
    }
}

/// The kind of a flow's end.
pub(super) enum End {
    Tcp(Box<Tcp>),
    Udp(Sender),
    Ping(Pinger),
    /// Takes datagrams, or answers pings.
    Sink,
}

impl<P: Probe> World<P> {
    pub(super) fn start_flow(&mut self, now: Time, socket: SocketId) {
        match self.sockets[socket].end {
            End::Tcp(_) => self.open(now, socket),
            End::Udp(_) => self.send_datagrams(now, socket),
            End::Ping(_) => self.ping(now, socket),
            End::Sink => {}
        }
    }

    pub(super) fn stop_flow(&mut self, now: Time, socket: SocketId) {
        match &mut self.sockets[socket].end {
            End::Tcp(_) => self.stop_writing(now, socket),
            End::Udp(sender) => sender.stopped = true,
            End::Ping(pinger) => pinger.stopped = true,
            End::Sink => {}
        }
    }

    /// A flow's own timer is due.
    pub(super) fn flow_due(&mut self, now: Time, socket: SocketId) {
        match self.sockets[socket].end {
            End::Udp(_) => self.send_datagrams(now, socket),
            End::Ping(_) => self.ping(now, socket),
            End::Tcp(_) => self.read_link_rate(now, socket),
            End::Sink => {}
        }
    }

    /// A packet has reached its socket, which releases it before it sends anything.
    pub(super) fn receive(&mut self, now: Time, handle: Handle) {
        let packet = self.packets.get_mut(handle);
        packet.arrived = true;
        let &mut Packet { ref mut content, to, flow, direction, ecn, .. } = packet;
        match *content {
            Content::Segment(ref mut segment) => {
                segment.ecn = ecn;
                let mut awaits = false;
                if let End::Tcp(tcp) = &mut self.sockets[to].end {
                    tcp.endpoint.receive(now, segment, &mut tcp.fx, &mut self.probe);
                    awaits = tcp.awaits_delivery;
                }
                self.release(handle);
                self.settle_tcp(now, to);
                if awaits {
                    self.look_for_delivery(now, to);
                }
            }
            Content::Datagram { payload, sent } => {
                self.release(handle);
                let event = DatagramEvent::Arrived { payload, delay: now - sent };
                self.probe.see(now, Observation::Datagram { flow, event });
            }
            Content::Published { .. } => self.receive_published(now, handle),
            Content::Echo { sent, .. } if direction == Direction::Backward => {
                self.release(handle);
                let event = DatagramEvent::Answered { rtt: now - sent };
                self.probe.see(now, Observation::Datagram { flow, event });
            }
            Content::Octets { octets, .. } => {
                let packet = *packet;
                self.release(handle);
                self.hand_out(now, &packet, octets);
            }
            echo @ Content::Echo { .. } => {
                self.release(handle);
                self.answer_ping(now, to, echo);
            }
        }
    }

    /// A socket gets back the memory of packets that have left.
    pub(super) fn credit(&mut self, now: Time, socket: SocketId, truesize: u64) {
        match &mut self.sockets[socket].end {
            End::Tcp(_) => self.credit_tcp(now, socket, truesize),
            End::Udp(sender) => {
                if sender.freed(truesize) {
                    self.saturated_ready.push(socket);
                }
            }
            End::Ping(_) | End::Sink => {}
        }
    }

    /// A socket gets back the memory of packets that the node's own queue has dropped.
    pub(super) fn credit_dropped(&mut self, now: Time, socket: SocketId, truesize: u32) {
        match &mut self.sockets[socket].end {
            End::Udp(sender) => {
                sender.dropped();
                self.retry_if_idle(now, socket);
            }
            _ => self.credit(now, socket, truesize.into()),
        }
    }

    /// Hands a packet to the node's queue; false if that has no room.
    #[inline(always)]
    fn send(
        &mut self,
        now: Time,
        from: SocketId,
        envelope: Envelope,
        content: impl FnOnce() -> Content,
    ) -> bool {
        let &Socket {
            flow,
            hash,
            direction,
            peer: to,
            peer_node: destination,
            node: home,
            dscp,
            overhead,
            ..
        } = &self.sockets[from];
        let Envelope { bytes, ecn, truesize } = envelope;
        let bytes = bytes + overhead;
        let (holders, arrived) = (1, false);
        self.launch(now, home, || Packet {
            content: content(),
            bytes,
            ecn,
            dscp,
            priority: BEST_EFFORT,
            hash,
            truesize,
            flow,
            direction,
            from,
            to,
            home,
            destination,
            holders,
            arrived,
        })
    }

    /// A packet waits in its sender's own network card: the socket gets its memory back when it has left. Sockets that are
    /// not limited by it get it back at once, or not at all.
    pub(super) fn credit_at_departure(
        &mut self,
        now: Time,
        link: WiredLinkId,
        socket: SocketId,
        truesize: u32,
    ) {
        match &mut self.sockets[socket].end {
            End::Tcp(tcp) if tcp.reads() => {
                tcp.endpoint.sent(now, u64::from(truesize), &mut tcp.fx, &mut self.probe);
            }
            End::Tcp(_) | End::Udp(_) => {
                let wired_link = &mut self.wired_links[link];
                if let Some(at) = wired_link.credit_at_departure(socket, truesize) {
                    self.calendar.set(wired_link.departure, at);
                }
            }
            End::Ping(_) | End::Sink => {}
        }
    }
}
