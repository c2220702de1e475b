//! Stochastic fairness queueing: hashed flows in deficit round robin, the longest one loses (McKenney 1990).
//!
//! It follows Linux's `net/sched/sch_sfq.c` as configured by default: a flow and the queue as a whole hold 127 packets at
//! most, what a flow has too much is dropped as it comes, what the queue has too much is dropped from the tail of its
//! longest flow. The hash can be perturbed every so often; packets that wait then move to their flows' new buckets in the
//! order of the rounds (`sfq_rehash()`).

use crate::parameters::{MOST_FLOWS, MOST_PACKETS, MOST_QUANTUM, parameters};
use crate::store::{Held, List, Store};
use crate::{Item, Next, Queueing, Reporter, bucket};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

parameters! {
    /// Stochastic fairness queueing; the defaults are those of Linux net/sched/sch_sfq.c, `sfq_init()`.
    pub struct Sfq {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 127;
        /// The most packets of one flow that it holds.
        depth: u32 = packets(1, MOST_PACKETS), default 127;
        /// The most flows whose packets it holds.
        flows: u32 = count(1, MOST_FLOWS), default 127;
        /// The buckets that flows are hashed into.
        divisor: u32 = count(1, MOST_FLOWS), default 1024;
        /// What a flow sends in its turn.
        quantum: u32 = small_size(1, MOST_QUANTUM), default 1514;
        /// How often the hash changes, or "off".
        perturb: Option<Duration> =
            time_or_off(Duration::from_millis(1), Duration::from_secs(86_400)), default None;
    }
}

impl Sfq {
    /// An empty queue.
    pub fn queue(&self, id: QueueId, _: Stream) -> Queue {
        let flows = vec![Flow::default(); self.divisor as usize];
        let (store, round) = (Store::default(), VecDeque::new());
        Queue { reporter: Reporter(id), shape: self.clone(), flows, store, round, packets: 0, salt: 0 }
    }
}

#[derive(Clone, Copy, Default)]
struct Flow {
    list: List,
    /// Bytes it may still send in this round; not positive when its turn is over.
    allotment: i64,
}

/// See the module.
pub struct Queue {
    reporter: Reporter,
    shape: Sfq,
    flows: Vec<Flow>,
    store: Store,
    /// Buckets that hold packets, in the order of their turns.
    round: VecDeque<u32>,
    packets: u32,
    /// How often the hash has changed.
    salt: u64,
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.packets as usize
    }

    fn enqueue<P: Probe>(
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
            self.reporter.dropped(now, self.packets, DropCause::Full, probe);
            return Err(item);
        }
        self.push(index, Held { since: now, item });
        self.reporter.entered(now, self.packets, probe);
        if self.packets > self.shape.limit {
            dropped.extend(self.drop_longest());
            self.reporter.dropped(now, self.packets, DropCause::Full, probe);
        }
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, _: &mut Vec<Item>, probe: &mut P) -> Next {
        while let Some(index) = self.round.pop_front() {
            let flow = &mut self.flows[index as usize];
            if flow.allotment <= 0 {
                flow.allotment += i64::from(self.shape.quantum);
                self.round.push_back(index);
                continue;
            }
            let Some(Held { since, item }) = self.store.pop_first(&mut flow.list) else { continue };
            flow.allotment -= i64::from(item.bytes);
            self.packets -= 1;
            if flow.list.packets > 0 {
                self.round.push_front(index);
            }
            self.reporter.left(now, self.packets, now - since, probe);
            return Next::Packet(item);
        }
        Next::Empty
    }
}

impl Queue {
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
                self.reporter.dropped(now, self.packets, DropCause::Full, probe);
            }
        }
    }
}
