//! Explicit congestion notification (RFC 3168 section 6.1; `tcp_ecn_*` of Linux `net/ipv4/tcp_input.c`, 3.13).

use crate::Segment;
use airloom_observe::Ecn;
use airloom_wire::TcpFlags;

/// The ECN state of an endpoint: marks that it must echo as a receiver, reductions that it must signal as a sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notification {
    /// It is offered (`sysctl_tcp_ecn`).
    offered: bool,
    /// Both sides understand it (`TCP_ECN_OK`).
    agreed: bool,
    /// A mark was received and is echoed until the sender signals that it has reduced its window
    /// (`TCP_ECN_DEMAND_CWR`).
    echoing: bool,
    /// The next new segment signals that the window was reduced (`TCP_ECN_QUEUE_CWR`).
    reduced: bool,
}

impl Notification {
    pub(crate) fn new(offered: bool) -> Self {
        Self { offered, ..Self::default() }
    }

    /// The bits that a SYN offers, or that a SYN-ACK answers with once [`Notification::met`] has seen the SYN
    /// (section 6.1.1).
    pub(crate) fn of_syn(self, passive: bool) -> TcpFlags {
        match (self.offered, passive) {
            (true, false) => TcpFlags::ECE | TcpFlags::CWR,
            (true, true) if self.agreed => TcpFlags::ECE,
            _ => TcpFlags::default(),
        }
    }

    /// The peer's SYN, or SYN-ACK if `active`, was received.
    pub(crate) fn met(&mut self, active: bool, flags: TcpFlags) {
        self.agreed =
            self.offered && flags.contains(TcpFlags::ECE) && flags.contains(TcpFlags::CWR) != active;
    }

    /// The bits and the ECN field of a segment of the established connection with so much payload: new data can be marked,
    /// data sent `again` and bare acknowledgments cannot (sections 6.1.4 and 6.1.5).
    #[inline]
    pub(crate) fn of_segment(&mut self, payload: u32, again: bool) -> (TcpFlags, Ecn) {
        if self.agreed { self.agreed_of_segment(payload, again) } else { Default::default() }
    }

    fn agreed_of_segment(&mut self, payload: u32, again: bool) -> (TcpFlags, Ecn) {
        let echo = if self.echoing { TcpFlags::ECE } else { TcpFlags::default() };
        if payload == 0 || again {
            return (echo, Ecn::default());
        }
        let reduced = std::mem::take(&mut self.reduced);
        (if reduced { echo | TcpFlags::CWR } else { echo }, Ecn::Ect0)
    }

    /// A segment with data was received; returns whether it is the first to be marked since the sender last reduced its
    /// window, which is to be acknowledged at once.
    pub(crate) fn received(&mut self, segment: &Segment) -> bool {
        if !self.agreed {
            return false;
        }
        self.echoing &= !segment.header.flags.contains(TcpFlags::CWR);
        let fresh = segment.ecn == Ecn::Ce && !self.echoing;
        self.echoing |= fresh;
        fresh
    }

    /// Whether an acknowledgment asks for a reduction (section 6.1.2).
    pub(crate) fn asked(self, flags: TcpFlags) -> bool {
        self.agreed && flags.contains(TcpFlags::ECE)
    }

    /// The window is being reduced, for whatever reason.
    pub(crate) fn reduced(&mut self) {
        self.reduced = self.agreed;
    }
}
