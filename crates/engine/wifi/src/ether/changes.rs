//! Changes of the ether while it runs, each at an instant.

use super::reach::Reach;
use super::switching::access;
use super::{Effects, Ether};
use crate::aql::Aql;
use crate::category::{Edca, PerCategory};
use crate::id::{LinkId, RadioId};
use crate::link::{Between, Link};
use crate::radio::AccessFunction;
use crate::scan::{Judge, Remedy};
use crate::spectrum::Sensed;
use airloom_observe::{NodeId, Probe};
use airloom_rate::Rate;
use airloom_sim::Time;

impl Ether {
    /// A station hears an access point with another mean signal-to-noise ratio from now on, in dB, and is heard by it with one that is
    /// `up_db` higher: also frames that are on the air.
    pub fn set_signal(&mut self, [station, access_point]: [NodeId; 2], (snr_db, up_db): (f64, f64)) {
        for &radio in &self.devices[self.device(station)].radios {
            let Some(up) = self.radios[radio].uplink else { continue };
            if self.radios[self.links[up].to].node != access_point {
                continue;
            }
            let path = self.power.path(self.links[up].path);
            let db = snr_db - path.snr_db;
            let higher = db + (up_db - path.up_db);
            (path.snr_db, path.up_db) = (snr_db, up_db);
            let down = self.links[up].reverse;
            self.links[up].shift([higher, db]);
            self.links[down].shift([db, higher]);
            let group = self.bss[self.radios[radio].bss].group.as_mut();
            let member = group.and_then(|group| group.members.iter_mut().find(|one| one.link == down));
            member.into_iter().for_each(|member| member.curve.shift(db));
        }
    }

    /// The mean signal-to-noise ratio with which a station hears its access point now, in dB; none of an access point.
    pub fn mean_snr(&self, station: NodeId) -> Option<f64> {
        let radios = &self.devices[self.device(station)].radios;
        let used = radios.iter().find(|&&radio| self.is_in_use(radio))?;
        let up = self.radios[*used].uplink?;
        let Link { from, to, .. } = self.links[up];
        self.power.snr_db(to, from)
    }

    /// A node receives another at this power, in dBm, from now on: where it is known of any, it must be of all.
    pub fn set_level(&mut self, [from, by]: [NodeId; 2], dbm: f64) {
        self.power.set_level([from, by], dbm);
    }

    /// Whether it was made so that what each radio hears [may change](Self::with_changing_reach).
    pub fn has_changing_reach(&self) -> bool {
        self.reach_changes
    }

    /// A node hears another from now on, or does not, also what is on the air.
    ///
    /// # Panics
    /// If the ether was not made [for this](Self::with_changing_reach).
    pub fn set_reach(&mut self, now: Time, [from, by]: [NodeId; 2], heard: bool, fx: &mut Effects) {
        assert!(self.reach_changes, "radios that share a medium hear the same others");
        let [by, from] = [by, from].map(|node| self.devices[self.device(node)].radios.clone());
        for (by, from) in by.iter().flat_map(|by| from.iter().map(move |from| (*by, *from))) {
            self.set_hearing(now, by, from, heard);
        }
        self.schedule_access(fx);
    }

    /// A radio hears another from now on, or does not: what that has on the air keeps its medium busy, or no more.
    fn set_hearing(&mut self, now: Time, by: RadioId, from: RadioId, heard: bool) {
        let [own, its] = [by, from].map(|radio| &self.channels[self.radios[radio].channel]);
        let sensed = if heard { own.senses_each(its) } else { Default::default() };
        let medium = self.radios[by].medium;
        let sensed_of = |reach: &Reach| -> Vec<Sensed> {
            self.attempts.iter().map(|attempt| reach.sensed_of(attempt, medium)).collect()
        };
        let before = sensed_of(&self.media.reach);
        self.media.reach.set(medium, from, sensed);
        let after = sensed_of(&self.media.reach);
        for (before, after) in before.into_iter().zip(after).filter(|(before, after)| before != after) {
            self.media.hold(now, medium, after);
            self.media.release(now, now, medium, before);
        }
    }

