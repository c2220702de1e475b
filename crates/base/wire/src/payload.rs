//! What a transport carries.

use crate::checksum::Sum;

/// The payload of a packet.
///
/// A simulation moves lengths, not contents: its payloads read as zeros and need not be materialised to be summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload<'a> {
    /// Real contents.
    Bytes(&'a [u8]),
    /// This many octets of zero.
    Zeros(usize),
}

impl Payload<'_> {
    /// Length in octets.
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Zeros(count) => *count,
        }
    }

    /// Whether there are no octets.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the first octets, at most `room` of them.
    pub fn emit(&self, room: usize, out: &mut Vec<u8>) {
        let count = self.len().min(room);
        match self {
            Self::Bytes(bytes) => out.extend_from_slice(&bytes[..count]),
            Self::Zeros(_) => out.resize(out.len() + count, 0),
        }
    }

    /// Adds all octets to an Internet checksum, whatever part of them is emitted.
    pub(crate) fn add_to(&self, sum: Sum) -> Sum {
        match self {
            Self::Bytes(bytes) => sum.include(bytes),
            // Zero is neutral in one's complement addition.
            Self::Zeros(_) => sum,
        }
    }
}
