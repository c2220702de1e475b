//! Publications: datagrams that are sent once for all stations of a group.
//!
//! One goes to the access point at which its sender is, or at which the wires end, and from there to every one at which there are
//! receivers; each sends it to all of its stations at once, or to each of them by itself
//! (mac80211 `ieee80211_multicast_to_unicast()`, Linux 6.18 net/mac80211/tx.c: to all stations but the sender, those that did not ask among them).

use super::World;
use super::id::PublicationId;
use super::packet::{Content, Packet};
use airloom_observe::{DatagramEvent, FlowId, NodeId, Observation, Probe};
use airloom_scenario::Scenario;
use airloom_sim::{Handle, Index, IndexVec, Time};

/// All publications of a scenario.
#[derive(Default)]
pub(super) struct Publications {
    all: IndexVec<PublicationId, Publication>,
    /// The access points that send to each of their stations by itself.
    to_each: Vec<NodeId>,
}

/// One of them.
struct Publication {
    /// Its receivers and the flow of each, in the order of their nodes.
    receivers: Vec<(NodeId, FlowId)>,
    /// The access points at which they are, or may come to be, in order.
    access_points: Vec<NodeId>,
}

impl Publications {
    /// Of a scenario.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let to_each = scenario.access_points().filter(|(_, ap)| ap.multicast_to_unicast).map(|(id, _)| id);
        let to_each = to_each.collect();
        let publication = |flows: Vec<usize>| {
            let receiver = |place: &usize| (scenario.host(&scenario.flow[*place].to).0, FlowId::new(*place));
            let mut receivers: Vec<_> = flows.iter().map(receiver).collect();
            receivers.sort_unstable();
            let is_there = |node: NodeId| receivers.iter().any(|&(receiver, _)| receiver == node);
            let stations = scenario.stations().filter(|&(node, _)| is_there(node));
            let ways = |(_, station)| {
                let others = scenario.ways_of(station).into_iter().map(|(node, _)| node);
                others.chain([scenario.access_point_of(station).0])
            };
            let mut access_points: Vec<NodeId> = stations.flat_map(ways).collect();
            access_points.sort_unstable();
            access_points.dedup();
            Publication { receivers, access_points }
        };
        Self { all: scenario.publications().into_iter().map(publication).collect(), to_each }
    }

    /// The flow of a receiver, if it is one.
    fn flow_of(&self, publication: PublicationId, node: NodeId) -> Option<FlowId> {
        let receivers = &self.all[publication].receivers;
        let place = receivers.binary_search_by_key(&node, |&(receiver, _)| receiver).ok()?;
        Some(receivers[place].1)
    }
}

impl<P: Probe> World<P> {
    /// A datagram of a publication was sent: to each of its receivers.
    #[cold]
    pub(super) fn published(&mut self, now: Time, publication: PublicationId) {
        for &(_, flow) in &self.publications.all[publication].receivers {
            self.probe.see(now, Observation::Datagram { flow, event: DatagramEvent::Sent });
        }
    }

    /// A datagram of a publication has reached its node: a station, or an access point, which passes it on.
    #[cold]
    pub(super) fn receive_published(&mut self, now: Time, handle: Handle) {
        let packet = *self.packets.get(handle);
        self.release(handle);
        let Content::Published { payload, sent, publication } = packet.content else { return };
        if self.bridge.is_station(packet.destination) {
            self.deliver_published(now, packet.destination, (payload, sent, publication));
            return;
        }
        for n in 0..self.publications.all[publication].access_points.len() {
            let access_point = self.publications.all[publication].access_points[n];
            if !self.publications.to_each.contains(&access_point) {
                self.pass_on(now, access_point, Packet { destination: access_point, ..packet });
                continue;
            }
            for station in self.bridge.stations_of(access_point) {
                if station != packet.home {
                    self.pass_on(now, access_point, Packet { destination: station, ..packet });
                }
            }
        }
    }

    /// An access point sends a copy of a packet by air.
    fn pass_on(&mut self, now: Time, access_point: NodeId, packet: Packet) {
        let copy = Packet { holders: 1, truesize: 0, arrived: false, ..packet };
        let handle = self.packets.insert_with(|| copy);
        if P::DETAIL
            && let Some(content) = copy.seen()
        {
            let (node, packet) = (access_point, handle);
            self.probe.see(now, Observation::Packet { node, sent: true, packet, content });
        }
        if !self.enter_air(now, access_point, handle) {
            self.release(handle);
        }
    }

    /// The radio of a station has received a packet to a group.
    pub(super) fn heard_of_group(&mut self, now: Time, station: NodeId, handle: Handle) {
        let packet = *self.packets.get(handle);
        if let Content::Published { payload, sent, publication } = packet.content
            && packet.home != station
        {
            if P::DETAIL
                && self.publications.flow_of(publication, station).is_some()
                && let Some(content) = packet.seen()
            {
                let (node, packet) = (station, handle);
                self.probe.see(now, Observation::Packet { node, sent: false, packet, content });
            }
            self.packets.get_mut(handle).arrived = true;
            self.deliver_published(now, station, (payload, sent, publication));
        }
        self.release(handle);
    }

    /// A station has a datagram of a publication; it takes it if it is one of its receivers.
    fn deliver_published(
        &mut self,
        now: Time,
        station: NodeId,
        (payload, sent, publication): (u32, Time, PublicationId),
    ) {
        if let Some(flow) = self.publications.flow_of(publication, station) {
            let event = DatagramEvent::Arrived { payload, delay: now - sent };
            self.probe.see(now, Observation::Datagram { flow, event });
        }
    }

    /// The flows for which a packet of a publication is in transit.
    pub(super) fn flows_in_transit(&self, packet: &Packet, publication: PublicationId) -> Vec<FlowId> {
        // A copy takes nothing of its sender's memory.
        let passed_on = packet.truesize == 0;
        let is_for = |node: NodeId| match self.bridge.is_station(packet.destination) {
            true => node == packet.destination,
            false => !passed_on || self.bridge.access_point_of(node) == packet.destination,
        };
        let receivers = self.publications.all[publication].receivers.iter();
        receivers.filter(|&&(node, _)| is_for(node)).map(|&(_, flow)| flow).collect()
    }
}
