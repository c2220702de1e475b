//! Fair queueing with CoDel on every flow: deficit round robin over hashed flows, new ones first.
//!
//! The scheduler is that of RFC 8290 section 4 as Linux has it twice, in `net/sched/sch_fq_codel.c` and, with the flows of
//! many receivers side by side, in `include/net/fq_impl.h`. Flows are hashed into buckets that all *tins* share; a tin
//! is a set of flows that are served in turn, under one law.

use crate::codel::{Control, Law, PacketSource};
use crate::store::{Held, List, Store};
use crate::{Item, Reporter, bucket};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::Time;
use std::collections::VecDeque;

/// A flow in the hash table, or the overflow flow of a tin for packets whose bucket another tin uses.
#[derive(Clone, Copy, Default)]
struct Flow {
    list: List,
    control: Control,
    /// Bytes it may still send in this round; not positive when its turn is over.
    deficit: i64,
    /// The tin in whose rounds it takes part, if any.
    tin: Option<u32>,
}

/// Flows served in turn.
#[derive(Default)]
struct Tin {
    fresh: VecDeque<u32>,
    old: VecDeque<u32>,
    bytes: u64,
}

/// Linux's two variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FairKind {
    /// A discipline with one tin, whose whole backlog exempts from dropping; when it overflows, up to 64 packets are
    /// dropped at once (`FQ_CODEL`'s `drop_batch_size`) and CoDel continues from that count.
    Discipline,
    /// mac80211's tins, where a flow's own backlog exempts from dropping; when they overflow, up to 32 packets are
    /// dropped at once (`fq_flow_drop()`).
    Mac80211,
}

/// The flows of any number of tins.
pub(crate) struct Fair {
    reporter: Reporter,
    quantum: u32,
    kind: FairKind,
    buckets: u32,
    /// The buckets, and after them one flow for each tin, for packets whose bucket another tin uses.
    flows: Vec<Flow>,
    tins: Vec<Tin>,
    store: Store,
    packets: u32,
    bytes: u64,
}

impl Fair {
    /// Whether flows are hashed into so many buckets.
    pub(crate) fn has_buckets(&self, buckets: u32) -> bool {
        self.buckets == buckets
    }

    /// A flow sends `quantum` bytes in a round from its next turn on.
    pub(crate) fn set_quantum(&mut self, quantum: u32) {
        self.quantum = quantum;
    }

    /// Without packets: `buckets` flows among `tins`, each flow sending `quantum` bytes in a round.
    pub(crate) fn new(id: QueueId, buckets: u32, tins: u32, quantum: u32, kind: FairKind) -> Self {
        Self {
            reporter: Reporter(id),
            quantum,
            kind,
            buckets,
            flows: vec![Flow::default(); (buckets + tins) as usize],
            tins: (0..tins).map(|_| Tin::default()).collect(),
            store: Store::default(),
            packets: 0,
            bytes: 0,
        }
    }

