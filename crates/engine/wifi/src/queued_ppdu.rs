//! A PPDU that waits in a radio's hardware.

use crate::aggregate::Batch;
use crate::id::{LinkId, TidId};
use crate::rate_control::Chain;

/// A PPDU ready in hardware.
#[derive(Debug)]
pub(crate) enum QueuedPpdu {
    /// Data.
    Data {
        /// A PSDU for each of its users.
        psdus: [Psdu; 1],
        /// Attempts made.
        attempts: u32,
        /// Whether they were on the air in one of these, rather than only their request to send.
        aired: bool,
    },
    /// A BlockAck request: the receiver must give up on everything before the start of the window.
    BlockAckReq {
        /// The TID.
        tid: TidId,
        /// The link that it goes over.
        link: LinkId,
        /// Attempts made.
        attempts: u32,
    },
}

/// The data of a PPDU for one of its users.
#[derive(Debug)]
pub(crate) struct Psdu {
    /// The TID.
    pub(crate) tid: TidId,
    /// The link that it goes over.
    pub(crate) link: LinkId,
    /// Its MPDUs.
    pub(crate) batch: Batch,
    /// Their rates.
    pub(crate) chain: Chain,
}

impl QueuedPpdu {
    /// The TIDs that it is for, one of each user.
    pub(crate) fn tids(&self) -> [TidId; 1] {
        match self {
            Self::Data { psdus, .. } => psdus.each_ref().map(|psdu| psdu.tid),
            Self::BlockAckReq { tid, .. } => [*tid],
        }
    }

    /// The links that it goes over, one to each user.
    pub(crate) fn links(&self) -> [LinkId; 1] {
        match self {
            Self::Data { psdus, .. } => psdus.each_ref().map(|psdu| psdu.link),
            Self::BlockAckReq { link, .. } => [*link],
        }
    }
}
