//! FQ-CoDel: flows in turn, new ones first, each under CoDel (RFC 8290).
//!
//! Where the RFC leaves a choice it is Linux's (`net/sched/sch_fq_codel.c`): the backlog that exempts from dropping is that
//! of all flows, and when the queue overflows up to 64 packets, half of what it holds at most, go from the head of the
//! fattest flow. The memory limit counts packets' lengths, where Linux counts what their buffers take.

use crate::Item;
use crate::codel::Law;
use crate::fair::{Fair, Kind};
use airloom_observe::{Probe, QueueId};
use airloom_sim::{Bytes, Time};

/// What a queue of many flows holds, and how.
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

/// See the module.
pub struct FqCodel {
    fair: Fair,
    law: Law,
    shape: Shape,
}

impl FqCodel {
    /// An empty queue.
    pub fn new(id: QueueId, shape: Shape, law: Law) -> Self {
        Self { fair: Fair::new(id, shape.flows, 1, shape.quantum, Kind::Discipline), law, shape }
    }

    /// Packets held.
    pub fn len(&self) -> usize {
        self.fair.packets() as usize
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        self.fair.push(now, 0, item, probe);
        if self.fair.packets() > self.shape.limit || self.fair.bytes() > self.shape.memory.0 {
            self.fair.drop_fattest(now, dropped, probe);
        }
        Ok(())
    }

    /// The next packet of the flow whose turn it is.
    pub fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Option<Item> {
        self.fair.pop(now, 0, &self.law, dropped, probe)
    }
}
