//! The scheduler of a radio's TIDs: those of a category share its hardware by PPDU or by air time, and a driver that pulls asks for
//! packets as it forms a PPDU.
//!
//! Shares of air time follow Linux (`ieee80211_next_txq()` in `net/mac80211/tx.c`, `ath_tx_count_airtime()` and
//! `ath_rx_count_airtime()` in `drivers/net/wireless/ath/ath9k`): a peer keeps its turn until it has used up its
//! balance. A peer whose turn comes with a negative balance gets a share and waits for the next round. Only data on the
//! air counts, in both directions, without the responses to it. As in Linux, air time is charged when the report
//! arrives. A driver that pulls ahead shares what it pulls instead (`pulling_ahead.rs`).

use super::attempt::Attempt;
use super::{Effects, Ether};
use crate::category::Category;
use crate::contender::Contender;
use crate::device::Device;
use crate::id::{DeviceId, RadioId, TidId};
use crate::link::{Link, Payload, Room};
use crate::peer::{Peer, Share};
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::radio::{AccessFunction, Radio};
use crate::tid::Tid;
use crate::turns::Turns;
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Duration, Time};

/// For how long after its last PPDU a peer takes part in the sharing of air time (`AIRTIME_ACTIVE_DURATION`).
const ACTIVE: Duration = Duration::from_millis(100);

impl Ether {
    /// Packets of a TID wait for `to` above `from`'s driver, which pulls.
    pub fn offer(&mut self, now: Time, (from, to, tid): (NodeId, NodeId, u8), fx: &mut Effects) {
        let tid = self.tid(from, to, tid);
        let first = !std::mem::replace(&mut self.tids[tid].offered, true);
        if self.devices[self.peers[self.tids[tid].peer].from].firmware.is_some() {
            self.offer_ahead(tid, first, fx);
            return;
        }
        let Tid { link, category, .. } = self.tids[tid];
        let radio = self.links[link].from;
        let full = !self.radios[radio].has_room(category);
        if first {
            self.queue(tid);
            self.refill(now, from, fx);
        }
        if full {
            self.look_at_full(tid);
        }
    }

    /// Hands `from`'s driver one of the packets that it pulls for `to`; whether others may follow it: not one that is to try a rate.
    pub fn supply<P: Probe>(
        &mut self,
        now: Time,
        (from, to): (NodeId, NodeId),
        payload: Payload,
        probe: &mut P,
    ) -> bool {
        let tid = self.tid(from, to, payload.tid);
        self.hand_down(now, tid, payload, probe);
        self.account(tid, payload);
        !self.tids[tid].window.ends_in_sample()
    }

    /// No more packets of a TID wait for `to` above `from`'s driver.
    pub fn exhausted(&mut self, from: NodeId, to: NodeId, tid: u8) {
        let tid = self.tid(from, to, tid);
        self.tids[tid].offered = false;
    }

    /// The remaining room for a TID of `to` in the PPDU that `from`'s driver forms, if it forms one.
    pub fn room(&self, from: NodeId, to: NodeId, tid: u8) -> Room {
        let id = self.tid(from, to, tid);
        let tid = &self.tids[id];
        let link = &self.links[tid.link];
        let radio = &self.radios[link.from];
        let device = &self.devices[radio.device];
        if device.firmware.is_some() {
            return if self.may_pull(id) { Room::ONE } else { Room::default() };
        }
        let forms = radio.has_room(tid.category) && !device.stopped && tid.wants_more(link);
        if forms { tid.room(link) } else { Room::default() }
    }

    fn tid(&self, from: NodeId, to: NodeId, priority: u8) -> TidId {
        self.peers[self.peer(self.device(from), to)].tid(priority)
    }

    /// `node`'s driver continues: its pull has been answered, or it is no longer stopped.
    pub fn refill(&mut self, now: Time, node: NodeId, fx: &mut Effects) {
        let device = self.device(node);
        if self.devices[device].firmware.is_none() || !self.pull_on(device, fx) {
            for n in 0..self.devices[device].radios.len() {
                self.fill_hardware(now, self.devices[device].radios[n], fx);
            }
        }
        self.schedule_access(fx);
    }

    /// Keeps the hardware queues of a radio as full as its TIDs allow.
    #[inline]
    pub(super) fn fill_hardware(&mut self, now: Time, id: RadioId, fx: &mut Effects) {
        for category in Category::ALL {
            let Contender { hardware, ready, .. } = &self.radios[id].contenders[category];
            if !(hardware.is_empty() && ready.is_empty()) {
                self.fill(now, id, category, fx);
            }
        }
    }

