//! The queues of mac80211: one for each receiver, from which the driver takes packets as it forms PPDUs.
//!
//! They are those of Linux 6.16 and later (`ieee80211_txq_enqueue()` and `ieee80211_tx_dequeue()` in `net/mac80211/tx.c`,
//! `include/net/fq_impl.h`): a receiver's flows take turns as in FQ-CoDel (RFC 8290), and all receivers share the
//! buckets and the limit. A flow whose bucket is in use by another receiver goes to its own receiver's overflow queue,
//! and its packets may be reordered when the bucket is free again. On overflow half of the fattest flow's packets, 32
//! at most, are dropped from its head. From 4.12 to 6.15 receivers expected to get less than 6 Mbit/s, times the number
//! of stations, had a target of 50 ms and an interval of 300 ms instead. The limit counts lengths of packets, where
//! Linux counts the memory of their buffers.

use crate::Item;
use crate::codel::Law;
use crate::fair::{Fair, FairKind};
use crate::parameters::{
    LEAST_TIME, MOST_BYTES, MOST_FLOWS, MOST_PACKETS, MOST_QUANTUM, MOST_TIME, parameters,
};
use airloom_observe::{Probe, QueueId};
use airloom_sim::{Bytes, Duration, Time};

parameters! {
    /// mac80211's queues; the defaults are those of Linux 6.16 net/mac80211/tx.c, `ieee80211_txq_setup_flows()`, for an
    /// adapter of 802.11n, and `airtime_weight` of net/mac80211/sta_info.c.
    pub struct Mac80211 {
        /// The most packets that they hold, for all receivers together.
        limit: u32 = packets(1, MOST_PACKETS), default 8192;
        /// The most bytes that they hold.
        memory: Bytes = size(Bytes(1), MOST_BYTES), default Bytes(4 << 20);
        /// The buckets that the flows of all receivers are hashed into.
        flows: u32 = count(1, MOST_FLOWS), default 4096;
        /// What a flow sends in its turn.
        quantum: u32 = small_size(1, MOST_QUANTUM), default 300;
        /// The sojourn time that is acceptable indefinitely.
        target: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(20);
        /// How long the target may be exceeded: a worst-case round trip.
        interval: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(100);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = flag(), default true;
        /// The air time that each receiver is given in a round, or "off" if each is given one PPDU.
        airtime: Option<Duration> = time_or_off(Duration::from_micros(1), Duration::from_millis(100)),
            default Some(Duration::from_micros(256));
    }
}

impl Mac80211 {
    /// Empty queues for a number of receivers, which are counted from zero.
    pub fn queues(&self, id: QueueId, receivers: u32) -> Queues {
        let &Self { limit, memory, flows, quantum, .. } = self;
        let fair = Fair::new(id, flows, receivers, quantum, FairKind::Mac80211);
        Queues { fair, law: self.law(), limit, memory }
    }

    fn law(&self) -> Law {
        let &Self { target, interval, ecn, .. } = self;
        Law { target, interval, mtu: 0, ecn }
    }

    /// Whether queues under one can [go on](Queues::change) under the other: flows are hashed alike, and receivers take turns alike.
    pub fn holds_as(&self, other: &Self) -> bool {
        (self.flows, &self.airtime) == (other.flows, &other.airtime)
    }
}

/// See the module. Not a [`Queueing`](crate::Queueing), since packets are asked for by receiver.
pub struct Queues {
    fair: Fair,
    law: Law,
    limit: u32,
    memory: Bytes,
}

impl Queues {
    /// Goes on under other numbers with what it holds, which may be more than there is room for now.
    pub fn change(&mut self, to: &Mac80211) {
        (self.limit, self.memory, self.law) = (to.limit, to.memory, to.law());
        self.fair.set_quantum(to.quantum);
    }

    /// Packets held for all receivers.
    pub fn len(&self) -> usize {
        self.fair.packets() as usize
    }

    /// Whether all queues are empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether packets are held for `receiver`.
    pub fn has(&self, receiver: u32) -> bool {
        self.fair.bytes_of(receiver) > 0
    }

    /// Enqueues `item` for `receiver`; packets dropped to make room are in `dropped`.
    pub fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        receiver: u32,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) {
        self.fair.push(now, receiver, item, probe);
        while self.fair.packets() > self.limit || self.fair.bytes() > self.memory.0 {
            self.fair.drop_fattest(now, dropped, probe);
        }
    }

    /// The next packet for `receiver`; `dropped` gets those that were dropped before it.
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
