//! The transmit queues above a radio's driver, and how packets get from them to the driver.

use super::packet::Packet;
use super::{Event, Node, World};
use airloom_observe::{NodeId, Probe, QueueId, QueueLayer};
use airloom_queue::{Discipline, Item, Next, Queue, Queueing, mac80211};
use airloom_sim::{Calendar, Handle, Slot, Stream, Time};
use airloom_wifi::{Category, PerCategory, TIDS};

/// The queues above a driver.
pub(super) enum TxQueues {
    /// A queue for each category, for all receivers (Linux net/sched/sch_mq.c); packets go down as long as the driver has
    /// room.
    Shared(Box<PerCategory<Shared>>),
    /// A queue for each TID of each receiver, from which the driver pulls as it forms PPDUs.
    PerReceiver(Box<mac80211::Queues>),
}

/// One of the queues for all receivers.
pub(super) struct Shared {
    queue: Queue,
    /// Fires when the queue must be polled although the driver has not asked for packets.
    ask: Slot,
}

impl TxQueues {
    /// Empty queues above the radio of `node`, which sends to nodes below `receivers`. The queue of a category draws from what
    /// `chance` makes for it.
    pub(super) fn new(
        node: NodeId,
        discipline: &Discipline,
        receivers: usize,
        chance: impl Fn(Category) -> Stream,
        calendar: &mut Calendar<Event>,
    ) -> Self {
        let id = QueueId { node, layer: QueueLayer::Discipline };
        match discipline {
            Discipline::Mac80211(queues) => {
                Self::PerReceiver(Box::new(queues.queues(id, (receivers * TIDS) as u32)))
            }
            one => {
                let shared = PerCategory::from_fn(|category| {
                    let queue = one.queue(id, chance(category));
                    let queue = queue.expect("mac80211's are the only queues for each receiver");
                    Shared { queue, ask: calendar.reserve(Event::Ask(node, category)) }
                });
                Self::Shared(Box::new(shared))
            }
        }
    }
}

/// Takes all packets out of a queue.
fn purge(queue: &mut Queue, now: Time, purged: &mut Vec<Item>) {
    let mut time = now;
    loop {
        let mut dropped = Vec::new();
        let next = queue.dequeue(time, &mut dropped, &mut ());
        purged.append(&mut dropped);
        match next {
            Next::Packet(item) => purged.push(item),
            Next::NotBefore(later) => time = later,
            Next::Empty => return,
        }
    }
}

/// The place of a TID of a receiver among mac80211's queues.
fn tin(receiver: NodeId, tid: u8) -> u32 {
    u32::from(receiver.0) * TIDS as u32 + u32::from(tid)
}

impl TxQueues {
    /// Replaces the queues for all receivers by empty ones of another discipline, and gives what was in them. Those for each
    /// receiver stay.
    pub(super) fn replace(
        &mut self,
        now: Time,
        id: QueueId,
        discipline: &Discipline,
        chance: impl Fn(Category) -> Stream,
    ) -> Vec<Item> {
        let mut purged = Vec::new();
        let shared = match (self, discipline) {
            (Self::Shared(shared), _) => shared,
            (Self::PerReceiver(queues), Discipline::Mac80211(to)) => {
                queues.change(to);
                return purged;
            }
            (Self::PerReceiver(_), _) => return purged,
        };
        for category in Category::ALL {
            if shared[category].queue.change(discipline) {
                continue;
            }
            if let Some(queue) = discipline.queue(id, chance(category)) {
                purge(&mut std::mem::replace(&mut shared[category].queue, queue), now, &mut purged);
            }
        }
        purged
    }

    /// Takes out what waits for a receiver that has left: of queues for all receivers all, if `alone` it is that of every packet.
    pub(super) fn take_out(&mut self, now: Time, receiver: NodeId, alone: bool) -> Vec<Item> {
        let mut taken = Vec::new();
        match self {
            Self::Shared(shared) if alone => {
                shared.0.iter_mut().for_each(|shared| purge(&mut shared.queue, now, &mut taken));
            }
            // What is for it finds no station as it comes down to the driver.
            Self::Shared(_) => {}
            Self::PerReceiver(queues) => {
                for tid in 0..TIDS as u8 {
                    while let Some(item) = queues.dequeue(now, tin(receiver, tid), &mut taken, &mut ()) {
                        taken.push(item);
                    }
                }
            }
        }
        taken
    }

    /// Those for each receiver, if they are that.
    fn per_receiver(&mut self) -> Option<&mut mac80211::Queues> {
        if let Self::PerReceiver(queues) = self { Some(queues) } else { None }
    }

    /// How many packets wait in all of them.
    pub(super) fn len(&self) -> u32 {
        match self {
            Self::Shared(shared) => shared.0.iter().map(|shared| shared.queue.len() as u32).sum(),
            Self::PerReceiver(queues) => queues.len() as u32,
        }
    }

    /// Whether packets wait in any.
    fn wait(&self) -> bool {
        match self {
            Self::Shared(shared) => shared.0.iter().any(|shared| !shared.queue.is_empty()),
            Self::PerReceiver(queues) => !queues.is_empty(),
        }
    }
}

