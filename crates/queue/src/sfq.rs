//! Stochastic fairness queueing: hashed flows in deficit round robin, the longest one loses (McKenney 1990).
//!
//! It follows Linux's `net/sched/sch_sfq.c` as configured by default: a flow and the queue as a whole hold 127 packets at
//! most, what a flow has too much is dropped as it comes, what the queue has too much is dropped from the tail of its
//! longest flow. The hash can be perturbed every so often; packets that wait then move to their flows' new buckets in the
//! order of the rounds (`sfq_rehash()`).

use crate::store::{Held, List, Store};
use crate::{Item, Teller, bucket};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Duration, Time};
use std::collections::VecDeque;

/// What an SFQ queue holds, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Packets it holds at most.
    pub limit: u32,
    /// Packets of one flow that it holds at most.
    pub depth: u32,
    /// Flows that it holds packets of at most.
    pub flows: u32,
    /// Buckets that flows are hashed into.
    pub divisor: u32,
    /// Bytes that a flow sends in its turn.
    pub quantum: u32,
    /// How often the hash changes, if it does.
    pub perturb: Option<Duration>,
}

#[derive(Clone, Copy, Default)]
struct Flow {
    list: List,
    /// Bytes it may still send in this round; not positive when its turn is over.
    allotment: i64,
}

/// See the module.
pub struct Sfq {
    teller: Teller,
    shape: Shape,
    flows: Vec<Flow>,
    store: Store,
    /// Buckets that hold packets, in the order of their turns.
    round: VecDeque<u32>,
    packets: u32,
    /// How often the hash has changed.
    salt: u64,
}

impl Sfq {
    /// An empty queue.
    pub fn new(id: QueueId, shape: Shape) -> Self {
        let flows = vec![Flow::default(); shape.divisor as usize];
        let (store, round) = (Store::default(), VecDeque::new());
        Self { teller: Teller(id), shape, flows, store, round, packets: 0, salt: 0 }
    }

    /// Packets held.
    pub fn len(&self) -> usize {
        self.packets as usize
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Takes `item` in; when the queue is full, the longest flow pays, which may be its own.
    ///
    /// # Errors
    /// Gives `item` back when its flow is at its depth, or when there are too many flows.
    pub fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        self.perturb(now, dropped, probe);
        let index = self.bucket(item.flow);
        let held = self.flows[index as usize].list.packets;
        if held >= self.shape.depth || held == 0 && self.round.len() >= self.shape.flows as usize {
            self.teller.dropped(now, self.packets, DropCause::Full, probe);
            return Err(item);
        }
        self.push(index, Held { since: now, item });
        self.teller.entered(now, self.packets, probe);
        if self.packets > self.shape.limit {
            dropped.extend(self.drop_longest());
            self.teller.dropped(now, self.packets, DropCause::Full, probe);
        }
        Ok(())
    }

    /// The next packet of the flow whose turn it is.
    pub fn dequeue<P: Probe>(&mut self, now: Time, probe: &mut P) -> Option<Item> {
        loop {
            let index = self.round.pop_front()?;
            let flow = &mut self.flows[index as usize];
            if flow.allotment <= 0 {
                flow.allotment += i64::from(self.shape.quantum);
                self.round.push_back(index);
                continue;
            }
            let Held { since, item } = self.store.pop_first(&mut flow.list)?;
            flow.allotment -= i64::from(item.bytes);
            self.packets -= 1;
            if flow.list.packets > 0 {
                self.round.push_front(index);
            }
            self.teller.left(now, self.packets, now - since, probe);
            return Some(item);
        }
    }

    fn push(&mut self, index: u32, held: Held) {
        let flow = &mut self.flows[index as usize];
        if flow.list.packets == 0 {
            flow.allotment = i64::from(self.shape.quantum);
            self.round.push_back(index);
        }
        self.store.push(&mut flow.list, held);
        self.packets += 1;
    }

    /// The newest packet of the longest flow; of several, the one whose turn is next.
    fn drop_longest(&mut self) -> Option<Item> {
        let mut longest = *self.round.front()?;
        for &index in &self.round {
            if self.flows[index as usize].list.packets > self.flows[longest as usize].list.packets {
                longest = index;
            }
        }
        let list = &mut self.flows[longest as usize].list;
        let held = self.store.pop_last(list)?;
        self.packets -= 1;
        if list.packets == 0 {
            self.round.retain(|&index| index != longest);
        }
        Some(held.item)
    }

    fn bucket(&self, flow: u32) -> u32 {
        // Spreads the salt over all bits; without one the hash stays as it came.
        let salt = self.salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        bucket((flow ^ salt as u32).wrapping_mul(1 | salt as u32), self.shape.divisor)
    }

    /// Changes the hash when its time is over; flows that now share a bucket share its depth.
    fn perturb<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) {
        let Some(period) = self.shape.perturb else { return };
        let salt = now.as_nanos() / period.as_nanos().max(1);
        if salt == self.salt {
            return;
        }
        self.salt = salt;
        let mut moved = Vec::with_capacity(self.len());
        for index in std::mem::take(&mut self.round) {
            while let Some(held) = self.store.pop_first(&mut self.flows[index as usize].list) {
                moved.push(held);
            }
        }
        self.packets = 0;
        for held in moved {
            let index = self.bucket(held.item.flow);
            if self.flows[index as usize].list.packets < self.shape.depth {
                self.push(index, held);
            } else {
                dropped.push(held.item);
                self.teller.dropped(now, self.packets, DropCause::Full, probe);
            }
        }
    }
}
