//! Packets with their bytes: put in at one host, taken out at another.
//!
//! The fields that queues and radios need (length, ECN field, flow, destination) are read from the bytes as a packet is
//! put in. The bytes are stored apart from the packets, so that those of simulated flows stay small. They change in one
//! way only: a queue on the path may mark congestion.

use super::addresses;
use super::flow_hash::flow_hash;
use super::packet::{BEST_EFFORT, Content, Packet};
use super::{Node, World};
use airloom_observe::{Direction, Ecn, NodeId, Observation, OctetsSeen, Probe};
use airloom_sim::{Handle, Slab, Time};
use airloom_wire::{self as wire, FiveTuple, Ipv4Repr, Protocol};
use std::collections::VecDeque;
use std::fmt;
use std::net::Ipv4Addr;

/// The longest packet that can be put in, in bytes (IEEE 802.3 clause 3.2.7).
pub const MTU: usize = 1500;

/// A packet that has reached the host that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Time of arrival.
    pub time: Time,
    /// The host.
    pub node: NodeId,
    /// Its bytes from the IPv4 header on.
    pub packet: Vec<u8>,
}

/// Why a packet cannot be put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutError {
    /// The node is no station and no server.
    NoHost(NodeId),
    /// The bytes are not one whole IPv4 packet of at most [`MTU`] bytes.
    Packet(wire::Error),
}

impl fmt::Display for PutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHost(NodeId(node)) => write!(f, "node {node} is no station and no server"),
            Self::Packet(error) => write!(f, "not an IPv4 packet of at most {MTU} bytes: {error}"),
        }
    }
}

impl std::error::Error for PutError {}

impl From<wire::Error> for PutError {
    fn from(error: wire::Error) -> Self {
        Self::Packet(error)
    }
}

/// Bytes of packets that were put in: those in transit, those that arrived, and the count of those lost.
#[derive(Default)]
pub(super) struct Fed {
    /// Of packets on their way.
    octets: Slab<Vec<u8>>,
    /// Arrived packets that have not been taken out.
    arrived: VecDeque<Arrived>,
    lost: u64,
    /// The host by which packets leave for addresses that are nowhere here.
    pub(super) gateway: Option<NodeId>,
}

impl Fed {
    /// A packet was lost on its way.
    #[cold]
    pub(super) fn lose(&mut self, octets: Handle) {
        self.octets.remove(octets);
        self.lost += 1;
    }
}

impl<P: Probe> World<P> {
    /// Puts in an IPv4 packet at a station or a server, now, as if the host's kernel had sent it. It goes to the host
    /// that has its destination address ([`addresses::ip`]). If no other host has it, the packet is lost, which the
    /// probe observes.
    ///
    /// # Errors
    /// If the node is no host, or if the bytes are not one whole IPv4 packet of at most [`MTU`] bytes. Checksums are
    /// not verified.
    pub fn put(&mut self, node: NodeId, packet: Vec<u8>) -> Result<(), PutError> {
        if !self.is_host(node) {
            return Err(PutError::NoHost(node));
        }
        if packet.len() > MTU {
            return Err(wire::Error::TooLong("packet").into());
        }
        let (ip, payload) = Ipv4Repr::parse_whole(&packet)?;
        let now = self.now;
        let within = addresses::node(ip.dst).filter(|&to| self.is_host(to));
        let without = self.fed.gateway.filter(|_| leaves(ip.dst));
        let Some(destination) = within.or(without).filter(|&to| to != node) else {
            self.fed.lost += 1;
            self.probe.see(now, Observation::NoRoute { node, destination: ip.dst });
            return Ok(());
        };
        let (ecn, dscp) = (ip.ecn, ip.dscp);
        let (tcp, hash) = (ip.protocol == Protocol::TCP, flow_hash(&FiveTuple::of(&ip, payload), self.salt));
        let length = packet.len() as u32;
        let octets = self.fed.octets.insert(packet);
        let packet = Packet {
            content: Content::Octets { octets, length, ecn, tcp },
            bytes: length,
            ecn,
            dscp,
            priority: BEST_EFFORT,
            hash,
            truesize: 1,
            flow: self.sockets[self.outside].flow,
            direction: Direction::Forward,
            from: self.outside,
            to: self.outside,
            home: node,
            destination,
            holders: 1,
            arrived: false,
        };
        self.launch(now, packet.home, || packet);
        self.settle(now);
        Ok(())
    }

    /// From now on packets for addresses outside of the hosts' network go to this host, which forwards them.
    pub fn lead_out_by(&mut self, gateway: NodeId) {
        self.fed.gateway = Some(gateway);
    }

    /// Takes out the earliest arrived packet.
    pub fn take(&mut self) -> Option<Arrived> {
        self.fed.arrived.pop_front()
    }

    /// How many of the packets that were put in were lost on their way or had no destination host.
    pub fn lost(&self) -> u64 {
        self.fed.lost
    }

    /// A packet that was put in has reached its destination.
    #[cold]
    pub(super) fn hand_out(&mut self, now: Time, packet: &Packet, octets: Handle) {
        let mut bytes = self.fed.octets.remove(octets);
        if packet.ecn == Ecn::Ce {
            Ipv4Repr::mark_congestion(&mut bytes);
        }
        self.fed.arrived.push_back(Arrived { time: now, node: packet.destination, packet: bytes });
    }

    /// Shows the probe the bytes of a packet at the interface of the node that sends or receives it.
    #[cold]
    pub(super) fn show_octets(&mut self, now: Time, (node, sent): (NodeId, bool), packet: Handle) {
        let &Packet { content: Content::Octets { octets, .. }, ecn, home: from, destination: to, .. } =
            self.packets.get(packet)
        else {
            return;
        };
        let octets = self.fed.octets.get_mut(octets);
        if ecn == Ecn::Ce {
            Ipv4Repr::mark_congestion(octets);
        }
        self.probe.octets(now, &OctetsSeen { node, sent, packet, from, to, octets });
    }

    /// Whether a node is a station or a server.
    fn is_host(&self, node: NodeId) -> bool {
        match self.nodes.get(usize::from(node.0)) {
            Some(Node::Radio(_)) => self.bridge.is_station(node),
            Some(Node::Server { .. }) => true,
            None => false,
        }
    }
}

/// Whether an address is that of one machine outside of the hosts' network.
fn leaves(address: Ipv4Addr) -> bool {
    let special = address.is_multicast() || address.is_broadcast() || address.is_unspecified();
    addresses::node(address).is_none() && !special
}
