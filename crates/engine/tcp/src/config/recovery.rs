//! Loss recovery.

use crate::{Detection, Reduction};

/// How losses are detected, and which reactions are undone if there were none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossRecovery {
    /// Duplicate ACKs or SACKed segments that indicate a loss (`tcp_reordering`).
    pub duplicate_threshold: u32,
    /// How losses are detected with SACK.
    pub detection: Detection,
    /// The threshold follows the reordering that is seen, and RACK waits longer for late segments after D-SACKs
    /// (`tcp_check_sack_reordering`, `tcp_rack_update_reo_wnd`, Linux 4.15).
    pub adaptive_reordering: bool,
    /// A timeout marks as lost the first segment and what RACK finds older than a round trip, not all, and leaves room for
    /// one segment more than is still in flight (`tcp_timeout_mark_lost`, Linux 4.18).
    pub timeout_spares_recent: bool,
    /// Send new data upon the first duplicate ACKs (RFC 3042).
    pub limited_transmit: bool,
    /// During recovery, mark a retransmission as lost once data sent after it is SACKed (`tcp_mark_lost_retrans`), not
    /// only by timeout.
    pub lost_retransmissions: bool,
    /// After two round trips without an ACK send one more segment, or the last again (RFC 8985 section 7;
    /// `tcp_send_loss_probe`).
    pub tail_loss_probe: bool,
    /// How the window is reduced to the threshold during recovery.
    pub reduction: Reduction,
    /// Undo a reduction if an ACK echoes a timestamp from before the first retransmission (Eifel, RFC 3522;
    /// `tcp_packet_delayed`, Linux 2.4).
    pub timestamp_undo: bool,
    /// Undo a reduction if D-SACKs report every retransmission as needless (RFC 3708; `tcp_try_undo_dsack`, Linux 2.4).
    pub duplicate_sack_undo: bool,
    /// Undo a timeout also if some of the segments had been retransmitted before (`tcp_enter_loss`, Linux 3.17).
    pub undo_repeated_timeout: bool,
    /// Until a first recovery has ended, `timestamp_undo` uses the time of the SYN as that of the first retransmission,
    /// so that the first spurious timeout is not recognised (`tcp_connect` and `tcp_retransmit_skb` with
    /// `retrans_stamp`, Linux 2.4 up to 2.4.18).
    pub stale_retransmit_stamp: bool,
    /// After a timeout try new data before retransmitting further, and undo if anything sent only once is acknowledged
    /// (F-RTO, RFC 5682 with SACK; `tcp_process_loss`, Linux 3.10).
    pub frto: bool,
}

impl LossRecovery {
    /// Nothing beyond the RFCs that every TCP follows.
    pub const PLAIN: Self = Self {
        duplicate_threshold: 3,
        detection: Detection::Sacks,
        adaptive_reordering: false,
        timeout_spares_recent: false,
        limited_transmit: true,
        lost_retransmissions: true,
        tail_loss_probe: false,
        reduction: Reduction::Proportional,
        timestamp_undo: false,
        duplicate_sack_undo: false,
        undo_repeated_timeout: false,
        stale_retransmit_stamp: false,
        frto: false,
    };
}
