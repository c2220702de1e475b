//! Access points that go to another channel, and the stations that follow (802.11-2020 11.8.8, 11.9.7).
//!
//! An access point counts down in its beacons and goes as the next one after the last would be due, which it does not send: mac80211 writes one
//! less into each (Linux 6.18 net/mac80211/tx.c `__ieee80211_beacon_update_cntdwn`), so that a count of five is announced four times, and ath9k
//! looks before each beacon whether the last one said 1 (`ath9k_csa_is_finished`). A count of 0 or 1 is not announced at all (cfg.c
//! `ieee80211_set_csa_beacon`, `__ieee80211_channel_switch`).
//!
//! A station goes by the first announcement that it hears, as many beacon intervals later as that says, less one (mlme.c
//! `ieee80211_sta_process_chanswitch`): with the last of them, an interval before its access point. What either sends meanwhile is sent for
//! nothing: the announcement does not forbid it (mode 0, hostapd's unless it is told `blocktx`, or has found a radar). Both keep what they hold,
//! their agreements and their numbers.
//!
//! One that has heard none stays behind. One that roams misses beacons and looks for an access point ([`missing`](super::missing)). Any other
//! station exchanges no frames of an association: it finds its network again after seven beacons missed (`beacon_loss_count`) and a search.

use super::effects::Move;
use super::medium::Sensing;
use super::{Effects, Ether, Timer};
use crate::adapter::Adapter;
use crate::bss::{Bss, ChannelSwitch, Switching};
use crate::category::{Access, Category, Edca};
use crate::contention::Counting;
use crate::id::{BssId, ChannelId, LinkId, RadioId};
use crate::power_save::Saving;
use crate::radio::{AccessFunction, Mooring, Radio, Retuning};
use crate::spectrum::Channel;
use airloom_observe::{NodeId, Observation, Probe};
use airloom_sim::{Duration, Time};

/// Beacons in a row that a station misses before it looks for its network (mac80211 `beacon_loss_count`).
const MISSED: u64 = 7;

/// How a function of a radio contends: beacons after one slot without backoff (ath9k_beaconq_config), null frames at voice parameters, or as
/// data if there is no QoS.
pub(super) fn access(adapter: &Adapter, edca: &Edca, function: AccessFunction) -> Access {
    match function {
        AccessFunction::Beacon => Access::new(1, 0, 0),
        AccessFunction::Control if adapter.qos => Access::new(2, 3, 7),
        AccessFunction::Control => edca[Category::BestEffort],
        AccessFunction::Data(category) => edca[category],
    }
}

impl Ether {
    /// The number of a channel, which is a new one unless it is known.
    pub(super) fn add_channel(&mut self, channel: Channel) -> ChannelId {
        self.channels.position(|known| *known == channel).unwrap_or_else(|| {
            self.emissions.add_channel(&channel, &self.channels);
            self.channels.push(channel)
        })
    }

    /// Plans these switches of an access point, if there are any. From then on no medium is one on which all radios hear
    /// all that is sent: a station that stays behind does not.
    pub(super) fn plan_switches(&mut self, bss: BssId, switches: &[ChannelSwitch]) -> Option<Switching> {
        if switches.is_empty() {
            return None;
        }
        self.any_switches = true;
        for medium in self.media.ids() {
            self.media.change(medium, |medium| medium.alone = false);
        }
        let plan = switches.iter().map(|one| (one.at, self.add_channel(one.channel), one.count)).collect();
        Some(Switching { plan, timer: self.register(Timer::Switch(bss)), under_way: None })
    }

    /// Registers a new radio on all channels that its network is ever on. Returns the first of these with what it has there, and how it goes
    /// to others.
    pub(super) fn moor_all(
        &mut self,
        bss: BssId,
        radio: (RadioId, NodeId),
        how: (&Adapter, &Edca),
        search: Duration,
    ) -> (ChannelId, Mooring, Option<Box<Retuning>>) {
        let channels = self.bss[bss].channels.clone();
        let first = channels[0];
        self.meet_all(radio.0, (radio.1, first));
        let moorings: Vec<Mooring> = channels.iter().map(|&one| self.moor(bss, radio, how, one)).collect();
        let mooring = moorings[0];
        if self.bss[bss].switching.is_none() {
            return (first, mooring, None);
        }
        // What the media just added sense of it is that of the channel on which it is.
        self.meet_all(radio.0, (radio.1, first));
        let timer = self.register(Timer::Retune(radio.0));
        (first, mooring, Some(Box::new(Retuning { moorings, timer, to: None, search })))
    }

