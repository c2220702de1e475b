//! How a host's TCP detects losses, and which reactions it undoes if there were none.

use airloom_tcp::{Detection, LossRecovery, Reduction};

use airloom_config::form::{Flag, Words, count, words};
use airloom_config::record;

const DETECTION: Words<Detection> = words(Detection::WORDS, &[]);

const REDUCTION: Words<Reduction> = words(Reduction::WORDS, &[]);

record! {
    /// Loss recovery as a table.
    pub(crate) struct RecoveryTable for LossRecovery {
        /// How many segments that arrived above a hole make it a loss; without SACK, how many duplicate
        /// acknowledgements.
        duplicate_threshold: u32 = count(1, 100), default 3;
        /// How losses are detected: by the number of SACKed segments above a segment, by its distance below the highest
        /// of them (FACK), or by time (RACK, RFC 8985).
        detection: Detection = DETECTION, default Detection::Sacks;
        /// Whether the threshold follows the reordering that is seen, and RACK waits longer for late segments after D-SACKs.
        adaptive_reordering: bool = Flag, default false;
        /// Whether a timeout marks as lost only the first segment and what RACK finds older than a round trip.
        timeout_spares_recent: bool = Flag, default false;
        /// Whether the first two duplicate acknowledgements allow new data to be sent (RFC 3042).
        limited_transmit: bool = Flag, default true;
        /// Whether a retransmission is lost once data sent after it has arrived, during recovery, rather than only by
        /// timeout.
        lost_retransmissions: bool = Flag, default true;
        /// Whether one more segment, or the last again, follows two round trips without an acknowledgement (RFC 8985).
        tail_loss_probe: bool = Flag, default false;
        /// How the congestion window is reduced.
        reduction: Reduction = REDUCTION, default Reduction::Proportional;
        /// Whether a timestamp that is older than the first retransmission undoes the reduction (Eifel, RFC 3522).
        timestamp_undo: bool = Flag, default false;
        /// Whether D-SACKs for every retransmission undo the reduction (RFC 3708).
        duplicate_sack_undo: bool = Flag, default false;
        /// Whether a timeout is undone also if what timed out had been retransmitted before.
        undo_repeated_timeout: bool = Flag, default false;
        /// Whether the time of the first retransmission is that of the SYN until a first recovery has ended, so that
        /// the first spurious timeout is not recognised by timestamps.
        stale_retransmit_stamp: bool = Flag, default false;
        /// Whether a timeout is followed by new data, to find out whether it was spurious (F-RTO, RFC 5682).
        frto: bool = Flag, default false;
    }
}
