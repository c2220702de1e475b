//! Stations that save power: when they announce that they doze, and what wakes them.
//!
//! A station dozes after a time without data, and is awake again with its next data frame, or with the null frame that follows a
//! beacon which says that the access point keeps frames for it (802.11-2020 clauses 11.2.3.6 and 11.2.3.7; Linux 6.18
//! net/mac80211/mlme.c: `ieee80211_dynamic_ps_enable_work`, `ieee80211_rx_mgmt_beacon`).

use super::{Cell, Effects};
use crate::id::{LinkId, RadioId};
use crate::link::Link;
use crate::power_save::Saving;
use crate::radio::{Function, Null};
use airloom_sim::Time;

impl Cell {
    /// Data went over a link: its station is awake and stays so for a time.
    pub(super) fn active(&mut self, now: Time, link: LinkId, fx: &mut Effects) {
        let Link { from, to, .. } = self.links[link];
        let station = if from == self.ap { to } else { from };
        let Some(saving) = &mut self.radios[station].saving else { return };
        saving.active = now;
        if std::mem::replace(&mut saving.dozes, false) {
            fx.arm(saving.timer, now + saving.how.timeout);
        }
    }

    /// A station may have been without data for long enough.
    pub(super) fn doze_timer(&mut self, now: Time, id: RadioId, fx: &mut Effects) {
        let radio = &self.radios[id];
        let busy =
            radio.held > 0 || radio.backlog || radio.stopped || !radio.on_channel || radio.null.is_some();
        let scans = radio.scanning.as_ref().is_some_and(|scanning| !scanning.procedure.is_idle());
        let Some(Saving { how, timer, active, .. }) = radio.saving else { return };
        let since = if busy || scans { now } else { active };
        if now < since + how.timeout {
            fx.arm(timer, since + how.timeout);
        } else {
            self.announce(now, id, true);
        }
    }

    /// A station has announced that it dozes or is awake; `told`: its access point knows.
    pub(super) fn saves(&mut self, now: Time, id: RadioId, sleep: bool, told: bool, fx: &mut Effects) {
        let radio = &mut self.radios[id];
        let Some(saving) = &mut radio.saving else { return };
        saving.dozes = sleep && told && radio.held == 0;
        if !saving.dozes {
            fx.arm(saving.timer, now + saving.how.timeout);
        }
    }

    /// An access point sent its beacon of this number: stations wake for which it keeps frames.
    pub(super) fn wake_for_beacon(&mut self, now: Time, ap: RadioId, beacon: u64) {
        for place in 0..self.radios[ap].links.len() {
            let link = self.radios[ap].links[place];
            let id = self.links[link].to;
            let radio = &self.radios[id];
            let Some(saving) = radio.saving else { continue };
            let listens = radio.on_channel && beacon.is_multiple_of(saving.how.listen_interval.into());
            if self.is_kept(link) && listens && radio.null.is_none() && !radio.stopped {
                self.announce(now, id, false);
            }
        }
    }

    /// Whether the transmitter of a link keeps frames for a receiver that dozes.
    pub(super) fn is_kept(&self, link: LinkId) -> bool {
        let Link { dozing, tids, .. } = &self.links[link];
        *dozing && tids.iter().any(|&tid| self.tids[tid].has_frames())
    }

    fn announce(&mut self, now: Time, id: RadioId, sleep: bool) {
        let seq = self.radios[id].take_seq();
        self.radios[id].null = Some(Null { sleep, travels: false, attempts: 0, since: now, seq });
        self.claim(now, id, Function::Control);
    }
}
