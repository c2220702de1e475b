//! FQ-CoDel: flows in turn, new ones first, each under CoDel (RFC 8290).
//!
//! Where the RFC leaves a choice it is Linux's (`net/sched/sch_fq_codel.c`): the backlog that exempts from dropping is
//! that of all flows, and when the queue overflows, up to 64 packets, at most half of its bytes, are dropped from the
//! head of the fattest flow. The memory limit counts lengths of packets, where Linux counts the memory of their
//! buffers.

use crate::codel::Law;
use crate::fair::{Fair, FairKind};
use crate::parameters::{
    LEAST_TIME, MOST_BYTES, MOST_FLOWS, MOST_PACKETS, MOST_QUANTUM, MOST_TIME, parameters,
};
use crate::{Item, MTU, Next, Queueing};
use airloom_observe::{Probe, QueueId};
use airloom_sim::{Bytes, Duration, Stream, Time};

parameters! {
    /// FQ-CoDel; the defaults are those of Linux net/sched/sch_fq_codel.c, `fq_codel_init()`.
    pub struct FqCodel {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 10_240;
        /// The most bytes it holds.
        memory: Bytes = size(Bytes(1), MOST_BYTES), default Bytes(32 << 20);
        /// The buckets that flows are hashed into.
        flows: u32 = count(1, MOST_FLOWS), default 1024;
        /// What a flow sends in its turn.
        quantum: u32 = small_size(1, MOST_QUANTUM), default 1514;
        /// The sojourn time that is acceptable indefinitely.
        target: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(5);
        /// How long the target may be exceeded: a worst-case round trip.
        interval: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(100);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = flag(), default true;
    }
}

impl FqCodel {
    /// An empty queue.
    pub fn queue(&self, id: QueueId, _: Stream) -> Queue {
        let &Self { limit, memory, flows, quantum, .. } = self;
        let fair = Fair::new(id, flows, 1, quantum, FairKind::Discipline);
        Queue { fair, law: self.law(), limit, memory }
    }

    fn law(&self) -> Law {
        let &Self { target, interval, ecn, .. } = self;
        Law { target, interval, mtu: MTU, ecn }
    }
}

/// See the module.
pub struct Queue {
    fair: Fair,
    law: Law,
    limit: u32,
    memory: Bytes,
}

impl Queue {
    /// Whether it hashes flows as this says, so that it can [change](Self::change).
    pub(crate) fn hashes_as(&self, to: &FqCodel) -> bool {
        self.fair.has_buckets(to.flows)
    }

    /// Goes on under other numbers with what it holds, which may be more than there is room for now.
    pub(crate) fn change(&mut self, to: &FqCodel) {
        (self.limit, self.memory, self.law) = (to.limit, to.memory, to.law());
        self.fair.set_quantum(to.quantum);
    }
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.fair.packets() as usize
    }

    /// Never refuses: on overflow the fattest flow loses packets, which may be the flow of `item`.
    fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        self.fair.push(now, 0, item, probe);
        if self.fair.packets() > self.limit || self.fair.bytes() > self.memory.0 {
            self.fair.drop_fattest(now, dropped, probe);
        }
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Next {
        self.fair.pop(now, 0, &self.law, dropped, probe).map_or(Next::Empty, Next::Packet)
    }
}
