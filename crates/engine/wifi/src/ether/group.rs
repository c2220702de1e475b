//! Frames to a group: an access point sends them to all of its stations at once, at its beacons' rate, and nobody acknowledges them.
//!
//! They have no QoS and go as best effort (`ieee80211_select_queue()`, Linux 6.18 net/mac80211/wme.c), at the lowest basic rate
//! (`__rate_control_send_low_basic()`, rate.c). While any station dozes they wait for a DTIM beacon (802.11-2020 11.2.3.4,
//! `ieee80211_tx_h_multicast_ps_buf()` and `ieee80211_get_buffered_bc()`, tx.c). A packet goes once: what a station loses is lost to it
//! (802.11-2020 10.3.6).

use super::attempt::{Attempt, OnAir, Reception};
use super::{Effects, Ether};
use crate::adapter::Adapter;
use crate::bss::{Group, Member};
use crate::category::PerCategory;
use crate::control_frames::Sent;
use crate::id::{AttemptId, BssId, LinkId, RadioId, TidId};
use crate::link::Link;
use crate::power_save::Service;
use crate::queued_ppdu::{Psdu, QueuedPpdu};
use crate::rate_control::{RateChoice, Setup};
use crate::reordering::Reordering;
use airloom_observe::{Fate, FrameKind, Observation, Ppdu, Probe, User};
use airloom_propagation::{Curve, Path};
use airloom_rate::Width;
use airloom_sim::{Duration, Handle, Stream, Time};

impl Ether {
    /// Adds the group of a network, which has no stations yet: a peer of its access point that stands for all of them.
    pub(super) fn add_group(&mut self, bss: BssId, ap: RadioId, name: &str) {
        let (adapter, phy) = (self.radios[ap].adapter, self.bss[bss].phy);
        // Without QoS, and with nothing to put in order.
        let receiver = Adapter { qos: false, reordering: Reordering::Timeout, ..adapter };
        let path = Path::new((0.0, 0.0), None, Stream::new(self.seed, name, "path to a group"), None);
        let path = self.power.add_path(ap, ap, path);
        let ([link], [peer]) = (self.links.next_ids(), self.peers.next_ids());
        let chance = Stream::new(self.seed, name, "rate to a group");
        let rates = [adapter.beacon_rate];
        let Adapter { firmware, minstrel, .. } = adapter;
        let setup = Setup { rates: &rates, firmware, minstrel, chance, seed: self.seed };
        let (rates, control) = RateChoice::Fixed(adapter.beacon_rate).control(setup);
        let known = (path, &*self.power.path(path), Width::Mhz20, false);
        let txops = PerCategory::from_fn(|_| Duration::ZERO);
        let adapters = (&adapter, &receiver);
        let to_all = Link::new((ap, ap), (link, peer), known, (&rates, control), &phy, adapters, txops);
        self.links.push(to_all);
        self.add_peer((peer, peer), link, &adapters, (name, "damage to a group"));
        self.devices[self.radios[ap].device].group = Some(peer);
        self.bss[bss].group = Some(Group { link, members: Vec::new() });
    }

    /// The receiver of a link is a station of a network: of its group, if it has one.
    pub(super) fn join_group(&mut self, bss: BssId, link: LinkId) {
        let Link { from, path, .. } = self.links[link];
        let channel = self.width_at(from);
        let Some(group) = &mut self.bss[bss].group else { return };
        let Adapter { beacon_rate: rate, evm_db, .. } = self.radios[from].adapter;
        let path = self.power.path(path);
        let sent = Sent { snr_db: path.snr_db, channel, evm_db };
        let curve = Curve::new(rate, (sent.snr_in(rate.width()), path.fading_db), evm_db, 1);
        group.members.push(Member { link, curve, listens: false });
    }

    /// A frame to a group ends: each station that hears it draws for itself whether it gets it.
    #[cold]
    pub(super) fn judge_group<P: Probe>(
        &mut self,
        now: Time,
        (id, attempt): (AttemptId, &Attempt),
        tid: TidId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Attempt { radio, function, bss, protection, main, on_air: [on_air], .. } = *attempt;
        if self.links[self.tids[tid].link].dozing {
            self.note_what_waits(radio, function);
        }
        let Some(QueuedPpdu::Data { psdus: [Psdu { batch, .. }], .. }) = self.radios[radio].queued(function)
        else {
            return;
        };
        let [rate] = main.rates;
        let bytes = batch.psdu(rate);
        let reached = self.reached(now, bss, &on_air, bytes);
        let fate = match reached[..] {
            _ if on_air.is_disturbed() => Fate::Collided,
            [] => Fate::Corrupted,
            _ => Fate::Received,
        };
        let good = u16::from(fate == Fate::Received);
        let users = [User { to: None, rate, mpdus: 1, good, retries: 0, bytes, fate, tid: 0, fade_db: 0.0 }];
        let start = on_air.start + self.bss[bss].phy.lead(protection);
        let (from, kind) = (self.radios[radio].node, FrameKind::Data);
        let (end, width) = (on_air.end, rate.width());
        let link = self.bss[bss].link;
        let observed = Ppdu { start, end, from, link, kind, width, nav: Duration::ZERO, users };
        probe.see(now, Observation::Ppdu(observed));
        self.set_good(attempt, tid, good != 0);
        if P::DETAIL {
            self.report_mpdus(now, attempt, 0, probe);
        }
        for packet in self.set_good(attempt, tid, true) {
            for &station in &reached {
                fx.kept.push(packet);
                fx.to_group.push((self.radios[station].node, packet));
            }
        }
        self.succeed(id, on_air.end, true);
    }

