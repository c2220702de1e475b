//! The drivers: from packets handed down to PPDUs ready in hardware, and power save.

use super::effects::Done;
use super::{Effects, Ether};
use crate::category::Category;
use crate::id::{DeviceId, LinkId, PeerId, RadioId, TidId};
use crate::link::{Link, Payload};
use crate::peer::Peer;
use crate::power_save::Service;
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::send_window::Settled;
use crate::tid::Tid;
use airloom_observe::{LossCause, NodeId, Observation, Probe, QueueEvent, QueueId, QueueLayer};
use airloom_sim::Time;

/// The hardware's report to its driver after each attempt at a data PPDU, for one of its users.
pub(super) struct Report {
    /// What went to that one; the driver takes out the MPDUs that it gives up on.
    pub(super) psdu: Psdu,
    /// Attempts before this one.
    pub(super) attempts: u32,
    /// The frame itself was sent, rather than only an RTS before it.
    pub(super) sent: bool,
    /// How many of them the Ack or BlockAck acknowledged; the window records which. None after a timeout.
    pub(super) acked: Option<u32>,
}

impl Ether {
    /// A transmitting driver handles a report: updates its rate control, settles MPDUs, and retransmits the rest or
    /// gives up on them. Returns whether it gave up on any.
    pub(super) fn reported(&mut self, now: Time, report: &mut Report) -> bool {
        let Report { ref mut psdu, attempts, sent, acked: answer } = *report;
        let Psdu { tid, link, ref mut batch, chain } = *psdu;
        let tid = &mut self.tids[tid];
        let link = &mut self.links[link];
        let adapter = &self.radios[link.from].adapter;
        let (mpdus, acked) = (batch.len(), answer.unwrap_or_default());
        if sent || !link.stop_and_wait {
            link.control.attempted(mpdus, acked);
        }
        if let Some(smoothed) = &mut link.smoothed_rate {
            let rate = link.rates[chain.rate(attempts)].rate.bit_rate();
            batch.seqs().for_each(|_| smoothed.update(rate));
        }
        let gave_up = if answer.is_some() {
            let limit = tid.retry_limit(link, batch, adapter);
            tid.window.acknowledged(batch, limit, &mut self.settled)
        } else if link.hides_attempt(batch, &chain, attempts + 1, adapter)
            || link.stop_and_wait && !sent && tid.reserves_again(adapter)
        {
            false
        } else {
            let limit = tid.retry_limit(link, batch, adapter);
            let limits = link.limits(&chain, tid.category);
            tid.window.unanswered(batch, &limits, limit, &mut self.settled)
        };
        if answer.is_some() || gave_up {
            tid.unreserved = 0;
        }
        // A driver's control gets no report of a PPDU whose MPDUs will all be retransmitted (ath9k
        // `ath_tx_complete_aggr`), nor of one that hardware still has.
        let given_up = gave_up && !link.goes_on(batch, &chain, attempts + 1, adapter);
        if answer.is_some() || given_up {
            link.control.completed(now, &chain, attempts + 1, mpdus, acked);
        }
        gave_up
    }

    /// The device of `node`, if its driver accepts packets of a category. If not, [`Effects::wake`] reports when it does again.
    #[inline]
    pub fn accepting(&mut self, node: NodeId, category: Category) -> Option<DeviceId> {
        let id = self.device(node);
        let device = &mut self.devices[id];
        let queue = &mut device.queues[category];
        queue.full = queue.held >= device.driver_limit;
        (!device.stopped && !queue.full).then_some(id)
    }

    /// The user priority of a packet with this DSCP that `from` sends towards `to`: that of best effort if one of the two
    /// radios has no QoS (mac80211 `ieee80211_select_queue`).
    pub fn priority(&self, from: NodeId, to: NodeId, dscp: u8) -> u8 {
        let peer = self.peer(self.device(from), to);
        let link = &self.links[self.tids[self.peers[peer].tid(0)].link];
        let (sender, receiver) = (&self.radios[link.from].adapter, &self.radios[link.to].adapter);
        if sender.qos && receiver.qos { sender.dscp_map.priority(dscp) } else { 0 }
    }

