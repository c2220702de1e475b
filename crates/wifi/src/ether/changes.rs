//! Changes of the ether while it runs, each at an instant.

use super::{Effects, Ether};
use airloom_observe::{NodeId, Probe};
use airloom_policy::Policy;
use airloom_sim::Time;

impl Ether {
    /// A station has another mean signal-to-noise ratio to and from the access point from now on, in dB: also for frames that
    /// are on the air.
    pub fn set_signal(&mut self, station: NodeId, snr_db: f64) {
        let radio = &self.radios[self.radio(station)];
        let (Some(up), Some(down)) = (radio.uplink, radio.downlink) else { return };
        let path = &mut self.paths[self.links[up].path];
        let db = snr_db - path.snr_db;
        path.snr_db = snr_db;
        for link in [up, down] {
            self.links[link].shift(db);
        }
    }

    /// A station's requests for scans are judged by this remedy from now on, or by none.
    pub fn set_remedy(&mut self, station: NodeId, remedy: Option<Policy>) {
        let radio = self.radio(station);
        if let Some(scanning) = &mut self.radios[radio].scanning {
            scanning.remedy = remedy;
        }
    }

    /// A station's connection manager asks for a scan now, if it has one; its next request of its own comes an interval later.
    pub fn request_scan<P: Probe>(&mut self, now: Time, station: NodeId, fx: &mut Effects, probe: &mut P) {
        self.scan_requested(now, self.radio(station), fx, probe);
        self.schedule_access(fx);
    }

    /// Whether a node's radio is on another channel.
    pub fn is_away(&self, node: NodeId) -> bool {
        !self.radios[self.radio(node)].is_home()
    }
}
