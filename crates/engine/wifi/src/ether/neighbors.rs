//! Neighbor reports (802.11k): a station asks its access point which others there are, and scans their channels alone.
//!
//! hostapd answers at once, with all access points of the network in its list, itself among them (2.11 `hostapd_send_nei_report_resp`), if its
//! `rrm_neighbor_report` is set; usteer and DAWN keep that list. iwd asks as it is associated (`station_roamed`); wpa_supplicant asks only if
//! its control interface or D-Bus wants it to (2.11 `NEIGHBOR_REP_REQUEST`), and no scan of its own uses the answer.

use super::{Effects, Ether};
use crate::id::{DeviceId, LinkId};
use crate::radio::PowerFrame;
use airloom_observe::{JoiningFrame, Probe};
use airloom_sim::Time;

impl Ether {
    /// A station's connection manager wants a neighbor report. One that was associated before the run began has had its own.
    pub(super) fn ask_for_neighbors<P: Probe>(
        &mut self,
        now: Time,
        id: DeviceId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let Some(roamer) = &self.devices[id].roamer else { return };
        let (radio, up) = (roamer.berth().radio, self.peer_link(roamer.berth().association.up));
        if roamer.associations == 1 && now == Time::ZERO {
            return self.told_neighbors(now, self.links[up].reverse, fx, probe);
        }
        // What the radio sends on other channels does not arrive.
        if self.radios[radio].scans() {
            return;
        }
        let frame = PowerFrame::Joining(JoiningFrame::NeighborRequest);
        self.radios[radio].power_frames.waiting.push_back((up, frame));
        self.next_power_frame(now, radio);
    }

    /// An access point has a request for a neighbor report over a link.
    #[cold]
    #[inline(never)]
    pub(super) fn asked_for_neighbors<P: Probe>(&mut self, now: Time, up: LinkId, probe: &mut P) {
        let (down, ap) = (self.links[up].reverse, self.links[up].to);
        if self.links[down].gone {
            return self.refuse(now, up, 0, probe);
        }
        let Some(named) = self.bss[self.radios[ap].bss].reports else { return };
        let frame = PowerFrame::Joining(JoiningFrame::NeighborReport { named });
        self.radios[ap].power_frames.waiting.push_back((down, frame));
        self.next_power_frame(now, ap);
    }

    /// A station has a neighbor report, over a link from its access point.
    #[cold]
    #[inline(never)]
    pub(super) fn told_neighbors<P: Probe>(
        &mut self,
        now: Time,
        link: LinkId,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let radio = self.links[link].to;
        if !self.is_in_use(radio) {
            return;
        }
        let id = self.radios[radio].device;
        let Some(roamer) = self.devices[id].roamer.as_mut().filter(|roamer| roamer.is_here()) else { return };
        let wishes = roamer.ask(|manager, wishes| manager.reported(now, wishes));
        self.grant(now, id, wishes, fx, probe);
    }
}