    /// Keeps the hardware queue of a category as full as its TIDs allow, each in its turn. If the driver pulls for one, it
    /// continues after the answer.
    pub(super) fn fill(&mut self, now: Time, id: RadioId, category: Category, fx: &mut Effects) {
        if !self.radios[id].is_home() {
            return;
        }
        match self.radios[id].adapter.turns() {
            Turns::Round => self.fill_in_round(id, category, fx),
            Turns::Linux3_2 | Turns::Linux3_15 => self.fill_as_ath9k(id, category, fx),
            Turns::Own(_) => self.fill_by_scheduler(now, id, category, fx),
        }
        self.claim(now, id, AccessFunction::Data(category));
    }

    /// The same, a PPDU of each TID or its share of air time after the other.
    fn fill_in_round(&mut self, id: RadioId, category: Category, fx: &mut Effects) {
        let Radio { device, node, contenders, adapter, .. } = &mut self.radios[id];
        let Contender { ready, hardware, .. } = &mut contenders[category];
        while hardware.len() < adapter.depth.hardware_queue as usize {
            let Some(tid) = ready.pop_front() else { break };
            let current = &mut self.tids[tid];
            let of = current.link_from(id, &self.peers, &self.links);
            let link = &mut self.links[of];
            if let Some(share) = adapter.share_of_ppdus()
                && !self.peers[current.peer].shares[category].has_turn(share)
            {
                ready.push_back(tid);
                continue;
            }
            let forms = |device: &Device| !device.stopped && device.firmware.is_none();
            if current.offered && forms(&self.devices[*device]) && current.wants_more(link) {
                ready.push_front(tid);
                current.link = of;
                fx.pulls.push((*node, self.radios[link.to].node, current.number));
                break;
            }
            let Some((batch, chain)) = current.next_batch(link) else {
                current.queued.put(link.number, false);
                continue;
            };
            if adapter.share_of_ppdus().is_some() {
                ready.push_front(tid)
            } else {
                ready.push_back(tid)
            }
            let psdus = [Psdu { tid, link: of, batch, chain }];
            hardware.push_back(QueuedPpdu::Data { psdus, attempts: 0, aired: false });
        }
    }

    /// A TID may have data to send: it joins the round (ath9k `ath_tx_queue_tid`). With shares of air time it goes to
    /// the front, since one that has used none recently should not wait (`__ieee80211_schedule_txq()`).
    #[inline]
    pub(super) fn queue(&mut self, id: TidId) {
        let tid = &mut self.tids[id];
        if tid.is_over_several() {
            return self.queue_over_all(id);
        }
        if tid.queued.insert(Link::FIRST) {
            self.radios[self.links[tid.link].from].join(tid.category, id);
        }
    }

    /// Pulls packets that were offered to a device's driver while it was stopped.
    pub(super) fn queue_offered(&mut self, device: DeviceId) {
        for i in 0..self.devices[device].peers.len() {
            for tid in self.peers[self.devices[device].peers[i]].tids {
                if self.tids[tid].offered {
                    self.queue(tid);
                }
            }
        }
    }

    /// Charges air time of data to its transmitter, and to its receiver if it heard any of it, where they share air
    /// time. A peer that has not transmitted recently is not charged for received data; otherwise it would starve once
    /// it has data to send (`ieee80211_sta_register_airtime()`).
    pub(super) fn charge(&mut self, now: Time, attempt: &Attempt) {
        let Attempt { radio, function, sent, good, .. } = *attempt;
        let Some(QueuedPpdu::Data { psdus, .. }) = self.radios[radio].queued(function).filter(|_| sent)
        else {
            return;
        };
        let ([Psdu { tid, .. }], [good]) = (psdus, good);
        let Tid { peer, category, .. } = self.tids[*tid];
        self.peers[peer].shares[category].active = now;
        for (payer, pays) in [(peer, true), (self.peers[peer].reverse, good != 0)] {
            let Peer { from, shares, .. } = &mut self.peers[payer];
            let Share { active, balance } = &mut shares[category];
            if pays && now - *active <= ACTIVE && self.devices[*from].shares_air_time() {
                *balance -= attempt.main.length.as_nanos() as i64;
            }
        }
    }
}