    /// A station's requests for scans are judged by this remedy from now on, or by none.
    pub fn set_remedy(&mut self, station: NodeId, remedy: Option<Remedy>) {
        if let Some(radio) = self.scans(station)
            && let Some(scanning) = &mut self.radios[radio].scanning
        {
            scanning.remedy = remedy.map(Judge::new);
        }
    }

    /// The radios of a node contend within these windows and keep the medium so long from now on, those of a station at this access
    /// point; a PPDU that is formed goes as it is, and when they begin to count stays as it was.
    pub fn set_edca(&mut self, node: NodeId, access_point: NodeId, edca: &Edca) {
        for id in self.devices[self.device(node)].radios.clone() {
            let at = self.radios[id].uplink.map_or(node, |up| self.radios[self.links[up].to].node);
            if at != access_point {
                continue;
            }
            let radio = &mut self.radios[id];
            for function in AccessFunction::ALL {
                let bounds = access(&radio.adapter, edca, function);
                radio.claim(function).bound(bounds);
                if let AccessFunction::Data(category) = function {
                    radio.contenders[category].txop = bounds.txop;
                }
            }
            for link in self.radios[id].links.clone() {
                if !self.links[link].is_to_group() {
                    self.with_between(link, Link::bound);
                }
            }
        }
    }

    /// A station and its access point send to each other at this rate from now on, each as soon as the exchange that it has on the air is
    /// over, and a PPDU of another station does not stand before it. Both had fixed rates, which aggregate if this does.
    pub fn set_rate<P: Probe>(
        &mut self,
        now: Time,
        station: NodeId,
        rate: Rate,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let radios = self.devices[self.device(station)].radios.iter();
        let uplinks = radios.filter_map(|&radio| self.radios[radio].uplink);
        let links: Vec<LinkId> = uplinks.flat_map(|up| [up, self.links[up].reverse]).collect();
        for link in links {
            self.with_between(link, |link, between| link.keep_to(rate, between));
            let from = self.links[link].from;
            // Otherwise the end of its next exchange shows the change.
            if self.on_air_until(from).is_none() {
                self.note_rate(now, link, fx, probe);
                self.fill_hardware(now, from, fx);
            }
        }
        self.schedule_access(fx);
    }

    /// A link is changed by what its rates have in common.
    fn with_between(&mut self, id: LinkId, change: impl FnOnce(&mut Link, &Between<'_>)) {
        let Link { from, to, path, window, .. } = self.links[id];
        let (sender, receiver) = (self.radios[from].adapter, self.radios[to].adapter);
        let contenders = &self.radios[from].contenders;
        let between = Between {
            phy: &self.bss[self.radios[from].bss].phy,
            sender: &sender,
            receiver: &receiver,
            path: &*self.power.path(path),
            channel: self.channels[self.radios[from].channel].width,
            upward: self.radios[from].uplink.is_some(),
            txops: PerCategory::from_fn(|category| contenders[category].txop),
            window,
        };
        change(&mut self.links[id], &between);
    }

    /// mac80211 lets the driver of a node hold so much from now on, if it limits that.
    pub fn set_airtime_limits(&mut self, node: NodeId, limits: Aql) {
        let device = self.device(node);
        let firmware = self.devices[device].firmware.as_mut();
        if let Some(pending) = firmware.and_then(|firmware| firmware.pending.as_mut()) {
            pending.set_limits(limits);
        }
    }

    /// A station's connection manager asks for a scan now, if it has one; its next request of its own comes an interval later.
    pub fn request_scan<P: Probe>(&mut self, now: Time, station: NodeId, fx: &mut Effects, probe: &mut P) {
        if let Some(radio) = self.scans(station) {
            self.scan_requested(now, radio, fx, probe);
            self.schedule_access(fx);
        }
    }

    /// Whether a radio of a node is on another channel than that of its network.
    pub fn is_away(&self, node: NodeId) -> bool {
        self.devices[self.device(node)]
            .radios
            .iter()
            .any(|&radio| self.is_in_use(radio) && !self.radios[radio].is_home())
    }

    /// The radio of a station that scans, if one does.
    fn scans(&self, station: NodeId) -> Option<RadioId> {
        let radios = &self.devices[self.device(station)].radios;
        radios.iter().copied().find(|&radio| self.radios[radio].scanning.is_some())
    }
}
