//! What a station's connection manager learns of access points, and what comes of its wishes.

use super::effects::Move;
use super::{Effects, Ether};
use crate::id::{ChannelId, DeviceId, LinkId, RadioId};
use crate::roaming::{Berth, Heard, Way, Wish};
use airloom_observe::{Observation, Probe, RoamEvent, ScanEvent};
use airloom_sim::{Duration, Time};

/// A scan that finds its station sending a frame without a packet looks again after this time.
const SENDING: Duration = Duration::from_millis(1);

impl Ether {
    /// Whether this radio is one that its station uses: of a station that may roam, one at a time.
    pub(super) fn is_in_use(&self, id: RadioId) -> bool {
        self.used(id) == id
    }

    /// The radio that the station of this one uses.
    pub(super) fn used(&self, id: RadioId) -> RadioId {
        match &self.devices[self.radios[id].device].roamer {
            Some(roamer) => roamer.berth().radio,
            None => id,
        }
    }

    /// A beacon of a network was on the air; it did not get through over the links that are `missed`.
    #[cold]
    #[inline(never)]
    pub(super) fn beacon_over<P: Probe>(
        &mut self,
        now: Time,
        from: RadioId,
        missed: Option<&[LinkId]>,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        for place in 0..self.radios[from].links.len() {
            let link = self.radios[from].links[place];
            let to = self.links[link].to;
            if self.radios[to].is_home() && self.is_in_use(to) {
                let came = missed.is_some_and(|missed| !missed.contains(&link));
                self.beacon_for(now, self.radios[to].device, came, fx, probe);
            }
        }
    }

    /// A beacon of its access point has come in at a station, or it has missed it.
    fn beacon_for<P: Probe>(&mut self, now: Time, id: DeviceId, came: bool, fx: &mut Effects, probe: &mut P) {
        let (at, others) = (self.heard(id, None), self.others(id));
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        if !roamer.is_here() {
            return;
        }
        // Where it does not hear its own access point, the last answer stays.
        let prefers = at.as_ref().map_or(roamer.better.is_some(), |at| roamer.manager.prefers(at, &others));
        roamer.better = prefers.then(|| roamer.better.unwrap_or(now));
        if !came {
            return self.beacon_missed(now, id);
        }
        (roamer.missed, roamer.asked) = (0, 0);
        if let Some(at) = at {
            let wishes = roamer.ask(|manager, wishes| manager.beacon(now, &at, wishes));
            self.grant(now, id, wishes, fx, probe);
        }
    }

    /// What a station hears of the network of a berth, or of its own, now; none if that is out of reach.
    pub(super) fn heard(&self, id: DeviceId, berth: Option<usize>) -> Option<Heard> {
        let device = &self.devices[id];
        let roamer = device.roamer.as_deref()?;
        let Berth { radio, bss, rate, ft, .. } = &roamer.berths[berth.unwrap_or(roamer.at)];
        let ap = self.bss[*bss].ap;
        if self.is_silent(ap) || !self.hears(*radio, ap) {
            return None;
        }
        let dbm = self.power.level_dbm([self.radios[ap].node, device.node])?;
        let mhz = self.channels[self.radios[ap].channel].primary_mhz;
        let highest = rate.1.iter().copied().max_by_key(|rate| rate.bit_rate())?;
        let (dbm, fast) = (libm::round(dbm) as i32, *ft && roamer.berth().ft);
        Some(Heard { bss: *bss, dbm, mhz, highest, fast, reports: self.bss[*bss].reports.is_some() })
    }

    /// What a station hears of all networks that it may go to, its own not among them.
    fn others(&self, id: DeviceId) -> Vec<Heard> {
        let Some(roamer) = &self.devices[id].roamer else { return Vec::new() };
        let others = (0..roamer.berths.len()).filter(|&berth| berth != roamer.at);
        others.filter_map(|berth| self.heard(id, Some(berth))).collect()
    }

    /// A station's scan is over.
    #[cold]
    #[inline(never)]
    pub(super) fn scan_over<P: Probe>(&mut self, now: Time, id: RadioId, fx: &mut Effects, probe: &mut P) {
        let device = self.radios[id].device;
        let (at, others) = (self.heard(device, None), self.others(device));
        let Some(roamer) = &mut self.devices[device].roamer else { return };
        let own = std::mem::take(&mut roamer.own_scan);
        if !roamer.is_here() {
            return;
        }
        if roamer.how.policy.has_mac80211() {
            self.ask_access_point(now, device);
        }
        let Some(roamer) = &mut self.devices[device].roamer else { return };
        if roamer.request.is_some() && (self.scanned_as_asked(now, device, fx, probe) || !own) {
            return;
        }
        let Some(roamer) = &mut self.devices[device].roamer else { return };
        let wishes = roamer.ask(|manager, wishes| manager.scanned(now, own, at.as_ref(), &others, wishes));
        self.grant(now, device, wishes, fx, probe);
    }