    /// All media sense from now on what a radio of this node and channel sends, unless it is hidden.
    fn meet_all(&mut self, radio: RadioId, of: (NodeId, ChannelId)) {
        self.media.ids().for_each(|medium| self.meet(medium, radio, of));
    }

    /// Registers a new radio on a channel.
    fn moor(
        &mut self,
        bss: BssId,
        (id, node): (RadioId, NodeId),
        (adapter, edca): (&Adapter, &Edca),
        channel: ChannelId,
    ) -> Mooring {
        let phy = self.bss[bss].phy;
        let hidden = self.power.hidden(node).to_vec();
        let alone = self.reach_changes.then_some(id);
        let medium = self.medium_of(
            Sensing { channel, slot: phy.slot, hidden, energy: self.quiet_for(node), alone },
            (id, node),
        );
        let counting = if adapter.qos { Counting::Edca } else { Counting::Dcf };
        let contenders = AccessFunction::ALL.map(|function| {
            let aifs = phy.aifs(access(adapter, edca, function).aifsn);
            self.media.change(medium, |medium| {
                medium.contenders.push((id, function));
                medium.contention.join(aifs, counting)
            })
        });
        Mooring { channel, medium, contenders }
    }

    /// An access point begins to announce that it goes to another channel, or goes at once.
    #[cold]
    #[inline(never)]
    pub(super) fn switch_due(&mut self, now: Time, bss: BssId, fx: &mut Effects) {
        let ap = self.bss[bss].ap;
        let Some(switching) = &mut self.bss[bss].switching else { return };
        let Some((_, to, count)) = switching.plan.pop_front() else { return };
        switching.under_way = Some((to, count.max(1)));
        let next = switching.plan.front().map(|&(at, ..)| at);
        fx.timers.push((switching.timer, next));
        if count <= 1 {
            self.retune_at(now, ap, to, fx);
        }
    }

    /// A beacon of an access point is due: whether it goes to another channel instead of sending it. If it is only about to, the beacon says so.
    #[cold]
    #[inline(never)]
    pub(super) fn goes_instead<P: Probe>(
        &mut self,
        now: Time,
        bss: BssId,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        let ap = self.bss[bss].ap;
        let Some(Switching { under_way: Some((to, left)), .. }) = &mut self.bss[bss].switching else {
            return false;
        };
        let to = *to;
        *left -= 1;
        if *left > 0 {
            return false;
        }
        *left = 1;
        self.retune_at(now, ap, to, fx);
        self.no_beacon(now, ap, fx, probe);
        true
    }

    /// What an access point's next beacon announces: where it goes, and after how many beacon intervals.
    pub(super) fn announces(&self, bss: BssId) -> Option<(u32, u8)> {
        let (to, left) = self.bss[bss].switching.as_ref()?.under_way?;
        Some((self.channels[to].primary_mhz, left))
    }

    /// An access point sent its beacon of this number, which got through but over these links. Stations that hear an announcement in it
    /// follow.
    #[cold]
    #[inline(never)]
    pub(super) fn follow(&mut self, now: Time, bss: BssId, beacon: u64, missed: &[LinkId], fx: &mut Effects) {
        let Bss { ap, beacon_interval, ref switching, .. } = self.bss[bss];
        let Some((to, left)) = switching.as_ref().and_then(|switching| switching.under_way) else { return };
        for place in 0..self.radios[ap].links.len() {
            let link = self.radios[ap].links[place];
            let id = self.links[link].to;
            let (radio, device) = (&self.radios[id], &self.devices[self.radios[id].device]);
            let sleeps =
                |saving: &Saving| saving.dozes && !beacon.is_multiple_of(saving.how.listen_interval.into());
            let listens = radio.is_home() && !radio.saving.as_ref().is_some_and(sleeps);
            let is_there = device.roamer.as_ref().is_none_or(|roamer| roamer.is_here()) && self.is_in_use(id);
            let knows = radio.retuning.as_ref().is_none_or(|retuning| retuning.to == Some(to));
            if listens && is_there && !knows && !missed.contains(&link) {
                self.retune_at(now + beacon_interval * u64::from(left - 1), id, to, fx);
            }
        }
    }

