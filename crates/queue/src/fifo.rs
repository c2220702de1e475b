//! Drop-tail first-in first-out, bounded in packets, bytes or both (Linux `net/sched/sch_fifo.c`: `pfifo`, `bfifo`).

use crate::store::Held;
use crate::{Item, Limit, Teller};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::Time;
use std::collections::VecDeque;

/// A drop-tail queue.
pub struct Fifo {
    teller: Teller,
    limit: Limit,
    held: VecDeque<Held>,
    bytes: u64,
}

impl Fifo {
    /// An empty queue.
    pub fn new(id: QueueId, limit: Limit) -> Self {
        Self { teller: Teller(id), limit, held: VecDeque::new(), bytes: 0 }
    }

    /// Packets held.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Takes `item` in.
    ///
    /// # Errors
    /// Gives `item` back when either limit would be passed.
    pub fn enqueue<P: Probe>(&mut self, now: Time, item: Item, probe: &mut P) -> Result<(), Item> {
        let full = self.limit.packets.is_some_and(|most| self.held.len() >= most as usize)
            || self.limit.bytes.is_some_and(|most| self.bytes + u64::from(item.bytes) > most.0);
        if full {
            self.teller.dropped(now, self.held.len() as u32, DropCause::Full, probe);
            return Err(item);
        }
        self.bytes += u64::from(item.bytes);
        self.held.push_back(Held { since: now, item });
        self.teller.entered(now, self.held.len() as u32, probe);
        Ok(())
    }

    /// The packet that has waited longest.
    pub fn dequeue<P: Probe>(&mut self, now: Time, probe: &mut P) -> Option<Item> {
        let Held { since, item } = self.held.pop_front()?;
        self.bytes -= u64::from(item.bytes);
        self.teller.left(now, self.held.len() as u32, now - since, probe);
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::{Ecn, NodeId, Observation, QueueEvent, QueueLayer};
    use airloom_sim::{Bytes, Duration, Handle};
    use proptest::prelude::*;

    fn queue(packets: Option<u32>, bytes: Option<u64>) -> Fifo {
        let id = QueueId { node: NodeId(0), layer: QueueLayer::Discipline };
        Fifo::new(id, Limit { packets, bytes: bytes.map(Bytes) })
    }

    fn item(n: u32, bytes: u32) -> Item {
        Item { packet: Handle(n), bytes, flow: 0, ecn: Ecn::NotCapable }
    }

    #[test]
    fn drops_the_newcomer_at_either_limit() {
        let mut q = queue(Some(2), Some(2500));
        let t = Time::ZERO;
        assert!(q.enqueue(t, item(0, 1500), &mut ()).is_ok());
        assert_eq!(q.enqueue(t, item(1, 1500), &mut ()), Err(item(1, 1500)));
        assert!(q.enqueue(t, item(2, 1000), &mut ()).is_ok());
        assert!(q.enqueue(t, item(3, 0), &mut ()).is_err());
    }

    #[test]
    fn sojourn_times_are_observed() {
        let mut q = queue(None, None);
        let mut seen: Vec<(Time, Observation)> = Vec::new();
        q.enqueue(Time::ZERO, item(0, 10), &mut seen).unwrap();
        q.dequeue(Time::ZERO + Duration::from_millis(5), &mut seen).unwrap();
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
            for (i, (push, size)) in steps.into_iter().enumerate() {
                if push {
                    let it = item(i as u32, size);
                    if q.enqueue(Time::ZERO, it, &mut ()).is_ok() {
                        model.push_back(it);
                    } else {
                        let held: u64 = model.iter().map(|i| u64::from(i.bytes)).sum();
                        let full = packets.is_some_and(|p| model.len() == p as usize)
                            || bytes.is_some_and(|b| held + u64::from(size) > b);
                        prop_assert!(full, "dropped although there was room");
                    }
                } else {
                    prop_assert_eq!(q.dequeue(Time::ZERO, &mut ()), model.pop_front());
                }
                prop_assert_eq!(q.len(), model.len());
            }
        }
    }
}
