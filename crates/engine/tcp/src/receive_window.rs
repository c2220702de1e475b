//! The window offered to the peer and its growth (`__tcp_select_window`, `tcp_grow_window`, `tcp_rcv_space_adjust`,
//! Linux 3.13 and 6.18). The application reads at once, so that only data out of order takes room.

use crate::{ReceiveSpace, RightSizing};
use airloom_sim::{Duration, Time};

/// Memory of one data segment in bytes where the window does not go by memory: an `sk_buff` of 256 and 2048 for a full frame.
const TRUESIZE: u64 = 2304;
/// The payload of the largest segment until one has arrived (`TCP_MSS_DEFAULT`, `tcp_initialize_rcv_mss`).
const LARGEST: u64 = 536;
/// Segments with less payload do not let the window grow (`tcp_event_data_recv`).
const LEAST_FOR_GROWTH: u64 = 128;

/// The receive buffer and the window offered from it.
pub(crate) struct ReceiveWindow {
    mode: RightSizing,
    buffer: u64,
    max: u64,
    share: Share,
    /// Memory of one data segment in bytes.
    truesize: u64,
    /// The payload of the largest segment so far (`rcv_mss`).
    largest: u64,
    /// The most payload of a segment that was announced (`advmss`).
    announced: u64,
    initial_segments: u64,
    scale: u8,
    mss: u64,
    /// Window last offered in bytes, from `edge` on (`rcv_wnd`, `rcv_wup`).
    offered: u64,
    edge: u64,
    /// The window last offered, as in the header, with the bytes that waited; none if it has changed since.
    last: Option<(u64, u16)>,
    /// What slow growth permits (`rcv_ssthresh`).
    permitted: u64,
    clamp: u64,
    /// Dynamic right-sizing: bytes read per round trip times two, and where and when the present measurement began.
    space: u64,
    space_from: (u64, Time),
    /// Eight times the round-trip time as the receiver sees it, in ns; zero before the first sample.
    rtt8: u64,
    /// Without timestamps, a round trip takes until this arrives.
    rtt_until: (u64, Time),
    /// The timestamp from which the round trip was last taken.
    rtt_echo: u32,
}

/// How much of the memory is window.
#[derive(Clone, Copy)]
enum Share {
    /// All but one part in two to the power of this, or all if it is zero (`tcp_adv_win_scale`).
    AllBut(u32),
    /// So many parts of 256, as many as a full segment has of its memory (`scaling_ratio`).
    Parts(u64),
}

impl Share {
    /// How much of the memory is window (`tcp_win_from_space`).
    const fn window_of(self, memory: u64) -> u64 {
        match self {
            Self::AllBut(0) => memory,
            Self::AllBut(shift) => memory - (memory >> shift),
            Self::Parts(parts) => (memory * parts) >> 8,
        }
    }

    /// The memory for a window of `window` bytes (`tcp_space_from_win`).
    const fn memory_for(self, window: u64) -> u64 {
        match self {
            Self::AllBut(0) => window,
            Self::AllBut(shift) => (window << shift).div_ceil((1 << shift) - 1),
            Self::Parts(parts) => (window << 8) / parts,
        }
    }
}

/// The first window, in whole segments of `mss` bytes (`tcp_select_initial_window`).
fn first_window(space: u64, segments: u64, mss: u64) -> u64 {
    let space = space.min(65_535);
    let whole = if space > mss { space / mss * mss } else { space };
    whole.min(segments * mss)
}

impl ReceiveWindow {
    /// The peer may send `mss` bytes in a segment, which takes `truesize` bytes of memory where the window goes by memory.
    pub(crate) fn new(space: &ReceiveSpace, mss: u32, truesize: u32) -> Self {
        let initial = space.receive_buffer_initial.0;
        let max = space.receive_buffer_max.0.max(initial);
        let mss = u64::from(mss);
        let (share, initial_segments) =
            (Share::AllBut(space.receive_window_share), u64::from(space.initial_receive_window));
        let offered = match space.right_sizing {
            RightSizing::TwiceRead => share.window_of(initial).min(initial_segments * mss).min(65_535),
            _ => first_window(share.window_of(initial), initial_segments, mss),
        };
        Self {
            mode: space.right_sizing,
            truesize: if space.right_sizing.goes_by_memory() { truesize.into() } else { TRUESIZE },
            largest: LARGEST,
            announced: mss,
            rtt_echo: 0,
            buffer: initial,
            max,
            share,
            initial_segments,
            scale: 0,
            mss,
            offered,
            edge: 0,
            last: None,
            permitted: offered,
            clamp: share.window_of(max),
            space: 0,
            space_from: (0, Time::ZERO),
            rtt8: 0,
            rtt_until: (0, Time::ZERO),
        }
    }

