//! Requests of an access point to go to another one, and what a station does about them ([`steering`](crate::steering)).
//!
//! wpa_supplicant scans the channel of the access point that is named, answers, and goes (2.10 `wnm_scan_process`): if that is at least as
//! strong as its own, or has -80 dBm (`compare_scan_neighbor_results`). iwd scans too and goes to it however weak it is, as the request says
//! that the association ends (`ap_directed_roaming`), and answers nothing (`station_ap_directed_roam`).

use super::effects::Move;
use super::{Effects, Ether};
use crate::id::{BssId, DeviceId, LinkId};
use crate::radio::PowerFrame;
use crate::roaming::{Berth, Request};
use crate::steering::{LOOKS, Steered, Step};
use airloom_observe::{JoiningFrame, NodeId, Probe, RoamEvent};
use airloom_sim::Time;

/// "Reject: unspecified reject reason" and "Reject: no suitable BSS transition candidates" (802.11-2020 table 9-428).
const UNSPECIFIED: u8 = 1;
const NO_CANDIDATE: u8 = 7;
/// "Disassociated due to BSS transition management" (table 9-49; usteer `KICK_REASON_BSS_TRANSITION`).
const TRANSITION: u16 = 12;
/// So strong wpa_supplicant takes an access point that is weaker than its own, in dBm.
const STRONG_ENOUGH: i32 = -80;

impl Ether {
    /// An access point looks at the stations that are there and may roam.
    #[cold]
    #[inline(never)]
    pub(super) fn look_at_stations<P: Probe>(
        &mut self,
        now: Time,
        bss: BssId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Some((_, timer)) = self.bss[bss].steering else { return };
        let ap = self.bss[bss].ap;
        if let Some(end) = self.exchanges_until(ap) {
            return fx.arm(timer, end);
        }
        fx.arm(timer, now + LOOKS);
        if self.is_silent(ap) {
            return;
        }
        for link in self.radios[ap].links.clone() {
            self.look_at(now, bss, link, fx, probe);
        }
    }

    /// An access point looks at the receiver of a link: asks it to go, or ends its association.
    fn look_at<P: Probe>(&mut self, now: Time, bss: BssId, link: LinkId, fx: &mut Effects, probe: &mut P) {
        let (radio, ap) = (self.links[link].to, self.bss[bss].ap);
        // A station that dozes would not hear it; the next look is soon.
        let away = self.links[link].gone || self.links[link].dozing || !self.is_in_use(radio);
        let Some((rules, _)) = self.bss[bss].steering.filter(|_| !away) else { return };
        let id = self.radios[radio].device;
        let node = self.devices[id].node;
        let Some(dbm) = self.power.level_dbm([node, self.radios[ap].node]) else { return };
        let best = self.best_for(id);
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        let frame = match roamer.watch.look(now, &rules, dbm, best.map(|(_, dbm)| dbm)) {
            None => return,
            Some(Step::Ask) => {
                let Some((berth, _)) = best else { return };
                JoiningFrame::TransitionRequest { to: self.access_point_of(id, berth) }
            }
            Some(Step::Kick) => {
                let association = roamer.berth().association;
                self.forget(now, association, fx, probe);
                let access_point = self.radios[ap].node;
                fx.moves.push(Move::Forgotten { station: node, access_point });
                JoiningFrame::Deauthentication { reason: TRANSITION }
            }
        };
        self.radios[ap].power_frames.waiting.push_back((link, PowerFrame::Joining(frame)));
        self.next_power_frame(now, ap);
    }

