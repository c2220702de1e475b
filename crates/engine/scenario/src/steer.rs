//! When an access point asks stations to go to a better one.

use airloom_config::form::{level, power, time};
use airloom_config::record;
use airloom_sim::Duration;
use airloom_wifi::Steering;

/// A time of its rules.
const AT_MOST: airloom_config::form::Quantity<Duration> = time(Duration::ZERO, Duration::from_secs(86_400));

record! {
    /// When an access point asks a station that roams to go to another one of its network, by a BSS Transition Management request (802.11v): as
    /// OpenWrt's usteer does, in which `below` and `better_by` are off by default. A station that neither goes nor refuses within 10 s is
    /// deauthenticated.
    pub struct Steer {
        /// The signal in dBm below which it receives the station (`roam_trigger_snr` of usteer).
        below: f64 = power(-120.0, 0.0);
        /// By how many dB more the other one receives it (`signal_diff_threshold`).
        better_by: f64 = level(1.0, 100.0);
        /// For how long its signal has been below: usteer asks a station to scan after 10 s (`roam_scan_interval`), so that others hear it,
        /// and takes two steps of a second more.
        waits: Duration = AT_MOST, default Duration::from_secs(12);
        /// For how long the station has been at the access point (`roam_trigger_interval`).
        settled: Duration = AT_MOST, default Duration::from_secs(60);
    }
}

impl Steer {
    /// As the air has it.
    pub const fn rules(&self) -> Steering {
        Steering {
            below_dbm: self.below,
            better_by_db: self.better_by,
            waits: self.waits,
            settled: self.settled,
        }
    }
}