    /// The window for a SYN, which is never scaled.
    pub(crate) fn initial(&self) -> u16 {
        self.offered as u16
    }

    /// The peer's SYN has come before the own one, and segments carry `mss` bytes (`tcp_openreq_init_rwin`).
    pub(crate) fn meet(&mut self, mss: u32) {
        if self.mode.goes_by_memory() {
            self.offered =
                first_window(self.share.window_of(self.buffer), self.initial_segments, u64::from(mss));
            self.permitted = self.offered;
        }
    }

    /// The handshake is complete (`tcp_init_buffer_space`): data is expected from `edge` on.
    pub(crate) fn establish(&mut self, now: Time, edge: u64, scale: u8, mss: u32) {
        self.scale = scale;
        self.mss = u64::from(mss);
        // Timestamps take their part (`tcp_rcv_state_process`).
        self.announced = self.announced.min(self.mss);
        self.edge = edge;
        self.last = None;
        let full = self.share.window_of(self.buffer);
        match self.mode {
            RightSizing::TwiceRead => {
                // Right-sizing lags by two to three round trips: Linux gives it a cushion.
                let cushion = 8 * self.truesize * self.initial_segments;
                self.buffer = self.buffer.max(cushion.min(self.max));
                self.clamp = self.share.window_of(self.buffer);
                self.space = self.offered;
            }
            _ => {
                self.clamp = full.saturating_sub(self.announced).max(2 * self.announced).min(full);
                self.permitted = self.permitted.min(self.clamp);
                self.space = self.permitted.min(self.offered).min(10 * self.announced);
            }
        }
        self.space_from = (edge, now);
        self.rtt_until = (edge + self.offered, now);
    }

    /// Bytes the peer may still send while `next` is expected (`tcp_receive_window`).
    #[inline]
    pub(crate) fn open(&self, next: u64) -> u64 {
        (self.edge + self.offered).saturating_sub(next)
    }

    /// The right edge of the window.
    #[inline]
    pub(crate) fn right_edge(&self) -> u64 {
        self.edge + self.offered
    }

    /// Where the last window was offered: what came later is unacknowledged (`rcv_wup`).
    #[inline]
    pub(crate) fn offered_at(&self) -> u64 {
        self.edge
    }

    /// The window that could be offered while `waiting` bytes are out of order, not counting promises made.
    #[inline]
    pub(crate) fn available(&self, waiting: u64) -> u64 {
        let taken = if waiting == 0 { 0 } else { waiting.div_ceil(self.mss) * self.truesize };
        let free = self.share.window_of(self.buffer.saturating_sub(taken)).min(self.clamp);
        // A buffer without room for a whole segment offers what it has; otherwise no data would ever arrive.
        let mss = self.mss.min(self.clamp).min(self.share.window_of(self.buffer));
        if free < mss {
            return 0;
        }
        let window = free.min(self.permitted);
        if self.scale > 0 { self.round_up(window.min(65_535 << self.scale)) } else { window / mss * mss }
    }

    /// The next window that the scale can express.
    fn round_up(&self, window: u64) -> u64 {
        let unit = (1u64 << self.scale) - 1;
        (window + unit) & !unit
    }

    /// Offers a window while `next` is expected; the right edge never moves back (`tcp_select_window`).
    #[inline]
    pub(crate) fn offer(&mut self, next: u64, waiting: u64) -> u16 {
        // An endpoint that only sends offers the same window repeatedly.
        match self.last {
            Some((before, window)) if self.edge == next && before == waiting => window,
            _ => self.offer_anew(next, waiting),
        }
    }

    fn offer_anew(&mut self, next: u64, waiting: u64) -> u16 {
        let mut window = self.available(waiting).min(65_535 << self.scale);
        let promised = self.open(next);
        if window < promised {
            window = self.round_up(promised);
        }
        self.offered = window;
        self.edge = next;
        let window = (window >> self.scale).min(65_535) as u16;
        self.last = Some((waiting, window));
        window
    }

