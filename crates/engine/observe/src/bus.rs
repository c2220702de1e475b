//! A USB bus, as a bus analyser shows it.

use crate::NodeId;
use airloom_sim::{Duration, Time};

/// One frame of a bus, 1 ms. Idle frames, and the IN tokens in them, are not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusFrame {
    /// The host.
    pub node: NodeId,
    /// When the frame began.
    pub start: Time,
    /// OUT transactions that the adapter took.
    pub out: u16,
    /// OUT transactions that it refused (NAK) because it had no room.
    pub out_refused: u16,
    /// IN transactions with data.
    pub r#in: u16,
    /// IN tokens without data (NAK).
    pub in_empty: u16,
    /// Packets to the adapter whose last transaction was in this frame.
    pub out_packets: u16,
    /// Packets from the adapter whose last transaction was in this frame.
    pub in_packets: u16,
    /// How long the bus was busy with all of these.
    pub busy: Duration,
}

/// A spell in which an adapter received packets from the air and did not pass them on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldSpell {
    /// The host.
    pub node: NodeId,
    /// When the spell began.
    pub start: Time,
    /// When it ends.
    pub end: Time,
}
