//! iwd: a scan five seconds after the signal has become low, and again as long as it is (iwd 3.10, `src/station.c`; the rank of a network
//! in `src/scan.c` `scan_bss_compute_rank`).

use super::estimate::data_rate_bps;
use super::monitor::Monitor;
use super::{Channels, Heard, Manager, Wish};
use crate::id::BssId;
use airloom_sim::{Duration, Time};

/// A signal that crosses the threshold is told again once it has moved by this much (`netdev_build_cmd_cqm_rssi_update`).
const HYSTERESIS_DB: i32 = 5;
/// From the low signal to the first scan (`station_low_rssi`).
const FIRST: Duration = Duration::from_secs(5);
/// So long it waits for a neighbor report (`netdev_neighbor_report_req`).
const REPORT: Duration = Duration::from_secs(3);
/// What a network in its domain of fast transitions counts more (`RANK_FT_FACTOR`).
const FAST: f64 = 1.3;
/// The rate that has the highest rank, in bit/s.
const MOST: f64 = 9_607_800_000.0;
/// Between two searches while it is at no access point, as the first of them follow each other (`InitialPeriodicScanInterval`).
const SEARCH: Duration = Duration::from_secs(10);

/// The settings `RoamThreshold`, `RoamThreshold5G` and `RoamRetryInterval` of its `main.conf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iwd {
    /// The signal below which it looks for another access point at 2.4 GHz, in dBm.
    pub threshold_dbm: i32,
    /// The same at 5 and 6 GHz.
    pub threshold_5ghz_dbm: i32,
    /// Time between scans while the signal stays low.
    pub retry: Duration,
}

impl Iwd {
    const fn threshold(&self, mhz: u32) -> i32 {
        if mhz > 4000 { self.threshold_5ghz_dbm } else { self.threshold_dbm }
    }
}

/// What it knows of the association.
pub(super) struct State {
    settings: Iwd,
    monitor: Monitor,
    /// The signal is low.
    low: bool,
    /// The scan under way, or the next one, is of all channels.
    full: bool,
    /// A scan of its own is under way.
    scans: bool,
    /// What is known of a neighbor report.
    report: Report,
}

/// How far it is with the neighbor report of its access point (802.11k).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Report {
    /// That gives none.
    Never,
    /// It has asked as it was associated, and has no answer.
    Asked,
    /// It has asked as it was about to scan, and waits for the answer.
    Awaited,
    /// Here it is (`roam_freqs`).
    Known,
}

impl State {
    pub(super) fn new(settings: Iwd) -> Self {
        let monitor = Monitor::new(settings.threshold_dbm, HYSTERESIS_DB);
        Self { settings, monitor, low: false, full: false, scans: false, report: Report::Never }
    }

    /// To which of others it goes from its access point: the one of the highest rank, if that is above its own.
    fn better(&self, at: &Heard, others: &[Heard]) -> Option<BssId> {
        let best = others.iter().max_by_key(|of| (self.rank(of), of.dbm))?;
        (self.rank(best) > self.rank(at)).then_some(best.bss)
    }

    /// The rank of a network: what it carries, and above all whether its signal is good (`evaluate_bss_group_rank`).
    fn rank(&self, of: &Heard) -> (bool, u32) {
        let rank = (data_rate_bps(of) as f64 / MOST * 65_535.0).min(65_535.0);
        let rank = if of.fast { rank.floor() * FAST } else { rank };
        (of.dbm >= self.settings.threshold(of.mhz), rank as u32)
    }
}

impl Manager for State {
    fn associated(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        self.monitor = Monitor::new(self.settings.threshold(at.mhz), HYSTERESIS_DB);
        (self.full, self.scans) = (false, false);
        wishes.push(Wish::Wake(self.low.then_some(now + self.settings.retry)));
        self.report = Report::Never;
        if at.reports {
            self.report = Report::Asked;
            wishes.push(Wish::Report);
        }
    }

