//! The send buffer: what the application has written, counted in the memory that it takes (`sk_wmem_queued`, `sk_sndbuf`).
//!
//! Data lies in buffers of one segment, or, where segmentation is left to the device or to what stands before it, of as many as a burst has: one header
//! for all of them.

use crate::bursts::LARGEST;
use crate::{SendSpace, Truesize};
use airloom_sim::Bytes;

/// The bound of the send buffer and whether the application waits for room.
pub(crate) struct SendBuffer {
    /// Memory of the data of a segment, and of the header of each `sk_buff`.
    data: u64,
    header: u64,
    /// An `sk_buff` may hold several segments.
    bundles: bool,
    /// Segments in each that was sent.
    bundle: u64,
    /// Memory that the buffer grows by for each segment of the window.
    per_segment: u64,
    between_segments: bool,
    bound: u64,
    max: u64,
    /// The application waits for room (`SOCK_NOSPACE`).
    waiting: bool,
}

impl SendBuffer {
    /// What a segment takes of it, and whether an `sk_buff` may hold several.
    pub(crate) fn new(space: &SendSpace, truesize: Truesize, bundles: bool) -> Self {
        let (bound, max) = (space.send_buffer_initial.0, space.send_buffer_max.0);
        let Truesize { skb_truesize, ack_truesize } = truesize;
        let header = if bundles { ack_truesize.min(skb_truesize) } else { 0 };
        Self {
            data: u64::from(skb_truesize - header),
            header: u64::from(header),
            bundles,
            bundle: 1,
            per_segment: u64::from(space.send_buffer_segment.unwrap_or(skb_truesize)),
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

    /// What is sent from now on is sent in so many segments at a time, of which each has a header (`tso_fragment`).
    pub(crate) fn sends(&mut self, segments: u32) {
        self.bundle = u64::from(segments.max(1));
    }

    /// The memory that so many segments take.
    fn memory_of(&self, segments: u64, bundle: u64) -> u64 {
        segments * self.data + segments.div_ceil(bundle) * self.header
    }

    /// How many of `bytes` are taken while `segments` are held, sent or not, the last of them with room for `tail` more
    /// bytes. Linux admits an `sk_buff` while the memory held is below the bound (`sk_stream_memory_free`), and fills it (`tcp_xmit_size_goal`).
    pub(crate) fn admit(&mut self, bytes: u64, segments: u64, tail: u64, mss: u64) -> u64 {
        let written = if self.bundles { (LARGEST / mss.max(1)).max(1) } else { 1 };
        let free = self.bound.saturating_sub(self.memory_of(segments, self.bundle));
        let buffers = free.div_ceil(self.memory_of(written, written));
        let room = (buffers * written).saturating_mul(mss).saturating_add(tail);
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
        let queued = self.memory_of(segments, self.bundle);
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
        SendBuffer::new(&space, Truesize { skb_truesize: truesize, ack_truesize: 960 }, false)
    }

    /// The same of a kernel that leaves segmentation to the device (Linux 6.18).
    fn bundling(bound: u64) -> SendBuffer {
        let (send_buffer_initial, send_buffer_max) = (Bytes(bound), Bytes(bound));
        let space = SendSpace { send_buffer_initial, send_buffer_max, ..SendSpace::PLAIN };
        SendBuffer::new(&space, Truesize { skb_truesize: 2408, ack_truesize: 960 }, true)
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

    /// What `ss -tmi` showed of Linux 6.18.44 with `tcp_wmem` of 512 KiB over a path of 50 ms: 363 segments of 1448 bytes unacknowledged, in 532,608
    /// bytes (`skmem:w`), so that eight buffers of 45 are written while less than the bound is held.
    #[test]
    fn a_kernel_that_leaves_segmentation_to_the_device_holds_whole_buffers_of_many_segments() {
        let mut buffer = bundling(512 << 10);
        buffer.sends(45);
        assert_eq!(buffer.admit(u64::MAX, 0, 0, 1448), 8 * 45 * 1448);
        assert_eq!(buffer.memory_of(363, 45), 363 * 1448 + 9 * 960);
        assert!(buffer.memory_of(363, 45).abs_diff(532_608) < 2_000);
    }

    #[test]
    fn what_is_sent_in_small_bursts_takes_more() {
        let mut buffer = bundling(512 << 10);
        buffer.sends(2);
        assert_eq!(buffer.admit(1, 271, 0, 1448), 1);
        assert_eq!(buffer.admit(1, 272, 0, 1448), 0, "524,416 bytes");
    }
}
