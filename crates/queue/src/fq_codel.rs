//! FQ-CoDel: deficit round robin over hashed flows, new ones first, each under CoDel (RFC 8290 section 4).
//!
//! Where the RFC leaves a choice it is Linux's (`net/sched/sch_fq_codel.c`): the backlog that exempts from dropping is that
//! of all flows, and when the queue overflows up to 64 packets, half of what it holds at most, go from the head of the
//! fattest flow. The memory limit counts packets' lengths, where Linux counts what their buffers take.

use crate::codel::{Control, Law, Source};
use crate::store::{Held, List, Store};
use crate::{Item, Teller, bucket};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Bytes, Time};
use std::collections::VecDeque;

/// Packets thrown out at once when the queue overflows (`FQ_CODEL`'s `drop_batch_size`).
const BATCH: u32 = 64;

/// What an FQ-CoDel queue holds, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Packets it holds at most.
    pub limit: u32,
    /// Bytes it holds at most.
    pub memory: Bytes,
    /// Buckets that flows are hashed into.
    pub flows: u32,
    /// Bytes that a flow sends in its turn.
    pub quantum: u32,
}

/// Those who share a bucket.
#[derive(Clone, Copy, Default)]
struct Flow {
    list: List,
    control: Control,
    /// Bytes it may still send in this round; not positive when its turn is over.
    deficit: i64,
    /// It takes part in the rounds.
    active: bool,
}

/// See the module.
pub struct FqCodel {
    teller: Teller,
    law: Law,
    shape: Shape,
    flows: Vec<Flow>,
    fresh: VecDeque<u32>,
    old: VecDeque<u32>,
    store: Store,
    packets: u32,
    bytes: u64,
}

impl FqCodel {
    /// An empty queue.
    pub fn new(id: QueueId, shape: Shape, law: Law) -> Self {
        Self {
            teller: Teller(id),
            law,
            shape,
            flows: vec![Flow::default(); shape.flows as usize],
            fresh: VecDeque::new(),
            old: VecDeque::new(),
            store: Store::default(),
            packets: 0,
            bytes: 0,
        }
    }

    /// Packets held.
    pub fn len(&self) -> usize {
        self.packets as usize
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.packets == 0
    }

    /// Takes `item` in; when that is too much, the fattest flow pays, which may be its own.
    ///
    /// # Errors
    /// Never: what is dropped is in `dropped`.
    pub fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        let index = bucket(item.flow, self.shape.flows);
        let flow = &mut self.flows[index as usize];
        self.store.push(&mut flow.list, Held { since: now, item });
        if !flow.active {
            flow.active = true;
            flow.deficit = i64::from(self.shape.quantum);
            self.fresh.push_back(index);
        }
        self.packets += 1;
        self.bytes += u64::from(item.bytes);
        self.teller.entered(now, self.packets, probe);
        if self.packets > self.shape.limit || self.bytes > self.shape.memory.0 {
            self.drop_fattest(now, dropped, probe);
        }
        Ok(())
    }

    /// The next packet of the flow whose turn it is.
    pub fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Option<Item> {
        loop {
            let is_fresh = !self.fresh.is_empty();
            let index = *self.turn(is_fresh).front()?;
            let flow = &mut self.flows[index as usize];
            if flow.deficit <= 0 {
                flow.deficit += i64::from(self.shape.quantum);
                self.turn(is_fresh).pop_front();
                self.old.push_back(index);
                continue;
            }
            let (mut control, law) = (flow.control, self.law);
            let held = control.dequeue(now, &law, &mut Turn { now, index, queue: self, dropped, probe });
            let flow = &mut self.flows[index as usize];
            flow.control = control;
            if let Some(Held { since, item }) = held {
                flow.deficit -= i64::from(item.bytes);
                self.teller.left(now, self.packets, now - since, probe);
                return Some(item);
            }
            self.turn(is_fresh).pop_front();
            if is_fresh && !self.old.is_empty() {
                // It passes through the old flows once, or it could starve them (RFC 8290 section 4.2).
                self.old.push_back(index);
            } else {
                self.flows[index as usize].active = false;
            }
        }
    }

    /// The new flows or the old ones, in turn.
    fn turn(&mut self, fresh: bool) -> &mut VecDeque<u32> {
        if fresh { &mut self.fresh } else { &mut self.old }
    }

    /// Drops from the head of the flow with the most bytes until half of them are gone, [`BATCH`] packets at most.
    fn drop_fattest<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) {
        let mut index = 0;
        for (n, flow) in self.flows.iter().enumerate() {
            if flow.list.bytes > self.flows[index].list.bytes {
                index = n;
            }
        }
        let half = self.flows[index].list.bytes / 2;
        let (mut packets, mut bytes) = (0, 0);
        while packets < BATCH && (packets == 0 || bytes < half) {
            let Some(held) = self.take(index as u32) else { break };
            packets += 1;
            bytes += u64::from(held.item.bytes);
            dropped.push(held.item);
            self.teller.dropped(now, self.packets, DropCause::Full, probe);
        }
        self.flows[index].control.overflowed(packets);
    }

    fn take(&mut self, index: u32) -> Option<Held> {
        let held = self.store.pop_first(&mut self.flows[index as usize].list)?;
        self.packets -= 1;
        self.bytes -= u64::from(held.item.bytes);
        Some(held)
    }
}

/// A flow whose turn it is.
struct Turn<'a, P> {
    now: Time,
    index: u32,
    queue: &'a mut FqCodel,
    dropped: &'a mut Vec<Item>,
    probe: &'a mut P,
}

impl<P: Probe> Source for Turn<'_, P> {
    fn take(&mut self) -> Option<Held> {
        self.queue.take(self.index)
    }

    /// Linux compares the backlog of all flows, not of this one, with a packet's length.
    fn backlog(&self) -> u64 {
        self.queue.bytes
    }

    fn discard(&mut self, held: Held) {
        self.dropped.push(held.item);
        self.queue.teller.dropped(self.now, self.queue.packets, DropCause::Managed, self.probe);
    }

    fn marked(&mut self) {
        self.queue.teller.marked(self.now, self.probe);
    }
}