    /// The time has come that a station's connection manager asked for.
    #[cold]
    #[inline(never)]
    pub(super) fn manager_timer<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        if std::mem::take(&mut roamer.begins) {
            return self.tell_associated(now, id, fx, probe);
        }
        let wishes = roamer.ask(|manager, wishes| manager.timer(now, wishes));
        self.grant(now, id, wishes, fx, probe);
    }

    /// A station is at an access point.
    pub(super) fn tell_associated<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let at = self.heard(id, None);
        self.watch_idle(now, id, fx);
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        (roamer.missed, roamer.asked, roamer.own_scan, roamer.better) = (0, 0, false, None);
        if let Some(at) = at {
            let wishes = roamer.ask(|manager, wishes| manager.associated(now, &at, wishes));
            self.grant(now, id, wishes, fx, probe);
        }
    }

    /// Carries out what a station's connection manager wants.
    pub(super) fn grant<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        wishes: Vec<Wish>,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        for wish in wishes {
            let Some(roamer) = &mut self.devices[id].roamer else { return };
            match wish {
                Wish::Wake(at) => fx.timers.push((roamer.manager_timer, at)),
                Wish::Report => self.ask_for_neighbors(now, id, fx, probe),
                Wish::Scan(of) => {
                    roamer.own_scan = true;
                    let channels = self.channels_to_scan(id, of);
                    self.scan_to_roam(now, id, channels, fx, probe);
                }
                Wish::Go(bss) => {
                    if let Some(berth) = roamer.place_of(bss) {
                        self.decide(now, id, berth, fx, probe);
                    }
                }
            }
        }
    }

    /// A station has decided to go to a berth.
    pub(super) fn decide<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        berth: usize,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        roamer.way = Way::Leaving(berth);
        let late = roamer.better.map_or(Duration::ZERO, |since| now.since(since));
        let closed = roamer.how.policy.pace().closed;
        fx.arm(roamer.timer, now + closed);
        if closed > Duration::ZERO {
            fx.moves.push(Move::Closed { station: self.devices[id].node });
        }
        let to = self.access_point_of(id, berth);
        self.observe_roam(now, id, RoamEvent::Decided { to, late }, probe);
    }

    /// A station's connection manager wants a scan of these channels.
    pub(super) fn scan_to_roam<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        channels: Vec<Option<ChannelId>>,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let visits = channels.iter().map(|&channel| self.visit(id, channel)).collect();
        let (node, empty) = (self.devices[id].node, self.devices[id].held == 0);
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        let radio = roamer.berth().radio;
        if self.radios[radio].scans() {
            return;
        }
        roamer.visits = channels;
        if self.radios[radio].power_frames.outgoing.is_some() {
            return fx.arm(roamer.scan_timer, now + SENDING);
        }
        let Some(scanning) = &mut self.radios[radio].scanning else { return };
        let mut actions = Vec::new();
        scanning.procedure.start_of(now, empty, visits, &mut actions);
        probe.see(now, Observation::Scan { node, event: ScanEvent::Requested });
        self.act(now, radio, &actions, fx, probe);
    }

    /// A scan that waited for a frame under way begins, if the station is still there.
    #[cold]
    #[inline(never)]
    pub(super) fn later_scan<P: Probe>(&mut self, now: Time, id: DeviceId, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        let channels = roamer.visits.clone();
        self.scan_to_roam(now, id, channels, fx, probe);
    }

    /// A station that is at no access point any more looks for one on every channel that it knows, or comes back.
    pub(super) fn part<P: Probe>(&mut self, now: Time, id: DeviceId, fx: &mut Effects, probe: &mut P) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        if let Some(end) = self.exchanges_until(roamer.berth().radio) {
            return fx.arm(roamer.timer, end);
        }
        let (back, at) = (matches!(roamer.way, Way::Parting { back: true }), roamer.at);
        self.let_go(now, id, fx, probe);
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        fx.timers.push((roamer.manager_timer, None));
        if back {
            return self.decide(now, id, at, fx, probe);
        }
        roamer.way = Way::Searching;
        fx.arm(roamer.timer, now + roamer.how.dwell * u64::from(roamer.how.channels + 1));
    }

    /// The search of a station is over: it goes to the strongest, or searches again later.
    pub(super) fn found<P: Probe>(&mut self, now: Time, id: DeviceId, fx: &mut Effects, probe: &mut P) {
        let mut heard = self.others(id);
        heard.extend(self.heard(id, None));
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        match roamer.strongest(&heard) {
            Some(berth) => self.decide(now, id, berth, fx, probe),
            None => fx.arm(roamer.timer, now + roamer.manager.searches_every()),
        }
    }

    pub(super) fn observe_roam<P: Probe>(&self, now: Time, id: DeviceId, event: RoamEvent, probe: &mut P) {
        probe.see(now, Observation::Roam { station: self.devices[id].node, event });
    }
}
