//! Packets that come to an access point without power, or to one that does not know their station: they are lost.

use super::{Node, World};
use airloom_observe::{DropCause, NodeId, Probe};
use airloom_queue::Item;
use airloom_sim::{Handle, Index, Time};

/// Access points without power, and stations that no access point knows.
#[derive(Default)]
pub(super) struct Absences {
    silent: Vec<NodeId>,
    unknown: Vec<NodeId>,
}

impl Absences {
    /// Whether there is anything of that kind.
    #[inline]
    pub(super) fn is_any(&self) -> bool {
        !self.silent.is_empty() || !self.unknown.is_empty()
    }

    /// An access point has power again.
    pub(super) fn powered(&mut self, access_point: NodeId) {
        self.silent.retain(|one| *one != access_point);
    }

    /// The access point at which a station is does not know it any more.
    pub(super) fn forgotten(&mut self, station: NodeId) {
        self.known(station);
        self.unknown.push(station);
    }

    /// A station has come to an access point.
    pub(super) fn known(&mut self, station: NodeId) {
        self.unknown.retain(|one| *one != station);
    }
}

impl<P: Probe> World<P> {
    /// An access point has lost its power, and what waited above its driver.
    pub(super) fn power_down(&mut self, now: Time, access_point: NodeId) {
        self.absences.powered(access_point);
        self.absences.silent.push(access_point);
        let radios = self.nodes.iter().filter(|node| matches!(node, Node::Radio(_))).count();
        let receivers = (0..radios).map(NodeId::new);
        let Node::Radio(queues) = &mut self.nodes[usize::from(access_point.0)] else { return };
        let taken: Vec<Item> = receivers.flat_map(|receiver| queues.take_out(now, receiver, true)).collect();
        let lost = taken.len() as u32;
        self.dropped.extend(taken);
        self.air.set_backlog(access_point, false);
        self.report_lost(now, access_point, lost, DropCause::Off);
        self.discard(access_point);
    }

    /// Whether a packet has come to `node`, an access point, that has no power, or does not know its station (mac80211
    /// `ieee80211_lookup_ra_sta`).
    #[cold]
    #[inline(never)]
    pub(super) fn is_lost_at(&mut self, now: Time, node: NodeId, packet: Handle) -> bool {
        let receiver = self.bridge.next_hop(node, self.packets.get(packet).destination);
        let cause = match &self.absences {
            Absences { silent, .. } if silent.contains(&node) => DropCause::Off,
            Absences { unknown, .. } if unknown.contains(&receiver) => DropCause::Left,
            _ => return false,
        };
        self.report_lost(now, node, 1, cause);
        true
    }
}