    /// Reports whether packets wait above `node`'s driver.
    pub fn set_backlog(&mut self, node: NodeId, waiting: bool) {
        let device = self.device(node);
        self.devices[device].backlog = waiting;
    }

    /// Hands `payload` to the driver of `device` for `to`; a station always sends to its access point.
    #[inline(always)]
    pub fn send<P: Probe>(
        &mut self,
        now: Time,
        (device, to): (DeviceId, NodeId),
        payload: Payload,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let tid = self.peers[self.peer(device, to)].tid(payload.tid);
        if self.links[self.tids[tid].link].dozing {
            self.park(now, tid, payload, fx, probe);
            return;
        }
        if self.multi_link && self.tids[tid].is_over_several() {
            self.send_over_all(now, tid, payload, fx, probe);
        } else if let Some((radio, category)) = self.hand_to::<_, false>(now, tid, payload, probe) {
            // A full hardware queue has requested the medium already.
            self.fill(now, radio, category, fx);
            self.schedule_access(fx);
        } else {
            self.look_at_full(tid);
        }
    }

    /// The same for a TID that goes over several links.
    #[cold]
    #[inline(never)]
    fn send_over_all<P: Probe>(
        &mut self,
        now: Time,
        tid: TidId,
        payload: Payload,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        self.hand_to::<_, true>(now, tid, payload, probe);
        self.fill_over_all(now, tid, self.tids[tid].category, fx);
        self.schedule_access(fx);
    }

    /// Keeps `payload` for a dozing station; the oldest makes room (mac80211 `ieee80211_tx_h_unicast_ps_buf`).
    #[cold]
    fn park<P: Probe>(&mut self, now: Time, tid: TidId, payload: Payload, fx: &mut Effects, probe: &mut P) {
        let (node, peer, limit) = self.ends(self.tids[tid].link);
        if self.links[self.tids[tid].link].gone {
            // mac80211 finds no station of that address (`ieee80211_lookup_ra_sta`).
            fx.done.push(Done { node, packet: payload.packet, acked: false });
            return probe.see(now, Observation::MpduLost { node, peer, cause: LossCause::Left });
        }
        let parked = &mut self.tids[tid].parked;
        if parked.len() >= limit
            && let Some(oldest) = parked.pop_front()
        {
            fx.done.push(Done { node, packet: oldest.packet, acked: false });
            probe.see(now, Observation::MpduLost { node, peer, cause: LossCause::PowerSaveOverflow });
        }
        parked.push_back(payload);
    }

    /// The peer to which an access point sends for its station `to`, or for itself the group of them; or a station for any `to`: its access
    /// point.
    #[inline(always)]
    pub(super) fn peer(&self, from: DeviceId, to: NodeId) -> PeerId {
        let association = |device: DeviceId| self.devices[device].association;
        match association(from) {
            Some(own) => own.up,
            None => match association(self.device(to)) {
                Some(own) if self.peers[own.down].from == from => own.down,
                Some(_) => self.former_peer(from, to),
                None => self.group_peer(from),
            },
        }
    }

    /// The peer that stands for the group of an access point's stations.
    #[cold]
    fn group_peer(&self, access_point: DeviceId) -> PeerId {
        self.devices[access_point].group.expect("packets go to associated stations, or to their group")
    }

    /// The peer to which an access point sends for a station that is at another one now, or on its way to one.
    #[cold]
    fn former_peer(&self, from: DeviceId, to: NodeId) -> PeerId {
        let roamer =
            self.devices[self.device(to)].roamer.as_ref().expect("others stay at their access point");
        let mut downs = roamer.berths.iter().map(|berth| berth.association.down);
        downs.find(|&down| self.peers[down].from == from).expect("packets go to stations that were there")
    }

    /// The TIDs that go over a link.
    pub(super) fn tids_over(&self, link: LinkId) -> impl Iterator<Item = TidId> {
        let tids = self.peers[self.links[link].peer].tids.into_iter();
        tids.filter(move |&tid| self.tids[tid].link == link)
    }

