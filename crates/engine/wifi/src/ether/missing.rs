//! Stations that miss their access point's beacons, and ask whether it is still there (Linux 6.12 net/mac80211/mlme.c).
//!
//! After seven in a row mac80211 sends a null frame (`ieee80211_mgd_probe_ap`), and another one if nobody acknowledges that
//! (`max_nullfunc_tries`). If that fails too the access point is lost (`ieee80211_sta_work`). An acknowledgment ends it
//! (`ieee80211_sta_tx_notify`), and so does a beacon (`ieee80211_rx_mgmt_beacon`). The driver is taken to say what was acknowledged
//! (`REPORTS_TX_ACK_STATUS`), as ath9k, mt76 and iwlwifi do; with any other mac80211 sends five probe requests, 500 ms apart.

use super::{Effects, Ether};
use crate::id::{DeviceId, LinkId};
use crate::radio::PowerFrame;
use crate::roaming::Way;
use airloom_observe::{Probe, RoamEvent};
use airloom_sim::Time;

/// Beacons in a row that a station misses before it asks (`beacon_loss_count`).
const MISSED: u32 = 7;
/// How many times it asks (`max_nullfunc_tries`).
const TRIES: u32 = 2;

impl Ether {
    /// A station has missed a beacon of its access point.
    pub(super) fn beacon_missed(&mut self, now: Time, id: DeviceId) {
        let Some(roamer) = &mut self.devices[id].roamer else { return };
        roamer.missed += 1;
        if roamer.missed < MISSED {
            return;
        }
        let radio = &self.radios[roamer.berth().radio];
        if !radio.scans() && !radio.power_frames.has(PowerFrame::Asks) {
            roamer.asked = 1;
            let (radio, up) = (roamer.berth().radio, roamer.berth().association.up);
            let link = self.peer_link(up);
            self.radios[radio].power_frames.waiting.push_back((link, PowerFrame::Asks));
            self.next_power_frame(now, radio);
        }
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