    /// The berth beside its own whose access point receives a station best, and how strongly, in dBm.
    fn best_for(&self, id: DeviceId) -> Option<(usize, f64)> {
        let roamer = self.devices[id].roamer.as_ref()?;
        let level = |berth: usize| {
            let Berth { radio, bss, .. } = roamer.berths[berth];
            let ap = self.bss[bss].ap;
            let there = !self.is_silent(ap) && self.hears(radio, ap);
            let dbm = self.power.level_dbm([self.devices[id].node, self.radios[ap].node]);
            dbm.filter(|_| there).map(|dbm| (berth, dbm))
        };
        let others = (0..roamer.berths.len()).filter(|&berth| berth != roamer.at);
        others.filter_map(level).max_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// A request has been sent over a link: if it arrived, the station refuses, or scans the channel of the access point that is named.
    #[cold]
    #[inline(never)]
    pub(super) fn asked_to_go<P: Probe>(
        &mut self,
        now: Time,
        (link, arrived): (LinkId, bool),
        to: NodeId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let radio = self.links[link].to;
        if !arrived || self.links[link].gone || !self.is_in_use(radio) {
            return;
        }
        let id = self.radios[radio].device;
        let Some(roamer) = self.devices[id].roamer.as_ref().filter(|roamer| roamer.is_here()) else { return };
        let named = |&berth: &usize| self.access_point_of(id, berth) == to;
        let Some(berth) = (0..roamer.berths.len()).find(named) else { return };
        match roamer.how.steered {
            Steered::Ignores => {}
            Steered::Refuses => self.answer_request(now, id, UNSPECIFIED, None),
            Steered::Obeys => {
                let channels = vec![Some(self.radios[roamer.berths[berth].radio].channel)];
                let begun = !self.radios[roamer.berth().radio].scans();
                if let Some(roamer) = &mut self.devices[id].roamer {
                    roamer.request = Some(Request::Scans { berth, begun });
                }
                self.scan_to_roam(now, id, channels, fx, probe);
            }
        }
    }

    /// The scan is over of a station that was asked to go: it goes, or stays; returns whether it goes.
    pub(super) fn scanned_as_asked<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        fx: &mut Effects,
        probe: &mut P,
    ) -> bool {
        let Some(roamer) = &mut self.devices[id].roamer else { return false };
        let answers = roamer.how.policy.answers_requests();
        let berth = match roamer.request.take() {
            None => return false,
            // Another scan came between the answer and the way.
            Some(Request::Answers(berth)) => {
                self.go_as_asked(now, id, berth, fx, probe);
                return true;
            }
            Some(Request::Scans { berth, .. }) => berth,
        };
        let own = self.heard(id, None);
        let suits = |dbm: i32| !answers || dbm >= STRONG_ENOUGH || own.is_none_or(|own| dbm >= own.dbm);
        let goes = self.heard(id, Some(berth)).is_some_and(|heard| suits(heard.dbm));
        match (goes, answers) {
            (true, true) => {
                if let Some(roamer) = &mut self.devices[id].roamer {
                    roamer.request = Some(Request::Answers(berth));
                }
                self.answer_request(now, id, 0, Some(berth));
            }
            (true, false) => self.go_as_asked(now, id, berth, fx, probe),
            (false, true) => self.answer_request(now, id, NO_CANDIDATE, None),
            (false, false) => {}
        }
        goes
    }

    fn answer_request(&mut self, now: Time, id: DeviceId, status: u8, berth: Option<usize>) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        let Berth { radio, association, .. } = *roamer.berth();
        let (link, to) = (self.peer_link(association.up), berth.map(|berth| self.access_point_of(id, berth)));
        let frame = PowerFrame::Joining(JoiningFrame::TransitionResponse { to, status });
        self.radios[radio].power_frames.waiting.push_back((link, frame));
        self.next_power_frame(now, radio);
    }

    /// A station's answer has been sent over a link: if it arrived, the access point knows; the station goes if it has agreed.
    #[cold]
    #[inline(never)]
    pub(super) fn request_answered<P: Probe>(
        &mut self,
        now: Time,
        (link, arrived): (LinkId, bool),
        status: u8,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let id = self.radios[self.links[link].from].device;
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        if arrived {
            roamer.watch.answered(now, status == 0);
        }
        if let Some(Request::Answers(berth)) = roamer.request {
            self.go_as_asked(now, id, berth, fx, probe);
        }
    }

    fn go_as_asked<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        berth: usize,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        if let Some(roamer) = &mut self.devices[id].roamer {
            roamer.request = None;
        }
        self.observe_roam(now, id, RoamEvent::Asked, probe);
        self.decide(now, id, berth, fx, probe);
    }
}
