//! Zeros that may fill a frame: no data, unless the receiver acknowledges them, or the sender goes on behind them.

use super::Direction;
use crate::tcp::scoreboard::{Mark, Passing};
use crate::tcp::sequence;
use crate::{Packet, Segment, Transmission};

/// Zeros that a packet had.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    /// The number of the first, and how many there are.
    first: u32,
    octets: u32,
    passing: Passing,
}

impl Direction {
    /// A segment that was taken as if it had no data had this.
    pub(in crate::tcp) fn may_be_filled(&mut self, now_ns: u64, segment: &Segment, packet: &Packet) {
        let mark = Mark {
            stamp: segment.header.options.timestamps.map(|stamps| stamps.value),
            number: packet.identity.number,
        };
        let earlier = packet.transmission != Transmission::First;
        let passing = Passing { now_ns, mark, earlier, payload: segment.payload };
        self.filling = Some(Filling { first: segment.header.seq, octets: segment.payload, passing });
    }

    /// What is sent or acknowledged goes on at an octet: the last zeros were data after all, if they are next and lie before that. `room` is how
    /// many pieces may be remembered.
    pub(super) fn goes_on(&mut self, at: u64, room: usize) {
        let Some(Filling { first, octets, passing }) = self.filling else { return };
        let start = sequence::near(self.board.next, first);
        let end = start + u64::from(octets);
        if start == self.board.next && end <= at {
            self.packets += 1;
            self.octets += u64::from(octets);
            self.new_octets += u64::from(octets);
            self.went(passing.now_ns);
            self.board.extend(start, end, passing, room);
        }
        if start < self.board.next {
            self.filling = None;
        }
    }
}
