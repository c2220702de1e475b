//! Packets that routers said were too big for their way.

use super::Direction;
use crate::Quoted;
use crate::tcp::sequence;

/// Octets of such packets, from the first that was outstanding to the one behind the last, and when the last was said of them, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Refused {
    start: u64,
    end: u64,
    at_ns: u64,
}

impl Refused {
    /// Whether any of some octets are among them, and had last passed at a time before that was said.
    pub(super) const fn holds(&self, start: u64, end: u64, last_ns: u64) -> bool {
        start < self.end && self.start < end && last_ns <= self.at_ns
    }
}

impl Direction {
    /// A router says that a packet was too big. What was never outstanding is not believed (RFC 5927 section 4.1).
    pub(in crate::tcp) fn refused(&mut self, at_ns: u64, quoted: Quoted) {
        let (una, next) = (self.board.una, self.board.next);
        let start = sequence::near(next, quoted.number);
        if self.first.is_none() || !(una..next).contains(&start) {
            return;
        }
        let end = (start + u64::from(quoted.octets)).min(next);
        let known = self.refused;
        self.refused = if known.end > una {
            Refused { start: known.start.min(start), end: known.end.max(end), at_ns }
        } else {
            Refused { start, end, at_ns }
        };
    }
}
