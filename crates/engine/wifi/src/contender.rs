//! A contender: one of a radio's transmit queues with its claim on the medium.

use crate::category::Access;
use crate::contention::ContenderId;
use crate::id::TidId;
use crate::queued_ppdu::QueuedPpdu;
use airloom_sim::Duration;
use std::collections::VecDeque;

/// A claim on the medium and its contention window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim {
    /// The contender.
    pub(crate) contender: ContenderId,
    /// Its contention window now.
    pub(crate) cw: u32,
    /// The smallest.
    cw_min: u32,
    /// The largest.
    cw_max: u32,
}

impl Claim {
    /// The claim of `contender`, which has not sent yet.
    pub(crate) fn new(contender: ContenderId, Access { cw_min, cw_max, .. }: Access) -> Self {
        Self { contender, cw: cw_min, cw_min, cw_max }
    }

    /// Keeps within other bounds from now on; a backoff that was drawn stays as it is, as where beacons tell other EDCA parameters
    /// (802.11-2020 10.2.3.2).
    pub(crate) fn bound(&mut self, Access { cw_min, cw_max, .. }: Access) {
        (self.cw_min, self.cw_max) = (cw_min, cw_max);
        self.cw = self.cw.min(cw_max).max(cw_min);
    }

    /// After a success.
    pub(crate) fn reset(&mut self) {
        self.cw = self.cw_min;
    }

    /// After a failure.
    pub(crate) fn widen(&mut self) {
        self.cw = (2 * self.cw + 1).min(self.cw_max);
    }
}

/// The transmit queue of one access category: an EDCA function (802.11-2020 10.2.3.2), or the one queue of DCF.
pub(crate) struct Contender {
    /// Its claim on the medium.
    pub(crate) claim: Claim,
    /// How long it may keep the medium, if for more than one PPDU.
    pub(crate) txop: Duration,
    /// PPDUs ready to go.
    pub(crate) hardware: VecDeque<QueuedPpdu>,
    /// TIDs that may have data to send, in the order of their turns.
    pub(crate) ready: VecDeque<TidId>,
}

impl Contender {
    /// One without frames that contends by `access`.
    pub(crate) fn new(claim: Claim, access: Access) -> Self {
        Self { claim, txop: access.txop, hardware: VecDeque::new(), ready: VecDeque::new() }
    }
}