    /// The transmitter and the receiver of a link, and how many packets the former parks.
    pub(super) fn ends(&self, link: LinkId) -> (NodeId, NodeId, usize) {
        let from = &self.radios[self.links[link].from];
        (from.node, self.radios[self.links[link].to].node, self.bss[from.bss].park_limit)
    }

    /// Hands `payload` to the driver for a TID; returns radio and category if the hardware takes another PPDU of that.
    pub(super) fn hand_down<P: Probe>(
        &mut self,
        now: Time,
        id: TidId,
        payload: Payload,
        probe: &mut P,
    ) -> Option<(RadioId, Category)> {
        if self.multi_link && self.tids[id].is_over_several() {
            self.hand_to::<_, true>(now, id, payload, probe)
        } else {
            self.hand_to::<_, false>(now, id, payload, probe)
        }
    }

    /// The same for a TID that goes over several links, or over one.
    #[inline(always)]
    fn hand_to<P: Probe, const SEVERAL: bool>(
        &mut self,
        now: Time,
        id: TidId,
        payload: Payload,
        probe: &mut P,
    ) -> Option<(RadioId, Category)> {
        let Payload { packet, bytes, tcp, .. } = payload;
        if SEVERAL {
            self.sample_over_others(now, id);
        }
        let Tid { link, category, overhead, window, queued, .. } = &mut self.tids[id];
        let link = &mut self.links[*link];
        if !(link.amsdu.joins() && window.join(now, packet, bytes, &link.amsdu_now(*category))) {
            window.push(now, packet, bytes + *overhead, tcp, link.sample(now));
        }
        let from = link.from;
        let radio = &mut self.radios[from];
        let device = &mut self.devices[radio.device];
        device.held += 1;
        device.queues[*category].held += 1;
        let queue = QueueId { node: radio.node, layer: QueueLayer::Driver };
        probe.see(now, Observation::Queue(QueueEvent::In { queue, packets: device.held }));
        let ready = radio.has_room(*category).then_some((from, *category));
        if SEVERAL {
            self.queue_over_all(id);
        } else if queued.insert(Link::FIRST) {
            radio.join(*category, id);
        }
        ready
    }

    /// Returns packets that an attempt or a loss has settled, and wakes the queue above when there is room again: at once, or
    /// as firmware reports them.
    #[inline]
    pub(super) fn report_settled<P: Probe>(
        &mut self,
        now: Time,
        tid: TidId,
        cause: LossCause,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let device = self.peers[self.tids[tid].peer].from;
        if self.devices[device].firmware.as_ref().is_some_and(|firmware| firmware.late.is_some()) {
            self.report_late(now, device, (tid, cause), fx, probe);
        } else {
            self.settle(now, tid, cause, fx, probe);
        }
    }

    /// The driver has a report of packets of a TID.
    pub(super) fn settle<P: Probe>(
        &mut self,
        now: Time,
        tid: TidId,
        cause: LossCause,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Tid { peer: id, category, .. } = self.tids[tid];
        let Peer { from, to, .. } = self.peers[id];
        let peer = self.devices[to].node;
        let device = &mut self.devices[from];
        device.queues[category].held -= self.settled.len() as u32;
        let node = device.node;
        let queue = QueueId { node, layer: QueueLayer::Driver };
        if let Some(firmware) = &mut device.firmware {
            firmware.settled((id, category), &self.settled);
        }
        for Settled { packet, since, mpdu, acked } in self.settled.drain(..) {
            device.held -= 1;
            if acked {
                device.moved += u64::from(mpdu);
            } else {
                probe.see(now, Observation::MpduLost { node, peer, cause });
            }
            let sojourn = now - since;
            probe.see(now, Observation::Queue(QueueEvent::Out { queue, packets: device.held, sojourn }));
            fx.done.push(Done { node, packet, acked });
        }
        let kept = &mut device.queues[category];
        if kept.full && !device.stopped && kept.held < device.driver_limit {
            kept.full = false;
            fx.wake.push((node, category));
        }
    }

    /// The access point learns that the receiver of `link` dozes: PPDUs for it in hardware go back.
    pub(super) fn doze(&mut self, link: LinkId) {
        (self.links[link].dozing, self.links[link].service) = (true, Service::None);
        let radio = self.links[link].from;
        self.recall(radio, Some(link));
        self.doze_group(radio);
    }

