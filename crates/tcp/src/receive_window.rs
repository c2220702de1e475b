//! The window offered to the peer and its growth (`__tcp_select_window`, `tcp_grow_window`, `tcp_rcv_space_adjust`,
//! Linux 3.13). The application reads at once, so that only data out of order takes room.

use crate::Config;
use airloom_sim::{Duration, Time};

/// Memory of one data segment waiting out of order in bytes: an `sk_buff` of 256 and 2048 for a full frame.
const TRUESIZE: u64 = 2304;

/// The receive buffer and the window offered from it.
pub(crate) struct ReceiveWindow {
    buffer: u64,
    max: u64,
    share: u32,
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
}

/// How much of the memory is window (`tcp_win_from_space`).
const fn window_of(memory: u64, share: u32) -> u64 {
    if share == 0 { memory } else { memory - (memory >> share) }
}

/// The memory for a window of `window` bytes.
const fn memory_for(window: u64, share: u32) -> u64 {
    if share == 0 { window } else { (window << share).div_ceil((1 << share) - 1) }
}

impl ReceiveWindow {
    pub(crate) fn new(config: &Config) -> Self {
        let initial = config.receive_buffer_initial.0;
        let max = config.receive_buffer_max.0.max(initial);
        let mss = u64::from(config.mss);
        let (share, initial_segments) =
            (config.receive_window_share, u64::from(config.initial_receive_window));
        let offered = window_of(initial, share).min(initial_segments * mss).min(65_535);
        Self {
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
            clamp: window_of(max, share),
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

    /// The handshake is complete (`tcp_init_buffer_space`): data is expected from `edge` on.
    pub(crate) fn establish(&mut self, now: Time, edge: u64, scale: u8, mss: u32) {
        self.scale = scale;
        self.mss = u64::from(mss);
        self.edge = edge;
        self.last = None;
        // Right-sizing lags by two to three round trips: Linux gives it a cushion.
        let cushion = 8 * TRUESIZE * self.initial_segments;
        self.buffer = self.buffer.max(cushion.min(self.max));
        self.clamp = window_of(self.buffer, self.share);
        self.space = self.offered;
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
        let taken = if waiting == 0 { 0 } else { waiting.div_ceil(self.mss) * TRUESIZE };
        let free = window_of(self.buffer.saturating_sub(taken), self.share).min(self.clamp);
        // A buffer without room for a whole segment offers what it has; otherwise no data would ever arrive.
        let mss = self.mss.min(self.clamp).min(window_of(self.buffer, self.share));
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

    /// A segment arrived in order: the window may grow by two (`tcp_grow_window`).
    #[inline]
    pub(crate) fn grow(&mut self) {
        if self.permitted < self.clamp {
            self.permitted = (self.permitted + 2 * self.mss).min(self.clamp);
            self.last = None;
        }
    }

    /// Takes a round trip from a full segment's timestamp (`tcp_rcv_rtt_measure_ts`).
    #[inline]
    pub(crate) fn timestamp_rtt(&mut self, rtt: Duration) {
        let m = rtt.as_nanos().max(1);
        self.rtt8 = if self.rtt8 == 0 { m << 3 } else { self.rtt8 - (self.rtt8 >> 3) + m };
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

    /// The application has read up to `next`: once per round trip the buffer is sized for twice what was read in it
    /// (`tcp_rcv_space_adjust`).
    #[inline]
    pub(crate) fn adjust(&mut self, now: Time, next: u64) {
        if self.rtt8 == 0 || now.since(self.space_from.1).as_nanos() < self.rtt8 >> 3 {
            return;
        }
        let space = 2 * (next - self.space_from.0);
        if space > self.space {
            self.space = space;
            // Memory for that much payload, part of the memory being window.
            let per_segment = TRUESIZE.max(memory_for(self.mss, self.share)).next_multiple_of(128);
            let memory = ((space / self.mss).max(1) * per_segment).min(self.max);
            if memory > self.buffer {
                self.buffer = memory;
                self.last = None;
                self.clamp = space.min(window_of(memory, self.share)).max(self.clamp);
            }
        }
        self.space_from = (next, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Bytes;

    fn window(config: &Config) -> ReceiveWindow {
        let mut w = ReceiveWindow::new(config);
        w.establish(Time::ZERO, 0, config.window_scale, 1448);
        w
    }

    #[test]
    fn the_first_window_is_twenty_segments() {
        assert_eq!(ReceiveWindow::new(&Config::PLAIN).initial(), 29_200);
    }

    #[test]
    fn the_window_grows_by_two_segments_per_segment_up_to_half_the_buffer() {
        let config = Config {
            receive_buffer_initial: Bytes(100_000),
            receive_buffer_max: Bytes(100_000),
            ..Config::PLAIN
        };
        let mut w = window(&config);
        w.grow();
        assert_eq!(w.offer(1448, 0), ((29_200 + 2896u64).div_ceil(128)) as u16);
        (0..100).for_each(|_| w.grow());
        assert_eq!(w.offer(1448, 0), 50_000u64.div_ceil(128) as u16);
    }

    #[test]
    fn a_buffer_of_less_than_two_segments_offers_what_it_has() {
        let config =
            Config { receive_buffer_initial: Bytes(1460), receive_buffer_max: Bytes(1460), ..Config::PLAIN };
        assert!(window(&config).available(0) >= 730);
    }

    #[test]
    fn half_of_the_buffer_is_window_or_more_of_it_or_all() {
        let buffer = Bytes(65_536);
        let offered = |share| {
            let config = Config {
                receive_buffer_initial: buffer,
                receive_buffer_max: buffer,
                receive_window_share: share,
                ..Config::PLAIN
            };
            let mut w = window(&Config { initial_receive_window: 100, window_scale: 1, ..config });
            w.offer(0, 0);
            w.open(0)
        };
        assert_eq!([0, 1, 2].map(offered), [65_536, 32_768, 49_152]);
        assert_eq!([0, 1, 2].map(|share| memory_for(3000, share)), [3000, 6000, 4000]);
    }

    #[test]
    fn room_beyond_what_the_scale_expresses_is_no_news() {
        let config = Config {
            receive_buffer_initial: Bytes(16 << 20),
            receive_buffer_max: Bytes(16 << 20),
            receive_window_share: 0,
            ..Config::PLAIN
        };
        let mut w = window(&config);
        (0..10_000).for_each(|_| w.grow());
        assert_eq!(w.offer(0, 0), 65_535);
        assert!(!w.deserves_update(1448, 0), "the window offered is the largest that there is");
    }

    #[test]
    fn the_right_edge_never_moves_back() {
        let config = Config {
            receive_buffer_initial: Bytes(60_000),
            receive_buffer_max: Bytes(60_000),
            ..Config::PLAIN
        };
        let mut w = window(&config);
        let before = w.right_edge();
        w.offer(0, 25_000);
        assert!(w.right_edge() >= before, "{} {before}", w.right_edge());
        assert!(w.available(25_000) < w.available(0));
    }

    #[test]
    fn the_buffer_follows_twice_the_bytes_read_per_round_trip() {
        let mut w = window(&Config::PLAIN);
        let rtt = Duration::from_millis(100);
        w.timestamp_rtt(rtt);
        let (mut next, mut offered) = (0, Vec::new());
        for round in 1..=10 {
            next += w.open(next);
            w.adjust(Time::ZERO + rtt * round, next);
            (0..2000).for_each(|_| w.grow());
            w.offer(next, 0);
            offered.push(w.open(next));
        }
        assert_eq!(offered[0], 184_320, "the cushion");
        assert!(offered[1..4].windows(2).all(|w| w[1] == 2 * w[0]), "{offered:?}");
        assert_eq!(offered[9], 3 << 20);
    }

    #[test]
    fn a_window_offered_again_is_worked_out_again_once_anything_has_moved_it() {
        let mut w = window(&Config::PLAIN);
        for step in 0..200 {
            match step % 5 {
                0 => w.grow(),
                1 => w.timestamp_rtt(Duration::from_millis(1)),
                2 => w.adjust(Time::ZERO + Duration::from_millis(2 * step), 40_000 * step),
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
        let mut w = window(&Config::PLAIN);
        w.window_rtt(Time::ZERO + Duration::from_millis(30), 29_199);
        assert_eq!(w.rtt8, 0);
        w.window_rtt(Time::ZERO + Duration::from_millis(40), 29_200);
        assert_eq!(w.rtt8, 320_000_000);
    }
}
