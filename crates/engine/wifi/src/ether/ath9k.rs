//! How ath9k's own scheduler gives TIDs their turns (`ath_txq_schedule()` and `ath_tx_queue_tid()` in
//! drivers/net/wireless/ath/ath9k/xmit.c), where it does not share air time.
//!
//! A TID stands in the list of its category while it has frames that hardware does not hold: it joins at the tail with the first of
//! them, leaves at the head for its turn, and goes back to the tail if any are left. So one whose queue ran empty has lost its
//! place. A dozing station's are not in the list. What a turn is, and when one is lost, depends on the kernel ([`Turns`]).

use super::{Effects, Ether};
use crate::category::Category;
use crate::id::{LinkId, RadioId, TidId};
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::tid::Tid;
use crate::turns::Turns;

impl Ether {
    /// Fills the hardware queue of a category. If the driver pulls for a TID, it continues after the answer.
    pub(super) fn fill_as_ath9k(&mut self, id: RadioId, category: Category, fx: &mut Effects) {
        let mut left = self.radios[id].contenders[category].ready.len();
        while left > 0 && self.radios[id].has_room(category) {
            let Some(tid) = self.radios[id].contenders[category].ready.pop_front() else { return };
            let link = self.link_from(id, tid);
            if self.wants_pull(tid, link) {
                self.radios[id].contenders[category].ready.push_front(tid);
                let current = &mut self.tids[tid];
                current.link = link;
                let receiver = self.radios[self.links[link].to].node;
                fx.pulls.push((self.radios[id].node, receiver, current.number));
                return;
            }
            let current = &mut self.tids[tid];
            let batch = current.next_batch(&mut self.links[link]);
            let formed = batch.is_some();
            let radio = &mut self.radios[id];
            if let Some((batch, chain)) = batch {
                let psdus = [Psdu { tid, link, batch, chain }];
                let queued = QueuedPpdu::Data { psdus, attempts: 0, aired: false };
                radio.contenders[category].hardware.push_back(queued);
            }
            let goes_on = formed && radio.adapter.turns() == Turns::Linux3_2 && radio.has_room(category);
            self.back_in_list(category, (tid, link), goes_on);
            let contender = &self.radios[id].contenders[category];
            left = if formed { contender.ready.len() } else { left - 1 };
            if formed && !self.radios[id].has_room(category) {
                self.pass_over(id, category);
            }
        }
    }

    /// A packet for a TID has come while hardware had no room for another PPDU of its category.
    #[inline]
    pub(super) fn look_at_full(&mut self, tid: TidId) {
        let Tid { link, category, .. } = self.tids[tid];
        let id = self.links[link].from;
        // The only one in the list comes back to its place.
        if self.radios[id].contenders[category].ready.len() > 1 {
            self.pass_over(id, category);
        }
    }

    /// The driver has found no room in a category. In the later kernels the TID whose turn it would be goes to the tail for that
    /// (`ath_tx_sched_aggr()`: `stop`).
    fn pass_over(&mut self, id: RadioId, category: Category) {
        if self.radios[id].adapter.turns() != Turns::Linux3_15 {
            return;
        }
        for _ in 0..self.radios[id].contenders[category].ready.len() {
            let Some(tid) = self.radios[id].contenders[category].ready.pop_front() else { return };
            let current = &self.tids[tid];
            let would_go = current.offered || current.window.ready().is_some();
            self.back_in_list(category, (tid, self.link_from(id, tid)), false);
            if would_go {
                return;
            }
        }
    }

    /// Whether the driver forms PPDUs of what it pulls, and pulls for this TID first.
    fn wants_pull(&self, id: TidId, link: LinkId) -> bool {
        let tid = &self.tids[id];
        let link = &self.links[link];
        let device = &self.devices[self.radios[link.from].device];
        tid.offered && !device.stopped && device.firmware.is_none() && tid.wants_more(link)
    }

    /// A TID that was taken out of the list goes back, to the head or the tail, if it has frames that may go to an awake station.
    #[inline]
    fn back_in_list(&mut self, category: Category, (tid, link): (TidId, LinkId), to_head: bool) {
        let link = &self.links[link];
        let current = &mut self.tids[tid];
        let waits = current.offered || current.window.has_waiting();
        let stays = waits && !link.withholds(category);
        current.queued.put(link.number, stays);
        if stays {
            let ready = &mut self.radios[link.from].contenders[category].ready;
            if to_head { ready.push_front(tid) } else { ready.push_back(tid) }
        }
    }
}
