//! Data that was sent beyond the edge of the receiver's window: a receiver throws such data away (RFC 9293 section 3.10.7.4).

use std::collections::VecDeque;

/// The most stretches beyond an edge that are remembered.
const MOST: usize = 256;

/// Segments beyond the highest edge that the receiver had given, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrun {
    /// Segments that reached beyond it.
    pub segments: u64,
    /// Segments that were sent again whose octets had last been sent beyond it.
    pub again: u64,
    /// Stretches beyond it that were acknowledged though they were sent once: the window had been wider than the capture shows.
    taken: u64,
    /// Octets beyond it that are neither acknowledged nor sent again.
    beyond: VecDeque<(u64, u64)>,
}

impl Overrun {
    /// Whether receivers threw away what went beyond, as far as it shows; otherwise the capture lacks acknowledgments that had moved the edge.
    pub const fn is_clear(&self) -> bool {
        self.again > self.taken
    }

    /// The stream begins anew.
    pub(super) fn anew(&mut self) {
        self.beyond.clear();
    }

    /// Octets are sent in segments of such a length to a receiver with such an edge; whether their last transmission lay beyond it.
    pub(super) fn sent(&mut self, (start, end): (u64, u64), edge: u64, segment: u64) -> bool {
        let known = self.beyond.len();
        self.beyond.retain(|&(from, to)| end <= from || to <= start);
        let is_again = self.beyond.len() < known;
        self.again += if is_again { (end - start).div_ceil(segment) } else { 0 };
        if edge > 0 && end > edge {
            self.segments += (end - start.max(edge)).div_ceil(segment);
            if self.beyond.len() == MOST {
                self.beyond.pop_front();
            }
            self.beyond.push_back((start.max(edge), end));
        }
        is_again
    }

    /// All before an octet is acknowledged.
    pub(super) fn acknowledged(&mut self, upto: u64) {
        let open = self.beyond.len();
        self.beyond.retain(|&(_, to)| to > upto);
        self.taken += (open - self.beyond.len()) as u64;
    }
}