    /// The access point learns that the receiver of `link` is awake: parked packets follow those in the driver.
    pub(super) fn rouse<P: Probe>(&mut self, now: Time, link: LinkId, fx: &mut Effects, probe: &mut P) {
        if !std::mem::replace(&mut self.links[link].dozing, false) {
            return;
        }
        self.links[link].service = Service::None;
        let tids: Vec<TidId> = self.tids_over(link).collect();
        for tid in tids {
            while let Some(payload) = self.tids[tid].parked.pop_front() {
                self.hand_down(now, tid, payload, probe);
            }
            if self.tids[tid].has_frames() {
                self.queue(tid);
            }
        }
        let radio = self.links[link].from;
        self.fill_hardware(now, radio, fx);
        let device = self.radios[radio].device;
        if self.devices[device].firmware.is_some() {
            self.pull_again(device, fx);
        }
        self.rouse_group(now, radio, fx, probe);
    }

    /// Takes PPDUs back out of a radio's hardware, those for `only` or all.
    pub(super) fn recall(&mut self, radio: RadioId, only: Option<LinkId>) {
        for category in Category::ALL {
            for _ in 0..self.radios[radio].contenders[category].hardware.len() {
                let Some(queued) = self.radios[radio].contenders[category].hardware.pop_front() else {
                    break;
                };
                let leaves = only.is_none_or(|link| link == Self::link_of(&queued));
                if let (true, QueuedPpdu::Data { psdus, .. }) = (leaves, &queued) {
                    for Psdu { tid, batch, .. } in psdus {
                        self.tids[*tid].window.recall(batch);
                        self.queue(*tid);
                    }
                } else {
                    self.radios[radio].contenders[category].hardware.push_back(queued);
                }
            }
            if self.radios[radio].contenders[category].hardware.is_empty() {
                self.withdraw(radio, category);
            }
        }
    }

    /// A radio has no more data of a category to send.
    pub(super) fn withdraw(&mut self, radio: RadioId, category: Category) {
        let radio = &mut self.radios[radio];
        let contender = radio.contenders[category].claim.contender;
        self.media.contend(radio.medium, |contention| contention.withdraw(contender));
    }

    /// The reorder buffer of a TID gives up on a hole.
    pub(super) fn reorder_expired<P: Probe>(
        &mut self,
        now: Time,
        tid: TidId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        self.tids[tid].reorder.expire(now, &mut self.up);
        self.deliver(now, tid, fx, probe);
    }

    /// Passes up MPDUs that the reorder buffer of a TID has released, and arms the timer for those it still holds.
    pub(super) fn deliver<P: Probe>(&mut self, now: Time, id: TidId, fx: &mut Effects, probe: &mut P) {
        let tid = &self.tids[id];
        let node = self.radios[self.links[tid.link].to].node;
        fx.arrived.extend(self.up.drain(..).map(|packet| (node, packet)));
        let due = tid.reorder.deadline();
        if due != tid.reorder_due {
            if P::TRACE {
                self.observe_hold(now, id, due, probe);
            }
            let tid = &mut self.tids[id];
            tid.reorder_due = due;
            fx.timers.push((tid.reorder_timer, due));
        }
    }

    /// The reorder buffer of a TID is about to have another deadline: reports it if it no longer holds anything.
    fn observe_hold<P: Probe>(&mut self, now: Time, tid: TidId, due: Option<Time>, probe: &mut P) {
        let current = &mut self.tids[tid];
        match (current.reorder_due, due) {
            (None, Some(_)) => current.held_since = now,
            (Some(_), None) => {
                let (link, start) = (&self.links[current.link], current.held_since);
                let (radio, to) = (link.from, link.to);
                let (from, to) = (self.radios[radio].node, self.radios[to].node);
                probe.see(now, Observation::Reordered { from, to, start });
            }
            _ => {}
        }
    }

    /// The device of `node`.
    ///
    /// # Panics
    /// If it has none.
    #[inline]
    pub fn device(&self, node: NodeId) -> DeviceId {
        self.device_of[node].expect("the node has a device")
    }
}
