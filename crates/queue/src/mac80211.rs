//! The queues of mac80211: one for each receiver, from which the driver takes packets as it forms PPDUs.
//!
//! They are those of Linux 6.16 and later (`ieee80211_txq_enqueue()` and `ieee80211_tx_dequeue()` in `net/mac80211/tx.c`,
//! `include/net/fq_impl.h`): a receiver's flows take turns as in FQ-CoDel (RFC 8290), all receivers share the buckets and
//! the room. Who finds his bucket in another receiver's use waits in one of his receiver's own, and may be overtaken when it
//! is free again. When the room is used up, half of the fattest flow's packets, 32 at most, go from its head. From 4.12 to 6.15
//! receivers expected to get less than 6 Mbit/s, times the number of stations, had a target of 50 ms and an interval of 300
//! ms instead. The limit counts packets' lengths, where Linux counts what their buffers take.

use crate::Item;
use crate::codel::Law;
use crate::fair::{Fair, Kind};
use crate::fq_codel::Shape;
use airloom_observe::{Probe, QueueId};
use airloom_sim::Time;

/// See the module.
pub struct Mac80211 {
    fair: Fair,
    law: Law,
    shape: Shape,
}

impl Mac80211 {
    /// Empty queues for so many receivers, which are counted from zero.
    pub fn new(id: QueueId, receivers: u32, shape: Shape, law: Law) -> Self {
        Self { fair: Fair::new(id, shape.flows, receivers, shape.quantum, Kind::Mac80211), law, shape }
    }

    /// Packets held for all receivers.
    pub fn len(&self) -> usize {
        self.fair.packets() as usize
    }

    /// Whether nothing is held for anybody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether anything is held for `receiver`.
    pub fn has(&self, receiver: u32) -> bool {
        self.fair.bytes_of(receiver) > 0
    }

    /// Takes `item` in for `receiver`; what has to make room is in `dropped`.
    pub fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        receiver: u32,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) {
        self.fair.push(now, receiver, item, probe);
        while self.fair.packets() > self.shape.limit || self.fair.bytes() > self.shape.memory.0 {
            self.fair.drop_fattest(now, dropped, probe);
        }
    }

    /// The next packet for `receiver`; `dropped` is given those that were dropped in its stead.
    pub fn dequeue<P: Probe>(
        &mut self,
        now: Time,
        receiver: u32,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Option<Item> {
        self.fair.pop(now, receiver, &self.law, dropped, probe)
    }
}
