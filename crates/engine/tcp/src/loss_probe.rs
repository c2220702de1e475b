//! Tail loss probes: losses at the end of a flight are detected without a timeout (RFC 8985 section 7;
//! `tcp_send_loss_probe`, Linux 3.10 on, as it has been since 4.15).

/// A probe that was sent and not answered yet.
#[derive(Clone, Copy)]
pub(crate) struct LossProbe {
    /// What was sent when it left (`tlp_high_seq`).
    pub(crate) edge: u64,
    /// It is a retransmission of the last segment, not new data.
    pub(crate) repeated: bool,
}

/// An ACK's report of segments that arrived twice.
pub(crate) struct Seen {
    /// Nothing new.
    pub(crate) repeats: bool,
    /// Where the segment ends that a D-SACK reports.
    pub(crate) duplicate_end: Option<u64>,
}
