//! Drop-tail first-in first-out, bounded in packets, bytes or both (Linux `net/sched/sch_fifo.c`: `pfifo`, `bfifo`).

use crate::parameters::parameters;
use crate::store::Held;
use crate::{Item, Limit, Next, Queueing, Reporter};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Stream, Time};
use std::collections::VecDeque;

/// Packets in the queue of an Ethernet-like device, such as one of Wi-Fi (Linux net/ethernet/eth.c, `ether_setup()`:
/// `tx_queue_len = DEFAULT_TX_QUEUE_LEN`, 1000).
pub(crate) const TX_QUEUE_LEN: Limit = Limit { packets: Some(1000), bytes: None };

parameters! {
    /// A first-in first-out queue.
    pub struct Fifo {
        /// The most it holds, "1000 packets" or "128 KiB", or both in an array; as long as the queue of an Ethernet-like
        /// device if left out (Linux net/sched/sch_fifo.c, `__fifo_init()`: `tx_queue_len`).
        limit: Limit = limit(), default TX_QUEUE_LEN;
    }
}

impl Fifo {
    /// An empty queue.
    pub fn queue(&self, id: QueueId, _: Stream) -> Queue {
        Queue { reporter: Reporter(id), limit: self.limit, held: VecDeque::new(), bytes: 0 }
    }
}

/// A drop-tail queue.
pub struct Queue {
    reporter: Reporter,
    limit: Limit,
    held: VecDeque<Held>,
    bytes: u64,
}

impl Queue {
    /// Goes on under other numbers with what it holds, which may be more than there is room for now.
    pub(crate) fn change(&mut self, to: &Fifo) {
        self.limit = to.limit;
    }

    /// The packet that has waited longest.
    pub(crate) fn first(&self) -> Option<&Item> {
        self.held.front().map(|held| &held.item)
    }

    /// Drops `item`, for which there is no room.
    pub(crate) fn refuse<P: Probe>(&self, now: Time, item: Item, probe: &mut P) -> Result<(), Item> {
        self.reporter.dropped(now, self.held.len() as u32, DropCause::Full, probe);
        Err(item)
    }
}

impl Queueing for Queue {
    fn len(&self) -> usize {
        self.held.len()
    }

    fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        _: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        if self.limit.is_full(self.held.len(), self.bytes, item.bytes) {
            return self.refuse(now, item, probe);
        }
        self.bytes += u64::from(item.bytes);
        self.held.push_back(Held { since: now, item });
        self.reporter.entered(now, self.held.len() as u32, probe);
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, _: &mut Vec<Item>, probe: &mut P) -> Next {
        let Some(Held { since, item }) = self.held.pop_front() else { return Next::Empty };
        self.bytes -= u64::from(item.bytes);
        self.reporter.left(now, self.held.len() as u32, now - since, probe);
        Next::Packet(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{Ecn, NodeId, Observation, QueueEvent, QueueLayer};
    use airloom_sim::{Bytes, Duration, Handle};
    use proptest::prelude::*;

    fn queue(packets: Option<u32>, bytes: Option<u64>) -> Queue {
        let id = QueueId { node: NodeId(0), layer: QueueLayer::Discipline };
        let limit = Limit { packets, bytes: bytes.map(Bytes) };
        Fifo { limit }.queue(id, Stream::new(1, "", ""))
    }

    fn push(q: &mut Queue, item: Item) -> Result<(), Item> {
        q.enqueue(Time::ZERO, item, &mut Vec::new(), &mut ())
    }

    fn item(n: u32, bytes: u32) -> Item {
        Item { packet: Handle(n), bytes, flow: 0, ecn: Ecn::NotEct }
    }

    #[test]
    fn drops_the_newcomer_at_either_limit() {
        let mut q = queue(Some(2), Some(2500));
        assert!(push(&mut q, item(0, 1500)).is_ok());
        assert_eq!(push(&mut q, item(1, 1500)), Err(item(1, 1500)));
        assert!(push(&mut q, item(2, 1000)).is_ok());
        assert!(push(&mut q, item(3, 0)).is_err());
    }

    #[test]
    fn sojourn_times_are_observed() {
        let mut q = queue(None, None);
        let mut seen: Vec<(Time, Observation)> = Vec::new();
        q.enqueue(Time::ZERO, item(0, 10), &mut Vec::new(), &mut seen).unwrap();
        q.dequeue(Time::ZERO + Duration::from_millis(5), &mut Vec::new(), &mut seen);
        let Observation::Queue(QueueEvent::Out { sojourn, packets: 0, .. }) = seen[1].1 else {
            panic!("{seen:?}")
        };
        assert_eq!(sojourn, Duration::from_millis(5));
    }

    proptest! {
        /// Packets in = packets out + packets dropped + packets held, in order, within the limits.
        #[test]
        fn nothing_is_lost_or_reordered(
            steps in prop::collection::vec((any::<bool>(), 1u32..2000), 1..200),
            packets in prop::option::of(1u32..20),
            bytes in prop::option::of(1000u64..9000),
        ) {
            let mut q = queue(packets, bytes);
            let mut model: VecDeque<Item> = VecDeque::new();
            for (i, (goes_in, size)) in steps.into_iter().enumerate() {
                if goes_in {
                    let it = item(i as u32, size);
                    if push(&mut q, it).is_ok() {
                        model.push_back(it);
                    } else {
                        let held: u64 = model.iter().map(|i| u64::from(i.bytes)).sum();
                        let full = packets.is_some_and(|p| model.len() == p as usize)
                            || bytes.is_some_and(|b| held + u64::from(size) > b);
                        prop_assert!(full, "dropped although there was room");
                    }
                } else {
                    let next = model.pop_front().map_or(Next::Empty, Next::Packet);
                    prop_assert_eq!(q.dequeue(Time::ZERO, &mut Vec::new(), &mut ()), next);
                }
                prop_assert_eq!(q.len(), model.len());
            }
        }
    }
}
