//! Access points that fall silent: their power is cut, and comes back.
//!
//! One without power sends no beacons and answers nothing. What it held is lost, and once the power is back it knows no station of before. A
//! station that roams misses its beacons meanwhile and looks for another one, or is told ([`dismissing`](super::dismissing)) as it sends
//! something before it has missed enough. Any other station exchanges no frames of an association: it is there again with the power.

use super::effects::Move;
use super::{Effects, Ether};
use crate::category::Category;
use crate::id::{BssId, LinkId, RadioId};
use crate::power_save::Service;
use crate::radio::{AccessFunction, PowerFrame};
use airloom_observe::{LossCause, NodeId, Probe};
use airloom_sim::Time;

impl Ether {
    /// An access point has power from now on, or none: as soon as it is not on the air.
    pub fn switch<P: Probe>(
        &mut self,
        now: Time,
        access_point: NodeId,
        on: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let is_its = |bss: &BssId| self.radios[self.bss[*bss].ap].node == access_point;
        let Some(bss) = self.bss.ids().find(is_its) else { return };
        self.bss[bss].power.wanted = on;
        self.power_due(now, bss, fx, probe);
        self.schedule_access(fx);
    }

    /// Whether an access point has no power.
    pub fn is_off(&self, access_point: NodeId) -> bool {
        self.devices[self.device(access_point)].radios.iter().any(|&radio| self.is_silent(radio))
    }

    /// Whether a radio is that of an access point without power.
    #[inline]
    pub(super) fn is_silent(&self, id: RadioId) -> bool {
        let radio = &self.radios[id];
        radio.uplink.is_none() && radio.tuned.is_none()
    }

    /// The power of a network's access point may change.
    #[cold]
    #[inline(never)]
    pub(super) fn power_due<P: Probe>(&mut self, now: Time, bss: BssId, fx: &mut Effects, probe: &mut P) {
        let ap = self.bss[bss].ap;
        let power = &mut self.bss[bss].power;
        while let Some(&(at, on)) = power.plan.front()
            && at <= now
        {
            power.wanted = on;
            power.plan.pop_front();
        }
        let (timer, wanted, next) = (power.timer, power.wanted, power.plan.front().map(|&(at, _)| at));
        if wanted == self.is_silent(ap) {
            if let Some(end) = self.exchanges_until(ap) {
                return fx.arm(timer, end);
            }
            let access_point = self.radios[ap].node;
            if wanted {
                fx.moves.push(Move::On { access_point });
                self.power_up(now, ap, fx, probe);
            } else {
                fx.moves.push(Move::Off { access_point });
                self.power_down(now, ap, fx, probe);
            }
        }
        fx.timers.push((timer, next));
    }

    /// An access point loses its power, and with it all that it has for its stations or from them.
    fn power_down<P: Probe>(&mut self, now: Time, ap: RadioId, fx: &mut Effects, probe: &mut P) {
        self.radios[ap].tuned = None;
        let unsent = self.drop_frames(ap);
        let group = self.bss[self.radios[ap].bss].group.as_ref().map(|group| group.link);
        let links: Vec<LinkId> = self.radios[ap].links.iter().copied().chain(group).collect();
        for link in links {
            self.drop_link(now, link, LossCause::Off, fx, probe);
            if self.links[link].is_to_group() {
                continue;
            }
            let (up, roams) = (self.links[self.links[link].reverse].peer, self.link_roams(link));
            self.drop_held(up, fx);
            if roams && !self.links[link].gone {
                let [access_point, station] = [ap, self.links[link].to].map(|radio| self.radios[radio].node);
                fx.moves.push(Move::Forgotten { station, access_point });
            }
            (self.links[link].gone, self.links[link].dozing) = (roams, roams);
        }
        for link in unsent {
            self.joining_sent(now, link, false, fx, probe);
        }
    }

    /// Takes out the frames without packets that a radio has, and withdraws all its requests for the medium; the links of frames of
    /// associations that were among them.
    fn drop_frames(&mut self, id: RadioId) -> Vec<LinkId> {
        let radio = &mut self.radios[id];
        radio.beacons.due = false;
        let frames = &mut radio.power_frames;
        let outgoing = frames.outgoing.take().map(|one| (one.link, one.frame));
        let all: Vec<_> = outgoing.into_iter().chain(frames.waiting.drain(..)).collect();
        frames.ends.clear();
        for function in AccessFunction::ALL {
            let claim = radio.claim(function);
            claim.reset();
            let contender = claim.contender;
            self.media.contend(radio.medium, |contention| contention.withdraw(contender));
        }
        let joins = |(link, frame)| matches!(frame, PowerFrame::Joining(_)).then_some(link);
        all.into_iter().filter_map(joins).collect()
    }

    /// An access point has power again. It and the stations that stay begin with agreements of their own.
    fn power_up<P: Probe>(&mut self, now: Time, ap: RadioId, fx: &mut Effects, probe: &mut P) {
        self.radios[ap].tuned = Some(self.radios[ap].channel);
        for link in self.radios[ap].links.clone() {
            if self.link_roams(link) {
                continue;
            }
            let up = self.links[link].reverse;
            for tid in self.tids_over(link).chain(self.tids_over(up)).collect::<Vec<_>>() {
                let current = &mut self.tids[tid];
                current.reorder.restart(current.window.start(), &mut self.up);
                self.deliver(now, tid, fx, probe);
            }
            (self.links[link].service, self.links[link].more) = (Service::None, false);
        }
        let node = self.radios[ap].node;
        fx.wake.extend(Category::ALL.map(|category| (node, category)));
    }

    /// Whether the station of an access point's link roams.
    fn link_roams(&self, link: LinkId) -> bool {
        self.devices[self.radios[self.links[link].to].device].roamer.is_some()
    }

    /// A beacon is due of an access point that has no power.
    pub(super) fn no_beacon<P: Probe>(&mut self, now: Time, ap: RadioId, fx: &mut Effects, probe: &mut P) {
        if self.roams {
            self.beacon_over(now, ap, None, fx, probe);
        }
    }
}
