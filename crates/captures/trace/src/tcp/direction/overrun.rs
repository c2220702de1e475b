//! Data that was sent beyond the edge of the receiver's window: a receiver throws such data away (RFC 9293 section 3.10.7.4).

use std::collections::VecDeque;

/// The most stretches beyond an edge that are remembered.
const MOST: usize = 256;

/// So many acknowledgments that leave the edge where it was show that the receiver had no more room.
const STAYS: u64 = 3;

/// Segments beyond the highest edge that the receiver had given, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrun {
    /// Segments that reached beyond it.
    pub segments: u64,
    /// Segments that were sent again whose octets had last been sent beyond it.
    pub again: u64,
    /// Stretches beyond it that were acknowledged though they were sent once: the window had been wider than the capture shows.
    taken: u64,
    /// Acknowledgments that took in nothing while octets lay beyond the edge.
    stayed: u64,
    /// Octets beyond it that are neither acknowledged nor sent again.
    beyond: VecDeque<(u64, u64)>,
}

impl Overrun {
    /// Whether receivers threw away what went beyond, as far as it shows; otherwise the capture lacks acknowledgments that had moved the edge.
    pub fn is_clear(&self) -> bool {
        self.again > self.taken || (self.taken == 0 && self.stayed >= STAYS && !self.beyond.is_empty())
    }

    /// The stream begins anew.
    pub(super) fn anew(&mut self) {
        self.beyond.clear();
        self.stayed = 0;
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

    /// An acknowledgment says the same as the last.
    pub(super) fn stays(&mut self) {
        self.stayed += u64::from(!self.beyond.is_empty());
    }

    /// All before an octet is acknowledged.
    pub(super) fn acknowledged(&mut self, upto: u64) {
        let open = self.beyond.len();
        self.beyond.retain(|&(_, to)| to > upto);
        self.taken += (open - self.beyond.len()) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_receiver_never_takes_is_beyond_its_window_though_it_is_not_sent_again() {
        let mut overrun = Overrun::default();
        (0..7).for_each(|one| assert!(!overrun.sent((1000 + one * 100, 1100 + one * 100), 1000, 100)));
        (0..2).for_each(|_| overrun.stays());
        assert!(!overrun.is_clear(), "a wider window may be on its way");
        overrun.stays();
        assert_eq!((overrun.segments, overrun.is_clear()), (7, true));
        overrun.acknowledged(1100);
        assert!(!overrun.is_clear(), "the receiver took some of it");
    }
}
