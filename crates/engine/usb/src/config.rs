//! The configuration of a bus and its adapter.

use airloom_sim::{Duration, kinds};

kinds! {
    /// In which order the controller does the TDs of several lists (UHCI 1.1 section 3.4.2, the Vf bit of a TD's link).
    pub enum Traversal {
        /// One TD of each list in turn.
        Breadth = "breadth-first",
        /// All of one list before the next.
        Depth = "depth-first",
    }
}

/// A bus with one adapter.
#[derive(Clone, Debug, PartialEq)]
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
    /// When it holds back frames received from the air, if ever.
    pub hold: Option<Holding>,
}

/// When an adapter holds back frames received from the air.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// Starts of spells of the longest length, from the start of the run, in order.
    pub at: Option<Vec<Duration>>,
    /// The mean time between one random spell's end and the next one's start, after those; none if there are none.
    pub every: Option<Duration>,
    /// The shortest random spell; lengths are uniform from here to the longest.
    pub shortest: Duration,
    /// The longest spell.
    pub longest: Duration,
}
