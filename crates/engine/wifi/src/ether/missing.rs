//! Stations that miss their access point's beacons, or had nothing else of it for long, and ask whether it is still there (Linux 6.12
//! net/mac80211/mlme.c).
//!
//! After seven in a row mac80211 sends a null frame (`ieee80211_mgd_probe_ap`), and another one if nobody acknowledges that
//! (`max_nullfunc_tries`). If that fails too the access point is lost (`ieee80211_sta_work`). An acknowledgment ends it
//! (`ieee80211_sta_tx_notify`), and so does a beacon (`ieee80211_rx_mgmt_beacon`). The driver is taken to say what was acknowledged
//! (`REPORTS_TX_ACK_STATUS`), as ath9k, mt76 and iwlwifi do; with any other mac80211 sends five probe requests, 500 ms apart.
//!
//! It asks the same way after 30 s without a frame to itself or an acknowledgment (`ieee80211_sta_conn_mon_timer`), however many beacons come.
//! So a station that sends nothing learns that its access point does not know it any more. And it asks once behind each scan
//! (`ieee80211_mlme_notify_scan_completed`, `ieee80211_restart_sta_timer`), with the null frame of the return just behind it. The timer of mac80211 waits for a full second
//! besides (`round_jiffies_up`). Where firmware watches the connection (`CONNECTION_MONITOR`), as with ath10k and mt7921, mac80211 does not ask.

use super::attempt::Attempt;
use super::{Effects, Ether};
use crate::device::Association;
use crate::id::{DeviceId, LinkId};
use crate::radio::{AccessFunction, PowerFrame};
use crate::roaming::Way;
use airloom_observe::{JoiningFrame, Probe, RoamEvent};
use airloom_sim::{Duration, Time};

/// Beacons in a row that a station misses before it asks (`beacon_loss_count`).
const MISSED: u32 = 7;
/// How many times it asks (`max_nullfunc_tries`).
const TRIES: u32 = 2;
/// For so long it has had nothing of its access point but beacons as it asks (`IEEE80211_CONNECTION_IDLE_TIME`).
const IDLE: Duration = Duration::from_secs(30);

impl Ether {
    /// A station has missed a beacon of its access point.
    pub(super) fn beacon_missed(&mut self, now: Time, id: DeviceId) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        roamer.missed += 1;
        if roamer.missed >= MISSED {
            self.ask_access_point(now, id);
        }
    }

    /// A station asks whether its access point is still there, unless it scans or asks already (`ieee80211_mgd_probe_ap`).
    pub(super) fn ask_access_point(&mut self, now: Time, id: DeviceId) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        let radio = &self.radios[roamer.berth().radio];
        if radio.scans() || radio.power_frames.has(PowerFrame::Asks) {
            return;
        }
        roamer.asked = 1;
        let (radio, up) = (roamer.berth().radio, roamer.berth().association.up);
        let link = self.peer_link(up);
        self.radios[radio].power_frames.waiting.push_back((link, PowerFrame::Asks));
        self.next_power_frame(now, radio);
    }

    /// An attempt is over: its receiver has had something of its transmitter, or the other way round. What goes to several is nothing for any
    /// of them (`ieee80211_rx_h_sta_process`).
    #[cold]
    #[inline(never)]
    pub(super) fn note_heard(&mut self, now: Time, attempt: &Attempt) {
        let Attempt { radio, function, answered, good, .. } = *attempt;
        let radio = &self.radios[radio];
        let (link, arrived) = match (function, radio.queued(function), radio.power_frames.outgoing) {
            (AccessFunction::Data(_), Some(queued), _) => (Self::link_of(queued), good != [0]),
            (AccessFunction::Control, _, Some(outgoing))
                if outgoing.frame != PowerFrame::Joining(JoiningFrame::Probe { answer: false }) =>
            {
                (outgoing.link, outgoing.arrived)
            }
            _ => return,
        };
        if answered {
            self.links[link].heard = now;
        }
        if arrived {
            let back = self.links[link].reverse;
            self.links[back].heard = now;
        }
    }

    /// A station is at an access point: either looks after the other from now on.
    pub(super) fn watch_idle(&mut self, now: Time, id: DeviceId, fx: &mut Effects) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        let Association { up, down } = roamer.berth().association;
        fx.arm(roamer.idle_timer, now + IDLE);
        let [up, down] = [up, down].map(|peer| self.peer_link(peer));
        self.links[up].heard = now;
        self.watch_inactivity(now, down, fx);
    }

    /// A station may have had nothing of its access point for long.
    #[cold]
    #[inline(never)]
    pub(super) fn idle_timer(&mut self, now: Time, id: DeviceId, fx: &mut Effects) {
        let Some(roamer) = self.devices[id].roamer.as_ref().filter(|roamer| roamer.is_here()) else { return };
        let heard = self.links[self.peer_link(roamer.berth().association.up)].heard;
        if now < heard + IDLE {
            return fx.arm(roamer.idle_timer, heard + IDLE);
        }
        fx.arm(roamer.idle_timer, now + IDLE);
        self.ask_access_point(now, id);
    }

    /// A station has asked its access point over a link, and has an answer or none after all attempts.
    #[cold]
    #[inline(never)]
    pub(super) fn access_point_asked<P: Probe>(
        &mut self,
        now: Time,
        up: LinkId,
        answered: bool,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let (station, down) = (self.links[up].from, self.links[up].reverse);
        let id = self.radios[station].device;
        if answered {
            self.rouse(now, down, fx, probe);
            self.saves(now, station, false, true, fx);
        }
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        if answered {
            (roamer.missed, roamer.asked) = (0, 0);
        } else if roamer.asked >= TRIES {
            roamer.way = Way::Parting { back: false };
            fx.arm(roamer.timer, now);
            self.observe_roam(now, id, RoamEvent::Lost, probe);
        } else if roamer.asked > 0 {
            roamer.asked += 1;
            self.radios[station].power_frames.waiting.push_back((up, PowerFrame::Asks));
        }
    }
}
