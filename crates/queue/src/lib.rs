//! Queue disciplines: where packets wait before a driver or a wire takes them.
//!
//! A discipline holds [`Item`]s, tells every arrival, departure, mark and drop to a probe, and never looks inside a
//! packet. What it drops is handed back: the packet that was about to go in as an error, every other one in a buffer.

mod codel;
mod fair;
mod fifo;
pub mod fq_codel;
mod mac80211;
pub mod sfq;
mod store;

pub use codel::{Codel, Law};
pub use fifo::Fifo;
pub use fq_codel::FqCodel;
pub use mac80211::Mac80211;
pub use sfq::Sfq;

use airloom_observe::{DropCause, Ecn, Observation, Probe, QueueEvent, QueueId};
use airloom_sim::{Bytes, Duration, Handle, Time};

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

/// How much a drop-tail queue may hold; a limit that is absent does not bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Packets.
    pub packets: Option<u32>,
    /// Bytes.
    pub bytes: Option<Bytes>,
}

/// One queue with the discipline the scenario asked for.
pub enum Queue {
    /// Drop-tail.
    Fifo(Fifo),
    /// Controlled delay.
    Codel(Codel),
    /// Stochastic fairness queueing.
    Sfq(Box<Sfq>),
    /// Fair queueing with controlled delay.
    FqCodel(Box<FqCodel>),
}

impl Queue {
    /// Takes `item` in, or gives it back if there is no room; `dropped` is given what was thrown out to make room.
    ///
    /// # Errors
    /// The item itself, when it was dropped.
    pub fn enqueue<P: Probe>(
        &mut self,
        now: Time,
        item: Item,
        dropped: &mut Vec<Item>,
        probe: &mut P,
    ) -> Result<(), Item> {
        match self {
            Self::Fifo(q) => q.enqueue(now, item, probe),
            Self::Codel(q) => q.enqueue(now, item, probe),
            Self::Sfq(q) => q.enqueue(now, item, dropped, probe),
            Self::FqCodel(q) => q.enqueue(now, item, dropped, probe),
        }
    }

    /// The next packet to leave; `dropped` is given those that were dropped in its stead.
    pub fn dequeue<P: Probe>(&mut self, now: Time, dropped: &mut Vec<Item>, probe: &mut P) -> Option<Item> {
        match self {
            Self::Fifo(q) => q.dequeue(now, probe),
            Self::Codel(q) => q.dequeue(now, dropped, probe),
            Self::Sfq(q) => q.dequeue(now, probe),
            Self::FqCodel(q) => q.dequeue(now, dropped, probe),
        }
    }

    /// Packets held.
    pub fn len(&self) -> usize {
        match self {
            Self::Fifo(q) => q.len(),
            Self::Codel(q) => q.len(),
            Self::Sfq(q) => q.len(),
            Self::FqCodel(q) => q.len(),
        }
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Tells a probe what happens at one queue.
#[derive(Clone, Copy, Debug)]
struct Teller(QueueId);

impl Teller {
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

/// Which of `buckets` a flow falls into (Linux `reciprocal_scale()`).
fn bucket(flow: u32, buckets: u32) -> u32 {
    ((u64::from(flow) * u64::from(buckets)) >> 32) as u32
}
