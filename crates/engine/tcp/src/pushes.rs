//! Where what was written is pushed: the segment that ends there has the PSH bit (`tcp_mark_push`, `forced_push`).

use std::collections::VecDeque;

/// The ends of writes, and places within long ones.
#[derive(Default)]
pub(crate) struct Pushes {
    /// Those not sent yet.
    places: VecDeque<u64>,
    /// The last of them (`pushed_seq`).
    last: u64,
    /// The largest window that the peer has offered in bytes (`max_window`).
    widest: u64,
}

impl Pushes {
    /// The peer offers a window of so many bytes.
    pub(crate) fn offered(&mut self, window: u64) {
        self.widest = self.widest.max(window);
    }

    /// Data was written up to `end`, of which what is not sent goes from `next` on in segments of `mss` bytes. Half a window after
    /// the last place there is another, and unless more `follows`, at the end.
    pub(crate) fn written(&mut self, next: u64, end: u64, mss: u32, follows: bool) {
        let mss = u64::from(mss.max(1));
        // A segment that this write has filled up ends elsewhere now.
        self.places.retain(|place| (place - next.min(*place)).is_multiple_of(mss));
        self.last = self.last.max(next);
        while let Some(place) = self.forced(next, mss).filter(|place| *place < end) {
            self.push(place);
        }
        if !follows {
            self.push(end);
        }
    }

    /// The end of the first segment that is more than half a window after the last place.
    fn forced(&self, next: u64, mss: u64) -> Option<u64> {
        let beyond = self.last + self.widest / 2 + 1;
        (self.widest > 0).then(|| next + (beyond - next).next_multiple_of(mss))
    }

    fn push(&mut self, place: u64) {
        self.places.push_back(place);
        self.last = place;
    }

    /// A probe of the peer's window is to be sent that ends at `end`, before all that has not been sent (`tcp_write_wakeup`).
    pub(crate) fn probed(&mut self, end: u64) {
        self.places.push_front(end);
        self.last = self.last.max(end);
    }

    /// A segment is sent that ends at `end`; true if that is such a place.
    pub(crate) fn sent(&mut self, end: u64) -> bool {
        while self.places.front().is_some_and(|place| *place < end) {
            self.places.pop_front();
        }
        let here = self.places.front() == Some(&end);
        if here {
            self.places.pop_front();
        }
        here
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_write_is_pushed_unless_the_next_one_fills_its_segment() {
        let mut pushes = Pushes::default();
        pushes.written(0, 250, 100, false);
        pushes.written(0, 400, 100, false);
        pushes.written(0, 600, 100, false);
        let sent: Vec<_> = (1..=6).map(|n| pushes.sent(100 * n)).collect();
        assert_eq!(sent, [false, false, false, true, false, true]);
    }

    #[test]
    fn a_long_write_is_pushed_every_half_window() {
        let mut pushes = Pushes::default();
        pushes.offered(600);
        pushes.written(0, 1000, 100, true);
        let sent: Vec<_> = (1..=10).map(|n| pushes.sent(100 * n)).collect();
        assert_eq!(sent.iter().filter(|here| **here).count(), 2);
        assert!(sent[3] && sent[7], "the first segment that ends beyond 300, and 300 after that");
    }
}
