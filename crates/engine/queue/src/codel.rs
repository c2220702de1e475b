//! CoDel: the sojourn time of a queue is controlled by dropping from its head (RFC 8289).
//!
//! The state machine is that of RFC 8289 section 5, with the square root computed rather than approximated as Linux does
//! (`codel_Newton_step()`). As in Linux (`include/net/codel_impl.h`, `net/sched/sch_codel.c`) a packet of a transport that
//! understands ECN is marked where it would have been dropped, and a new dropping state takes up the count of the last
//! one if that ended within 16 intervals.

use crate::parameters::{LEAST_TIME, MOST_PACKETS, MOST_TIME, parameters};
use crate::store::Held;
use crate::{Item, MTU, Next, Queueing, Reporter};
use airloom_observe::{DropCause, Probe, QueueId};
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

parameters! {
    /// A queue under CoDel; the defaults are those of Linux net/sched/sch_codel.c, `codel_init()`.
    pub struct Codel {
        /// The most packets it holds.
        limit: u32 = packets(1, MOST_PACKETS), default 1000;
        /// The sojourn time that is acceptable indefinitely.
        target: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(5);
        /// How long the target may be exceeded: a worst-case round trip.
        interval: Duration = time(LEAST_TIME, MOST_TIME), default Duration::from_millis(100);
        /// Whether packets of transports that understand it are marked rather than dropped.
        ecn: bool = flag(), default false;
    }
}

impl Codel {
    /// An empty queue.
    pub fn queue(&self, id: QueueId, _: Stream) -> Queue {
        Queue {
            reporter: Reporter(id),
            limit: self.limit,
            law: self.law(),
            control: Control::default(),
            held: VecDeque::new(),
            bytes: 0,
        }
    }

    fn law(&self) -> Law {
        let &Self { target, interval, ecn, .. } = self;
        Law { target, interval, mtu: MTU, ecn }
    }
}

/// The control law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Law {
    /// The sojourn time that is acceptable indefinitely.
    pub(crate) target: Duration,
    /// How long it may be exceeded before the first drop.
    pub(crate) interval: Duration,
    /// A backlog of this many bytes or fewer never drops: one full-sized packet.
    pub(crate) mtu: u32,
    /// Packets are marked rather than dropped where their transport understands it.
    pub(crate) ecn: bool,
}

/// The queue that a [`Control`] takes packets from.
pub(crate) trait PacketSource {
    /// Takes the packet that has waited longest.
    fn take(&mut self) -> Option<Held>;
    /// Bytes that still wait.
    fn backlog(&self) -> u64;
    /// Drops a packet taken before.
    fn discard(&mut self, held: Held);
    /// A packet taken before was marked.
    fn marked(&mut self);
}

/// The state of one controlled queue.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Control {
    /// When the sojourn time will have exceeded its target for an interval; none while it does not.
    first_above: Option<Time>,
    dropping: bool,
    /// Drops in this dropping state, and what they were when it began.
    count: u32,
    last_count: u32,
    drop_next: Time,
}

impl Control {
    /// The next packet that `law` passes; `source` gets those dropped before it.
    pub(crate) fn dequeue(&mut self, now: Time, law: &Law, source: &mut impl PacketSource) -> Option<Held> {
        let mut held = source.take();
        let above = self.above(now, law, held.as_ref(), source);
        if self.dropping {
            self.dropping = above;
            while self.dropping && now >= self.drop_next {
                self.count += 1;
                if mark(law, held.as_mut(), source) {
                    self.drop_next = self.after(self.drop_next, law);
                    break;
                }
                held.into_iter().for_each(|held| source.discard(held));
                held = source.take();
                self.dropping = self.above(now, law, held.as_ref(), source);
                if self.dropping {
                    self.drop_next = self.after(self.drop_next, law);
                }
            }
        } else if above {
            if !mark(law, held.as_mut(), source) {
                held.into_iter().for_each(|held| source.discard(held));
                held = source.take();
                self.above(now, law, held.as_ref(), source);
            }
            self.enter(now, law);
        }
        held
    }

