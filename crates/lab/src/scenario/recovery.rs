//! How a host's TCP finds losses, and what it takes back when there were none.

use super::form::{Flag, Words, count, words};
use super::record::record;

/// What is taken for lost, with SACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// What has enough SACKed segments above it (RFC 6675).
    Sacks,
    /// What lies far enough below the highest SACKed segment (Linux 2.4 to 4.14).
    Fack,
    /// What was sent well before something that has arrived (RFC 8985; Linux 4.4 on).
    Rack,
}

const DETECTION: Words<Detection> =
    words(&[("sacks", Detection::Sacks), ("fack", Detection::Fack), ("rack", Detection::Rack)], &[]);

/// How a congestion window comes down during recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// In proportion to what is delivered (RFC 6937; Linux 3.2 on).
    Proportional,
    /// By one for every second acknowledgement (Linux 2.4 to 3.1).
    RateHalving,
}

const REDUCTION: Words<Reduction> =
    words(&[("proportional", Reduction::Proportional), ("rate-halving", Reduction::RateHalving)], &[]);

record! {
    /// How a host's TCP finds losses, and what it takes back when there were none.
    pub struct LossRecovery {
        /// How many segments that arrived above a hole make it a loss; without SACK, how many duplicate acknowledgements.
        duplicate_threshold: u32 = count(1, 100), default 3;
        /// What is taken for lost: by the number of SACKed segments above it, by its place below the highest of them
        /// (FACK), or by time (RACK, RFC 8985).
        detection: Detection = DETECTION, default Detection::Sacks;
        /// Whether one more segment, or the last again, follows two round trips without an acknowledgement (RFC 8985).
        tail_loss_probe: bool = Flag, default false;
        /// How the congestion window comes down.
        reduction: Reduction = REDUCTION, default Reduction::Proportional;
        /// Whether a timestamp that is older than the first retransmission undoes the reduction (Eifel, RFC 3522).
        timestamp_undo: bool = Flag, default false;
        /// Whether D-SACKs for every retransmission undo the reduction (RFC 3708).
        duplicate_sack_undo: bool = Flag, default false;
        /// Whether a timeout is undone also if what timed out had been retransmitted before.
        undo_repeated_timeout: bool = Flag, default false;
        /// Whether the time of the first retransmission is that of the SYN until a first recovery has ended, so that the
        /// first spurious timeout is not recognised by timestamps.
        stale_retransmit_stamp: bool = Flag, default false;
        /// Whether a timeout is followed by new data, to find out whether it was spurious (F-RTO, RFC 5682).
        frto: bool = Flag, default false;
    }
}

impl LossRecovery {
    /// Nothing beyond the RFCs that every TCP follows.
    pub const PLAIN: Self = Self {
        duplicate_threshold: 3,
        detection: Detection::Sacks,
        tail_loss_probe: false,
        reduction: Reduction::Proportional,
        timestamp_undo: false,
        duplicate_sack_undo: false,
        undo_repeated_timeout: false,
        stale_retransmit_stamp: false,
        frto: false,
    };
}
