//! The receiving side: what has arrived, the window offered for more, and when to acknowledge (`tcp_data_queue`,
//! `__tcp_ack_snd_check`, `tcp_cleanup_rbuf`, Linux 3.13).

use crate::ack_compression::{AckCompression, BLOCKS, Wait};
use crate::delayed_ack::{Decision, DelayedAck};
use crate::handshake::Negotiated;
use crate::receive_window::ReceiveWindow;
use crate::receiver::{Arrival, Receiver};
use crate::timestamps::TimestampClock;
use crate::{Segment, seq};
use airloom_sim::{Duration, Time};
use airloom_wire::{TcpFlags, Timestamps};

/// The receiving side of an endpoint.
pub(crate) struct Inbound {
    receiver: Receiver,
    window: ReceiveWindow,
    delayed_ack: DelayedAck,
    compression: AckCompression,
    clock: TimestampClock,
    /// Duplicates are reported if SACK is used.
    duplicate_sack: bool,
    /// The sequence number of the peer's FIN, if it is known.
    fin: Option<u64>,
    /// All up to the FIN has arrived.
    closed: bool,
    /// Timestamp to be echoed (`ts_recent`).
    echo: u32,
    /// Bytes delivered to the application.
    delivered: u64,
}

/// What a segment that leaves says of this side.
pub(crate) struct Acknowledgment {
    /// The next sequence number expected.
    pub(crate) next: u64,
    /// The window, as in the header.
    pub(crate) window: u16,
    /// An acknowledgment was due.
    pub(crate) due: bool,
}

/// When an acknowledgment follows a segment.
pub(crate) enum Answer {
    /// Not before the next segment or the timer, if that is set.
    Nothing,
    Now,
    /// By the timer at exactly this time.
    At(Time),
    /// By the timer, a tick after this time.
    About(Time),
}

impl Inbound {
    pub(crate) fn new(
        window: ReceiveWindow,
        delayed_ack: DelayedAck,
        compression: AckCompression,
        clock: TimestampClock,
        duplicate_sack: bool,
    ) -> Self {
        Self {
            receiver: Receiver::new(0, duplicate_sack),
            window,
            delayed_ack,
            compression,
            clock,
            duplicate_sack,
            fin: None,
            closed: false,
            echo: 0,
            delivered: 0,
        }
    }

    /// Takes the peer's SYN; returns where its data begins.
    pub(crate) fn meet(&mut self, segment: &Segment, agreed: &Negotiated) -> u64 {
        self.echo = segment.header.options.timestamps.map_or(0, |t| t.value);
        let first = seq::initial(segment.header.seq) + 1;
        self.receiver = Receiver::new(first, self.duplicate_sack && agreed.sack);
        first
    }

    /// The peer's SYN has come before the own one (`tcp_openreq_init_rwin`).
    pub(crate) fn met_first(&mut self, agreed: &Negotiated) {
        self.window.meet(agreed.mss);
    }

    /// The handshake is complete.
    pub(crate) fn establish(&mut self, now: Time, agreed: &Negotiated) {
        self.window.establish(now, self.receiver.next(), agreed.own_scale, agreed.mss);
    }

