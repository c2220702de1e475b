//! Packets that were captured twice: on two interfaces of a host, or as a frame of the air that its sender repeated.

use crate::Segment;

/// A copy comes no later after the first, in nanoseconds.
const WITHIN: u64 = 1_000_000;
/// How many packets of an end are compared.
const COMPARED: usize = 4;

/// The last packets of one end.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    last: [Option<(Segment, u64)>; COMPARED],
    place: usize,
    packets: u64,
    copies: u64,
}

impl Copies {
    /// Whether a packet was captured before. `other_ns` is when the last packet of the other end was: a packet that follows it
    /// may answer it.
    ///
    /// An end may well acknowledge twice in the same words; such packets are copies only where other packets are captured twice.
    pub(super) fn is_copy(&mut self, segment: &Segment, now_ns: u64, other_ns: Option<u64>) -> bool {
        let speaks = segment.sequence_length() > 0;
        let known = self.last.iter().flatten().any(|(known, at_ns)| {
            Some(*at_ns) > other_ns && now_ns.saturating_sub(*at_ns) <= WITHIN && known == segment
        });
        self.packets += u64::from(speaks);
        if known && (speaks || self.copies * 3 > self.packets) {
            self.copies += u64::from(speaks);
            return true;
        }
        self.last[self.place] = Some((*segment, now_ns));
        self.place = (self.place + 1) % COMPARED;
        false
    }
}
