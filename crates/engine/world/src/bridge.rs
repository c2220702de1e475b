//! The bridge between air and wires: at which access point each station is, and what forwarding costs there.
//!
//! Wires end at the first access point, beside a switch that takes no time and leads to the others: a packet for a station goes to
//! the one at which it is.

use super::processor::Processor;
use airloom_observe::NodeId;
use airloom_sim::IndexVec;

/// What is known of a node that has a radio.
enum Entry {
    /// It is an access point, with this processor if forwarding takes time.
    AccessPoint(Option<Box<Processor>>),
    /// It is a station.
    Station {
        /// At this access point, as far as the switch knows.
        at: NodeId,
        /// It sends to this one.
        sends_to: NodeId,
    },
}

/// See the module.
#[derive(Default)]
pub(super) struct Bridge {
    /// By node; servers have no entry.
    entries: IndexVec<NodeId, Entry>,
    /// Whether forwarding takes time at any access point.
    has_processors: bool,
}

impl Bridge {
    /// Adds the next node, an access point.
    pub(super) fn add_access_point(&mut self, processor: Option<Processor>) {
        self.has_processors |= processor.is_some();
        self.entries.push(Entry::AccessPoint(processor.map(Box::new)));
    }

    /// Adds the next node, a station at an access point.
    pub(super) fn add_station(&mut self, access_point: NodeId) {
        self.entries.push(Entry::Station { at: access_point, sends_to: access_point });
    }

    /// A station sends to this access point from now on.
    pub(super) fn tuned(&mut self, station: NodeId, access_point: NodeId) {
        if let Entry::Station { sends_to, .. } = &mut self.entries[station] {
            *sends_to = access_point;
        }
    }

    /// The switch has learnt that a station is at this access point.
    pub(super) fn arrived(&mut self, station: NodeId, access_point: NodeId) {
        if let Entry::Station { at, .. } = &mut self.entries[station] {
            *at = access_point;
        }
    }

    /// Whether a node is a station.
    pub(super) fn is_station(&self, node: NodeId) -> bool {
        matches!(self.entries.get(node), Some(Entry::Station { .. }))
    }

    /// The stations at an access point.
    pub(super) fn stations_of(&self, access_point: NodeId) -> Vec<NodeId> {
        let is_there =
            |node: &NodeId| matches!(self.entries[*node], Entry::Station { at, .. } if at == access_point);
        self.entries.ids().filter(is_there).collect()
    }

    /// The access point by which a node is reached by air: a station's, or the node itself.
    #[inline]
    pub(super) fn access_point_of(&self, node: NodeId) -> NodeId {
        match self.entries.get(node) {
            Some(&Entry::Station { at, .. }) => at,
            _ => node,
        }
    }

    /// The node to which `node` sends by air a packet for `destination`: a station to its access point, an access point to the
    /// station.
    pub(super) fn next_hop(&self, node: NodeId, destination: NodeId) -> NodeId {
        match self.entries.get(node) {
            Some(&Entry::Station { sends_to, .. }) => sends_to,
            _ => destination,
        }
    }

    /// The processor of an access point, if forwarding takes time there.
    pub(super) fn processor(&mut self, access_point: NodeId) -> Option<&mut Processor> {
        match &mut self.entries[access_point] {
            Entry::AccessPoint(processor) => processor.as_deref_mut(),
            Entry::Station { .. } => None,
        }
    }

    /// Whether forwarding takes time at any access point.
    #[inline]
    pub(super) fn has_processors(&self) -> bool {
        self.has_processors
    }

    /// The access point through which a packet goes first that has come to `node`: the one at which its sender is; of a packet from a
    /// wire the one at which its receiver is, or `node`, where the wire ends.
    pub(super) fn way_in(&self, node: NodeId, sender: NodeId, receiver: NodeId) -> NodeId {
        let from_wire = !self.is_station(sender);
        if from_wire && self.is_station(receiver) { self.access_point_of(receiver) } else { node }
    }

    /// The access point through which a packet goes next that leaves this one; none if it leaves to its receiver or its wire.
    pub(super) fn way_on(&self, access_point: NodeId, receiver: NodeId) -> Option<NodeId> {
        let next = self.access_point_of(receiver);
        (self.is_station(receiver) && next != access_point).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_go_by_the_access_point_at_which_a_station_is() {
        let mut bridge = Bridge::default();
        let [one, other, near, far, server] = [0, 1, 2, 3, 4].map(NodeId);
        bridge.add_access_point(None);
        bridge.add_access_point(None);
        bridge.add_station(one);
        bridge.add_station(other);
        assert_eq!([near, far].map(|station| bridge.access_point_of(station)), [one, other]);
        assert_eq!(bridge.next_hop(far, near), other);
        assert_eq!(bridge.next_hop(one, near), near);
        let stations = [one, other, near, far, server].map(|node| bridge.is_station(node));
        assert_eq!(stations, [false, false, true, true, false]);
        let ways = [(one, near, far), (one, near, server), (one, server, far), (one, server, server)];
        let first = ways.map(|(node, sender, receiver)| bridge.way_in(node, sender, receiver));
        assert_eq!(first, [one, one, other, one]);
        let last = [(one, far), (one, near), (other, far), (other, server)];
        let next = last.map(|(access_point, receiver)| bridge.way_on(access_point, receiver));
        assert_eq!(next, [Some(other), None, None, None]);
    }

    #[test]
    fn the_switch_learns_later_where_a_station_is_than_the_station() {
        let mut bridge = Bridge::default();
        let [one, other, station, server] = [0, 1, 2, 3].map(NodeId);
        bridge.add_access_point(None);
        bridge.add_access_point(None);
        bridge.add_station(one);
        bridge.tuned(station, other);
        assert_eq!((bridge.next_hop(station, server), bridge.access_point_of(station)), (other, one));
        bridge.arrived(station, other);
        assert_eq!((bridge.next_hop(station, server), bridge.access_point_of(station)), (other, other));
    }
}
