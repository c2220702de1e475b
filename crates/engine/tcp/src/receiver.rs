//! Reassembly: data in order, data that waits out of order, and the SACK blocks that report it (`tcp_data_queue`,
//! `tcp_sack_new_ofo_skb`, Linux 3.13).

/// SACK blocks remembered (`tp->selective_acks`).
const BLOCKS: usize = 4;

/// The effect of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Arrival {
    /// It advanced the edge by this many bytes of sequence space.
    InOrder(u64),
    /// It waits above a hole.
    OutOfOrder,
    /// Nothing in it is new.
    Duplicate,
}

/// The state of reassembly.
pub(crate) struct Receiver {
    /// Next sequence number expected.
    next: u64,
    /// Ranges above the edge: disjoint, not adjacent, ascending.
    waiting: Vec<(u64, u64)>,
    /// Ranges of `waiting`, the most recently changed first.
    recent: [(u64, u64); BLOCKS],
    recent_len: usize,
    /// The duplicate to be reported next (RFC 2883).
    duplicate: Option<(u64, u64)>,
    report_duplicates: bool,
    /// Bytes waiting.
    waiting_bytes: u64,
    /// Bytes that were waiting and are in order since the last segment.
    unread: u64,
}

impl Receiver {
    pub(crate) fn new(next: u64, report_duplicates: bool) -> Self {
        Self {
            next,
            waiting: Vec::new(),
            recent: [(0, 0); BLOCKS],
            recent_len: 0,
            duplicate: None,
            report_duplicates,
            waiting_bytes: 0,
            unread: 0,
        }
    }

    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Bytes waiting out of order.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.waiting_bytes
    }

    /// Bytes that take room: those that wait, and those that waited until the last segment, which is acknowledged before the
    /// application can read them.
    pub(crate) fn held_bytes(&self) -> u64 {
        self.waiting_bytes + self.unread
    }

    /// The application reads what is in order.
    pub(crate) fn read(&mut self) {
        self.unread = 0;
    }

    /// Up to where data has arrived.
    pub(crate) fn highest(&self) -> u64 {
        self.waiting.last().map_or(self.next, |whole| whole.1)
    }

    /// Blocks that an ACK could report.
    pub(crate) fn blocks_known(&self) -> usize {
        self.recent_len
    }

    pub(crate) fn has_holes(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes the range from `left` to `right`.
    #[inline]
    pub(crate) fn take(&mut self, left: u64, right: u64) -> Arrival {
        if right <= self.next {
            self.report(left, right);
            return Arrival::Duplicate;
        }
        if left > self.next {
            return self.wait(left, right);
        }
        if left < self.next {
            self.report(left, self.next);
        }
        let before = self.next;
        self.next = right;
        if !self.waiting.is_empty() {
            self.catch_up();
        }
        Arrival::InOrder(self.next - before)
    }

    /// The peer's data ends at `edge`; what had come from beyond it is dropped (`tcp_fin`).
    pub(crate) fn end_at(&mut self, edge: u64) {
        self.next = edge;
        self.waiting.clear();
        self.waiting_bytes = 0;
        self.recent_len = 0;
    }

    /// Moves the edge over waiting ranges that are in order now (`tcp_ofo_queue`).
    fn catch_up(&mut self) {
        let mut reached = 0;
        for &(left, right) in &self.waiting {
            if left > self.next {
                break;
            }
            if left < self.next {
                // What was just received had been waiting already.
                let duplicate = (left, right.min(self.next));
                if self.report_duplicates {
                    self.duplicate = Some(duplicate);
                }
            }
            self.waiting_bytes -= right - left;
            self.unread += right - left;
            self.next = self.next.max(right);
            reached += 1;
        }
        self.waiting.drain(..reached);
        let next = self.next;
        self.forget(|block| block.0 < next);
    }

    fn report(&mut self, left: u64, right: u64) {
        if self.report_duplicates && left < right {
            self.duplicate = Some((left, right));
        }
    }

    fn wait(&mut self, left: u64, right: u64) -> Arrival {
        // Where ranges begin that end at or after `left`, and where those that begin after `right`.
        let first = self.waiting.partition_point(|w| w.1 < left);
        let after = first + self.waiting[first..].partition_point(|w| w.0 <= right);
        let touched = &self.waiting[first..after];
        if let [(l, r)] = *touched
            && l <= left
            && right <= r
        {
            self.report(left, right);
            self.remember((l, r));
            return Arrival::Duplicate;
        }
        let (mut whole, mut held) = ((left, right), 0);
        let mut overlap = None;
        for &(l, r) in touched {
            let common = (l.max(left), r.min(right));
            if common.0 < common.1 && overlap.is_none() {
                overlap = Some(common);
            }
            whole = (whole.0.min(l), whole.1.max(r));
            held += r - l;
        }
        if let Some((l, r)) = overlap {
            self.report(l, r);
        }
        self.waiting_bytes += whole.1 - whole.0 - held;
        if first == after {
            self.waiting.insert(first, whole);
        } else {
            self.waiting[first] = whole;
            self.waiting.drain(first + 1..after);
        }
        self.remember(whole);
        Arrival::OutOfOrder
    }

    fn remember(&mut self, whole: (u64, u64)) {
        self.forget(|block| block.0 < whole.1 && whole.0 < block.1);
        let len = (self.recent_len + 1).min(BLOCKS);
        self.recent.copy_within(..len - 1, 1);
        self.recent[0] = whole;
        self.recent_len = len;
    }

    fn forget(&mut self, gone: impl Fn(&(u64, u64)) -> bool) {
        let mut kept = 0;
        for i in 0..self.recent_len {
            if !gone(&self.recent[i]) {
                self.recent[kept] = self.recent[i];
                kept += 1;
            }
        }
        self.recent_len = kept;
    }

    /// Whether an ACK would carry SACK blocks.
    pub(crate) fn has_blocks(&self) -> bool {
        self.recent_len > 0 || self.duplicate.is_some()
    }

    /// The blocks for an ACK with room for `room`: a duplicate first, which is thereby reported, then the most recent.
    pub(crate) fn blocks(&mut self, room: usize) -> impl Iterator<Item = (u64, u64)> {
        let recent = &self.recent[..self.recent_len];
        self.duplicate.take().into_iter().chain(recent.iter().copied()).take(room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn blocks(r: &mut Receiver) -> Vec<(u64, u64)> {
        r.blocks(4).collect()
    }

    #[test]
    fn the_most_recent_block_comes_first_and_merges() {
        let mut r = Receiver::new(0, true);
        for left in [10, 30, 50] {
            assert_eq!(r.take(left, left + 10), Arrival::OutOfOrder);
        }
        assert_eq!(blocks(&mut r), [(50, 60), (30, 40), (10, 20)]);
        assert_eq!(r.take(20, 30), Arrival::OutOfOrder);
        assert_eq!(blocks(&mut r), [(10, 40), (50, 60)]);
        assert_eq!(r.waiting_bytes(), 40);
        assert_eq!(r.take(0, 10), Arrival::InOrder(40));
        assert_eq!(blocks(&mut r), [(50, 60)]);
        assert_eq!(r.take(40, 50), Arrival::InOrder(20));
        assert!(!r.has_blocks() && !r.has_holes());
    }

    #[test]
    fn at_most_four_blocks_are_remembered() {
        let mut r = Receiver::new(0, true);
        (1..=5).for_each(|i| {
            r.take(i * 10, i * 10 + 5);
        });
        assert_eq!(blocks(&mut r), [(50, 55), (40, 45), (30, 35), (20, 25)]);
    }

    #[test]
    fn duplicates_are_reported_once_and_before_all_others() {
        let mut r = Receiver::new(100, true);
        assert_eq!(r.take(50, 100), Arrival::Duplicate);
        r.take(110, 120);
        assert_eq!(blocks(&mut r), [(50, 100), (110, 120)]);
        assert_eq!(blocks(&mut r), [(110, 120)]);
        assert_eq!(r.take(110, 120), Arrival::Duplicate);
        assert_eq!(blocks(&mut r), [(110, 120), (110, 120)]);
        let mut silent = Receiver::new(100, false);
        silent.take(50, 100);
        assert!(!silent.has_blocks());
    }

    proptest! {
        /// Against a bitmap: the edge, the amount waiting, and the correctness of every block.
        #[test]
        fn agrees_with_a_bitmap(ranges in prop::collection::vec((0u64..60, 1u64..9), 1..60)) {
            let mut r = Receiver::new(0, true);
            let mut have = [false; 80];
            for (left, length) in ranges {
                let before = r.next();
                let news = (left..left + length).any(|i| !have[i as usize]);
                have[left as usize..(left + length) as usize].fill(true);
                let edge = have.iter().position(|h| !h).unwrap() as u64;
                let arrival = r.take(left, left + length);
                match arrival {
                    Arrival::InOrder(n) => prop_assert_eq!(n, edge - before),
                    Arrival::OutOfOrder => prop_assert!(news && edge == before),
                    Arrival::Duplicate => prop_assert!(!news),
                }
                prop_assert_eq!(r.next(), edge);
                let above = have[edge as usize..].iter().filter(|h| **h).count() as u64;
                prop_assert_eq!(r.waiting_bytes(), above);
                prop_assert_eq!(r.has_holes(), above > 0);
                r.duplicate = None;
                for (i, (l, rr)) in r.blocks(4).enumerate() {
                    prop_assert!(have[l as usize..rr as usize].iter().all(|h| *h));
                    prop_assert!(!have[l as usize - 1] && !have[rr as usize], "a block is a whole range");
                    if i == 0 && arrival == Arrival::OutOfOrder {
                        prop_assert!(l <= left && left + length <= rr, "the first block holds the news");
                    }
                }
            }
        }
    }
}
