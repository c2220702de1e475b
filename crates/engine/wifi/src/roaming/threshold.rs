//! What vendors document of stations whose program is not there to read: a signal below which the station scans, and by how much another access
//! point must be stronger. One procedure with values of each; documented, not measured.
//!
//! Apple, "About wireless roaming for enterprise" (HT203068) and "macOS wireless roaming for enterprise customers" (HT206207): iOS and iPadOS scan
//! below -70 dBm and go to one that is 8 dB stronger while data go, 12 dB while none do; macOS scans below -75 dBm and goes at 12 dB. Both
//! ask for neighbor reports, macOS on Apple silicon from 12 on. Qualcomm's driver qcacld-3.0 (`cfg_mlme_lfr.h`, defaults): -78 dBm
//! (`gNeighborLookupThreshold`), 5 dB (`RoamRssiDiff`), results that are old after 20 s (`gNeighborScanRefreshPeriod`); telephones have values
//! of their own there. How often Apple's devices scan while the signal stays low is not said: they are taken to do so every 20 s too.

use super::monitor::Monitor;
use super::{Channels, Heard, Manager, Wish};
use crate::id::BssId;
use airloom_sim::{Duration, Time};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The signal below which the station scans, in dBm.
    pub threshold_dbm: i32,
    /// By how much another access point must be stronger, in dB.
    pub better_by_db: i32,
    /// Time between scans while the signal stays low, and between two searches while the station is at no access point.
    pub every: Duration,
    /// Whether it asks for neighbor reports.
    pub asks: bool,
}

/// What it knows of the association.
pub(super) struct State {
    settings: Threshold,
    monitor: Monitor,
    /// The signal is low.
    low: bool,
    /// A neighbor report says which channels to scan.
    channels: Channels,
}

impl State {
    pub(super) fn new(settings: Threshold) -> Self {
        let monitor = Monitor::new(settings.threshold_dbm, 0);
        Self { settings, monitor, low: false, channels: Channels::Usual }
    }

    /// To which of others it goes from an access point of this signal in dBm: the strongest, if that is stronger by as much as it wants.
    fn better(&self, own: i32, others: &[Heard]) -> Option<BssId> {
        let best = others.iter().max_by_key(|of| of.dbm)?;
        (best.dbm >= own + self.settings.better_by_db).then_some(best.bss)
    }
}

impl Manager for State {
    fn associated(&mut self, _: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        *self = Self::new(self.settings);
        wishes.push(Wish::Wake(None));
        if at.reports && self.settings.asks {
            wishes.push(Wish::Report);
        }
    }

    fn beacon(&mut self, _: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        match self.monitor.beacon(at.dbm) {
            Some(true) if self.low => {
                self.low = false;
                wishes.push(Wish::Wake(None));
            }
            Some(false) if !self.low => {
                self.low = true;
                wishes.push(Wish::Scan(self.channels));
            }
            _ => {}
        }
    }

    fn timer(&mut self, _: Time, wishes: &mut Vec<Wish>) {
        wishes.push(Wish::Scan(self.channels));
    }

    fn reported(&mut self, _: Time, _: &mut Vec<Wish>) {
        self.channels = Channels::Reported;
    }

    fn scanned(&mut self, now: Time, _: bool, at: Option<&Heard>, others: &[Heard], wishes: &mut Vec<Wish>) {
        if !self.low {
            return;
        }
        let own = self.monitor.mean_dbm().or_else(|| at.map(|at| at.dbm));
        match own.and_then(|own| self.better(own, others)) {
            Some(best) => wishes.push(Wish::Go(best)),
            None => wishes.push(Wish::Wake(Some(now + self.settings.every))),
        }
    }

    fn prefers(&self, at: &Heard, others: &[Heard]) -> bool {
        at.dbm < self.settings.threshold_dbm && self.better(at.dbm, others).is_some()
    }

    fn searches_every(&self) -> Duration {
        self.settings.every
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::{GuardInterval, Ht, Rate, Width};
    use airloom_sim::Index;

    /// As iOS does, from Apple's article: 8 dB at -70 dBm.
    const IOS: Threshold =
        Threshold { threshold_dbm: -70, better_by_db: 8, every: Duration::from_secs(20), asks: true };

    fn heard(bss: usize, dbm: i32) -> Heard {
        let highest = Rate::Ht(Ht { mcs: 7, width: Width::Mhz20, guard: GuardInterval::Ns800 });
        Heard { bss: BssId::new(bss), dbm, mhz: 5180, highest, fast: false, reports: true }
    }

    /// What it wishes after twenty beacons at this signal.
    fn after_beacons(state: &mut State, dbm: i32) -> Vec<Wish> {
        let mut wishes = Vec::new();
        (0..20).for_each(|_| state.beacon(Time::ZERO, &heard(0, dbm), &mut wishes));
        wishes
    }

    #[test]
    fn it_scans_below_its_threshold_the_channels_that_it_was_told() {
        let mut state = State::new(IOS);
        assert_eq!(after_beacons(&mut state, -70), []);
        assert_eq!(after_beacons(&mut state, -72), [Wish::Scan(Channels::Usual)]);
        let mut wishes = Vec::new();
        state.associated(Time::ZERO, &heard(0, -72), &mut wishes);
        assert_eq!(wishes, [Wish::Wake(None), Wish::Report]);
        state.reported(Time::ZERO, &mut wishes);
        assert_eq!(after_beacons(&mut state, -72), [Wish::Scan(Channels::Reported)]);
    }

    #[test]
    fn it_goes_to_one_that_is_so_much_stronger_or_scans_again_later() {
        let after = |dbm: i32| {
            let (mut state, mut wishes) = (State::new(IOS), Vec::new());
            after_beacons(&mut state, -72);
            state.scanned(Time::ZERO, true, Some(&heard(0, -72)), &[heard(1, dbm)], &mut wishes);
            wishes
        };
        assert_eq!(after(-64), [Wish::Go(BssId::new(1))]);
        assert_eq!(after(-65), [Wish::Wake(Some(Time::ZERO + IOS.every))]);
    }
}
