//! Changes of the ether while it runs, each at an instant.

use super::{Effects, Ether};
use crate::id::RadioId;
use airloom_observe::{NodeId, Probe};
use airloom_policy::Policy;
use airloom_sim::Time;

impl Ether {
    /// A station has another mean signal-to-noise ratio to and from the access point from now on, in dB: also for frames that
    /// are on the air.
    pub fn set_signal(&mut self, station: NodeId, snr_db: f64) {
        for &radio in &self.devices[self.device(station)].radios {
            let Some(up) = self.radios[radio].uplink else { continue };
            let path = self.power.path(self.links[up].path);
            let db = snr_db - path.snr_db;
            path.snr_db = snr_db;
            for link in [up, self.links[up].reverse] {
                self.links[link].shift(db);
            }
        }
    }

    /// A station's requests for scans are judged by this remedy from now on, or by none.
    pub fn set_remedy(&mut self, station: NodeId, remedy: Option<Policy>) {
        if let Some(radio) = self.scans(station)
            && let Some(scanning) = &mut self.radios[radio].scanning
        {
            scanning.remedy = remedy;
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
        self.devices[self.device(node)].radios.iter().any(|&radio| !self.radios[radio].is_home())
    }

    /// The radio of a station that scans, if one does.
    fn scans(&self, station: NodeId) -> Option<RadioId> {
        let radios = &self.devices[self.device(station)].radios;
        radios.iter().copied().find(|&radio| self.radios[radio].scanning.is_some())
    }
}