    fn beacon(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        match self.monitor.beacon(at.dbm) {
            Some(true) => {
                self.low = false;
                if self.report == Report::Awaited {
                    self.report = Report::Asked;
                }
                wishes.push(Wish::Wake(None));
            }
            Some(false) if !self.low => {
                self.low = true;
                if !self.scans {
                    wishes.push(Wish::Wake(Some(now + FIRST)));
                }
            }
            _ => {}
        }
    }

    /// It scans the channels of a neighbor report alone. Where none has come it asks again, and scans as usual if there is no answer
    /// (`station_start_roam`).
    fn timer(&mut self, now: Time, wishes: &mut Vec<Wish>) {
        (self.scans, self.full) = (self.report != Report::Asked, false);
        match self.report {
            Report::Never => wishes.push(Wish::Scan(Channels::Usual)),
            Report::Known => wishes.push(Wish::Scan(Channels::Reported)),
            Report::Asked => {
                self.report = Report::Awaited;
                wishes.extend([Wish::Report, Wish::Wake(Some(now + REPORT))]);
            }
            Report::Awaited => {
                self.report = Report::Asked;
                wishes.push(Wish::Scan(Channels::Usual));
            }
        }
    }

    fn reported(&mut self, _: Time, wishes: &mut Vec<Wish>) {
        if std::mem::replace(&mut self.report, Report::Known) == Report::Awaited {
            self.scans = true;
            wishes.extend([Wish::Wake(None), Wish::Scan(Channels::Reported)]);
        }
    }

    fn scanned(
        &mut self,
        now: Time,
        own: bool,
        at: Option<&Heard>,
        others: &[Heard],
        wishes: &mut Vec<Wish>,
    ) {
        if !own {
            return;
        }
        match at.and_then(|at| self.better(at, others)) {
            Some(best) => wishes.push(Wish::Go(best)),
            // The channels that are known have nothing better: all of them, at once.
            None if self.low && !self.full => {
                self.full = true;
                wishes.push(Wish::Scan(Channels::Usual));
            }
            None => {
                self.scans = false;
                wishes.push(Wish::Wake(self.low.then_some(now + self.settings.retry)));
            }
        }
    }

    fn prefers(&self, at: &Heard, others: &[Heard]) -> bool {
        at.dbm < self.settings.threshold(at.mhz) && self.better(at, others).is_some()
    }

    fn searches_every(&self) -> Duration {
        SEARCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::Rate;
    use airloom_sim::Index;

    #[test]
    fn a_question_without_an_answer_as_the_signal_recovers_does_not_end_its_scans() {
        let settings = Iwd { threshold_dbm: -70, threshold_5ghz_dbm: -76, retry: Duration::from_secs(60) };
        let at = |dbm| Heard {
            bss: BssId::new(0),
            dbm,
            mhz: 5180,
            highest: Rate::ofdm(54).expect("a rate"),
            fast: false,
            reports: true,
        };
        let mut iwd = State::new(settings);
        let mut wishes = Vec::new();
        iwd.associated(Time::ZERO, &at(-60), &mut wishes);
        let mut falls = |iwd: &mut State, dbm: i32| {
            wishes.clear();
            (0..60).for_each(|_| iwd.beacon(Time::ZERO, &at(dbm), &mut wishes));
            wishes.last().copied()
        };
        let soon = Wish::Wake(Some(Time::ZERO + FIRST));
        assert_eq!(falls(&mut iwd, -85), Some(soon));
        let mut asked = Vec::new();
        iwd.timer(Time::ZERO + FIRST, &mut asked);
        assert_eq!(asked[0], Wish::Report);
        assert_eq!(falls(&mut iwd, -50), Some(Wish::Wake(None)));
        let mut late = Vec::new();
        iwd.reported(Time::ZERO + FIRST, &mut late);
        assert_eq!(
            (late, falls(&mut iwd, -85)),
            (vec![], Some(soon)),
            "no scan at a good signal, and one later"
        );
    }
}
