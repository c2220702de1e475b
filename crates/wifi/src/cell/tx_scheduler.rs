//! The scheduler of a radio's links: they share its hardware by PPDU or by air time, and a driver that pulls asks for
//! packets as it forms a PPDU.
//!
//! Shares of air time follow Linux (`ieee80211_next_txq()` in `net/mac80211/tx.c`, `ath_tx_count_airtime()` and
//! `ath_rx_count_airtime()` in `drivers/net/wireless/ath/ath9k`): a link keeps its turn until it has used up its
//! balance. A link whose turn comes with a negative balance gets a share and waits for the next round. Only data on the
//! air counts, in both directions, without the responses to it. As in Linux, air time is charged when the report
//! arrives.

use super::attempt::Attempt;
use super::{Cell, Effects};
use crate::id::{LinkId, RadioId};
use crate::link::{Link, Payload, Room};
use crate::radio::{Function, Job, Pull, Radio};
use airloom_observe::{NodeId, Probe};
use airloom_sim::{Duration, Time};

/// For how long after its last PPDU a link takes part in the sharing of air time (`AIRTIME_ACTIVE_DURATION`).
const ACTIVE: Duration = Duration::from_millis(100);

impl Cell {
    /// Packets wait for `to` above `from`'s driver, which pulls.
    pub fn offer(&mut self, now: Time, (from, to): (NodeId, NodeId), fx: &mut Effects) {
        let link = self.link(self.radio(from), to);
        if !std::mem::replace(&mut self.links[link].offered, true) {
            self.queue(link);
            self.refill(now, from, fx);
        }
    }

    /// Hands `from`'s driver one of the packets that it pulls for `to`.
    pub fn supply<P: Probe>(
        &mut self,
        now: Time,
        (from, to): (NodeId, NodeId),
        payload: Payload,
        probe: &mut P,
    ) {
        let link = self.link(self.radio(from), to);
        self.hand_down(now, link, payload, probe);
    }

    /// No more packets wait for `to` above `from`'s driver.
    pub fn exhausted(&mut self, from: NodeId, to: NodeId) {
        let link = self.link(self.radio(from), to);
        self.links[link].offered = false;
    }

    /// The remaining room for `to` in the PPDU that `from`'s driver forms, if it forms one.
    pub fn room(&self, from: NodeId, to: NodeId) -> Room {
        let link = &self.links[self.link(self.radio(from), to)];
        let radio = &self.radios[link.from];
        let forms = radio.has_room() && !radio.stopped && link.wants_more();
        if forms { link.room() } else { Room::default() }
    }

    /// `node`'s driver continues: its pull has been answered, or it is no longer stopped.
    pub fn refill(&mut self, now: Time, node: NodeId, fx: &mut Effects) {
        let radio = self.radio(node);
        self.fill_hardware(now, radio, fx);
        self.schedule_access(fx);
    }

    /// Keeps the hardware queue as full as the links allow, each link in its turn. If the driver pulls for a link, it
    /// continues after the answer.
    pub(super) fn fill_hardware(&mut self, now: Time, id: RadioId, fx: &mut Effects) {
        if !self.radios[id].on_channel {
            return;
        }
        while self.radios[id].has_room() {
            let Some(link) = self.next_turn(id) else { break };
            let Radio { node, stopped, ready, hardware, adapter, .. } = &mut self.radios[id];
            let Link { to, .. } = self.links[link];
            let current = &mut self.links[link];
            if !*stopped && current.wants_more() {
                ready.push_front(link);
                fx.pulls.push((*node, self.radios[to].node));
                break;
            }
            let Some((batch, chain)) = current.next_batch() else {
                current.queued = false;
                continue;
            };
            if adapter.shares_air_time() {
                ready.push_front(link)
            } else {
                ready.push_back(link)
            }
            hardware.push_back(Job::Data { link, batch, chain, attempts: 0, aired: false });
        }
        self.claim(now, id, Function::Data);
    }

    /// A link may have data to send: it joins the round (ath9k `ath_tx_queue_tid`). With shares of air time it goes to
    /// the front, since a link that has used none recently should not wait (`__ieee80211_schedule_txq()`).
    #[inline]
    pub(super) fn queue(&mut self, link: LinkId) {
        if !std::mem::replace(&mut self.links[link].queued, true) {
            self.radios[self.links[link].from].join(link);
        }
    }

    /// Pulls packets that were offered to a radio's driver while it was stopped.
    pub(super) fn queue_offered(&mut self, radio: RadioId) {
        for i in 0..self.radios[radio].links.len() {
            let link = self.radios[radio].links[i];
            if self.links[link].offered {
                self.queue(link);
            }
        }
    }

    /// The link whose turn it is at a radio; it leaves the round.
    fn next_turn(&mut self, radio: RadioId) -> Option<LinkId> {
        let Radio { ready, adapter, .. } = &mut self.radios[radio];
        let Some(Pull { share: Some(share) }) = adapter.pull else { return ready.pop_front() };
        loop {
            let link = ready.pop_front()?;
            let balance = &mut self.links[link].balance;
            if *balance >= 0 {
                return Some(link);
            }
            *balance += share.as_nanos() as i64;
            ready.push_back(link);
        }
    }

    /// Charges air time of data to its transmitter, and to its receiver if it heard any of it, where they share air
    /// time. A link that has not transmitted recently is not charged for received data; otherwise it would starve once
    /// it has data to send (`ieee80211_sta_register_airtime()`).
    pub(super) fn charge(&mut self, now: Time, attempt: &Attempt) {
        let Attempt { radio, sent, good, .. } = *attempt;
        let Some(&Job::Data { link, .. }) = self.radios[radio].hardware.front().filter(|_| sent) else {
            return;
        };
        self.links[link].active = now;
        for (payer, pays) in [(link, true), (self.links[link].reverse, good != 0)] {
            let Link { from, active, .. } = self.links[payer];
            if pays && now - active <= ACTIVE && self.radios[from].adapter.shares_air_time() {
                self.links[payer].balance -= attempt.main.length.as_nanos() as i64;
            }
        }
    }
}
