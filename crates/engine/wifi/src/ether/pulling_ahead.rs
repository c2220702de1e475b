//! A driver that pulls ahead: it takes packets from mac80211's queues for its firmware, which forms PPDUs of them later.
//!
//! As in Linux (`ieee80211_handle_wake_tx_queue()`, `ieee80211_next_txq()` and `ieee80211_tx_dequeue()` in net/mac80211, Linux 6.18)
//! TIDs take turns by air time. One that has its turn gives packets until it has none, until airtime queue limits refuse it or
//! until the driver is full. A round begins as a packet comes from above, and as a PPDU is reported if the driver asks for it: one that
//! does not learns of room with the next packet alone.
//!
//! Reports may come late, as an interrupt waits for several packets: until then they count as held.
//!
//! Packets are pulled one by one: each is asked for by an effect, and the next as that has been answered.

use super::{Effects, Ether};
use crate::adapter::Pull;
use crate::aql::Pending;
use crate::category::Category;
use crate::device::{Device, DriverQueue, Firmware, Late};
use crate::frame_size;
use crate::id::{DeviceId, LinkId, PeerId, RateId, TidId};
use crate::link::Payload;
use crate::peer::Peer;
use crate::tid::Tid;
use airloom_observe::{LossCause, Probe};
use airloom_sim::Time;

impl Ether {
    /// Packets of a TID wait above a driver that pulls ahead, `first` where none did.
    #[cold]
    pub(super) fn offer_ahead(&mut self, id: TidId, first: bool, fx: &mut Effects) {
        let Tid { peer, category, .. } = self.tids[id];
        let device = self.peers[peer].from;
        if first {
            let device = &mut self.devices[device];
            let shares = device.shares_air_time();
            let offered = &mut device.queues[category].offered;
            debug_assert!(!offered.contains(&id));
            // `__ieee80211_schedule_txq()`: one that has used none recently should not wait.
            if shares { offered.push_front(id) } else { offered.push_back(id) }
        }
        self.begin_round(device, category, fx);
    }

    /// The driver of a device may have room again.
    #[cold]
    pub(super) fn pull_again(&mut self, device: DeviceId, fx: &mut Effects) {
        Category::ALL.iter().for_each(|&category| self.begin_round(device, category, fx));
    }

    /// Continues the rounds of a device after a packet was pulled; whether another one is asked for.
    #[cold]
    pub(super) fn pull_on(&mut self, device: DeviceId, fx: &mut Effects) -> bool {
        Category::ALL.iter().any(|&category| self.pull_next(device, category, fx))
    }

    fn begin_round(&mut self, device: DeviceId, category: Category, fx: &mut Effects) {
        let Device { firmware: Some(firmware), queues, .. } = &self.devices[device] else { return };
        let waiting = queues[category].offered.len();
        if waiting > 0 && firmware.allows(|pending| pending.begins(category, waiting)) {
            self.pull_next(device, category, fx);
        }
    }

    /// Asks for the next packet of a category; whether any may be pulled. A peer whose turn comes with a negative balance gets a share
    /// of air time and waits for the next turn.
    fn pull_next(&mut self, id: DeviceId, category: Category, fx: &mut Effects) -> bool {
        let mut refused = 0;
        while let Some(&tid) = self.devices[id].queues[category].offered.front() {
            let may = self.may_pull(tid);
            let Device { node, pull, queues, .. } = &mut self.devices[id];
            let DriverQueue { offered, .. } = &mut queues[category];
            if !self.tids[tid].offered {
                offered.pop_front();
                continue;
            }
            let Tid { peer, number, .. } = self.tids[tid];
            let Peer { to, shares, .. } = &mut self.peers[peer];
            let share = pull.and_then(|Pull { share, .. }| share);
            let has_turn = share.is_none_or(|share| shares[category].has_turn(share));
            if may && has_turn {
                let node = *node;
                fx.pulls.push((node, self.devices[*to].node, number));
                return true;
            }
            refused = if may { 0 } else { refused + 1 };
            if refused >= offered.len() {
                break;
            }
            offered.rotate_left(1);
        }
        false
    }

    /// Whether the driver of a TID that pulls ahead may take another packet of it.
    pub(super) fn may_pull(&self, id: TidId) -> bool {
        let Tid { peer, link, category, offered, .. } = self.tids[id];
        let Device { stopped, driver_limit, queues, firmware, .. } = &self.devices[self.peers[peer].from];
        let has_room = queues[category].held < *driver_limit;
        let allowed = |firmware: &Firmware| firmware.allows(|pending| pending.allows(peer, category));
        offered
            && has_room
            && !stopped
            && !self.links[link].withholds(category)
            && firmware.as_deref().is_some_and(allowed)
    }

    /// Firmware has packets to report that an attempt or a loss has settled: they wait for the interrupt.
    #[cold]
    pub(super) fn report_late<P: Probe>(
        &mut self,
        now: Time,
        device: DeviceId,
        (tid, cause): (TidId, LossCause),
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Some(Late { when, timer, waiting }) = self.devices[device].late() else { return };
        let first = waiting.is_empty() && !self.settled.is_empty();
        waiting.extend(self.settled.drain(..).map(|settled| (tid, cause, settled)));
        if waiting.len() >= when.packets as usize {
            fx.timers.push((*timer, None));
            self.take_reports(now, device, fx, probe);
        } else if first {
            fx.arm(*timer, now + when.delay);
        }
    }

    /// The interrupt for a device's reports is due by time.
    #[cold]
    pub(super) fn reports_due<P: Probe>(
        &mut self,
        now: Time,
        device: DeviceId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        self.take_reports(now, device, fx, probe);
        if self.devices[device].firmware.as_ref().is_some_and(|firmware| firmware.on_report) {
            self.pull_again(device, fx);
        }
        for n in 0..self.devices[device].radios.len() {
            self.check_empty(now, self.devices[device].radios[n], fx, probe);
        }
    }

    /// The driver of a device takes all reports that wait.
    fn take_reports<P: Probe>(&mut self, now: Time, device: DeviceId, fx: &mut Effects, probe: &mut P) {
        let Some(late) = self.devices[device].late() else { return };
        let mut reports = std::mem::take(&mut late.waiting);
        for alike in reports.chunk_by(|(tid, cause, _), (next, why, _)| (tid, cause) == (next, why)) {
            let (tid, cause, _) = alike[0];
            self.settled.extend(alike.iter().map(|&(.., settled)| settled));
            self.settle(now, tid, cause, fx, probe);
        }
        reports.clear();
        if let Some(late) = self.devices[device].late() {
            late.waiting = reports;
        }
    }

    /// A driver has pulled a packet of a TID: it is pending under airtime queue limits.
    pub(super) fn account(&mut self, id: TidId, payload: Payload) {
        let Tid { peer, category, overhead, .. } = self.tids[id];
        if let Some(pending) = self.pending(peer) {
            pending.take((peer, category), payload.packet, payload.bytes + overhead - frame_size::FCS_BYTES);
        }
    }

    /// A PPDU of a TID has been reported at this rate, which the next packets are expected to have.
    #[cold]
    pub(super) fn note_estimate(&mut self, (tid, link): (TidId, LinkId), rate: RateId) {
        let peer = self.tids[tid].peer;
        let rate = self.links[link].rates[rate].rate;
        if let Some(pending) = self.pending(peer) {
            pending.reported(peer, rate);
        }
    }

    /// What the driver holds that sends to a peer, if it is under airtime queue limits.
    fn pending(&mut self, peer: PeerId) -> Option<&mut Pending> {
        self.devices[self.peers[peer].from].firmware.as_mut()?.pending.as_mut()
    }
}