    /// Whether the window has at least doubled since it was last offered, so that the peer should know
    /// (`tcp_cleanup_rbuf`).
    #[inline]
    pub(crate) fn deserves_update(&self, next: u64, waiting: u64) -> bool {
        let open = self.open(next);
        if 2 * open > self.clamp {
            return false;
        }
        let available = self.available(waiting);
        available > 0 && available >= 2 * open
    }

    /// A segment with `payload` bytes arrived, while `waiting` bytes are out of order: the window may grow by two
    /// (`tcp_grow_window`). True if it did and every segment is acknowledged meanwhile.
    #[inline]
    pub(crate) fn grow(&mut self, payload: u32, waiting: u64) -> bool {
        if self.mode.goes_by_memory() {
            return self.grow_by_memory(u64::from(payload), waiting);
        }
        if self.permitted < self.clamp {
            self.permitted = (self.permitted + 2 * self.mss).min(self.clamp);
            self.last = None;
        }
        false
    }

    fn grow_by_memory(&mut self, payload: u64, waiting: u64) -> bool {
        if payload > self.largest {
            self.measure_share(payload);
        }
        if self.permitted >= self.clamp || payload < LEAST_FOR_GROWTH {
            return false;
        }
        // The segment itself has not been read yet (`tcp_queue_rcv` comes before `tcp_event_data_recv`).
        let taken = (waiting.div_ceil(self.mss) + 1) * self.truesize;
        let room = self.clamp.min(self.share.window_of(self.buffer.saturating_sub(taken)));
        let step = self.step(payload).max(2 * payload);
        let Some(room) = room.checked_sub(self.permitted).filter(|room| *room > 0 && self.step(payload) > 0)
        else {
            return false;
        };
        self.permitted += step.min(room);
        self.last = None;
        true
    }

    /// By how much a segment with `payload` bytes lets the window grow: less is allowed the more its memory exceeds its data
    /// (`__tcp_grow_window`).
    fn step(&self, payload: u64) -> u64 {
        let mut memory = self.share.window_of(self.truesize);
        if memory <= payload {
            return 2 * self.announced;
        }
        let mut window = self.share.window_of(self.max) / 2;
        memory /= 2;
        while self.permitted <= window {
            if memory <= payload {
                return 2 * self.largest;
            }
            (memory, window) = (memory / 2, window / 2);
        }
        0
    }

    /// The largest segment so far has `payload` bytes: its share of its memory is that of the window (`tcp_measure_rcv_mss`).
    #[cold]
    fn measure_share(&mut self, payload: u64) {
        self.largest = payload.min(self.announced);
        self.share = Share::Parts(((payload << 8) / self.truesize).clamp(1, 255));
        self.clamp = self.share.window_of(self.buffer);
        self.space = self.space.min(self.clamp);
        self.last = None;
    }

    /// Takes a round trip from a full segment's timestamp, which echoes `echo` (`tcp_rcv_rtt_measure_ts`).
    #[inline]
    pub(crate) fn timestamp_rtt(&mut self, rtt: Duration, echo: u32) {
        let m = rtt.as_nanos();
        if self.mode.goes_by_memory() {
            // Since 6.16 a lower one counts at once, and none below the clock's resolution.
            if std::mem::replace(&mut self.rtt_echo, echo) == echo || m == 0 {
                return;
            }
            if m << 3 < self.rtt8 {
                self.rtt8 = m << 3;
                return;
            }
        }
        let m = m.max(1);
        self.rtt8 = if self.rtt8 == 0 { m << 3 } else { self.rtt8 - (self.rtt8 >> 3) + m };
    }

    /// The round trip as the receiver sees it; zero before the first sample.
    pub(crate) fn rtt(&self) -> Duration {
        Duration::from_nanos(self.rtt8 >> 3)
    }

    /// Without timestamps: a window's worth of data takes at least a round trip (`tcp_rcv_rtt_measure`).
    pub(crate) fn window_rtt(&mut self, now: Time, next: u64) {
        if next < self.rtt_until.0 {
            return;
        }
        let m = now.since(self.rtt_until.1).as_nanos().max(1) << 3;
        self.rtt8 = if self.rtt8 == 0 { m } else { self.rtt8.min(m) };
        self.rtt_until = (next + self.offered, now);
    }

