//! Stations that save power: when they announce that they doze, and what wakes them.
//!
//! A station dozes after a time without data, and is awake again with its next data frame, or with the null frame that follows a
//! beacon which says that the access point keeps frames for it. Or it gets them as it dozes: one for each PS-Poll, or those of its voice
//! category in service periods that its own voice begins (802.11-2020 clauses 11.2.3.6 and 11.2.3.7; Linux 6.18
//! net/mac80211/mlme.c: `ieee80211_dynamic_ps_enable_work`, `ieee80211_rx_mgmt_beacon`).

use super::{Effects, Ether};
use crate::category::Category;
use crate::device::Device;
use crate::id::{LinkId, RadioId, TidId};
use crate::link::Link;
use crate::power_save::{Fetch, Saving, Service};
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::radio::{AccessFunction, OutgoingPowerFrame, PowerFrame, PowerFrames};
use crate::tid::Tid;
use airloom_observe::Probe;
use airloom_sim::Time;

impl Ether {
    /// Data of a category went over a link: its station is awake and stays so for a time. But not for what it has asked for while it
    /// dozes; nor for its own voice where that has service periods (`ieee80211_tx_h_dynamic_ps()`).
    pub(super) fn active(&mut self, now: Time, link: LinkId, category: Category, fx: &mut Effects) {
        let Link { from, to, reverse, .. } = self.links[link];
        let up = self.radios[from].uplink.is_some();
        let station = if up { from } else { to };
        let Some(saving) = &mut self.radios[station].saving else { return };
        let triggers = up && self.links[reverse].delivers(category);
        if triggers || !up && saving.dozes {
            return;
        }
        saving.active = now;
        if std::mem::replace(&mut saving.dozes, false) {
            fx.arm(saving.timer, now + saving.how.timeout);
        }
    }

    /// A station may have been without data for long enough.
    pub(super) fn doze_timer(&mut self, now: Time, id: RadioId, fx: &mut Effects) {
        let radio = &self.radios[id];
        let Device { held, backlog, stopped, .. } = self.devices[radio.device];
        let busy =
            held > 0 || backlog || stopped || !radio.is_home() || radio.power_frames.outgoing.is_some();
        let scans = radio.scanning.as_ref().is_some_and(|scanning| !scanning.procedure.is_idle());
        let Some(Saving { how, timer, active, .. }) = radio.saving else { return };
        let since = if busy || scans { now } else { active };
        if now < since + how.timeout {
            fx.arm(timer, since + how.timeout);
        } else {
            self.announce(now, id, PowerFrame::Sleep(true));
        }
    }

    /// A station has announced that it dozes or is awake; `told`: its access point knows.
    pub(super) fn saves(&mut self, now: Time, id: RadioId, sleep: bool, told: bool, fx: &mut Effects) {
        let radio = &mut self.radios[id];
        let Some(saving) = &mut radio.saving else { return };
        saving.dozes = sleep && told && self.devices[radio.device].held == 0;
        if !saving.dozes {
            fx.arm(saving.timer, now + saving.how.timeout);
        }
    }

    /// An access point sent its beacon of this number, which got through but over these links: stations wake for which it keeps frames.
    pub(super) fn wake_for_beacon(&mut self, now: Time, from: RadioId, beacon: u64, missed: &[LinkId]) {
        for place in 0..self.radios[from].links.len() {
            let link = self.radios[from].links[place];
            let id = self.links[link].to;
            let radio = &self.radios[id];
            let Some(saving) = radio.saving else { continue };
            let listens = radio.is_home() && beacon.is_multiple_of(saving.how.listen_interval.into());
            if self.is_kept(link)
                && !missed.contains(&link)
                && listens
                && radio.power_frames.outgoing.is_none()
                && !self.devices[radio.device].stopped
            {
                self.announce(
                    now,
                    id,
                    match saving.how.fetch {
                        Fetch::Null => PowerFrame::Sleep(false),
                        Fetch::PsPoll => PowerFrame::Poll,
                    },
                );
            }
        }
    }

    /// Whether the transmitter of a link keeps frames for a receiver that dozes, which a beacon indicates.
    pub(super) fn is_kept(&self, link: LinkId) -> bool {
        let waits = |tid: &Tid| !self.links[link].delivers(tid.category) && tid.has_frames();
        self.links[link].dozing && self.tids_over(link).any(|tid| waits(&self.tids[tid]))
    }

    /// An access point has data from a station. They say that it is awake (PM=0, 802.11-2020 11.2.3.2), but for those of a
    /// trigger-enabled category, which begin a service period (11.2.3.5).
    #[inline]
    pub(super) fn heard_from<P: Probe>(
        &mut self,
        now: Time,
        up: LinkId,
        category: Category,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let down = self.links[up].reverse;
        if !self.links[down].dozing || self.links[down].gone {
            return;
        }
        if !self.links[down].delivers(category) {
            self.rouse(now, down, fx, probe);
        } else if self.links[down].service != Service::Period {
            self.serve(now, down, Service::Period, fx, probe);
        }
    }

