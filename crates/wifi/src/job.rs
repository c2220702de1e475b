//! What a radio's hardware has to send.

use crate::aggregate::Batch;
use crate::id::TidId;
use crate::rate_control::Chain;

/// A PPDU ready in hardware.
#[derive(Debug)]
pub(crate) enum Job {
    /// Data of a TID.
    Data {
        /// The TID.
        tid: TidId,
        /// Its MPDUs.
        batch: Batch,
        /// Their rates.
        chain: Chain,
        /// Attempts made.
        attempts: u32,
        /// Whether they were on the air in one of these, rather than only their request to send.
        aired: bool,
    },
    /// A BlockAck request: the receiver must give up on everything before the start of the window.
    BlockAckReq {
        /// The TID.
        tid: TidId,
        /// Attempts made.
        attempts: u32,
    },
}

impl Job {
    /// The TID it is for.
    pub(crate) fn tid(&self) -> TidId {
        match *self {
            Self::Data { tid, .. } | Self::BlockAckReq { tid, .. } => tid,
        }
    }
}
