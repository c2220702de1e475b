//! What a socket's owner may set and ask besides opening, writing and closing (`tcp_setsockopt`, `tcp_get_info`, Linux 6.18).

use super::{Endpoint, Phase};
use crate::Effects;
use airloom_observe::Probe;
use airloom_sim::{Bytes, Duration, Time};
use airloom_wire::TcpFlags;

/// The figures of a connection that have no method of their own, as `TCP_INFO` gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Payload of a full segment in bytes.
    pub mss: u32,
    /// Whether timestamps are in use.
    pub timestamps: bool,
    /// By how many segments one may be late without being lost.
    pub reordering: u32,
    /// Segments SACKed.
    pub sacked: u32,
    /// Segments marked as lost.
    pub lost: u32,
    /// Retransmissions in flight.
    pub retransmitted: u32,
    /// Timeouts since the last progress.
    pub timeouts: u32,
    /// Probes of a closed window without an answer.
    pub probes: u32,
    /// The window that the peer offers, in bytes.
    pub peer_window: u64,
    /// The rate at which a host with pacing sends, in bytes per second.
    pub pacing_rate: u64,
    /// The least round trip of a segment that was sent once.
    pub least_rtt: Option<Duration>,
}

impl Endpoint {
    /// Leaves closing to the application; otherwise this side closes as it reads the end of what the peer sends.
    pub fn stay_open(&mut self) {
        self.outbound.stay_open();
    }

    /// Turns Nagle's algorithm on or off; as it is turned off, what is held back leaves, by a cork too (`TCP_NODELAY`).
    pub fn set_nagle<P: Probe>(&mut self, now: Time, on: bool, fx: &mut Effects, probe: &mut P) {
        self.outbound.nagle = on;
        let corked = self.outbound.corked;
        self.outbound.corked &= on;
        self.push(now, fx, probe);
        self.observe_flight(now, probe);
        self.outbound.corked = corked;
    }

    /// Holds every partial segment back, or lets it go (`TCP_CORK`).
    pub fn set_cork<P: Probe>(&mut self, now: Time, on: bool, fx: &mut Effects, probe: &mut P) {
        self.outbound.corked = on;
        self.push(now, fx, probe);
        self.observe_flight(now, probe);
    }

    /// Fixes the send buffer at so many bytes of truesize (`SO_SNDBUF`, which the kernel doubles before).
    pub fn set_send_buffer(&mut self, size: Bytes) {
        self.buffer.fix(size);
    }

    /// As [`Endpoint::write`], with more to follow at once: a partial segment waits for it (`MSG_MORE`).
    pub fn write_part<P: Probe>(&mut self, now: Time, bytes: u64, fx: &mut Effects, probe: &mut P) -> u64 {
        let corked = std::mem::replace(&mut self.outbound.corked, true);
        self.outbound.begin_write(true);
        let taken = self.take_in(now, bytes, fx, probe);
        self.outbound.corked = corked;
        taken
    }

    /// Resets the connection: what was not sent is lost (`tcp_send_active_reset`).
    pub fn abort<P: Probe>(&mut self, now: Time, fx: &mut Effects, probe: &mut P) {
        if matches!(self.phase, Phase::SynReceived | Phase::Established) {
            let reset = self.segment(now, self.outbound.next, 0, TcpFlags::RST, false);
            self.hand_down(now, reset, fx, probe);
        }
        self.finish(fx);
    }

    /// Whether the peer has closed its side and all that it sent has arrived.
    pub fn peer_closed(&self) -> bool {
        self.inbound.closed()
    }

    /// Whether this side's FIN is acknowledged.
    pub fn close_acknowledged(&self) -> bool {
        self.outbound.close_acknowledged()
    }

    /// Whether the application has closed its side.
    pub fn is_closing(&self) -> bool {
        self.outbound.closing()
    }

    /// The next byte expected, as the peer numbers it on the wire (`rcv_nxt`).
    pub fn expected(&self) -> u32 {
        crate::seq::wire(self.inbound.next())
    }

    /// The figures that have no method of their own.
    pub fn figures(&self) -> Figures {
        Figures {
            mss: self.agreed.mss,
            timestamps: self.agreed.timestamps,
            reordering: self.reordering.degree(),
            sacked: self.board.sacked(),
            lost: self.board.lost(),
            retransmitted: self.board.retransmitted(),
            timeouts: self.retries.timeouts,
            probes: self.retries.probes,
            peer_window: self.outbound.peer_window(),
            pacing_rate: self.pacing_rate(),
            least_rtt: self.rack.least_rtt(),
        }
    }
}
