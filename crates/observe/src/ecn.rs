//! Explicit congestion notification in the IP header.

/// The ECN field of a packet (RFC 3168 section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ecn {
    /// Not-ECT: its transport does not react to marks.
    #[default]
    NotCapable,
    /// ECT(0): its transport reacts to marks.
    Capable,
    /// CE: a queue on its path was congested.
    Marked,
}

impl Ecn {
    /// Marks the packet if its transport is ECN-capable; returns whether it is marked now.
    pub fn mark(&mut self) -> bool {
        if *self == Self::Capable {
            *self = Self::Marked;
        }
        *self == Self::Marked
    }
}