    /// The application has read up to `next`, and what waits out of order reaches up to `highest`: once per round trip the
    /// buffer is sized anew (`tcp_rcv_space_adjust`).
    #[inline]
    pub(crate) fn adjust(&mut self, now: Time, next: u64, highest: u64) {
        if self.rtt8 == 0 || now.since(self.space_from.1).as_nanos() < self.rtt8 >> 3 {
            return;
        }
        let read = next - self.space_from.0;
        self.space_from = (next, now);
        match self.mode {
            RightSizing::TwiceRead => self.size_for_twice(2 * read),
            RightSizing::Growth if read > self.space => self.size_for(read, highest.saturating_sub(next)),
            RightSizing::CushionedGrowth if read > self.space => self.size_with_cushion(read),
            _ => {}
        }
    }

    /// Whether data out of order, too, lets the window grow.
    pub(crate) fn goes_by_memory(&self) -> bool {
        self.mode.goes_by_memory()
    }

    /// Data arrived above a hole, up to `span` bytes after what is expected: the buffer holds it too (`tcp_data_queue_ofo`).
    pub(crate) fn reordered(&mut self, span: u64) {
        if self.mode == RightSizing::Growth {
            self.size_for(self.space, span);
        }
    }

    /// Sizes the buffer after a round trip in which `read` bytes were read (`tcp_rcvbuf_grow`).
    fn size_for(&mut self, read: u64, span: u64) {
        let before = std::mem::replace(&mut self.space, read).max(1);
        let twice = 2 * read;
        self.hold(twice + 2 * (twice * (read - before.min(read)) / before) + span);
    }

    /// The same in Linux 6.12 (`tcp_rcv_space_adjust`).
    fn size_with_cushion(&mut self, read: u64) {
        let before = std::mem::replace(&mut self.space, read).max(1);
        let window = 2 * read + 16 * self.announced;
        self.hold(window + 2 * (window * (read - before.min(read)) / before));
    }

    /// The buffer holds a window of so many bytes.
    fn hold(&mut self, window: u64) {
        let memory = self.share.memory_for(window).min(self.max);
        if memory > self.buffer {
            self.buffer = memory;
            self.clamp = self.share.window_of(memory);
            self.last = None;
        }
    }

