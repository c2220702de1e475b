//! Queue disciplines: where packets wait before a driver or a wire takes them.
//!
//! A discipline holds [`Item`]s, reports every arrival, departure, mark and drop to a probe, and never looks inside a
//! packet. Dropped packets are returned: the arriving packet as an error, every other one in a buffer.
//!
//! A discipline is one file: its parameters, with their words, bounds and defaults in a scenario ([`Walk`]), and the
//! queue that they configure ([`Queueing`]). `discipline.rs` lists them all.
//!
//! ```
//! use airloom_observe::{Ecn, NodeId, QueueId, QueueLayer};
//! use airloom_queue::{Fifo, Item, Limit, Next, Queueing};
//! use airloom_sim::{Handle, Stream, Time};
//!
//! let item = |packet| Item { packet: Handle(packet), bytes: 1514, flow: 0, ecn: Ecn::NotEct };
//! let id = QueueId { node: NodeId(1), layer: QueueLayer::Discipline };
//! let fifo = Fifo { limit: Limit { packets: Some(1), bytes: None } };
//! let mut queue = fifo.queue(id, Stream::new(1, "ap", "queue"));
//!
//! let (mut dropped, mut seen) = (Vec::new(), Vec::new());
//! assert_eq!(queue.enqueue(Time::ZERO, item(0), &mut dropped, &mut seen), Ok(()));
//! assert_eq!(queue.enqueue(Time::ZERO, item(1), &mut dropped, &mut seen), Err(item(1)), "it is full");
//! assert_eq!(queue.dequeue(Time::ZERO, &mut dropped, &mut seen), Next::Packet(item(0)));
//! assert_eq!(seen.len(), 3, "the probe saw one packet in, one drop, one packet out");
//! ```

pub mod codel;
mod discipline;
mod fair;
pub mod fifo;
pub mod fq_codel;
pub mod mac80211;
mod own;
mod parameters;
pub mod pie;
pub mod red;
pub mod sfq;
mod store;
pub mod tbf;

pub use discipline::*;
pub use own::{Fate, Law, OWN_QUEUES, Own, Room, Seen, register_queue};
pub use parameters::{MOST_BYTES, MOST_PACKETS, Walk};

use airloom_observe::{DropCause, Ecn, Observation, Probe, QueueEvent, QueueId};
use airloom_sim::{Bytes, Duration, Handle, Time};

/// A full-sized packet with its Ethernet header (Linux `psched_mtu()`).
const MTU: u32 = 1514;

/// A packet as a queue sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The packet.
    pub packet: Handle,
    /// Its length on this hop, in bytes.
    pub bytes: u32,
    /// A hash of the flow it belongs to, spread over all 32 bits.
    pub flow: u32,
    /// Its ECN field, which a discipline may change.
    pub ecn: Ecn,
}

/// The capacity of a drop-tail queue; an absent limit does not bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Packets.
    pub packets: Option<u32>,
    /// Bytes.
    pub bytes: Option<Bytes>,
}

impl Limit {
    /// Whether a queue that holds so much has no room for a packet of so many bytes.
    fn is_full(self, packets: usize, bytes: u64, more: u32) -> bool {
        self.packets.is_some_and(|most| packets >= most as usize)
            || self.bytes.is_some_and(|most| bytes + u64::from(more) > most.0)
    }
}

/// A queue's answer when it is asked for a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This one leaves.
    Packet(Item),
    /// Packets wait, but none may leave before this instant, at which the device must ask again.
    NotBefore(Time),
    /// The queue is empty.
    Empty,
}

/// A queue before one device. It reads no clock and arms no timer: the device asks it for packets when it can accept
/// one, and again at the instant in [`Next::NotBefore`].
pub trait Queueing {
    /// Packets held.
    fn len(&self) -> usize;

    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a packet that the device can accept at once bypasses the queue (Linux `TCQ_F_CAN_BYPASS`). Never if the
    /// discipline must see every packet.
    fn is_bypassed(&self) -> bool {
        self.is_empty()
    }

    /// Enqueues `item`, or returns it if there is no room; `dropped` gets packets dropped to make room.
    ///
    /// # Errors
    /// The item itself, when it was dropped.
    fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item>;

    /// The next packet to leave; `dropped` gets those that were dropped before it.
    fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Next;
}

/// Reports the events of one queue to a probe.
#[derive(Clone, Copy, Debug)]
struct Reporter(QueueId);

impl Reporter {
    fn entered<P: Probe>(self, now: Time, packets: u32, probe: &mut P) {
        probe.see(now, Observation::Queue(QueueEvent::In { queue: self.0, packets }));
    }

    fn left<P: Probe>(self, now: Time, packets: u32, sojourn: Duration, probe: &mut P) {
        probe.see(now, Observation::Queue(QueueEvent::Out { queue: self.0, packets, sojourn }));
    }

    fn dropped<P: Probe>(self, now: Time, packets: u32, cause: DropCause, probe: &mut P) {
        probe.see(now, Observation::Queue(QueueEvent::Drop { queue: self.0, cause, packets }));
    }

    fn marked<P: Probe>(self, now: Time, probe: &mut P) {
        probe.see(now, Observation::Queue(QueueEvent::Mark { queue: self.0 }));
    }
}

/// The bucket of a flow, out of `buckets` (Linux `reciprocal_scale()`).
fn bucket(flow: u32, buckets: u32) -> u32 {
    ((u64::from(flow) * u64::from(buckets)) >> 32) as u32
}