    /// More packets were dropped than the law asked for: it continues from that count (Linux `fq_codel_drop()`).
    pub(crate) fn overflowed(&mut self, packets: u32) {
        self.count += packets;
    }

    fn enter(&mut self, now: Time, law: &Law) {
        self.dropping = true;
        let fresh = self.count.wrapping_sub(self.last_count);
        let recent = now < self.drop_next + law.interval * 16;
        self.count = if fresh > 1 && recent { fresh } else { 1 };
        self.last_count = self.count;
        self.drop_next = self.after(now, law);
    }

    /// Whether the sojourn time has been above its target for an interval.
    fn above(&mut self, now: Time, law: &Law, held: Option<&Held>, source: &impl PacketSource) -> bool {
        let good = held.is_none_or(|held| now - held.since < law.target);
        if good || source.backlog() <= u64::from(law.mtu) {
            self.first_above = None;
            return false;
        }
        now >= *self.first_above.get_or_insert(now + law.interval)
    }

    /// The control law: the next drop after the one due at `t` (RFC 8289 section 5, `control_law()`).
    fn after(&self, t: Time, law: &Law) -> Time {
        let interval = law.interval.as_nanos() as f64;
        t + Duration::from_nanos((interval / f64::from(self.count).sqrt()) as u64)
    }
}

fn mark(law: &Law, held: Option<&mut Held>, source: &mut impl PacketSource) -> bool {
    let marked = law.ecn && held.is_some_and(|held| held.item.ecn.mark());
    if marked {
        source.marked();
    }
    marked
}

/// One first-in first-out queue under control.
pub struct Queue {
    reporter: Reporter,
    /// Packets it holds at most; there is room before the control notices (Linux `codel_qdisc_enqueue()`).
    limit: u32,
    law: Law,
    control: Control,
    held: VecDeque<Held>,
    bytes: u64,
}

impl Queue {
    /// Goes on under other numbers with what it holds, which may be more than there is room for now.
    pub(crate) fn change(&mut self, to: &Codel) {
        (self.limit, self.law) = (to.limit, to.law());
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
        let packets = self.held.len() as u32;
        if packets >= self.limit {
            self.reporter.dropped(now, packets, DropCause::Full, probe);
            return Err(item);
        }
        self.bytes += u64::from(item.bytes);
        self.held.push_back(Held { since: now, item });
        self.reporter.entered(now, packets + 1, probe);
        Ok(())
    }

    fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Next {
        let Self { reporter, law, control, held, bytes, .. } = self;
        let mut head = Head { now, reporter: *reporter, held, bytes, dropped, probe };
        let Some(Held { since, item }) = control.dequeue(now, law, &mut head) else { return Next::Empty };
        self.reporter.left(now, self.held.len() as u32, now - since, probe);
        Next::Packet(item)
    }
}

/// The head of a queue.
struct Head<'a, P> {
    now: Time,
    reporter: Reporter,
    held: &'a mut VecDeque<Held>,
    bytes: &'a mut u64,
    dropped: &'a mut Vec<Item>,
    probe: &'a mut P,
}

impl<P: Probe> PacketSource for Head<'_, P> {
    fn take(&mut self) -> Option<Held> {
        let held = self.held.pop_front()?;
        *self.bytes -= u64::from(held.item.bytes);
        Some(held)
    }

    fn backlog(&self) -> u64 {
        *self.bytes
    }

    fn discard(&mut self, held: Held) {
        self.dropped.push(held.item);
        self.reporter.dropped(self.now, self.held.len() as u32, DropCause::Managed, self.probe);
    }

    fn marked(&mut self) {
        self.reporter.marked(self.now, self.probe);
    }
}

#[cfg(test)]
#[path = "codel_tests.rs"]
mod tests;
