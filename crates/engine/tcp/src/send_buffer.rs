//! The send buffer: what the application has written, counted in memory per segment (`sk_wmem_queued`, `sk_sndbuf`).

use crate::SendSpace;
use airloom_sim::Bytes;

/// The bound of the send buffer and whether the application waits for room.
pub(crate) struct SendBuffer {
    truesize: u64,
    /// Memory for each segment of the window.
    per_segment: u64,
    between_segments: bool,
    bound: u64,
    max: u64,
    /// The application waits for room (`SOCK_NOSPACE`).
    waiting: bool,
}

impl SendBuffer {
    /// A segment takes `truesize` bytes of it.
    pub(crate) fn new(space: &SendSpace, truesize: u32) -> Self {
        let (bound, max) = (space.send_buffer_initial.0, space.send_buffer_max.0);
        Self {
            truesize: u64::from(truesize),
            per_segment: u64::from(space.send_buffer_segment.unwrap_or(truesize)),
            between_segments: space.send_buffer_between_segments,
            bound,
            max: max.max(bound),
            waiting: false,
        }
    }

    /// Whether it grows between two segments that are sent, by what is in flight, rather than by what is outstanding after all
    /// are.
    pub(crate) fn grows_between_segments(&self) -> bool {
        self.between_segments
    }

    /// How many of `bytes` are taken while `segments` are held, sent or not, the last of them with room for `tail` more
    /// bytes. Linux admits a segment while the memory held is below the bound (`sk_stream_memory_free`).
    pub(crate) fn admit(&mut self, bytes: u64, segments: u64, tail: u64, mss: u64) -> u64 {
        let most = self.bound.div_ceil(self.truesize);
        let room = most.saturating_sub(segments).saturating_mul(mss).saturating_add(tail);
        self.waiting |= bytes > room;
        bytes.min(room)
    }

    /// Grows to so many windows (`tcp_sndbuf_expand`), of at least the initial size.
    pub(crate) fn expand(&mut self, windows: u64, cwnd: u32) {
        self.bound = self.bound.max((windows * u64::from(cwnd.max(10)) * self.per_segment).min(self.max));
    }

    /// Fixes the bound (`SOCK_SNDBUF_LOCK`).
    pub(crate) fn fix(&mut self, size: Bytes) {
        self.bound = size.0;
        self.max = size.0;
    }

    /// The application has to wait (`sk_stream_wait_connect`).
    pub(crate) fn wait(&mut self) {
        self.waiting = true;
    }

    /// Whether the application waits.
    pub(crate) fn waiting(&self) -> bool {
        self.waiting
    }

    /// True, once, if the application waited and a third of the buffer is free (`sk_stream_write_space`).
    pub(crate) fn wake(&mut self, segments: u64) -> bool {
        let queued = segments * self.truesize;
        let wake = self.waiting && self.bound >= queued + queued / 2;
        self.waiting &= !wake;
        wake
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(initial: u64, max: u64, truesize: u32) -> SendBuffer {
        let (send_buffer_initial, send_buffer_max) = (Bytes(initial), Bytes(max));
        let send_buffer_segment = Some(4352);
        let space =
            SendSpace { send_buffer_initial, send_buffer_max, send_buffer_segment, ..SendSpace::PLAIN };
        SendBuffer::new(&space, truesize)
    }

    #[test]
    fn four_mebibytes_are_964_segments() {
        let mut buffer = buffer(16_384, 4 << 20, 4352);
        buffer.expand(2, 10_000);
        assert_eq!(buffer.admit(u64::MAX, 0, 0, 1448), 964 * 1448);
        assert_eq!(buffer.admit(1, 964, 0, 1448), 0);
        assert_eq!(buffer.admit(9, 964, 5, 1448), 5, "a partial segment is filled up");
    }

    #[test]
    fn the_application_is_woken_when_a_third_is_free() {
        let mut buffer = buffer(4352 * 30, 4352 * 30, 4352);
        assert!(!buffer.wake(0), "the application does not wait");
        assert_eq!(buffer.admit(100_000, 0, 0, 1448), 30 * 1448);
        assert!(!buffer.wake(21));
        assert!(buffer.wake(20));
        assert!(!buffer.wake(20));
    }

    #[test]
    fn the_bound_follows_the_window_and_never_shrinks() {
        let mut buffer = buffer(16_384, 4 << 20, 4352);
        buffer.expand(2, 50);
        buffer.expand(2, 10);
        assert_eq!(buffer.admit(u64::MAX, 0, 0, 1), 100);
    }

    /// `tcp_sndbuf_expand`, Linux 6.x: a window takes 4352 bytes of it for each segment, which needs 2408.
    #[test]
    fn two_windows_have_room_for_nearly_four() {
        let mut buffer = buffer(16_384, 4 << 20, 2408);
        buffer.expand(2, 10);
        assert_eq!(buffer.admit(u64::MAX, 0, 0, 1), (2 * 10 * 4352u64).div_ceil(2408));
    }
}
