//! Rates of links as seen from outside: current values and changes.

use super::effects::RateChange;
use super::{Effects, Ether};
use crate::id::LinkId;
use airloom_observe::{NodeId, Observation, Probe};
use airloom_rate::Rate;
use airloom_sim::Time;

impl Ether {
    /// The rate at which `from` now prefers to send to `to`, and the highest that its rate control may choose. One of
    /// them is a station, the other its access point.
    ///
    /// # Panics
    /// If neither is a station.
    pub fn link_rate(&self, from: NodeId, to: NodeId) -> (Rate, Rate) {
        let peer = self.peer(self.device(from), to);
        let link = &self.links[self.peer_link(peer)];
        let highest = link.rates.iter().map(|r| r.rate).max_by_key(|rate| rate.bit_rate());
        (link.rates[link.preferred].rate, highest.expect("a link has rates"))
    }

    /// A timed change by a link's rate control is due.
    pub(super) fn control_timer<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let radio = self.links[link].from;
        if let Some(end) = self.on_air_until(radio) {
            // No rate changes in the middle of an exchange.
            self.arm_control(link, Some(end), fx);
            return;
        }
        self.links[link].control.step(now);
        self.arm_control(link, None, fx);
        self.note_rate(now, link, fx, probe);
        self.fill_hardware(now, radio, fx);
    }

    /// Arms the timer of a link's rate control, if it has one, for `at` or for when the next change is due.
    pub(super) fn arm_control(&self, link: LinkId, at: Option<Time>, fx: &mut Effects) {
        let link = &self.links[link];
        if let Some(timer) = link.control_timer
            && let Some(at) = at.or(link.control.due())
        {
            fx.arm(timer, at);
        }
    }

    /// Looks whether the preferred rate of a link is another one. Not while its transmitter is on the air.
    #[inline]
    pub(super) fn note_rate<P: Probe>(&mut self, now: Time, id: LinkId, fx: &mut Effects, probe: &mut P) {
        let link = &mut self.links[id];
        let preferred = link.control.preferred();
        if std::mem::replace(&mut link.preferred, preferred) != preferred {
            self.rate_changed(now, id, fx, probe);
        }
    }

    /// Reports another preferred rate of a link, and takes PPDUs at the old one back from the hardware.
    #[cold]
    fn rate_changed<P: Probe>(&mut self, now: Time, id: LinkId, fx: &mut Effects, probe: &mut P) {
        let link = &self.links[id];
        let (from, peer, in_hardware) = (link.from, link.peer, link.control.is_in_hardware());
        if self.multi_link && self.peers[peer].links.len() > 1 {
            self.share_window(peer);
        }
        self.tell_rate(now, id, fx, probe);
        if in_hardware {
            self.recall(from, Some(id));
        }
    }

    /// Reports the preferred rate of a link.
    pub(super) fn tell_rate<P: Probe>(&mut self, now: Time, id: LinkId, fx: &mut Effects, probe: &mut P) {
        let link = &self.links[id];
        let rate = link.rates[link.preferred].rate;
        let number = self.bss[self.radios[link.from].bss].link;
        let (node, peer, _) = self.ends(id);
        probe.see(now, Observation::LinkRate { node, peer, link: number, rate });
        fx.rates.push(RateChange { node, peer, rate });
    }
}
