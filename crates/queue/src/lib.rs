//! Queue disciplines: where packets wait before a driver or a wire takes them.
//!
//! A discipline holds [`Item`]s, tells every arrival, departure and drop to a probe, and never looks inside a packet.

mod fifo;

pub use fifo::Fifo;

use airloom_observe::{Probe, QueueId};
use airloom_sim::{Bytes, Handle, Time};

/// A packet as a queue sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The packet.
    pub packet: Handle,
    /// Its length on this hop, in bytes.
    pub bytes: u32,
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
}

impl Queue {
    /// A drop-tail queue.
    pub fn fifo(id: QueueId, limit: Limit) -> Self {
        Self::Fifo(Fifo::new(id, limit))
    }

    /// Takes `item` in, or gives it back if there is no room.
    ///
    /// # Errors
    /// The item itself, when it was dropped.
    pub fn enqueue<P: Probe>(&mut self, now: Time, item: Item, probe: &mut P) -> Result<(), Item> {
        match self {
            Self::Fifo(q) => q.enqueue(now, item, probe),
        }
    }

    /// The next packet to leave.
    pub fn dequeue<P: Probe>(&mut self, now: Time, probe: &mut P) -> Option<Item> {
        match self {
            Self::Fifo(q) => q.dequeue(now, probe),
        }
    }

    /// Packets held.
    pub fn len(&self) -> usize {
        match self {
            Self::Fifo(q) => q.len(),
        }
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
