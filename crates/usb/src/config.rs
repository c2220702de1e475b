//! How a bus and its adapter are set up.

use airloom_sim::{Duration, Time};

/// In which order the controller does the TDs of several lists (UHCI 1.1 section 3.4.2, the Vf bit of a TD's link).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traversal {
    /// One TD of each list in turn.
    Breadth,
    /// All of one list before the next.
    Depth,
}

/// A bus with one adapter.
#[derive(Clone, Debug)]
pub struct Config {
    /// The order of traversal.
    pub traversal: Traversal,
    /// Full-speed bandwidth reclamation: the last list leads back to the first while a frame has time left.
    pub reclamation: bool,
    /// How many packets the driver hands to the controller before the first of them is done; 1 is without a queue.
    pub queue: u32,
    /// Bytes that driver and adapter put before each packet.
    pub descriptor: u32,
    /// How long the adapter takes to clear one of the two buffers of its OUT endpoint.
    pub drain: Duration,
    /// How it holds back what it received from the air.
    pub holding: Holding,
}

/// When an adapter holds back what it received from the air.
#[derive(Clone, Debug, Default)]
pub struct Holding {
    /// From then on for so long; in order.
    pub scripted: Vec<(Time, Duration)>,
    /// The mean time between one spell's end and the next one's start; none but the scripted ones if this is none.
    pub every: Option<Duration>,
    /// The shortest and the longest of these spells; each length between them is as likely.
    pub length: (Duration, Duration),
}
