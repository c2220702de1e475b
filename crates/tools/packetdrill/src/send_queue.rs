//! The queue of what was written, in the buffers of several segments that Linux fills for segmentation offload
//! (`tcp_sendmsg_locked`). How much a call takes depends on them.

/// Memory of a buffer beside its data: an `sk_buff` with room for headers (`tcp_stream_alloc_skb`).
const OVERHEAD: u64 = 832;
/// The largest buffer in bytes (`sk_gso_max_size`).
const LARGEST: u64 = 65_536;

/// The state of the endpoint that decides.
#[derive(Clone, Copy)]
pub(crate) struct Sender {
    /// Bytes written so far, bytes not sent, and bytes not acknowledged.
    pub(crate) written: u64,
    pub(crate) unsent: u64,
    pub(crate) unacknowledged: u64,
    pub(crate) mss: u64,
    pub(crate) cwnd: u64,
    pub(crate) in_flight: u64,
    /// The window that the peer offers, in bytes.
    pub(crate) peer_window: u64,
}

/// The queue.
pub(crate) struct SendQueue {
    bound: u64,
    most: u64,
    /// The bound was set by the application.
    fixed: bool,
    /// Where the last buffer begins and ends, and whether it is pushed.
    tail: u64,
    end: u64,
    pushed: bool,
    /// Where the last push was (`pushed_seq`).
    last_push: u64,
    /// Where earlier buffers end, and whether they are pushed.
    ends: Vec<(u64, bool)>,
    /// The largest window that the peer ever offered.
    widest: u64,
    /// The application found no room (`SOCK_NOSPACE`).
    refused: bool,
}

impl SendQueue {
    pub(crate) fn new(initial: u64, most: u64) -> Self {
        Self {
            bound: initial,
            most,
            fixed: false,
            tail: 0,
            end: 0,
            pushed: false,
            last_push: 0,
            ends: Vec::new(),
            widest: 0,
            refused: false,
        }
    }

    pub(crate) fn fix(&mut self, bound: u64) {
        self.bound = bound;
        self.fixed = true;
    }

    /// The bound in bytes.
    pub(crate) fn bound(&self) -> u64 {
        self.bound
    }

    /// The peer offers a window.
    pub(crate) fn offered(&mut self, window: u64) {
        self.widest = self.widest.max(window);
    }

    /// Whole segments that a buffer holds, in bytes: up to half of the widest window (`tcp_xmit_size_goal`).
    fn goal(&self, mss: u64) -> u64 {
        (LARGEST.min(self.widest / 2) / mss.max(1) * mss).max(mss)
    }

    /// How many of `count` bytes go into one buffer now: what is left of the last, or a new one if there is room for that and
    /// no more than `unsent_limit` waits to be sent.
    pub(crate) fn admit(&mut self, sender: &Sender, count: u64, unsent_limit: u64) -> u64 {
        let goal = self.goal(sender.mss);
        let begin = self.tail.max(sender.written - sender.unsent);
        let held = sender.written - begin;
        if sender.unsent > 0 && held < goal {
            return count.min(goal - held);
        }
        if self.memory(sender) >= self.bound || sender.unsent >= unsent_limit {
            self.refused = true;
            return 0;
        }
        if sender.written > 0 {
            self.ends.push((sender.written, self.pushed));
        }
        self.tail = sender.written;
        self.pushed = false;
        count.min(goal)
    }

    /// What was admitted was put in, up to `written`: the buffer is pushed if the call `ends` with it, or half of the widest window
    /// has not been (`tcp_mark_push`, `forced_push`).
    pub(crate) fn filled(&mut self, written: u64, ends: bool) {
        self.end = written;
        if ends || written > self.last_push + self.widest / 2 {
            self.pushed = true;
            self.last_push = written;
        }
    }

    /// Where buffers end, and whether they are pushed.
    pub(crate) fn buffers(&self) -> impl Iterator<Item = (u64, bool)> {
        self.ends.iter().copied().chain([(self.end, self.pushed)])
    }

