//! TCP small queues: a limit on the data of one connection in the layers below (Linux 3.6; `tcp_write_xmit`,
//! `tcp_wfree`).

use crate::{SmallQueueLimits, Truesize};

/// The size of a host's burst if the small queue does not set it: about what is sent in a millisecond
/// (`sk_pacing_shift`).
const BURST_SHIFT: u32 = 10;

/// The account of memory handed down.
pub(crate) struct SmallQueue {
    truesize: Truesize,
    /// The most that `limit` may be.
    most: u64,
    /// The limit is also what the pacing rate sends in 1 / 2^n seconds.
    shift: Option<u32>,
    /// What is paced leaves in bursts.
    bursts: bool,
    limit: u64,
    held: u64,
    /// New data was held back (`TSQ_THROTTLED`): the next completion resumes sending.
    throttled: bool,
}

impl SmallQueue {
    pub(crate) fn new(limits: &SmallQueueLimits, truesize: Truesize) -> Self {
        let most = limits.small_queue.map_or(u64::MAX, |b| b.0);
        let (shift, bursts) = (limits.small_queue_shift, limits.bursts);
        Self { truesize, most, shift, bursts, limit: most, held: 0, throttled: false }
    }

    /// Whether the limit follows the pacing rate.
    pub(crate) fn follows_rate(&self) -> bool {
        self.shift.is_some()
    }

    /// Limits the bytes below TCP to what a rate in bytes per second sends in a fraction of a second, but always allows two
    /// segments. A queue that is off stays off.
    pub(crate) fn tighten(&mut self, rate: u64) {
        let Some(shift) = self.shift.filter(|_| self.most < u64::MAX) else { return };
        self.limit = (rate >> shift).max(2 * u64::from(self.truesize.skb_truesize)).min(self.most);
    }

    /// Whether what is paced leaves in bursts.
    pub(crate) fn bursts(&self) -> bool {
        self.bursts
    }

    /// A burst holds what the pacing rate sends in 1 / 2^n seconds (`sk_pacing_shift`).
    pub(crate) fn burst_shift(&self) -> u32 {
        self.shift.unwrap_or(BURST_SHIFT)
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

    /// A segment with `payload` bytes goes down; returns its memory in bytes.
    #[inline]
    pub(crate) fn handed_down(&mut self, payload: u32) -> u32 {
        let truesize = self.memory_of(payload);
        self.held += u64::from(truesize);
        truesize
    }

    /// A segment with `payload` bytes was refused: it was never held.
    pub(crate) fn refused(&mut self, payload: u32) {
        self.held = self.held.saturating_sub(u64::from(self.memory_of(payload)));
    }

    #[inline]
    fn memory_of(&self, payload: u32) -> u32 {
        if payload > 0 { self.truesize.skb_truesize } else { self.truesize.ack_truesize }
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
    use airloom_sim::Bytes;

    /// A queue for segments of so much memory, whose limit may be that of an eighth of a second.
    fn queue(limit: Option<u64>, skb_truesize: u32) -> SmallQueue {
        let (small_queue, small_queue_shift) = (limit.map(Bytes), Some(3));
        let limits = SmallQueueLimits { small_queue, small_queue_shift, bursts: false };
        SmallQueue::new(&limits, Truesize { skb_truesize, ..Truesize::PLAIN })
    }

    #[test]
    fn the_limit_follows_the_pacing_rate_between_two_segments_and_the_most() {
        let mut q = queue(Some(10_000), 1_000);
        let down = |q: &mut SmallQueue, segments| (0..segments).for_each(|_| _ = q.handed_down(1));
        q.tighten(6_000 * 8);
        down(&mut q, 6);
        assert!(q.admits(), "up to the limit");
        down(&mut q, 1);
        assert!(!q.admits());
        q.tighten(u64::MAX);
        down(&mut q, 3);
        assert!(q.admits(), "10000 of 10000");
        down(&mut q, 1);
        assert!(!q.admits(), "11000 of 10000");
        q.freed(9_000);
        q.tighten(50);
        assert!(q.admits(), "two segments");
        down(&mut q, 1);
        assert!(!q.admits());
    }

    #[test]
    fn thirty_one_segments_fit_the_default_limit() {
        let mut queue = queue(Some(131_072), 4352);
        let mut out = 0;
        while queue.admits() {
            queue.handed_down(1448);
            out += 1;
        }
        assert_eq!(out, 31);
        assert!(queue.freed(4352));
        assert!(!queue.freed(4352), "nothing waits any more");
    }

    #[test]
    fn sending_resumes_only_at_the_limit() {
        let mut queue = queue(Some(10), 30);
        queue.handed_down(1);
        assert!(!queue.admits());
        assert!(!queue.freed(19));
        assert!(queue.freed(1));
    }

    #[test]
    fn without_limit_everything_goes() {
        let mut queue = queue(None, u32::MAX);
        queue.handed_down(1);
        assert!(queue.admits());
        queue.tighten(1);
        assert!(queue.admits(), "whatever the pacing rate is");
    }
}