    /// A radio is about to go to a channel, at this time.
    fn retune_at(&mut self, at: Time, id: RadioId, to: ChannelId, fx: &mut Effects) {
        if let Some(retuning) = &mut self.radios[id].retuning {
            retuning.to = Some(to);
            fx.arm(retuning.timer, at);
        }
    }

    /// A radio goes to a channel, as soon as it is not on the air.
    #[cold]
    #[inline(never)]
    pub(super) fn retune_due<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        let Some(Retuning { timer, to: Some(to), .. }) = self.radios[id].retuning.as_deref() else { return };
        let (timer, to) = (*timer, *to);
        if let Some(end) = self.exchanges_until(id) {
            return fx.arm(timer, end);
        }
        self.retune(now, id, to, fx, probe);
        if self.radios[id].uplink.is_none() {
            self.has_switched(now, id, fx);
        }
    }

    /// A station leaves its access point for good: of that one's channel it knows from now on what there is to be known.
    pub(super) fn know_channel<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        let there = self.radios[self.bss[self.radios[id].bss].ap].channel;
        if let Some(timer) = self.radios[id].retuning.as_ref().map(|retuning| retuning.timer) {
            fx.timers.push((timer, None));
            self.retune(now, id, there, fx, probe);
        }
    }

    /// A radio that is not on the air is on another channel from now on: its claims go with it.
    fn retune<P: Probe>(&mut self, now: Time, id: RadioId, to: ChannelId, fx: &mut Effects, probe: &mut P) {
        let in_use = self.is_in_use(id);
        let radio = &mut self.radios[id];
        let Some(retuning) = &mut radio.retuning else { return };
        retuning.to = None;
        if radio.channel == to {
            return;
        }
        let Some(mooring) = retuning.moorings.iter().find(|mooring| mooring.channel == to) else { return };
        let (medium, contenders) = (mooring.medium, mooring.contenders);
        for (function, contender) in AccessFunction::ALL.into_iter().zip(contenders) {
            let claim = radio.claim(function);
            let old = std::mem::replace(&mut claim.contender, contender);
            self.media.contend(radio.medium, |contention| contention.withdraw(old));
        }
        // One that is elsewhere for a scan comes back to the new channel.
        radio.tuned = (radio.is_home() && in_use).then_some(to);
        (radio.channel, radio.medium) = (to, medium);
        let node = radio.node;
        self.meet_all(id, (node, to));
        if let Some(roamer) = &mut self.devices[self.radios[id].device].roamer
            && roamer.berth().radio == id
        {
            // `ieee80211_sta_reset_beacon_monitor`
            roamer.missed = 0;
        }
        AccessFunction::ALL.into_iter().for_each(|function| self.claim(now, id, function));
        if in_use {
            let mhz = self.channels[to].primary_mhz;
            probe.see(now, Observation::Retuned { node, mhz });
        }
        fx.moves.push(Move::Retuned { node, channel: in_use.then_some(self.channels[to]) });
    }

    /// An access point is on another channel. What its stations have for it that are not there goes after it; one that stays behind
    /// finds it again by and by.
    fn has_switched(&mut self, now: Time, ap: RadioId, fx: &mut Effects) {
        let (bss, there) = (self.radios[ap].bss, self.radios[ap].channel);
        let interval = self.bss[bss].beacon_interval;
        if let Some(switching) = &mut self.bss[bss].switching {
            switching.under_way = None;
        }
        for place in 0..self.radios[ap].links.len() {
            let id = self.links[self.radios[ap].links[place]].to;
            let Radio { channel, device, ref retuning, .. } = self.radios[id];
            let Some(retuning) = retuning else { continue };
            let stays = self.devices[device].roamer.is_none();
            if channel == there || retuning.to == Some(there) {
                continue;
            }
            let lost = interval * MISSED + retuning.search;
            if stays {
                self.retune_at(now + lost, id, there, fx);
            } else if !self.is_in_use(id) {
                self.retune_at(now, id, there, fx);
            }
        }
    }
}
