//! TCP small queues: a limit on the data of one connection in the layers below (Linux 3.6; `tcp_write_xmit`,
//! `tcp_wfree`).

use airloom_sim::Bytes;

/// The account of memory handed down.
pub(crate) struct SmallQueue {
    /// The most that `limit` may be.
    most: u64,
    limit: u64,
    held: u64,
    /// New data was held back (`TSQ_THROTTLED`): the next completion resumes sending.
    throttled: bool,
}

impl SmallQueue {
    pub(crate) fn new(limit: Option<Bytes>) -> Self {
        let most = limit.map_or(u64::MAX, |b| b.0);
        Self { most, limit: most, held: 0, throttled: false }
    }

    /// Limits the bytes below TCP to `share`, but always allows two segments of `truesize`. A queue that is off stays off.
    pub(crate) fn tighten(&mut self, share: u64, truesize: u32) {
        if self.most == u64::MAX {
            return;
        }
        self.limit = share.max(2 * u64::from(truesize)).min(self.most);
    }

    /// Truesize handed down and not yet freed.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Whether one more data segment may go down. Linux tests the limit before each segment, with `>`, so that the
    /// last one may exceed it.
    pub(crate) fn admits(&mut self) -> bool {
        self.throttled |= self.held > self.limit;
        self.held <= self.limit
    }

    pub(crate) fn handed_down(&mut self, truesize: u32) {
        self.held += u64::from(truesize);
    }

    /// A segment was refused: it was never held.
    pub(crate) fn refused(&mut self, truesize: u32) {
        self.held = self.held.saturating_sub(u64::from(truesize));
    }

    /// Records memory freed below; true if new data waited for it and may be sent now.
    pub(crate) fn freed(&mut self, truesize: u64) -> bool {
        debug_assert!(truesize <= self.held, "{truesize} bytes freed of {} held", self.held);
        self.held = self.held.saturating_sub(truesize);
        let resume = self.throttled && self.held <= self.limit;
        self.throttled &= !resume;
        resume
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_follows_the_pacing_rate_between_two_segments_and_the_most() {
        let mut q = SmallQueue::new(Some(Bytes(10_000)));
        q.tighten(6_000, 1_000);
        (0..6).for_each(|_| q.handed_down(1_000));
        assert!(q.admits(), "up to the limit");
        q.handed_down(1_000);
        assert!(!q.admits());
        q.tighten(50, 3_600);
        assert!(q.admits(), "7000 of 7200");
        q.tighten(u64::MAX, 1_000);
        (0..4).for_each(|_| q.handed_down(1_000));
        assert!(!q.admits(), "11000 of 10000");
    }

    #[test]
    fn thirty_one_segments_fit_the_default_limit() {
        let mut queue = SmallQueue::new(Some(Bytes(131_072)));
        let mut out = 0;
        while queue.admits() {
            queue.handed_down(4352);
            out += 1;
        }
        assert_eq!(out, 31);
        assert!(queue.freed(4352));
        assert!(!queue.freed(4352), "nothing waits any more");
    }

    #[test]
    fn sending_resumes_only_at_the_limit() {
        let mut queue = SmallQueue::new(Some(Bytes(10)));
        queue.handed_down(30);
        assert!(!queue.admits());
        assert!(!queue.freed(19));
        assert!(queue.freed(1));
    }

    #[test]
    fn without_limit_everything_goes() {
        let mut queue = SmallQueue::new(None);
        queue.handed_down(u32::MAX);
        assert!(queue.admits());
        queue.tighten(1, 1);
        assert!(queue.admits(), "whatever the pacing rate is");
    }
}
