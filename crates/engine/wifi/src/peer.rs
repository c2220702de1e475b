//! A peer: what a device has settled with another one that it sends to.

use crate::category::{PerCategory, TIDS};
use crate::id::{DeviceId, LinkId, PeerId, TidId};
use airloom_sim::{Duration, Time};

/// One direction between two devices: its links, and its TIDs, each with an agreement, that go over any of them.
pub(crate) struct Peer {
    /// The transmitting device.
    pub(crate) from: DeviceId,
    /// The receiving device.
    pub(crate) to: DeviceId,
    /// The way back.
    pub(crate) reverse: PeerId,
    /// The links that it has, by their numbers: one, or several between multi-link devices.
    pub(crate) links: Vec<LinkId>,
    /// Its TIDs, by their numbers.
    pub(crate) tids: [TidId; TIDS],
    /// Its share of the air time of each category.
    pub(crate) shares: PerCategory<Share>,
}

/// What a peer has used of its share of the air time, where air time is shared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    /// When it last had a frame on the air.
    pub(crate) active: Time,
    /// Nanoseconds of air time that it may still use; may be negative.
    pub(crate) balance: i64,
}

impl Peer {
    /// Its TID of a user priority; higher ones than 7 count modulo 8.
    #[inline(always)]
    pub(crate) fn tid(&self, priority: u8) -> TidId {
        self.tids[usize::from(priority) % TIDS]
    }
}

impl Share {
    /// Whether it has its turn. If not, it is given air time of `share` for the next round.
    pub(crate) fn has_turn(&mut self, share: Duration) -> bool {
        let has = self.balance >= 0;
        if !has {
            self.balance += share.as_nanos() as i64;
        }
        has
    }
}