    /// A station that dozes is served: what waits goes to its access point's driver, one packet for a poll. Where nothing waits, a
    /// service period ends at once.
    #[cold]
    pub(super) fn serve<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        service: Service,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let ap = self.links[link].from;
        self.links[link].service = service;
        let mut tids: Vec<TidId> = self.tids_over(link).collect();
        tids.sort_by_key(|&tid| self.tids[tid].category.index());
        let mut found = false;
        for tid in tids {
            if !self.links[link].serves(self.tids[tid].category) || !self.tids[tid].has_frames() {
                continue;
            }
            let most = if service == Service::Poll { 1 } else { usize::MAX };
            for _ in 0..self.tids[tid].parked.len().min(most) {
                let Some(payload) = self.tids[tid].parked.pop_front() else { break };
                self.hand_down(now, tid, payload, probe);
            }
            self.queue(tid);
            found = true;
            if service == Service::Poll {
                break;
            }
        }
        if found {
            self.fill_hardware(now, ap, fx);
            let device = self.radios[ap].device;
            if self.devices[device].firmware.is_some() {
                self.pull_again(device, fx);
            }
        } else if service == Service::Period {
            self.radios[ap].power_frames.ends.push(link);
            self.next_power_frame(now, ap);
        } else {
            self.links[link].service = Service::None;
        }
    }

    /// A PPDU is going to a station that dozes: whether more waits for it, of what it is served.
    #[cold]
    pub(super) fn note_what_waits(&mut self, radio: RadioId, function: AccessFunction) {
        let Some(QueuedPpdu::Data { psdus: [Psdu { tid, link, batch, .. }], .. }) =
            self.radios[radio].queued(function)
        else {
            return;
        };
        let link = *link;
        let period = self.links[link].delivers(self.tids[*tid].category);
        let waits = |other: TidId| {
            let alike = self.links[link].delivers(self.tids[other].category) == period;
            let waits = if other == *tid {
                self.tids[other].has_beyond(batch)
            } else {
                self.tids[other].has_frames()
            };
            alike && waits
        };
        let more = self.tids_over(link).any(waits);
        self.links[link].more = more;
    }

    /// A PPDU to a station that dozes is over. If more waits the station asks again, or its service period goes on.
    #[cold]
    pub(super) fn served(&mut self, now: Time, link: LinkId, answered: bool) {
        let Link { to, service, more, .. } = self.links[link];
        if self.links[link].is_to_group() {
            return self.group_served(link);
        }
        match service {
            Service::Period if answered && !more || !self.has_to_deliver(link) => {
                self.links[link].service = Service::None;
            }
            Service::None if answered && more && self.radios[to].power_frames.outgoing.is_none() => {
                self.announce(now, to, PowerFrame::Poll);
            }
            _ => {}
        }
    }

    /// Whether frames of a delivery-enabled category are left for the receiver of a link.
    fn has_to_deliver(&self, link: LinkId) -> bool {
        let left = |tid: &Tid| self.links[link].delivers(tid.category) && tid.has_frames();
        self.tids_over(link).any(|tid| left(&self.tids[tid]))
    }

    /// An access point has said that a service period is over, or has given up on saying so.
    pub(super) fn ended(&mut self, now: Time, by: RadioId, link: LinkId) {
        self.links[link].service = Service::None;
        self.take_power_frame(now, by);
    }

    /// A radio that sends no frame without a packet goes on to the next one that waits.
    pub(super) fn next_power_frame(&mut self, now: Time, by: RadioId) {
        self.take_power_frame(now, by);
        self.claim(now, by, AccessFunction::Control);
    }

    /// The same as the one before has just been sent: it contends once the radio has backed off.
    pub(super) fn take_power_frame(&mut self, now: Time, by: RadioId) {
        let PowerFrames { outgoing, ends, waiting, .. } = &mut self.radios[by].power_frames;
        if outgoing.is_some() {
            return;
        }
        let end = ends.pop().map(|link| (link, PowerFrame::EndOfPeriod));
        if let Some((link, frame)) = end.or_else(|| waiting.pop_front()) {
            self.ready_power_frame(now, by, link, frame);
        }
    }

    fn announce(&mut self, now: Time, id: RadioId, frame: PowerFrame) {
        let link = self.radios[id].uplink.expect("an access point does not doze");
        self.send_power_frame(now, id, link, frame);
    }

    fn send_power_frame(&mut self, now: Time, id: RadioId, link: LinkId, frame: PowerFrame) {
        self.ready_power_frame(now, id, link, frame);
        self.claim(now, id, AccessFunction::Control);
    }

    fn ready_power_frame(&mut self, now: Time, id: RadioId, link: LinkId, frame: PowerFrame) {
        let radio = &mut self.radios[id];
        let seq = if frame == PowerFrame::Poll { 0 } else { radio.take_seq() };
        let (attempts, since) = (0, now);
        let outgoing =
            OutgoingPowerFrame { frame, link, travels: false, attempts, since, seq, arrived: false };
        radio.power_frames.outgoing = Some(outgoing);
    }
}
