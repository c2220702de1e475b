//! The sending side's sequence numbers: what is written, sent and acknowledged, the window that the peer offers, and what keeps a
//! partial segment back (`tcp_snd_wnd_test`, `tcp_nagle_check`, Linux 3.13).

use crate::pushes::Pushes;
use crate::scoreboard::Resend;
use crate::seq;
use airloom_wire::TcpFlags;

/// How far the sending side has come.
pub(crate) struct Outbound {
    /// First sequence number of the data.
    start: u64,
    /// First unacknowledged (`snd_una`).
    pub(crate) una: u64,
    /// Next to be sent (`snd_nxt`).
    pub(crate) next: u64,
    /// After the last byte written (`write_seq`); the FIN takes this number.
    written: u64,
    /// The application has closed this side.
    closing: bool,
    /// The application closes this side as it reads the end of what the peer sends.
    closes_with_peer: bool,
    /// A partial segment is held back while another is unacknowledged.
    pub(crate) nagle: bool,
    /// Every partial segment is held back (`TCP_NAGLE_CORK`).
    pub(crate) corked: bool,
    /// The last write announced another: its end is not pushed.
    more_follows: bool,
    pushes: Pushes,
    /// End of the last partial segment sent (`snd_sml`).
    small_end: u64,
    /// Window received in bytes, and the sequence number of the segment it came with (`snd_wnd`, `snd_wl1`).
    peer_window: u64,
    peer_window_seq: u64,
}

impl Outbound {
    /// Nothing is sent yet but the SYN, which takes the initial sequence number `isn`.
    pub(crate) fn new(isn: u64, nagle: bool) -> Self {
        Self {
            start: isn + 1,
            una: isn,
            next: isn + 1,
            written: isn + 1,
            closing: false,
            closes_with_peer: true,
            nagle,
            corked: false,
            more_follows: false,
            pushes: Pushes::default(),
            small_end: isn,
            peer_window: 0,
            peer_window_seq: 0,
        }
    }

    /// The sequence number of the SYN on the wire.
    pub(crate) fn syn(&self) -> u32 {
        seq::wire(self.start - 1)
    }

    /// Whether an acknowledgment with this number on the wire is one of the SYN and nothing else.
    pub(crate) fn is_of_syn(&self, ack: u32) -> bool {
        ack == seq::wire(self.start)
    }

    /// The SYN is acknowledged.
    pub(crate) fn establish(&mut self) {
        self.una = self.start;
    }

    /// The peer's data begins at `first`, with which the window will come.
    pub(crate) fn meet(&mut self, first: u64) {
        self.peer_window_seq = first;
    }

    /// The window that came with the acknowledgment of the SYN, in bytes.
    pub(crate) fn begin_window(&mut self, window: u64) {
        self.peer_window = window;
    }

    /// The same, which is also the widest offered so far.
    pub(crate) fn begin_widest_window(&mut self, window: u64) {
        self.begin_window(window);
        self.pushes.offered(window);
    }

    /// Takes the peer's window of so many bytes if the segment, which begins at `left` and acknowledges up to `ack`, is newer than
    /// the one it was last taken from; true if so (`tcp_ack_update_window`).
    #[inline]
    pub(crate) fn take_window(&mut self, window: u64, left: u64, ack: u64) -> bool {
        let newer = ack > self.una
            || left > self.peer_window_seq
            || (left == self.peer_window_seq && window > self.peer_window);
        if newer {
            self.peer_window_seq = left;
            self.peer_window = window;
            self.pushes.offered(window);
        }
        newer
    }

    /// The peer's window in bytes.
    pub(crate) fn peer_window(&self) -> u64 {
        self.peer_window
    }

    /// Bytes that the peer's window has room for.
    pub(crate) fn room(&self) -> u64 {
        (self.una + self.peer_window).saturating_sub(self.next)
    }

    /// Whether so many bytes more fit into the peer's window.
    #[inline]
    pub(crate) fn fits(&self, payload: u32) -> bool {
        self.next + u64::from(payload) <= self.una + self.peer_window
    }

    /// Whether something is to be sent for which the peer's window may have room.
    pub(crate) fn may_continue(&self) -> bool {
        !self.all_sent() && self.peer_window > 0
    }