    fn size_for_twice(&mut self, space: u64) {
        if space > self.space {
            self.space = space;
            // Memory for that much payload, part of the memory being window.
            let per_segment = self.truesize.max(self.share.memory_for(self.mss)).next_multiple_of(128);
            let memory = ((space / self.mss).max(1) * per_segment).min(self.max);
            if memory > self.buffer {
                self.buffer = memory;
                self.last = None;
                self.clamp = space.min(self.share.window_of(memory)).max(self.clamp);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Bytes;

    fn window(space: &ReceiveSpace) -> ReceiveWindow {
        scaled_window(space, 7)
    }

    fn scaled_window(space: &ReceiveSpace, scale: u8) -> ReceiveWindow {
        let mut w = ReceiveWindow::new(space, 1460, 4352);
        w.establish(Time::ZERO, 0, scale, 1448);
        w
    }

    #[test]
    fn the_first_window_is_twenty_segments() {
        assert_eq!(ReceiveWindow::new(&ReceiveSpace::PLAIN, 1460, 4352).initial(), 29_200);
    }

    #[test]
    fn the_window_grows_by_two_segments_per_segment_up_to_half_the_buffer() {
        let space = ReceiveSpace {
            receive_buffer_initial: Bytes(100_000),
            receive_buffer_max: Bytes(100_000),
            ..ReceiveSpace::PLAIN
        };
        let mut w = window(&space);
        w.grow(1448, 0);
        assert_eq!(w.offer(1448, 0), ((29_200 + 2896u64).div_ceil(128)) as u16);
        (0..100).for_each(|_| _ = w.grow(1448, 0));
        assert_eq!(w.offer(1448, 0), 50_000u64.div_ceil(128) as u16);
    }

    #[test]
    fn a_buffer_of_less_than_two_segments_offers_what_it_has() {
        let space = ReceiveSpace {
            receive_buffer_initial: Bytes(1460),
            receive_buffer_max: Bytes(1460),
            ..ReceiveSpace::PLAIN
        };
        assert!(window(&space).available(0) >= 730);
    }

    #[test]
    fn half_of_the_buffer_is_window_or_more_of_it_or_all() {
        let buffer = Bytes(65_536);
        let offered = |share| {
            let space = ReceiveSpace {
                receive_buffer_initial: buffer,
                receive_buffer_max: buffer,
                receive_window_share: share,
                ..ReceiveSpace::PLAIN
            };
            let mut w = scaled_window(&ReceiveSpace { initial_receive_window: 100, ..space }, 1);
            w.offer(0, 0);
            w.open(0)
        };
        assert_eq!([0, 1, 2].map(offered), [65_536, 32_768, 49_152]);
        assert_eq!([0, 1, 2].map(|share| Share::AllBut(share).memory_for(3000)), [3000, 6000, 4000]);
    }

    #[test]
    fn room_beyond_what_the_scale_expresses_is_no_news() {
        let space = ReceiveSpace {
            receive_buffer_initial: Bytes(16 << 20),
            receive_buffer_max: Bytes(16 << 20),
            receive_window_share: 0,
            ..ReceiveSpace::PLAIN
        };
        let mut w = window(&space);
        (0..10_000).for_each(|_| _ = w.grow(1448, 0));
        assert_eq!(w.offer(0, 0), 65_535);
        assert!(!w.deserves_update(1448, 0), "the window offered is the largest that there is");
    }

    #[test]
    fn the_right_edge_never_moves_back() {
        let space = ReceiveSpace {
            receive_buffer_initial: Bytes(60_000),
            receive_buffer_max: Bytes(60_000),
            ..ReceiveSpace::PLAIN
        };
        let mut w = window(&space);
        let before = w.right_edge();
        w.offer(0, 25_000);
        assert!(w.right_edge() >= before, "{} {before}", w.right_edge());
        assert!(w.available(25_000) < w.available(0));
    }

    #[test]
    fn the_buffer_follows_twice_the_bytes_read_per_round_trip() {
        let mut w = window(&ReceiveSpace::PLAIN);
        let rtt = Duration::from_millis(100);
        w.timestamp_rtt(rtt, 1);
        let (mut next, mut offered) = (0, Vec::new());
        for round in 1..=10 {
            next += w.open(next);
            w.adjust(Time::ZERO + rtt * round, next, next);
            (0..2000).for_each(|_| _ = w.grow(1448, 0));
            w.offer(next, 0);
            offered.push(w.open(next));
        }
        assert_eq!(offered[0], 184_320, "the cushion");
        assert!(offered[1..4].windows(2).all(|w| w[1] == 2 * w[0]), "{offered:?}");
        assert_eq!(offered[9], 3 << 20);
    }

    #[test]
    fn a_window_offered_again_is_worked_out_again_once_anything_has_moved_it() {
        let mut w = window(&ReceiveSpace::PLAIN);
        for step in 0..200 {
            match step % 5 {
                0 => _ = w.grow(1448, 0),
                1 => w.timestamp_rtt(Duration::from_millis(1), 1),
                2 => w.adjust(Time::ZERO + Duration::from_millis(2 * step), 40_000 * step, 0),
                _ => {}
            }
            let (next, waiting) = (1448 * (step / 3), 3000 * (step % 2));
            let offered = w.offer(next, waiting);
            assert_eq!(offered, w.offer(next, waiting));
            assert_eq!(offered, w.offer_anew(next, waiting), "step {step}");
        }
    }

    #[test]
    fn without_timestamps_a_window_of_data_is_a_round_trip() {
        let mut w = window(&ReceiveSpace::PLAIN);
        w.window_rtt(Time::ZERO + Duration::from_millis(30), 29_199);
        assert_eq!(w.rtt8, 0);
        w.window_rtt(Time::ZERO + Duration::from_millis(40), 29_200);
        assert_eq!(w.rtt8, 320_000_000);
    }

    fn growing(right_sizing: RightSizing) -> ReceiveWindow {
        let space = ReceiveSpace {
            right_sizing,
            receive_buffer_initial: Bytes(131_072),
            receive_buffer_max: Bytes(32 << 20),
            initial_receive_window: 45,
            ..ReceiveSpace::PLAIN
        };
        let mut w = ReceiveWindow::new(&space, 1460, 2408);
        assert_eq!(w.initial(), 64_240, "44 segments of half the buffer");
        w.meet(1448);
        assert_eq!(w.initial(), 65_160, "45 with timestamps");
        w.establish(Time::ZERO, 0, 10, 1448);
        w
    }

    /// `tcp_measure_rcv_mss`, `tcp_grow_window`: 1448 of 2408 bytes are 153 of 256 parts. A kernel (Debian's 6.12.107) offers 65160,
    /// 67072, 69888, 72832, 75776 and 76928, which are these rounded up to 128.
    #[test]
    fn the_window_grows_by_two_segments_up_to_the_share_of_a_full_segment() {
        let mut w = growing(RightSizing::Growth);
        assert_eq!((w.permitted, w.clamp, w.space), (64_088, 64_088, 14_480), "one segment is reserved");
        assert!(w.grow(1448, 0));
        assert_eq!((w.permitted, w.clamp), (64_088 + 2896, 78_336));
        (0..3).for_each(|_| assert!(w.grow(1448, 0)));
        assert_eq!(w.permitted, 64_088 + 4 * 2896);
        assert!(w.grow(1448, 0) && !w.grow(1448, 0));
        assert_eq!(w.permitted, (131_072 - 2408) * 153 / 256, "the last segment has not been read");
        assert!(!growing(RightSizing::Growth).grow(127, 0), "too little data");
    }

    /// `tcp_rcvbuf_grow`, Linux 6.18.
    #[test]
    fn the_buffer_has_a_cushion_of_sixteen_segments_in_6_12() {
        let mut w = growing(RightSizing::CushionedGrowth);
        let rtt = Duration::from_millis(20);
        w.grow(1448, 0);
        w.timestamp_rtt(rtt, 1);
        w.adjust(Time::ZERO + rtt, 14_480, 0);
        assert_eq!(w.buffer, 131_072, "no more than the first space");
        w.adjust(Time::ZERO + rtt * 2, 14_480 + 28_960, 0);
        // Twice 28960 and 16 segments, and twice the growth of that from 14480 on.
        let window = 57_920 + 16 * 1448;
        let window = window + 2 * (window * (28_960 - 14_480) / 14_480);
        assert_eq!(w.buffer, window * 256 / 153);
        w.reordered(1_000_000);
        assert_eq!(w.buffer, window * 256 / 153, "what waits above a hole counts since 6.16");
    }

    #[test]
    fn the_buffer_runs_ahead_of_a_sender_in_slow_start() {
        let mut w = growing(RightSizing::Growth);
        let rtt = Duration::from_millis(20);
        w.grow(1448, 0);
        w.timestamp_rtt(rtt, 1);
        w.adjust(Time::ZERO + rtt, 14_480, 0);
        assert_eq!(w.buffer, 131_072, "no more than the first space");
        w.adjust(Time::ZERO + rtt * 2, 14_480 + 28_960, 0);
        // Twice 28960, and twice the growth of it from 14480 on.
        let window = 57_920 + 2 * (57_920 * (28_960 - 14_480) / 14_480);
        assert_eq!((w.buffer, w.clamp), (window * 256 / 153, window * 256 / 153 * 153 / 256));
        w.adjust(Time::ZERO + rtt * 3, 14_480 + 2 * 28_960, 0);
        assert_eq!(w.buffer, window * 256 / 153, "no more than in the last");
        w.reordered(1_000_000);
        assert_eq!(w.buffer, (57_920 + 1_000_000) * 256 / 153);
    }

    /// `tcp_rcv_rtt_update`, Linux 6.16: the least counts, and each timestamp once.
    #[test]
    fn a_shorter_round_trip_counts_at_once() {
        let mut w = growing(RightSizing::Growth);
        let ms = Duration::from_millis;
        [(40, 1), (16, 2), (24, 3), (0, 4), (90, 3)].into_iter().for_each(|(n, echo)| {
            w.timestamp_rtt(ms(n), echo);
        });
        // 16 and an eighth of the way to 24, then to 90.
        assert_eq!(w.rtt(), Duration::from_nanos((17_000_000 * 8 - 17_000_000 + 90_000_000) / 8));
    }
}
