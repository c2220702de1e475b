//! Queues.

use crate::NodeId;
use airloom_sim::{Duration, kinds};

kinds! {
    /// Which layer of a node a queue belongs to.
    pub enum QueueLayer {
        /// The operating system's queue discipline.
        Discipline = "discipline",
        /// The Wi-Fi driver: software queue and hardware queue together.
        Driver = "driver",
        /// A server's transmit queue, before its wired link.
        Link = "link",
        /// The transmit queue at the other end of that link, where packets for the server wait.
        LinkTo = "link_to",
        /// What waits for an access point's processor, the packet in work included.
        Processor = "processor",
    }
}

/// One queue of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId {
    /// The node that owns it.
    pub node: NodeId,
    /// The layer it stands in.
    pub layer: QueueLayer,
}

kinds! {
    /// Why a queue refused or dropped a packet, or its link lost one.
    pub enum DropCause {
        /// No room.
        Full = "full",
        /// An active queue manager chose it.
        Managed = "queue manager",
        /// It left the queue, and the link behind it lost it.
        Lost = "lost on the link",
        /// The queue that it was in was replaced by another.
        Replaced = "queue replaced",
        /// Its receiver had left.
        Left = "station left",
        /// Its access point had no power.
        Off = "access point off",
    }
}

/// Something happened at a queue; depths are those after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueueEvent {
    /// A packet went in.
    In {
        /// The queue.
        queue: QueueId,
        /// Packets now held.
        packets: u32,
    },
    /// A packet went in of which it is known when it comes out, since nothing overtakes it: `In` now, and `Out` later.
    Through {
        /// The queue.
        queue: QueueId,
        /// How long the packet will be inside; zero of one that does not wait.
        sojourn: Duration,
    },
    /// A packet came out.
    Out {
        /// The queue.
        queue: QueueId,
        /// Packets now held.
        packets: u32,
        /// How long the packet was inside.
        sojourn: Duration,
    },
    /// A packet was dropped, before it went in or later.
    Drop {
        /// The queue.
        queue: QueueId,
        /// Why.
        cause: DropCause,
        /// Packets now held.
        packets: u32,
    },
    /// An active queue manager marked a packet instead of dropping it (RFC 3168).
    Mark {
        /// The queue.
        queue: QueueId,
    },
}