    /// Packets held.
    pub(crate) fn packets(&self) -> u32 {
        self.packets
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes held for `tin`.
    pub(crate) fn bytes_of(&self, tin: u32) -> u64 {
        self.tins[tin as usize].bytes
    }

    /// Enqueues `item` for `tin`.
    pub(crate) fn push<P: Probe>(&mut self, now: Time, tin: u32, item: Item, probe: &mut P) {
        let hashed = bucket(item.flow, self.buckets);
        let foreign = self.flows[hashed as usize].tin.is_some_and(|user| user != tin);
        let index = if foreign { self.buckets + tin } else { hashed };
        let flow = &mut self.flows[index as usize];
        self.store.push(&mut flow.list, Held { since: now, item });
        let tin_ref = &mut self.tins[tin as usize];
        if flow.tin.is_none() {
            flow.tin = Some(tin);
            flow.deficit = i64::from(self.quantum);
            tin_ref.fresh.push_back(index);
        }
        tin_ref.bytes += u64::from(item.bytes);
        self.packets += 1;
        self.bytes += u64::from(item.bytes);
        self.reporter.entered(now, self.packets, probe);
    }

    /// The next packet of `tin` under `law`.
    pub(crate) fn pop<P: Probe>(
        &mut self,
        now: Time,
        tin: u32,
        law: &Law,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Option<Item> {
        loop {
            let Tin { fresh, old, .. } = &mut self.tins[tin as usize];
            let is_fresh = !fresh.is_empty();
            let index = *if is_fresh { fresh.front()? } else { old.front()? };
            let flow = &mut self.flows[index as usize];
            if flow.deficit <= 0 {
                let quantum = i64::from(self.quantum);
                if !is_fresh && old.len() == 1 {
                    // It is alone: as many turns at once as it needs.
                    flow.deficit += quantum * (-flow.deficit / quantum + 1);
                    continue;
                }
                flow.deficit += quantum;
                if is_fresh {
                    fresh.pop_front()
                } else {
                    old.pop_front()
                };
                old.push_back(index);
                continue;
            }
            let mut control = flow.control;
            let mut turn = Turn { now, index, tin, fair: self, dropped, probe };
            let held = control.dequeue(now, law, &mut turn);
            let flow = &mut self.flows[index as usize];
            flow.control = control;
            if let Some(Held { since, item }) = held {
                flow.deficit -= i64::from(item.bytes);
                self.reporter.left(now, self.packets, now - since, probe);
                return Some(item);
            }
            let Tin { fresh, old, .. } = &mut self.tins[tin as usize];
            if is_fresh {
                fresh.pop_front()
            } else {
                old.pop_front()
            };
            if is_fresh && !old.is_empty() {
                // It goes through the old flows once; otherwise it could starve them (RFC 8290 section 4.2).
                old.push_back(index);
            } else {
                flow.tin = None;
            }
        }
    }

    /// Drops from the head of the flow with the most bytes: half of its bytes, or at most one batch of packets.
    pub(crate) fn drop_fattest<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) {
        let mut index = 0;
        for (n, flow) in self.flows.iter().enumerate() {
            if flow.list.bytes > self.flows[index].list.bytes {
                index = n;
            }
        }
        let Flow { list, tin, .. } = self.flows[index];
        let (mut packets, mut bytes) = (0, 0);
        while let Some(held) = self.take(index as u32, tin.unwrap_or(0)) {
            packets += 1;
            bytes += u64::from(held.item.bytes);
            dropped.push(held.item);
            self.reporter.dropped(now, self.packets, DropCause::Full, probe);
            let enough = match self.kind {
                FairKind::Discipline => packets == 64 || bytes >= list.bytes / 2,
                FairKind::Mac80211 => packets >= (list.packets / 2).min(32),
            };
            if enough {
                break;
            }
        }
        if self.kind == FairKind::Discipline {
            self.flows[index].control.overflowed(packets);
        }
    }

    fn take(&mut self, index: u32, tin: u32) -> Option<Held> {
        let held = self.store.pop_first(&mut self.flows[index as usize].list)?;
        let bytes = u64::from(held.item.bytes);
        let tin = &mut self.tins[tin as usize];
        tin.bytes -= bytes;
        self.packets -= 1;
        self.bytes -= bytes;
        Some(held)
    }
}

/// A flow whose turn it is.
struct Turn<'a, P> {
    now: Time,
    index: u32,
    tin: u32,
    fair: &'a mut Fair,
    dropped: &'a mut Vec<Item>,
    probe: &'a mut P,
}

impl<P: Probe> PacketSource for Turn<'_, P> {
    fn take(&mut self) -> Option<Held> {
        self.fair.take(self.index, self.tin)
    }

    fn backlog(&self) -> u64 {
        match self.fair.kind {
            FairKind::Discipline => self.fair.tins[self.tin as usize].bytes,
            FairKind::Mac80211 => self.fair.flows[self.index as usize].list.bytes,
        }
    }

    fn discard(&mut self, held: Held) {
        self.dropped.push(held.item);
        self.fair.reporter.dropped(self.now, self.fair.packets, DropCause::Managed, self.probe);
    }

    fn marked(&mut self) {
        self.fair.reporter.marked(self.now, self.probe);
    }
}
