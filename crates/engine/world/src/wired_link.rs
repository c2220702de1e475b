//! One direction of a wired link: a transmit queue, a rate, a delay.
//!
//! When a packet goes in, the instants at which it leaves the queue and reaches the far end are known, so a packet costs
//! one event here, and a second one only where its sender waits for it to leave. A managed queue, whose order is not
//! known beforehand, stands before a link that then holds one packet at a time.

use super::id::SocketId;
use super::impairment::Impairment;
use super::line_rate::LineRate;
use airloom_observe::{DropCause, NodeId, Observation, Probe, QueueEvent, QueueId};
use airloom_queue::{Limit, Queue, Queueing};
use airloom_sim::{Bytes, Duration, Handle, Slot, Time};
use std::collections::VecDeque;

/// Bytes that a packet is longer on an Ethernet wire: header 14, FCS 4, preamble 8, inter-packet gap 12 (IEEE 802.3
/// clause 3 and 4.4.2).
const ETHERNET_OVERHEAD: u64 = 38;

struct Passage {
    departs: Time,
    arrives: Time,
    packet: Handle,
    bytes: u32,
}

/// Socket memory that a sender gets back when its packet has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Credit {
    departs: Time,
    pub(super) socket: SocketId,
    pub(super) truesize: u32,
}

/// A queue that chooses the next packet at the time of dequeue.
pub(super) struct ManagedQueue {
    pub(super) queue: Queue,
    /// Fires when the queue must be polled: the link is free, and the queue does not hold back its next packet.
    pub(super) free: Slot,
}

/// One direction of a wired link.
pub(super) struct WiredLink {
    /// Its queue, which holds what waits behind the packet being sent.
    queue: QueueId,
    /// The node at the near end.
    pub(super) from: NodeId,
    rate: LineRate,
    delay: Duration,
    limit: Limit,
    /// The queue before the link if it is not drop-tail.
    pub(super) managed: Option<ManagedQueue>,
    /// Loss and late delivery at the far end.
    pub(super) impairment: Option<Impairment>,
    /// The node at the far end.
    pub(super) to: NodeId,
    /// Fires when the first packet under way arrives.
    pub(super) arrival: Slot,
    /// Fires when the first credit is due.
    pub(super) departure: Slot,
    free_at: Time,
    passages: VecDeque<Passage>,
    /// How many of `passages`, from the front, had left the queue when that was last counted.
    departed: usize,
    /// Bytes of the others.
    queued_bytes: u64,
    credits: VecDeque<Credit>,
}

impl WiredLink {
    /// From one node to another, with this queue.
    pub(super) fn new(
        queue: QueueId,
        [from, to]: [NodeId; 2],
        rate: LineRate,
        delay: Duration,
        limit: Limit,
        [arrival, departure]: [Slot; 2],
    ) -> Self {
        Self {
            queue,
            from,
            rate,
            delay,
            limit,
            managed: None,
            impairment: None,
            to,
            arrival,
            departure,
            free_at: Time::ZERO,
            passages: VecDeque::new(),
            departed: 0,
            queued_bytes: 0,
            credits: VecDeque::new(),
        }
    }

    /// When the last packet that went in leaves.
    pub(super) fn free_at(&self) -> Time {
        self.free_at
    }