impl<P: Probe> World<P> {
    /// Hands a packet to the driver of `node`, or to the queue above it; false if there is no room.
    pub(super) fn enter_air(&mut self, now: Time, node: NodeId, packet: Handle) -> bool {
        if self.neighbours.is_some() && self.waits_for_neighbour(now, node, packet) {
            return true;
        }
        if self.absences.is_any() && self.is_lost_at(now, node, packet) {
            return false;
        }
        let sent = self.classify(node, packet);
        let (category, addressed) = (sent.priority.1, sent.addressed(packet));
        let TxQueues::Shared(shared) = self.tx_queues(node) else {
            self.enter_receiver(now, node, packet);
            return true;
        };
        if shared[category].queue.is_bypassed()
            && let Some(device) = self.accepting(node, category)
        {
            self.hand_down(now, (node, device), addressed);
            if self.datagrams_follow {
                self.passed_queue(node, packet);
            }
            true
        } else {
            self.enter_queue(now, node, category, packet)
        }
    }

    /// Enqueues a packet in the queue of a category of a node; false if there is no room.
    fn enter_queue(&mut self, now: Time, node: NodeId, category: Category, packet: Handle) -> bool {
        self.air.set_backlog(node, true);
        let item = self.item(packet);
        let Node::Radio(TxQueues::Shared(shared)) = &mut self.nodes[usize::from(node.0)] else {
            return false;
        };
        let Shared { queue, ask } = &mut shared[category];
        if queue.is_empty() && !queue.is_bypassed() {
            self.calendar.set(*ask, now);
        }
        let accepted = queue.enqueue(now, item, &mut self.dropped, &mut self.probe).is_ok();
        self.discard(node);
        accepted
    }

    /// Enqueues a packet for its receiver on this hop: the access point, or from there the destination.
    fn enter_receiver(&mut self, now: Time, node: NodeId, packet: Handle) {
        let &Packet { destination, priority: (tid, _), .. } = self.packets.get(packet);
        let receiver = self.bridge.next_hop(node, destination);
        self.tap(now, node, true, packet);
        let item = self.item(packet);
        let Node::Radio(TxQueues::PerReceiver(queues)) = &mut self.nodes[usize::from(node.0)] else { return };
        queues.enqueue(now, tin(receiver, tid), item, &mut self.dropped, &mut self.probe);
        self.discard(node);
        self.air.set_backlog(node, true);
        self.air.offer(now, (node, receiver, tid), &mut self.air_fx);
    }

    /// Moves packets of a category from the queues to the driver as long as it accepts them.
    pub(super) fn pump(&mut self, now: Time, node: NodeId, category: Category) {
        if let TxQueues::PerReceiver(_) = self.tx_queues(node) {
            return self.air.refill(now, node, &mut self.air_fx);
        }
        while let Some(device) = self.accepting(node, category) {
            let Node::Radio(TxQueues::Shared(shared)) = &mut self.nodes[usize::from(node.0)] else {
                return;
            };
            let Shared { queue, ask } = &mut shared[category];
            let next = queue.dequeue(now, &mut self.dropped, &mut self.probe);
            if let Next::NotBefore(at) = next {
                self.calendar.set(*ask, at);
            }
            self.discard(node);
            let Item { packet: handle, ecn, .. } = match next {
                Next::Packet(item) => item,
                Next::NotBefore(_) => return,
                Next::Empty => {
                    let waits = self.tx_queues(node).wait();
                    return self.air.set_backlog(node, waits);
                }
            };
            let packet = self.packets.get_mut(handle);
            packet.ecn = ecn;
            let addressed = packet.addressed(handle);
            self.hand_down(now, (node, device), addressed);
            self.left_queue(now, node, handle);
        }
    }

    /// The driver of `node` forms a PPDU for `receiver` and pulls its packets.
    pub(super) fn pulled(&mut self, now: Time, node: NodeId, receiver: NodeId, tid: u8) {
        let tin = tin(receiver, tid);
        let mut room = self.air.room(node, receiver, tid);
        let mut goes_on = true;
        while goes_on && !room.is_used_up() {
            let Node::Radio(queues) = &mut self.nodes[usize::from(node.0)] else { return };
            let Some(queues) = queues.per_receiver().filter(|queues| queues.has(tin)) else { break };
            let next = queues.dequeue(now, tin, &mut self.dropped, &mut self.probe);
            let Some(Item { packet: handle, bytes, ecn, .. }) = next else { break };
            room.use_up(bytes);
            let packet = self.packets.get_mut(handle);
            packet.ecn = ecn;
            let payload = packet.payload(handle);
            goes_on = self.air.supply(now, (node, receiver), payload, &mut self.probe);
            self.left_queue(now, node, handle);
        }
        let Node::Radio(TxQueues::PerReceiver(queues)) = &self.nodes[usize::from(node.0)] else { return };
        let (offered, waits) = (queues.has(tin), !queues.is_empty());
        if !offered {
            self.air.exhausted(node, receiver, tid);
        }
        self.air.set_backlog(node, waits);
        self.discard(node);
        self.air.refill(now, node, &mut self.air_fx);
    }

    /// The queues above the radio of `node`.
    fn tx_queues(&self, node: NodeId) -> &TxQueues {
        match &self.nodes[usize::from(node.0)] {
            Node::Radio(queues) => queues,
            Node::Server { .. } => unreachable!("servers have no radio"),
        }
    }
}
