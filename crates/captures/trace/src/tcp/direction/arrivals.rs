//! Copies of data on their way to a receiver that answers each, and which of them its acknowledgments account for.

use std::collections::VecDeque;

/// One transmission of octets.
#[derive(Clone, Copy, Debug)]
struct Copy {
    start: u64,
    end: u64,
    at_ns: u64,
    /// Whether the octets had been sent before.
    again: bool,
}

/// What is underway, in the order of its sending, as long as every acknowledgment is the one that a receiver sends which got all of it: it answers data
/// that it has already at once (RFC 9293 section 3.10.7.4), and data in order with this or a later acknowledgment (RFC 5681 section 4.2).
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    underway: VecDeque<Copy>,
    /// The receiver has everything before this octet.
    next: u64,
    /// Whether the acknowledgments have accounted for all copies so far, of octets from the second one on.
    counts: bool,
    since: u64,
    /// Otherwise: once octets beyond this one are acknowledged, all copies that were not accounted for have arrived or were lost.
    from: u64,
}

impl Arrivals {
    /// Octets are sent in one segment at a time, where those before `highest` had been sent; `room` is how many copies may be remembered.
    pub(super) fn sent(&mut self, at_ns: u64, (start, end): (u64, u64), highest: u64, room: usize) {
        let again = end <= highest;
        let in_turn = start == highest || again && self.counts;
        self.underway.push_back(Copy { start, end, at_ns, again });
        if !in_turn || self.underway.len() > room {
            self.lose(highest.max(end));
        }
    }

    /// What is underway is not known any more; the octets before `highest` had been sent.
    pub(super) fn lose(&mut self, highest: u64) {
        self.underway.clear();
        (self.counts, self.from) = (false, highest);
    }

    /// All octets before one are acknowledged that were not before; those before `highest` had been sent.
    pub(super) fn acknowledged(&mut self, upto: u64, highest: u64) {
        if !self.counts {
            if upto > self.from {
                self.underway.retain(|copy| copy.end > upto);
                (self.counts, self.since, self.next) = (true, upto, upto);
            }
            return;
        }
        while self.next < upto {
            match self.underway.pop_front().filter(|copy| !copy.again && copy.end <= upto) {
                Some(copy) => self.next = copy.end,
                None => return self.lose(highest),
            }
        }
    }

    /// The last acknowledgment is repeated, in the same window: the octets that arrived once more, if these are what the receiver answers, and when the first of
    /// their copies was sent that was not needed, in nanoseconds; zero if their first transmission is accounted for.
    pub(super) fn repeated(&mut self, highest: u64) -> Option<(u64, u64, u64)> {
        let twice =
            self.underway.pop_front().filter(|copy| self.counts && copy.again && copy.end <= self.next);
        if twice.is_none() {
            self.lose(highest);
        }
        twice.map(|copy| (copy.start, copy.end, if copy.start < self.since { copy.at_ns } else { 0 }))
    }
}