    /// The memory that it takes (`sk_wmem_queued`).
    fn memory(&self, sender: &Sender) -> u64 {
        sender.unacknowledged + OVERHEAD * sender.unacknowledged.div_ceil(self.goal(sender.mss))
    }

    /// Whether a third of it is free (`sk_stream_is_writeable`).
    pub(crate) fn has_room(&self, sender: &Sender) -> bool {
        let memory = self.memory(sender);
        self.bound >= memory + memory / 2
    }

    /// Whether the application found no room and has not been woken since.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused
    }

    /// A poll found no room.
    pub(crate) fn refuse(&mut self) {
        self.refused = true;
    }

    /// Data was acknowledged: true, once, if the application had found no room and there is some now (`tcp_check_space`). The
    /// bound follows the window (`tcp_sndbuf_expand`).
    pub(crate) fn acknowledged(&mut self, sender: &Sender, unsent_limit: u64) -> bool {
        if !self.refused {
            return false;
        }
        if sender.in_flight < sender.cwnd {
            self.expand(sender);
        }
        let wake = self.has_room(sender) && sender.unsent.saturating_mul(2) < unsent_limit;
        self.refused &= !wake;
        wake
    }

    /// Twice the window, of at least ten segments, each with its headers and its `sk_buff`.
    pub(crate) fn expand(&mut self, sender: &Sender) {
        if !self.fixed {
            let per = (sender.mss + 640).next_power_of_two() + 256;
            self.bound = self.bound.max((2 * sender.cwnd.max(10) * per).min(self.most));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(written: u64, unsent: u64) -> Sender {
        Sender {
            written,
            unsent,
            unacknowledged: written,
            mss: 1000,
            cwnd: 10,
            in_flight: 10,
            peer_window: 32_896,
        }
    }

    #[test]
    fn buffers_of_half_a_window_are_filled_while_the_bound_is_not_reached() {
        let mut queue = SendQueue::new(50_000, 4 << 20);
        queue.offered(32_896);
        assert_eq!(queue.admit(&sender(0, 0), 59_000, u64::MAX), 16_000);
        assert_eq!(
            queue.admit(&sender(16_000, 6000), 43_000, u64::MAX),
            10_000,
            "the part that was not sent is filled up"
        );
        assert_eq!(queue.admit(&sender(26_000, 16_000), 33_000, u64::MAX), 16_000);
        assert_eq!(queue.admit(&sender(42_000, 32_000), 17_000, u64::MAX), 16_000);
        assert_eq!(queue.admit(&sender(58_000, 48_000), 1000, u64::MAX), 0);
        let acknowledged = |unacknowledged| Sender { unacknowledged, ..sender(58_000, 32_000) };
        assert!(!queue.acknowledged(&acknowledged(48_000), u64::MAX), "no third is free");
        assert!(queue.acknowledged(&acknowledged(31_000), u64::MAX));
        assert!(!queue.acknowledged(&acknowledged(30_000), u64::MAX), "once");
    }

    #[test]
    fn unsent_bytes_are_limited_buffer_by_buffer() {
        let mut queue = SendQueue::new(1 << 20, 4 << 20);
        queue.offered(32_896);
        assert_eq!(queue.admit(&sender(0, 0), 59_000, 4000), 16_000);
        assert_eq!(queue.admit(&sender(16_000, 6000), 43_000, 4000), 10_000);
        assert_eq!(queue.admit(&sender(26_000, 16_000), 33_000, 4000), 0);
        assert!(!queue.acknowledged(&sender(26_000, 2000), 4000));
        assert!(queue.acknowledged(&sender(26_000, 1999), 4000));
    }

    #[test]
    fn the_bound_follows_the_window_unless_it_is_fixed() {
        let mut queue = SendQueue::new(16_384, 4 << 20);
        queue.expand(&Sender { cwnd: 40, ..sender(0, 0) });
        assert_eq!(queue.bound(), 2 * 40 * (2048 + 256));
        queue.fix(20_000);
        queue.expand(&Sender { cwnd: 400, ..sender(0, 0) });
        assert_eq!(queue.bound(), 20_000);
    }
}
