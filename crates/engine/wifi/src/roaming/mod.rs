//! Who decides where a station goes: its connection manager, one file each.

mod estimate;
mod iwd;
mod monitor;
mod own;
mod roamer;
mod sticky;
mod threshold;
mod wpa_supplicant;

pub use iwd::Iwd;
pub use own::OWN_MANAGERS;
pub use roamer::Roaming;
pub(crate) use roamer::{Berth, Request, Roamer, Way};
pub use sticky::Sticky;
pub use threshold::Threshold;
pub use wpa_supplicant::WpaSupplicant;

use crate::id::BssId;
use crate::joining::Pace;
use airloom_rate::Rate;
use airloom_sim::{BroughtName, Duration, Time};
use std::sync::Arc;

/// What a station hears of an access point's network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard {
    /// The network.
    pub bss: BssId,
    /// The power at which it receives beacons from there, in dBm.
    pub dbm: i32,
    /// The middle of its primary channel, in MHz.
    pub mhz: u32,
    /// The highest rate that the two ends both have.
    pub highest: Rate,
    /// Whether the network and that of the station are of one domain of fast transitions.
    pub fast: bool,
    /// Whether its access point answers requests for a neighbor report (802.11k).
    pub reports: bool,
}

/// Which channels a scan visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// So many as the station's settings say.
    Usual,
    /// Those that its access point's neighbor report names.
    Reported,
    /// Those that its network is on, and another one of those that there are, which it looks at in turn.
    Learnt,
}

/// What a connection manager wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// A scan.
    Scan(Channels),
    /// A neighbor report of its access point ([`Manager::reported`]).
    Report,
    /// Another access point.
    Go(BssId),
    /// To be called at this time instead of any asked for before ([`Manager::timer`]), or not at all.
    Wake(Option<Time>),
}

/// A connection manager. It appends what it wants.
pub trait Manager: Send {
    /// The station is at this access point now.
    fn associated(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>);

    /// A beacon of its access point has come in, at this power in dBm.
    fn beacon(&mut self, _now: Time, _at: &Heard, _wishes: &mut Vec<Wish>) {}

    /// The time that it asked for has come.
    fn timer(&mut self, _now: Time, _wishes: &mut Vec<Wish>) {}

    /// The neighbor report has come that it asked for.
    fn reported(&mut self, _now: Time, _wishes: &mut Vec<Wish>) {}

    /// A scan is over, one that it wanted if it is its `own`; `others` are heard beside its access point, which may be out of reach.
    fn scanned(
        &mut self,
        _now: Time,
        _own: bool,
        _at: Option<&Heard>,
        _others: &[Heard],
        _wishes: &mut Vec<Wish>,
    ) {
    }

    /// Whether it would go to one of `others` if it knew of them and of its own access point as they are in this instant.
    fn prefers(&self, _at: &Heard, _others: &[Heard]) -> bool {
        false
    }

    /// Whether its scans visit the channel of its own access point too.
    fn scans_own_channel(&self) -> bool {
        false
    }

    /// How long a station that is at no access point waits between two searches for one.
    fn searches_every(&self) -> Duration;
}

/// Which connection manager a station has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoamPolicy {
    /// It stays until its access point is gone.
    Sticky(Sticky),
    /// As wpa_supplicant does.
    WpaSupplicant(WpaSupplicant),
    /// As iwd does.
    Iwd(Iwd),
    /// As a vendor documents it.
    Threshold(Threshold),
    /// As one does that somebody brings, on a host with Linux and wpa_supplicant.
    Own(BroughtName),
}

impl RoamPolicy {
    /// How long its host thinks on the way into a network.
    pub(crate) const fn pace(&self) -> Pace {
        match self {
            Self::Sticky(_) | Self::WpaSupplicant(_) | Self::Own(_) => Pace::WPA_SUPPLICANT,
            // Nobody says how long others think.
            Self::Iwd(_) | Self::Threshold(_) => Pace::IWD,
        }
    }

    /// Whether it comes back to an access point at once that has ended the association for this reason (wpa_supplicant 2.10
    /// `disconnect_reason_recoverable`): inactivity, or that it does not know the station. iwd searches (3.10 `station_disassociated`).
    pub(crate) const fn comes_back_after(&self, reason: u16) -> bool {
        matches!((self, reason), (Self::Sticky(_) | Self::WpaSupplicant(_) | Self::Own(_), 4 | 6 | 7))
    }

    /// Whether its host is one with Linux's mac80211, which scans by software here.
    pub(crate) const fn has_mac80211(&self) -> bool {
        !matches!(self, Self::Threshold(_))
    }

    /// Whether it answers a request to go to another access point.
    pub(crate) const fn answers_requests(&self) -> bool {
        !matches!(self, Self::Iwd(_))
    }

    /// The connection manager, where access points have these names; one that somebody brings has this seed.
    pub(crate) fn manager(&self, seed: u64, names: impl FnOnce() -> Arc<[String]>) -> Box<dyn Manager> {
        match *self {
            Self::Sticky(settings) => Box::new(settings),
            Self::WpaSupplicant(settings) => Box::new(wpa_supplicant::State::new(settings)),
            Self::Iwd(settings) => Box::new(iwd::State::new(settings)),
            Self::Threshold(settings) => Box::new(threshold::State::new(settings)),
            Self::Own(own) => OWN_MANAGERS.make(own)(&own.making(seed), names()),
        }
    }
}