    /// The application is about to write; `more_follows` if it announces another write.
    pub(crate) fn begin_write(&mut self, more_follows: bool) {
        self.more_follows = more_follows;
    }

    /// The application has written so many bytes, which go in segments of `mss`.
    pub(crate) fn write(&mut self, bytes: u64, mss: u32) {
        self.written += bytes;
        if bytes > 0 {
            self.pushes.written(self.next, self.written, mss, self.more_follows);
        }
    }

    /// Bytes that fill up the last segment that is not sent yet.
    pub(crate) fn tail(&self, mss: u64) -> u64 {
        let unsent = self.unsent();
        unsent.next_multiple_of(mss) - unsent
    }

    /// Bytes written and not yet sent.
    #[inline]
    pub(crate) fn unsent(&self) -> u64 {
        self.written.saturating_sub(self.next)
    }

    /// Bytes written.
    pub(crate) fn bytes_written(&self) -> u64 {
        self.written - self.start
    }

    /// Bytes written that are acknowledged.
    pub(crate) fn bytes_acked(&self) -> u64 {
        self.una.clamp(self.start, self.written) - self.start
    }

    /// Whether everything is sent that is to be, the FIN included.
    #[inline]
    pub(crate) fn all_sent(&self) -> bool {
        self.next >= self.written + u64::from(self.closing)
    }

    /// Closing is left to the application.
    pub(crate) fn stay_open(&mut self) {
        self.closes_with_peer = false;
    }

    /// The application has read the end of what the peer sends.
    pub(crate) fn peer_closed(&mut self) {
        self.closing |= self.closes_with_peer;
    }

    /// The application closes this side.
    pub(crate) fn close(&mut self) {
        self.closing = true;
    }

    /// Whether the application has closed this side.
    pub(crate) fn closing(&self) -> bool {
        self.closing
    }

    /// Whether the FIN is acknowledged.
    #[inline]
    pub(crate) fn close_acknowledged(&self) -> bool {
        self.closing && self.una > self.written
    }

    /// Payload of the next new segment of at most `most` bytes, and whether the FIN goes with it.
    #[inline]
    pub(crate) fn next_segment(&self, most: u32) -> (u32, bool) {
        let unsent = self.unsent();
        let payload = unsent.min(u64::from(most)) as u32;
        (payload, self.closing && u64::from(payload) == unsent)
    }

    /// Whether a partial segment is held back.
    #[inline]
    pub(crate) fn holds_back(&self) -> bool {
        self.corked || self.nagle && self.small_end > self.una
    }

    /// A probe of the peer's window is to be sent with so many bytes.
    pub(crate) fn probe_with(&mut self, payload: u32) {
        self.more_follows = false;
        self.pushes.probed(self.next + u64::from(payload));
    }

    /// The flags of the next new segment.
    #[inline]
    pub(crate) fn flags(&mut self, payload: u32, fin: bool) -> TcpFlags {
        let pushed = self.pushes.sent(self.next + u64::from(payload));
        let last = pushed || payload > 0 && self.unsent() <= u64::from(payload) && !self.more_follows;
        flags(last, fin)
    }

    /// The next new segment leaves, of so many sequence numbers, and is a `partial` one or not.
    #[inline]
    pub(crate) fn sent(&mut self, length: u32, partial: bool) {
        self.next += u64::from(length);
        if partial {
            self.small_end = self.next;
        }
    }

    /// Payload and flags of a segment that is sent again: PSH if it had that (`tcp_flags` of `tcp_skb_cb`).
    #[inline]
    pub(crate) fn again(&self, again: Resend) -> (u32, TcpFlags) {
        let fin = self.closing && again.seq + u64::from(again.length) > self.written;
        (again.length - u32::from(fin), flags(again.pushed, fin))
    }

    /// What was sent from `at` on did not leave the host.
    pub(crate) fn take_back(&mut self, at: u64) {
        self.next = at;
        self.small_end = self.small_end.min(at);
    }
}

fn flags(push: bool, fin: bool) -> TcpFlags {
    let flags = if push { TcpFlags::PSH } else { TcpFlags::default() };
    if fin { flags | TcpFlags::FIN } else { flags }
}
