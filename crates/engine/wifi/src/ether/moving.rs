//! Stations on their way: they leave an access point, exchange frames with the next one, and are at that one.

use super::effects::{Done, Move};
use super::{Effects, Ether};
use crate::adapter::Adapter;
use crate::category::Category;
use crate::control_frames::Sent;
use crate::device::Association;
use crate::id::{DeviceId, LinkId, PeerId, TidId};
use crate::joining::{End, Joining, Next};
use crate::link::{Link, LinkSet, Unacknowledged};
use crate::power_save::Service;
use crate::radio::{AccessFunction, PowerFrame};
use crate::rate_control::Setup;
use crate::reordering::smoothed_rate::SmoothedRate;
use crate::roaming::{Berth, Roamer, Way};
use crate::steering::Watch;
use crate::tid::Tid;
use airloom_observe::{LossCause, NodeId, Observation, Probe, RoamEvent};
use airloom_propagation::Curve;
use airloom_sim::{Stream, Time, seed_of};

impl Ether {
    /// The next step of a station's way is due.
    #[cold]
    #[inline(never)]
    pub(super) fn way_timer<P: Probe>(&mut self, now: Time, id: DeviceId, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        match &mut roamer.way {
            Way::Here => {}
            &mut Way::Leaving(berth) => self.leave(now, id, berth, fx, probe),
            Way::Joining(joining) => {
                let next = joining.timer();
                self.go_on(now, id, next, fx, probe);
            }
            Way::Arriving => self.arrive(now, id, fx, probe),
            Way::Parting { .. } => self.part(now, id, fx, probe),
            Way::Searching => self.found(now, id, fx, probe),
        }
    }

    /// The berth whose access point still takes a station for its own, or that it came to last.
    fn last_known(&self, id: DeviceId) -> usize {
        let Some(roamer) = &self.devices[id].roamer else { return 0 };
        let knows = |berth: &Berth| !self.links[self.down_link(berth.association)].gone;
        if knows(roamer.berth()) { roamer.at } else { roamer.from }
    }

    /// A station leaves its access point for a berth: its radio is tuned there, and their exchange begins.
    fn leave<P: Probe>(&mut self, now: Time, id: DeviceId, to: usize, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        let (old, new) = (roamer.berth().radio, &roamer.berths[to]);
        let Berth { radio, bss, association, ft, .. } = *new;
        let (fast, pace) = (ft && roamer.berth().ft, roamer.how.policy.pace());
        let down = self.down_link(association);
        // An access point that still takes it for its own learns now that it comes anew.
        let ap = self.bss[bss].ap;
        if let Some(end) = self.exchanges_until(old).max(self.on_air_until(ap)) {
            return fx.arm(roamer.timer, end);
        }
        self.let_go(now, id, fx, probe);
        if !self.links[down].gone {
            self.forget(now, association, fx, probe);
        }
        self.radios[radio].scanning = self.radios[old].scanning.take();
        self.radios[radio].tuned = Some(self.radios[radio].channel);
        self.agree_anew(now, id, to);
        let (joining, next) = Joining::begin(now, fast, pace);
        let from = self.last_known(id);
        let device = &mut self.devices[id];
        device.association = Some(association);
        let Some(roamer) = &mut device.roamer else { return };
        (roamer.from, roamer.at, roamer.way) = (from, to, Way::Joining(joining));
        let (station, access_point) = (device.node, self.radios[ap].node);
        let from = self.access_point_of(id, from);
        self.observe_roam(now, id, RoamEvent::Left { from, to: access_point }, probe);
        fx.moves.push(Move::Tuned { station, access_point });
        self.go_on(now, id, next, fx, probe);
    }

    /// A station's radio is at no network any more: what it holds for its access point, or from there, is dropped.
    pub(super) fn let_go<P: Probe>(&mut self, now: Time, id: DeviceId, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        let Berth { radio, association, .. } = *roamer.berth();
        self.devices[id].stopped = true;
        self.end_scan(now, radio, fx, probe);
        self.drop_link(now, self.peer_link(association.up), LossCause::Left, fx, probe);
        self.drop_held(association.down, fx);
        let station = &mut self.radios[radio];
        station.tuned = None;
        station.power_frames.outgoing = None;
        station.claim(AccessFunction::Control).reset();
        let contender = station.power_frames.claim.contender;
        self.media.contend(station.medium, |contention| contention.withdraw(contender));
        if let Some(saving) = &mut station.saving {
            saving.dozes = false;
            fx.timers.push((saving.timer, None));
        }
        self.know_channel(now, radio, fx, probe);
    }