    /// Says of the MPDUs of an attempt whether they were received, and returns their packets. Their transmitter takes them for sent in
    /// any case.
    fn set_good(&mut self, attempt: &Attempt, tid: TidId, good: bool) -> Vec<Handle> {
        let Some(QueuedPpdu::Data { psdus: [Psdu { batch, .. }], .. }) =
            self.radios[attempt.radio].queued(attempt.function)
        else {
            return Vec::new();
        };
        let members = self.tids[tid].window.members(batch);
        members
            .map(|(_, frame)| {
                frame.good = good;
                frame.packet
            })
            .collect()
    }

    /// The stations of a network that get a frame of so many bytes to their group. Draws for each that hears it.
    fn reached(&mut self, now: Time, bss: BssId, on_air: &OnAir, bytes: u32) -> Vec<RadioId> {
        let Some(mut group) = self.bss[bss].group.take() else { return Vec::new() };
        let mut reached = Vec::new();
        let after_dtim = self.links[group.link].service == Service::Dtim;
        let [Reception { disturbed, .. }] = on_air.users;
        for Member { link, curve, listens } in &mut group.members {
            let Link { to, path, .. } = self.links[*link];
            let station = &self.radios[to];
            let awake = station.saving.is_none_or(|saving| !saving.dozes) || after_dtim && *listens;
            let is_there = station.is_home() && !self.links[*link].gone;
            if disturbed || !awake || !is_there || !self.hears(to, on_air.from) {
                continue;
            }
            let losses = &mut self.radios[on_air.from].losses;
            let fade = self.power.path(path).fade(now, losses);
            let survives = losses.uniform() < curve.at(fade).of(bytes);
            let rate = self.radios[on_air.from].adapter.beacon_rate;
            if survives && self.is_spared(now, on_air, to, (rate, bytes)) {
                reached.push(to);
            }
        }
        self.bss[bss].group = Some(group);
        reached
    }

    /// A station of an access point begins to doze: what is for the group waits.
    pub(super) fn doze_group(&mut self, ap: RadioId) {
        let Some(group) = &self.bss[self.radios[ap].bss].group else { return };
        let link = group.link;
        if !std::mem::replace(&mut self.links[link].dozing, true) {
            self.links[link].service = Service::None;
            self.recall(ap, Some(link));
        }
    }

    /// A station of an access point is awake: what is for the group goes, if no other station dozes.
    pub(super) fn rouse_group<P: Probe>(&mut self, now: Time, ap: RadioId, fx: &mut Effects, probe: &mut P) {
        let Some(group) = &self.bss[self.radios[ap].bss].group else { return };
        let link = group.link;
        let dozes = |member: &Member| self.links[member.link].dozing && !self.links[member.link].gone;
        if self.links[link].dozing && !group.members.iter().any(dozes) {
            self.rouse(now, link, fx, probe);
        }
    }

    /// An access point sent its beacon of this number, which got through but over those links that `missed` says, or to nobody: if it is a
    /// DTIM beacon, what waits for the group goes.
    pub(super) fn serve_group<P: Probe>(
        &mut self,
        now: Time,
        bss: BssId,
        beacon: u64,
        missed: Option<&[LinkId]>,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let period = u64::from(self.bss[bss].dtim_period);
        let Some(group) = self.bss[bss].group.as_mut().filter(|_| beacon.is_multiple_of(period)) else {
            return;
        };
        let link = group.link;
        for Member { link, listens, .. } in &mut group.members {
            let station = &self.radios[self.links[*link].to];
            let wakes = |every: u32| beacon.is_multiple_of(every.into());
            *listens = station.is_home()
                && missed.is_some_and(|missed| !missed.contains(link))
                && station.saving.is_none_or(|saving| wakes(saving.how.listen_interval));
        }
        if self.is_kept(link) {
            self.serve(now, link, Service::Dtim, fx, probe);
        }
    }

    /// A frame to the group is over: if none is left, the next ones wait for the next DTIM beacon.
    pub(super) fn group_served(&mut self, link: LinkId) {
        if !self.tids_over(link).any(|tid| self.tids[tid].has_frames()) {
            self.links[link].service = Service::None;
        }
    }
}