    /// Enqueues `packet` of `bytes`. Returns when the arrival timer must be armed, if it was not; an error is a drop.
    pub(super) fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        packet: Handle,
        bytes: u32,
        probe: &mut P,
    ) -> Result<Option<Time>, ()> {
        // What has left is counted when it matters.
        if self.is_full(bytes) && {
            self.count_departures(now);
            self.is_full(bytes)
        } {
            self.dropped(now, DropCause::Full, probe);
            return Err(());
        }
        let begins = self.free_at.max(now);
        if self.managed.is_none() {
            let through = QueueEvent::Through { queue: self.queue, sojourn: begins - now };
            probe.see(now, Observation::Queue(through));
        }
        let departs = self.rate.departs(begins, Bytes(u64::from(bytes) + ETHERNET_OVERHEAD));
        let arrives = departs + self.delay;
        self.free_at = departs;
        self.queued_bytes += u64::from(bytes);
        self.passages.push_back(Passage { departs, arrives, packet, bytes });
        Ok((self.passages.len() == 1).then_some(arrives))
    }

    /// A packet is dropped at the queue, or is lost behind it.
    #[cold]
    pub(super) fn dropped<P: Probe>(&mut self, now: Time, cause: DropCause, probe: &mut P) {
        self.count_departures(now);
        let packets = match &self.managed {
            Some(managed) => managed.queue.len(),
            None => self.waiting().saturating_sub(1),
        };
        let dropped = QueueEvent::Drop { queue: self.queue, cause, packets: packets as u32 };
        probe.see(now, Observation::Queue(dropped));
    }

    /// A packet goes straight on to the link, past a managed queue.
    pub(super) fn bypassed<P: Probe>(&self, now: Time, probe: &mut P) {
        let through = QueueEvent::Through { queue: self.queue, sojourn: Duration::ZERO };
        probe.see(now, Observation::Queue(through));
    }

    /// Packets in the queue of the link itself, the one being sent included, as of the last count of departures.
    fn waiting(&self) -> usize {
        self.passages.len() - self.departed
    }

    /// Whether the queue has no room for a packet of `bytes`, as of the last count of departures.
    #[inline]
    fn is_full(&self, bytes: u32) -> bool {
        self.limit.packets.is_some_and(|most| self.waiting() > most as usize)
            || self.limit.bytes.is_some_and(|most| self.queued_bytes + u64::from(bytes) > most.0)
    }

    /// Counts what has left the queue by now.
    fn count_departures(&mut self, now: Time) {
        while let Some(passage) = self.passages.get(self.departed).filter(|p| p.departs <= now) {
            self.queued_bytes -= u64::from(passage.bytes);
            self.departed += 1;
        }
    }

    /// Credits `socket` when the packet that went in last leaves. Returns when the departure timer must be armed, if it was
    /// not.
    pub(super) fn credit_at_departure(&mut self, socket: SocketId, truesize: u32) -> Option<Time> {
        let departs = self.free_at;
        self.credits.push_back(Credit { departs, socket, truesize });
        (self.credits.len() == 1).then_some(departs)
    }

    /// The first packet under way has arrived: the packet, and when the next one will.
    pub(super) fn arrive(&mut self) -> Option<(Handle, Option<Time>)> {
        let Passage { packet, bytes, .. } = self.passages.pop_front()?;
        match self.departed.checked_sub(1) {
            Some(left) => self.departed = left,
            None => self.queued_bytes -= u64::from(bytes),
        }
        Some((packet, self.passages.front().map(|p| p.arrives)))
    }

    /// The first credit is due: the credit, and when the next one is.
    pub(super) fn depart(&mut self) -> Option<(Credit, Option<Time>)> {
        let credit = self.credits.pop_front()?;
        Some((credit, self.credits.front().map(|c| c.departs)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::QueueLayer;
    use airloom_sim::{BitRate, Calendar};

    fn link(packets: u32) -> WiredLink {
        let mut calendar = Calendar::default();
        let slots = [calendar.reserve(()), calendar.reserve(())];
        let limit = Limit { packets: Some(packets), bytes: None };
        let (rate, delay) = (BitRate::from_mbps(1000), Duration::from_micros(250));
        let queue = QueueId { node: NodeId(0), layer: QueueLayer::Link };
        WiredLink::new(queue, [NodeId(0), NodeId(1)], LineRate::Steady(rate), delay, limit, slots)
    }

    /// A full-sized frame takes (1500 + 38) x 8 ns at 1 Gbit/s.
    #[test]
    fn packets_follow_each_other_at_line_rate() {
        let mut p = link(10);
        let first = p.enqueue(Time::ZERO, Handle(0), 1500, &mut ()).unwrap();
        assert_eq!(first, Some(Time::from_nanos(12_304 + 250_000)));
        assert_eq!(p.enqueue(Time::ZERO, Handle(1), 1500, &mut ()), Ok(None));
        assert_eq!(p.credit_at_departure(SocketId(7), 1), Some(Time::from_nanos(2 * 12_304)));
        let (packet, next) = p.arrive().unwrap();
        assert_eq!((packet, next), (Handle(0), Some(Time::from_nanos(2 * 12_304 + 250_000))));
    }

    #[test]
    fn what_waits_behind_the_one_being_sent_is_bounded() {
        let mut p = link(2);
        for n in 0..3 {
            assert!(p.enqueue(Time::ZERO, Handle(n), 1500, &mut ()).is_ok());
        }
        assert!(p.enqueue(Time::ZERO, Handle(3), 1500, &mut ()).is_err());
        let later = Time::from_nanos(12_304);
        assert!(p.enqueue(later, Handle(4), 1500, &mut ()).is_ok());
    }
}
