//! Congestion marks (ECN) of data, and what both ends say of them.

use crate::Segment;
use airloom_wire::TcpFlags;

/// Where a receiver's counter of marks begins (RFC 9768 section 3.2.1).
const FIRST_COUNT: u8 = 5;

/// Congestion marks of the data of a direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Packets with data that came with a mark.
    pub came: u64,
    /// Acknowledgments of the receiver that echo a mark (ECE, RFC 3168); none with accurate ECN.
    pub echoed: u64,
    /// Packets of the sender that say that it has reduced its window for a mark (CWR, RFC 3168); none with accurate ECN.
    pub reduced: u64,
    /// Packets that came with a mark by the receiver's counter (accurate ECN), at least: it has three bits.
    pub counted: u64,
    /// That counter.
    counter: Option<u8>,
}

impl Marks {
    /// Packets that came with a mark, as the capture has them or the receiver counts them (RFC 9768), at least.
    pub fn known(&self) -> u64 {
        self.came.max(self.counted)
    }

    /// The receiver sent an acknowledgment.
    pub(super) fn told(&mut self, accurate_ecn: bool, segment: &Segment) {
        self.echoed += u64::from(!accurate_ecn && segment.header.flags.contains(TcpFlags::ECE));
    }

    /// A receiver's counter of marks, with an acknowledgment of so many packets: one that was captured out of order moves it back, which looks
    /// like more marks than there were packets.
    pub(super) fn count(&mut self, counter: u8, packets: u64) {
        let before = self.counter.replace(counter).unwrap_or(FIRST_COUNT);
        let more = u64::from(counter.wrapping_sub(before) & 7);
        if more <= packets {
            self.counted += more;
        }
    }
}
