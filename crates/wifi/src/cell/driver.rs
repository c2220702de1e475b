//! The drivers: from packets handed down to PPDUs ready in hardware, and power save.

use super::effects::Done;
use super::{Cell, Effects};
use crate::aggregate::Batch;
use crate::id::{LinkId, RadioId};
use crate::link::{Link, Payload};
use crate::radio::{Function, Job, Radio};
use crate::rate_control::Chain;
use crate::send_window::Settled;
use airloom_observe::{LossCause, NodeId, Observation, Probe, QueueEvent, QueueId, QueueLayer};
use airloom_sim::Time;

/// The hardware's report to its driver after each attempt at a data PPDU.
pub(super) struct Report {
    /// The link it was for.
    pub(super) link: LinkId,
    /// Its MPDUs; the driver takes out those that it gives up on.
    pub(super) batch: Batch,
    /// Their rates.
    pub(super) chain: Chain,
    /// Attempts before this one.
    pub(super) attempts: u32,
    /// The frame itself was sent, rather than only an RTS before it.
    pub(super) sent: bool,
    /// How many of them the Ack or BlockAck acknowledged; the window records which. None after a timeout.
    pub(super) acked: Option<u32>,
}

impl Cell {
    /// A transmitting driver handles a report: updates its rate control, settles MPDUs, and retransmits the rest or
    /// gives up on them. Returns whether it gave up on any.
    pub(super) fn reported(&mut self, now: Time, report: &mut Report) -> bool {
        let Report { chain, attempts, sent, acked: answer, ref mut batch, .. } = *report;
        let link = &mut self.links[report.link];
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
            let limit = link.retry_limit(batch, adapter);
            link.window.acknowledged(batch, limit, &mut self.settled)
        } else if link.hides_attempt(batch, &chain, attempts + 1, adapter)
            || link.stop_and_wait && !sent && link.reserves_again(adapter)
        {
            false
        } else {
            let limit = link.retry_limit(batch, adapter);
            let limits = link.limits(&chain);
            link.window.unanswered(batch, &limits, limit, &mut self.settled)
        };
        if answer.is_some() || gave_up {
            link.unreserved = 0;
        }
        // A driver's control gets no report of a PPDU whose MPDUs will all be retransmitted (ath9k
        // `ath_tx_complete_aggr`), nor of one that hardware still has.
        let given_up = gave_up && !link.goes_on(batch, &chain, attempts + 1, adapter);
        if answer.is_some() || given_up {
            link.control.completed(now, &chain, attempts + 1, mpdus, acked);
        }
        gave_up
    }

    /// The radio of `node`, if its driver accepts packets. If not, [`Effects::wake`] reports when it does again.
    #[inline]
    pub fn accepting(&mut self, node: NodeId) -> Option<RadioId> {
        let id = self.radio(node);
        let radio = &mut self.radios[id];
        radio.full = radio.held >= radio.adapter.driver_limit;
        (!radio.stopped && !radio.full).then_some(id)
    }

    /// Reports whether packets wait above `node`'s driver.
    pub fn set_backlog(&mut self, node: NodeId, waiting: bool) {
        let radio = self.radio(node);
        self.radios[radio].backlog = waiting;
    }

    /// Hands `payload` to the driver of `radio` for the radio of `to`; a station always sends to its access point.
    #[inline(always)]
    pub fn send<P: Probe>(
        &mut self,
        now: Time,
        (radio, to): (RadioId, NodeId),
        payload: Payload,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let link = self.link(radio, to);
        if self.links[link].dozing {
            self.park(now, link, payload, fx, probe);
        } else if self.hand_down(now, link, payload, probe).has_room() {
            // A full hardware queue has requested the medium already.
            self.fill_hardware(now, radio, fx);
            self.schedule_access(fx);
        }
    }

    /// Keeps `payload` for a dozing station; the oldest makes room (mac80211 `ieee80211_tx_h_unicast_ps_buf`).
    #[cold]
    fn park<P: Probe>(&mut self, now: Time, link: LinkId, payload: Payload, fx: &mut Effects, probe: &mut P) {
        let (node, peer, limit) = self.ends(link);
        let parked = &mut self.links[link].parked;
        if parked.len() >= limit
            && let Some(oldest) = parked.pop_front()
        {
            fx.done.push(Done { node, packet: oldest.packet, acked: false });
            probe.see(now, Observation::MpduLost { node, peer, cause: LossCause::PowerSaveOverflow });
        }
        parked.push_back(payload);
    }

    /// The link from an access point to its station `to`, or from a station to its access point for any `to`.
    #[inline(always)]
    pub(super) fn link(&self, from: RadioId, to: NodeId) -> LinkId {
        self.radios[from].uplink.unwrap_or_else(|| {
            self.radios[self.radio(to)].downlink.expect("packets go to associated stations")
        })
    }

    /// The access point of a station; none of an access point itself.
    pub(super) fn ap_of(&self, radio: RadioId) -> Option<RadioId> {
        self.radios[radio].uplink.map(|uplink| self.links[uplink].to)
    }

    /// The transmitter and the receiver of a link, and how many packets the former parks.
    pub(super) fn ends(&self, link: LinkId) -> (NodeId, NodeId, usize) {
        let from = &self.radios[self.links[link].from];
        (from.node, self.radios[self.links[link].to].node, from.park_limit)
    }

    /// Hands `payload` to the driver for a link; returns the radio.
    #[inline(always)]
    pub(super) fn hand_down<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        payload: Payload,
        probe: &mut P,
    ) -> &Radio {
        let Payload { packet, bytes, tcp } = payload;
        let Link { from, overhead, control, window, queued, .. } = &mut self.links[link];
        window.push(now, packet, bytes + *overhead, tcp, control.sample());
        let radio = &mut self.radios[*from];
        radio.held += 1;
        let queue = QueueId { node: radio.node, layer: QueueLayer::Driver };
        probe.see(now, Observation::Queue(QueueEvent::In { queue, packets: radio.held }));
        if !std::mem::replace(queued, true) {
            radio.join(link);
        }
        radio
    }

    /// Returns packets that an attempt or a loss has settled, and wakes the queue above when there is room again.
    pub(super) fn report_settled<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        cause: LossCause,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let peer = self.radios[self.links[link].to].node;
        let radio = &mut self.radios[self.links[link].from];
        let node = radio.node;
        let queue = QueueId { node, layer: QueueLayer::Driver };
        for Settled { packet, since, mpdu, acked } in self.settled.drain(..) {
            radio.held -= 1;
            if acked {
                radio.moved += u64::from(mpdu);
            } else {
                probe.see(now, Observation::MpduLost { node, peer, cause });
            }
            let sojourn = now - since;
            probe.see(now, Observation::Queue(QueueEvent::Out { queue, packets: radio.held, sojourn }));
            fx.done.push(Done { node, packet, acked });
        }
        if radio.full && !radio.stopped && radio.held < radio.adapter.driver_limit {
            radio.full = false;
            fx.wake.push(node);
        }
    }

    /// The access point learns that the receiver of `link` dozes: PPDUs for it in hardware go back.
    pub(super) fn doze(&mut self, link: LinkId) {
        self.links[link].dozing = true;
        let radio = self.links[link].from;
        self.recall(radio, Some(link));
    }

    /// The access point learns that the receiver of `link` is awake: parked packets follow those in the driver.
    pub(super) fn rouse<P: Probe>(&mut self, now: Time, link: LinkId, fx: &mut Effects, probe: &mut P) {
        if !std::mem::replace(&mut self.links[link].dozing, false) {
            return;
        }
        while let Some(payload) = self.links[link].parked.pop_front() {
            self.hand_down(now, link, payload, probe);
        }
        self.queue(link);
        let radio = self.links[link].from;
        self.fill_hardware(now, radio, fx);
    }

    /// Takes PPDUs back out of a radio's hardware, those for `only` or all.
    pub(super) fn recall(&mut self, radio: RadioId, only: Option<LinkId>) {
        for _ in 0..self.radios[radio].hardware.len() {
            let Some(job) = self.radios[radio].hardware.pop_front() else { break };
            let leaves = only.is_none_or(|link| link == job.link());
            if let (true, Job::Data { link, batch, .. }) = (leaves, &job) {
                self.links[*link].window.recall(batch);
                self.queue(*link);
            } else {
                self.radios[radio].hardware.push_back(job);
            }
        }
        if self.radios[radio].hardware.is_empty() {
            self.withdraw(radio);
        }
    }

    /// A radio has no more data to send.
    pub(super) fn withdraw(&mut self, radio: RadioId) {
        let radio = &mut self.radios[radio];
        let contender = radio.claim(Function::Data).contender;
        self.media[radio.medium].contention.withdraw(contender);
    }

    /// A link's reorder buffer gives up on a hole.
    pub(super) fn reorder_expired<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        self.links[link].reorder.expire(now, &mut self.up);
        self.deliver(now, link, fx, probe);
    }

    /// Passes up MPDUs that a link's reorder buffer has released, and arms the timer for those it still holds.
    pub(super) fn deliver<P: Probe>(&mut self, now: Time, link: LinkId, fx: &mut Effects, probe: &mut P) {
        let node = self.radios[self.links[link].to].node;
        fx.arrived.extend(self.up.drain(..).map(|packet| (node, packet)));
        let due = self.links[link].reorder.deadline();
        if due != self.links[link].reorder_due {
            if P::TRACE {
                self.observe_hold(now, link, due, probe);
            }
            self.links[link].reorder_due = due;
            fx.timers.push((self.links[link].reorder_timer, due));
        }
    }

    /// A link's reorder buffer is about to have another deadline: reports it if it no longer holds anything.
    fn observe_hold<P: Probe>(&mut self, now: Time, link: LinkId, due: Option<Time>, probe: &mut P) {
        let current = &mut self.links[link];
        match (current.reorder_due, due) {
            (None, Some(_)) => current.held_since = now,
            (Some(_), None) => {
                let (radio, to, start) = (current.from, current.to, current.held_since);
                let (from, to) = (self.radios[radio].node, self.radios[to].node);
                probe.see(now, Observation::Reordered { from, to, start });
            }
            _ => {}
        }
    }

    /// The radio of `node`.
    ///
    /// # Panics
    /// If it has none.
    #[inline]
    pub fn radio(&self, node: NodeId) -> RadioId {
        self.radio_of[node].expect("the node has a radio")
    }
}
