//! Stations on their way from one access point to another: what the switch, the hosts and the queues above drivers make of it.

use super::{Node, World};
use airloom_observe::{DropCause, NodeId, Observation, Probe, QueueEvent, QueueId, QueueLayer, RoamEvent};
use airloom_sim::Time;
use airloom_wifi::Move;

impl<P: Probe> World<P> {
    /// Stations have left access points, or are at others.
    #[cold]
    #[inline(never)]
    pub(super) fn all_moved(&mut self, now: Time, steps: &mut Vec<Move>) {
        steps.drain(..).for_each(|step| self.moved(now, step));
    }

    fn moved(&mut self, now: Time, step: Move) {
        match step {
            Move::Forgotten { station, access_point } => {
                self.absences.forgotten(station);
                self.purge(now, (station, access_point), station, false);
            }
            Move::Retuned { node, channel } => self.retuned(now, node, channel),
            Move::Off { access_point } => self.power_down(now, access_point),
            Move::On { access_point } => self.absences.powered(access_point),
            Move::Closed { station } => {
                self.close_port(station);
                self.purge(now, (station, station), self.bridge.next_hop(station, station), true);
            }
            Move::Tuned { station, access_point } => {
                let before = self.bridge.next_hop(station, station);
                self.forget_neighbours(now, station);
                self.purge(now, (station, station), before, true);
                self.bridge.tuned(station, access_point);
                if let Some(walking) = &mut self.walking {
                    walking.place_mut().tune(station, access_point);
                }
                self.is_elsewhere(now, station);
            }
            Move::Arrived { station, from, to } => {
                self.bridge.arrived(station, to);
                self.absences.known(station);
                if from != to {
                    self.purge(now, (station, from), station, false);
                }
                self.meet_neighbours(now, station);
            }
        }
    }

    /// Drops what waits above the driver of `node` for a receiver that has left, or that `station` itself has left.
    fn purge(&mut self, now: Time, (station, node): (NodeId, NodeId), receiver: NodeId, alone: bool) {
        let Node::Radio(queues) = &mut self.nodes[usize::from(node.0)] else { return };
        let taken = queues.take_out(now, receiver, alone);
        let (waits, packets) = (queues.len() > 0, taken.len() as u32);
        self.dropped.extend(taken);
        self.air.set_backlog(node, waits);
        if packets > 0 {
            self.probe.see(now, Observation::Roam { station, event: RoamEvent::Dropped { packets } });
        }
        self.report_lost(now, node, packets, DropCause::Left);
        self.discard(node);
    }

    /// Reports that so many packets above the driver of a node are lost.
    pub(super) fn report_lost(&mut self, now: Time, node: NodeId, lost: u32, cause: DropCause) {
        let queue = QueueId { node, layer: QueueLayer::Discipline };
        let Node::Radio(queues) = &self.nodes[usize::from(node.0)] else { return };
        let packets = queues.len();
        for _ in 0..lost {
            let event = QueueEvent::Drop { queue, cause, packets };
            self.probe.see(now, Observation::Queue(event));
        }
    }
}