    /// Next sequence number expected (`rcv_nxt`).
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.receiver.next()
    }

    /// The window of a SYN.
    pub(crate) fn initial_window(&self) -> u16 {
        self.window.initial()
    }

    /// The timestamp to be echoed.
    #[inline]
    pub(crate) fn echo(&self) -> u32 {
        self.echo
    }

    /// Bytes delivered to the application.
    pub(crate) fn delivered(&self) -> u64 {
        self.delivered
    }

    /// Whether the peer has closed its side and all that it sent has arrived.
    pub(crate) fn closed(&self) -> bool {
        self.closed
    }

    /// Bytes that wait out of order.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.receiver.waiting_bytes()
    }

    /// Where a segment begins and ends.
    #[inline]
    pub(crate) fn place(&self, segment: &Segment) -> (u64, u64) {
        let left = seq::near(self.receiver.next(), segment.header.seq);
        (left, left + u64::from(segment.sequence_length()))
    }

    /// Whether a segment touches the first window, before the handshake is complete.
    pub(crate) fn in_first_window(&self, segment: &Segment) -> bool {
        let (next, (left, right)) = (self.receiver.next(), self.place(segment));
        right >= next && left <= next + u64::from(self.window.initial())
    }

    /// Whether `left` lies in the window, beyond what is expected next.
    pub(crate) fn is_ahead(&self, left: u64) -> bool {
        left > self.receiver.next() && left <= self.window.right_edge()
    }

    /// Whether a segment lies outside the window.
    #[inline]
    pub(crate) fn is_outside(&self, left: u64, right: u64) -> bool {
        right < self.window.offered_at() || left > self.window.right_edge()
    }

    /// Whether a segment has data to be taken: nothing follows the peer's FIN (`tcp_rcv_state_process`).
    #[inline]
    pub(crate) fn wants(&self, left: u64, right: u64) -> bool {
        right > left && !(self.closed && right > self.receiver.next())
    }

    /// A segment outside the window will be answered: if it repeats data, that is reported (`tcp_send_dupack`).
    pub(crate) fn repeated(&mut self, left: u64, right: u64, agreed: &Negotiated) {
        if left < right && right <= self.receiver.next() {
            self.delayed_ack.hurry(self.window.open(self.receiver.next()), agreed.mss);
            self.receiver.take(left, right);
        }
    }

    /// Takes the timestamp of a segment that begins at `left`.
    #[inline]
    pub(crate) fn stamp(&mut self, segment: &Segment, left: u64) {
        if let Some(Timestamps { value, .. }) = segment.header.options.timestamps
            && left <= self.window.offered_at()
            && value.wrapping_sub(self.echo) < 1 << 31
        {
            self.echo = value;
        }
    }

    /// Takes a segment's data, which goes to the application at once if it is in order; returns how many bytes do
    /// (`tcp_data_queue`). If the segment was `marked` as the first one, it is acknowledged at once; `rto` is the own timeout.
    // Each segment would pay for the call.
    #[inline(always)]
    pub(crate) fn take(
        &mut self,
        now: Time,
        segment: &Segment,
        (left, right): (u64, u64),
        marked: bool,
        agreed: &Negotiated,
        rto: Duration,
    ) -> u64 {
        let (mss, before) = (agreed.mss, self.receiver.next());
        let open = self.window.open(before);
        if segment.header.flags.contains(TcpFlags::FIN) && right > before {
            self.fin = Some(self.fin.map_or(right - 1, |fin| fin.min(right - 1)));
        }
        if marked {
            self.delayed_ack.hurry(open, mss);
        }
        match self.receiver.take(left, right) {
            Arrival::InOrder(mut bytes) => {
                self.delayed_ack.received(now, rto, open, mss);
                if let Some(fin) = self.fin.filter(|fin| *fin < self.receiver.next()) {
                    bytes = fin - before;
                    self.receiver.end_at(fin + 1);
                    self.closed = true;
                    self.delayed_ack.hurry(open, mss);
                }
                if segment.header.flags.contains(TcpFlags::PSH) {
                    self.delayed_ack.pushed();
                }
                self.delivered += bytes;
                self.let_window_grow(segment.payload);
                self.size_window(now, segment, agreed);
                return bytes;
            }
            Arrival::OutOfOrder => {
                self.delayed_ack.schedule();
                if agreed.sack && self.window.goes_by_memory() {
                    self.window.reordered(self.receiver.highest() - self.receiver.next());
                    self.let_window_grow(segment.payload);
                }
            }
            Arrival::Duplicate => self.delayed_ack.hurry(open, mss),
        }
        0
    }

    #[inline]
    fn let_window_grow(&mut self, payload: u32) {
        if self.window.grow(payload, self.receiver.waiting_bytes()) {
            self.delayed_ack.quicken();
        }
    }

    /// Measures the round trip by a segment in order, and sizes the buffer by what is read in it.
    #[inline]
    fn size_window(&mut self, now: Time, segment: &Segment, agreed: &Negotiated) {
        let next = self.receiver.next();
        match segment.header.options.timestamps {
            Some(Timestamps { echo, .. }) if agreed.timestamps => {
                if segment.payload >= agreed.mss && echo != 0 {
                    self.window.timestamp_rtt(self.clock.since(now, echo), echo);
                }
            }
            _ => self.window.window_rtt(now, next),
        }
        self.window.adjust(now, next, self.receiver.highest());
    }

    /// Decides when to acknowledge a segment, from which `data` was taken or not (`__tcp_ack_snd_check`, `tcp_cleanup_rbuf`).
    // Each segment would pay for the call.
    #[inline(always)]
    pub(crate) fn answer(
        &mut self,
        now: Time,
        segment: &Segment,
        data: bool,
        agreed: &Negotiated,
        srtt: Duration,
    ) -> Answer {
        if segment.followed || !self.delayed_ack.due() {
            return Answer::Nothing;
        }
        let (next, mss) = (self.receiver.next(), agreed.mss);
        let waiting = self.receiver.waiting_bytes();
        let unacked = next - self.window.offered_at();
        let small = data && segment.payload < mss;
        let opens = self.window.deserves_update(next, waiting);
        let holes = self.receiver.has_holes() || opens;
        if holes && !opens && agreed.sack && !self.delayed_ack.at_once(unacked, mss, small) {
            return self.compress(now, srtt);
        }
        match self.delayed_ack.decide(now, unacked, mss, small, holes, srtt) {
            Decision::Now => Answer::Now,
            Decision::By(at) => Answer::About(at),
        }
    }

    /// Acknowledges data above a hole, now or together with more of it.
    fn compress(&mut self, now: Time, srtt: Duration) -> Answer {
        let mut rtt = self.window.rtt();
        if srtt > Duration::ZERO {
            rtt = rtt.min(srtt);
        }
        // An ACK has room for so many blocks; more would not report what came before (`tcp_sack_new_ofo_skb`).
        if self.compression.holds() && self.receiver.blocks_known() > BLOCKS {
            return Answer::Now;
        }
        match self.compression.wait(self.receiver.next(), rtt) {
            Wait::Nothing => Answer::Now,
            Wait::For(wait) => Answer::At(now + wait),
            Wait::AsBefore => Answer::Nothing,
        }
    }

    /// The application reads what is in order.
    #[inline]
    pub(crate) fn read(&mut self) {
        self.receiver.read();
    }

    /// The timer for an acknowledgment fired; true if one is still due. `rto` is the own timeout.
    pub(crate) fn timer_fired(&mut self, rto: Duration) -> bool {
        self.compression.holds() || self.delayed_ack.expired(rto)
    }

    /// A segment leaves, which acknowledges everything and offers the window.
    #[inline]
    pub(crate) fn acknowledge(&mut self) -> Acknowledgment {
        let next = self.receiver.next();
        let window = self.window.offer(next, self.receiver.held_bytes());
        let due = self.delayed_ack.due();
        self.delayed_ack.sent();
        self.compression.left();
        Acknowledgment { next, window, due }
    }

    /// Whether an acknowledgment would carry SACK blocks.
    pub(crate) fn has_blocks(&self) -> bool {
        self.receiver.has_blocks()
    }

    /// The SACK blocks for an acknowledgment with room for `room`.
    pub(crate) fn blocks(&mut self, room: usize) -> impl Iterator<Item = (u64, u64)> {
        self.receiver.blocks(room)
    }
}
