//! Explicit congestion notification (RFC 3168 section 6.1; `tcp_ecn_*` of Linux `net/ipv4/tcp_input.c`, 3.13).

use crate::Segment;
use airloom_observe::Ecn;
use airloom_wire::TcpFlags;

/// The ECN state of an endpoint: marks that it must echo as a receiver, reductions that it must signal as a sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notification {
    /// Both sides understand it (`TCP_ECN_OK`).
    agreed: bool,
    /// A mark was received and is echoed until the sender signals that it has reduced its window
    /// (`TCP_ECN_DEMAND_CWR`).
    echoing: bool,
    /// The next new segment signals that the window was reduced (`TCP_ECN_QUEUE_CWR`).
    reduced: bool,
}

impl Notification {
    /// The bits that a SYN offers, or that a SYN-ACK answers with once [`Notification::met`] has seen the SYN
    /// (section 6.1.1).
    pub(crate) fn of_syn(self, wanted: bool, passive: bool) -> TcpFlags {
        match (wanted, passive) {
            (true, false) => TcpFlags::ECE | TcpFlags::CWR,
            (true, true) if self.agreed => TcpFlags::ECE,
            _ => TcpFlags::default(),
        }
    }

    /// The peer's SYN, or SYN-ACK if `active`, was received.
    pub(crate) fn met(&mut self, wanted: bool, active: bool, flags: TcpFlags) {
        self.agreed = wanted && flags.contains(TcpFlags::ECE) && flags.contains(TcpFlags::CWR) != active;
    }

    /// Prepares a segment of the established connection: new data can be marked, repeated data and bare acknowledgments
    /// cannot (sections 6.1.4 and 6.1.5).
    pub(crate) fn prepare(&mut self, segment: &mut Segment) {
        if !self.agreed {
            return;
        }
        if segment.payload > 0 && !segment.retransmission {
            segment.ecn = Ecn::Capable;
            if std::mem::take(&mut self.reduced) {
                segment.header.flags = segment.header.flags | TcpFlags::CWR;
            }
        }
        if self.echoing {
            segment.header.flags = segment.header.flags | TcpFlags::ECE;
        }
    }

    /// A segment with data was received; returns whether it is the first to be marked since the sender last reduced its
    /// window, which is to be acknowledged at once.
    pub(crate) fn received(&mut self, segment: &Segment) -> bool {
        if !self.agreed {
            return false;
        }
        self.echoing &= !segment.header.flags.contains(TcpFlags::CWR);
        let fresh = segment.ecn == Ecn::Marked && !self.echoing;
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