    /// The exchange with an access point goes on.
    fn go_on<P: Probe>(&mut self, now: Time, id: DeviceId, next: Next, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        let at = roamer.at;
        match next {
            Next::Arm(at) => fx.arm(roamer.timer, at),
            Next::Associated => {
                roamer.way = Way::Arriving;
                fx.arm(roamer.timer, now);
            }
            Next::Failed => {
                roamer.way = Way::Parting { back: false };
                fx.arm(roamer.timer, now);
                let to = self.access_point_of(id, at);
                self.observe_roam(now, id, RoamEvent::Failed { to }, probe);
            }
            Next::Send(by, frame) => {
                let Association { up, down } = roamer.berth().association;
                let link = self.peer_link(if by == End::Station { up } else { down });
                let radio = self.links[link].from;
                if self.is_silent(radio) {
                    return self.joining_sent(now, link, false, fx, probe);
                }
                self.radios[radio].power_frames.waiting.push_back((link, PowerFrame::Joining(frame)));
                self.next_power_frame(now, radio);
            }
        }
    }

    /// A frame of an exchange has been sent over a link: it arrived, or its sender has given up on it.
    #[cold]
    #[inline(never)]
    pub(super) fn joining_sent<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        arrived: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let ends = [self.links[link].from, self.links[link].to];
        let station = ends.into_iter().find(|&end| self.radios[end].uplink.is_some());
        let Some(station) = station.filter(|&station| self.is_in_use(station)) else { return };
        let id = self.radios[station].device;
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        if let Way::Joining(joining) = &mut roamer.way {
            let next = joining.sent(now, arrived);
            self.go_on(now, id, next, fx, probe);
        }
    }

    /// Whether noise spares a frame of an exchange or its like, or its acknowledgment, over a link.
    #[cold]
    #[inline(never)]
    pub(super) fn survives_joining(&mut self, now: Time, link: LinkId, bytes: u32) -> bool {
        let Link { from, path, .. } = self.links[link];
        let (channel, upward) = (self.width_at(from), self.radios[from].uplink.is_some());
        let Adapter { beacon_rate: rate, evm_db, .. } = self.radios[from].adapter;
        let path = self.power.path(path);
        let fade = path.slow(now);
        let sent = Sent { snr_db: path.mean_db(upward), channel, evm_db };
        let mut curve = Curve::new(rate, (sent.snr_in(rate.width()), 0.0), evm_db, 1);
        let survives = curve.at(fade).of(bytes);
        self.radios[from].losses.uniform() < survives
    }

    /// A station is at its new access point, and the one that it comes from learns of that: hostapd's layer 2 update frame, which
    /// Linux sends as a station is authorized, tells the switch and it (`cfg80211_send_layer2_update`).
    fn arrive<P: Probe>(&mut self, now: Time, id: DeviceId, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        let (from, to) = (&roamer.berths[roamer.from], roamer.berth());
        let left = from.association;
        if let Some(end) = self.on_air_until(self.bss[from.bss].ap) {
            return fx.arm(roamer.timer, end);
        }
        let (radio, down) = (to.radio, self.down_link(to.association));
        let nodes = [roamer.from, roamer.at].map(|berth| self.access_point_of(id, berth));
        if roamer.from != roamer.at {
            self.forget(now, left, fx, probe);
        }
        let unknown = self.is_silent(self.links[down].from);
        (self.links[down].gone, self.links[down].dozing) = (unknown, unknown);
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        (roamer.way, roamer.from) = (Way::Here, roamer.at);
        (roamer.watch, roamer.request) = (Watch::new(now), None);
        let (station, [from, to]) = (self.devices[id].node, nodes);
        self.devices[id].stopped = false;
        fx.moves.push(Move::Arrived { station, from, to });
        self.observe_roam(now, id, RoamEvent::Associated { to }, probe);
        if let Some(saving) = &mut self.radios[radio].saving {
            saving.active = now;
            fx.arm(saving.timer, now + saving.how.timeout);
        }
        for link in [self.radios[radio].uplink.expect("a station has one"), down] {
            self.arm_control(link, None, fx);
            self.tell_rate(now, link, fx, probe);
        }
        fx.wake.extend(Category::ALL.map(|category| (station, category)));
        self.queue_offered(id);
        self.tell_associated(now, id, fx, probe);
    }

    /// An access point drops what it holds for a station that is at another one now, or from there.
    pub(super) fn forget<P: Probe>(&mut self, now: Time, left: Association, fx: &mut Effects, probe: &mut P) {
        let link = self.peer_link(left.down);
        (self.links[link].gone, self.links[link].dozing) = (true, true);
        self.drop_link(now, link, LossCause::Left, fx, probe);
        self.drop_held(left.up, fx);
        self.rouse_group(now, self.links[link].from, fx, probe);
    }

    /// Drops all that waits in a driver, or is parked there, for the receiver of a link.
    pub(super) fn drop_link<P: Probe>(
        &mut self,
        now: Time,
        id: LinkId,
        cause: LossCause,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let (node, peer, _) = self.ends(id);
        let radio = self.links[id].from;
        let device = self.radios[radio].device;
        for category in Category::ALL {
            let mut hardware = std::mem::take(&mut self.radios[radio].contenders[category].hardware);
            hardware.retain(|queued| Self::link_of(queued) != id);
            if hardware.is_empty() {
                self.withdraw(radio, category);
            }
            self.radios[radio].contenders[category].hardware = hardware;
        }
        self.radios[radio].power_frames.ends.retain(|link| *link != id);
        self.radios[radio].power_frames.waiting.retain(|(link, _)| *link != id);
        let tids: Vec<TidId> = self.tids_over(id).collect();
        for tid in tids {
            let Tid { category, .. } = self.tids[tid];
            self.radios[radio].contenders[category].ready.retain(|other| *other != tid);
            self.devices[device].queues[category].offered.retain(|other| *other != tid);
            let current = &mut self.tids[tid];
            (current.queued, current.offered, current.unreserved) = (LinkSet::default(), false, 0);
            for parked in std::mem::take(&mut current.parked) {
                fx.done.push(Done { node, packet: parked.packet, acked: false });
                probe.see(now, Observation::MpduLost { node, peer, cause });
            }
            self.tids[tid].window.drop_all(&mut self.settled);
            self.report_settled(now, tid, cause, fx, probe);
        }
    }

    /// Drops what the reorder buffers of a peer's receiver hold (mac80211 `ieee80211_free_tid_rx`).
    pub(super) fn drop_held(&mut self, peer: PeerId, fx: &mut Effects) {
        let node = self.devices[self.peers[peer].to].node;
        for tid in self.peers[peer].tids {
            let tid = &mut self.tids[tid];
            tid.reorder.restart(tid.reorder.head(), &mut self.up);
            fx.done.extend(self.up.drain(..).map(|packet| Done { node, packet, acked: false }));
            if tid.reorder_due.take().is_some() {
                fx.timers.push((tid.reorder_timer, None));
            }
        }
    }

    /// A station and the access point of a berth begin without agreements, numbers and experience.
    fn agree_anew(&mut self, now: Time, id: DeviceId, berth: usize) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        roamer.associations += 1;
        let Roamer { name, berths, associations, .. } = &**roamer;
        let Berth { association, rate: (choice, rates), radio, .. } = &berths[berth];
        let firmware = self.radios[*radio].adapter.firmware;
        for (peer, purpose) in [(association.down, "downlink"), (association.up, "uplink")] {
            let purpose = |of: &str| format!("{of} {purpose}, association {associations}");
            let stream = |of: &str| Stream::new(self.seed, name, &purpose(of));
            let chance = stream("rate of");
            let seed = seed_of(self.seed, name, &purpose("rate control of"));
            let tids = self.peers[peer].tids;
            let link = &mut self.links[self.tids[tids[0]].link];
            let minstrel = self.radios[link.from].adapter.minstrel;
            let (_, control) = choice.control(Setup { rates, firmware, minstrel, chance, seed });
            (link.preferred, link.control) = (control.preferred(), control);
            (link.service, link.more) = (Service::None, false);
            link.unacknowledged = link.unacknowledged.map(|_| Unacknowledged { ppdus: 0, since: now });
            link.smoothed_rate = link.smoothed_rate.map(|_| SmoothedRate::default());
            self.peers[peer].shares = Default::default();
            for tid in tids {
                let Tid { link, number, category, overhead, reorder_timer, .. } = self.tids[tid];
                let Link { window, to, .. } = self.links[link];
                let adapter = &self.radios[to].adapter;
                let early =
                    adapter.reordering.early(window, || stream(&format!("damage of TID {number} on")));
                let fresh = Tid::new((peer, link, number), true, window, adapter, early, reorder_timer);
                self.tids[tid] = Tid { category, overhead, ..fresh };
            }
        }
    }

    /// The link over which all frames of a peer go.
    pub(super) fn peer_link(&self, peer: PeerId) -> LinkId {
        self.peers[peer].links[0]
    }

    fn down_link(&self, of: Association) -> LinkId {
        self.peer_link(of.down)
    }

    /// The access point of a station's berth.
    pub(super) fn access_point_of(&self, id: DeviceId, berth: usize) -> NodeId {
        let roamer = self.devices[id].roamer.as_ref().expect("a station with berths");
        self.radios[self.bss[roamer.berths[berth].bss].ap].node
    }
}
