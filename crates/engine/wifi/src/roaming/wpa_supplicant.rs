//! wpa_supplicant: background scans of the module "simple" or "learn", whose results it compares (wpa_supplicant 2.11, `bgscan_simple.c`,
//! `bgscan_learn.c`; `wpa_supplicant_need_to_roam_within_ess` in `events.c`; `wpa_scan_result_compar` in `scan.c`).

use super::estimate::{snr_db, throughput_kbps};
use super::monitor::Monitor;
use super::{Channels, Heard, Manager, Wish};
use crate::id::BssId;
use airloom_sim::{Duration, Time};
use std::cmp::Ordering;

/// A signal that crosses the threshold is told again once it has moved by this much (`bgscan_simple_init`).
const HYSTERESIS_DB: i32 = 4;
/// Beyond this ratio it does not roam, and all count alike (`GREAT_SNR`).
const GREAT_SNR: i32 = 25;
/// A network with so much more estimated throughput is taken at once, in kbit/s.
const MUCH_MORE: u32 = 5000;

/// The settings of `bgscan="simple:30:-70:86400"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WpaSupplicant {
    /// Its module is "learn": it scans the channels of its network and another one, and at the short interval as often as that comes.
    pub learns: bool,
    /// Time between scans while the signal is below the threshold.
    pub short: Duration,
    /// The threshold, in dBm.
    pub threshold_dbm: i32,
    /// Time between scans while it is above.
    pub long: Duration,
    /// Time between two searches while the station is at no access point (`scan_interval`).
    pub search: Duration,
}

/// What it knows of the association.
pub(super) struct State {
    settings: WpaSupplicant,
    monitor: Monitor,
    /// Time between scans now.
    interval: Duration,
    /// Scans at the short interval, of which it makes so many at most before it backs off.
    short_scans: u64,
    last: Time,
}

impl State {
    pub(super) fn new(settings: WpaSupplicant) -> Self {
        let monitor = Monitor::new(settings.threshold_dbm, HYSTERESIS_DB);
        Self { settings, monitor, interval: settings.short, short_scans: 0, last: Time::ZERO }
    }

    fn most_short_scans(&self) -> u64 {
        self.settings.long.as_nanos() / self.settings.short.as_nanos() + 1
    }

    fn scan(&mut self, now: Time, wishes: &mut Vec<Wish>) {
        self.last = now;
        if self.settings.learns {
            return wishes.push(Wish::Scan(Channels::Learnt));
        }
        if self.interval == self.settings.short {
            self.short_scans += 1;
            if self.short_scans >= self.most_short_scans() {
                self.interval = self.settings.long;
            }
        } else {
            self.short_scans = self.short_scans.saturating_sub(1);
        }
        wishes.push(Wish::Scan(Channels::Usual));
    }

    /// To which of others it goes from its access point, whose signal is so strong by a poll, in dBm.
    fn better(&self, at: &Heard, polled: i32, others: &[Heard]) -> Option<BssId> {
        let best = others.iter().max_by(|one, other| compare(one, other))?;
        let own = Side::of(&Heard { dbm: polled, ..*at });
        let goes = || own.goes(&Side::of(best), self.settings.threshold_dbm);
        (compare(best, at).is_gt() && goes()).then_some(best.bss)
    }

    /// The signal has dropped below the threshold, or further below it (`bgscan_simple_notify_signal_change`). "learn" leaves
    /// the next scan for when it was meant, if it has just scanned (`bgscan_learn_notify_signal_change`), and counts none.
    fn dropped(&mut self, now: Time, wishes: &mut Vec<Wish>) {
        let since = seconds(now) - seconds(self.last);
        if self.interval == self.settings.short {
            if since > 10 {
                self.scan(now, wishes);
            }
            return;
        }
        self.interval = self.settings.short;
        if since > 1 && self.short_scans <= self.most_short_scans() {
            self.scan(now, wishes);
        } else if !self.settings.learns && self.last + self.settings.long > now + self.interval {
            wishes.push(Wish::Wake(Some(now + self.interval)));
        }
    }
}

/// One of two networks, as it is compared.
#[derive(Clone, Copy, Debug)]
struct Side {
    dbm: i32,
    snr_db: i32,
    kbps: u32,
    band: i32,
}

impl Side {
    fn of(heard: &Heard) -> Self {
        Self { dbm: heard.dbm, snr_db: snr_db(heard), kbps: throughput_kbps(heard), band: band(heard) }
    }

    /// Whether to go from here to there, with this threshold in dBm (`wpa_supplicant_need_to_roam_within_ess`).
    fn goes(&self, there: &Self, threshold: i32) -> bool {
        if there.kbps > self.kbps + MUCH_MORE {
            return true;
        }
        let to_5ghz = i32::from(there.band > 0 && self.band == 0);
        let to_6ghz = i32::from(there.band == 2 && self.band < 2);
        if self.dbm > there.dbm + 2 * (to_5ghz + to_6ghz) && 10 * there.kbps < 12 * self.kbps
            || self.kbps > there.kbps + MUCH_MORE
            || self.snr_db > GREAT_SNR
        {
            return false;
        }
        let least = match self.dbm {
            ..-85 => 1,
            -85..-80 => 2,
            -80..-75 => 3,
            -75..-70 => 4,
            _ => 5,
        };
        let least = least + by_throughput(self.kbps, there.kbps) + 2 * (self.band - there.band);
        let crosses = threshold != 0 && self.dbm <= threshold && there.dbm > threshold;
        there.dbm - self.dbm >= if crosses { least - 2 } else { least }
    }
}

/// What the two throughputs add to the least difference of levels, in dB.
fn by_throughput(own: u32, its: u32) -> i32 {
    let beyond = |more: u32, less: u32| {
        let [more, less] = [more, less].map(u64::from);
        match () {
            () if 2 * more > 3 * less => 10,
            () if 5 * more > 6 * less => 5,
            () if 10 * more > 11 * less => 2,
            () if more > less => 1,
            () => 0,
        }
    };
    beyond(own, its) - beyond(its, own)
}

/// 2.4, 5 and 6 GHz (`wpas_evaluate_band_score`).
const fn band(of: &Heard) -> i32 {
    match of.mhz {
        ..4000 => 0,
        4000..5950 => 1,
        _ => 2,
    }
}

/// Which of two results it prefers; the greater one (`wpa_scan_result_compar`).
fn compare(one: &Heard, other: &Heard) -> Ordering {
    let great = |of: &Heard| snr_db(of).min(GREAT_SNR);
    let apart = (great(one) - great(other)).abs();
    let throughput = throughput_kbps(one).cmp(&throughput_kbps(other));
    let is_5ghz = |of: &Heard| band(of) == 1;
    let known = great(one) != 0 && great(other) != 0;
    match () {
        () if known && apart < 7 && throughput.is_ne() => throughput,
        () if known && apart < 5 && is_5ghz(one) != is_5ghz(other) => is_5ghz(one).cmp(&is_5ghz(other)),
        () => snr_db(one).cmp(&snr_db(other)),
    }
}

/// Whole seconds, in which it reckons.
fn seconds(time: Time) -> u64 {
    time.as_nanos() / 1_000_000_000
}

impl Manager for State {
    fn associated(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        let above = at.dbm >= self.settings.threshold_dbm;
        *self = Self::new(self.settings);
        self.interval = if above { self.settings.long } else { self.settings.short };
        self.last = now;
        wishes.push(Wish::Wake(Some(now + self.interval)));
    }

    fn beacon(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        if self.settings.short == self.settings.long {
            return;
        }
        match self.monitor.beacon(at.dbm) {
            Some(false) => self.dropped(now, wishes),
            Some(true) if self.interval == self.settings.short => {
                self.interval = self.settings.long;
                wishes.push(Wish::Wake(Some(now + self.interval)));
            }
            _ => {}
        }
    }

    fn timer(&mut self, now: Time, wishes: &mut Vec<Wish>) {
        self.scan(now, wishes);
    }

    fn scanned(&mut self, now: Time, _: bool, at: Option<&Heard>, others: &[Heard], wishes: &mut Vec<Wish>) {
        // Also if it is heard no more (`bgscan_simple_notify_scan`).
        wishes.push(Wish::Wake(Some(now + self.interval)));
        let Some(at) = at else { return };
        let polled = self.monitor.mean_dbm().unwrap_or(at.dbm);
        wishes.extend(self.better(at, polled, others).map(Wish::Go));
    }

    fn prefers(&self, at: &Heard, others: &[Heard]) -> bool {
        self.better(at, at.dbm, others).is_some()
    }

    /// It names no channels, or all that it was told of (`bgscan_simple_timeout`).
    fn scans_own_channel(&self) -> bool {
        true
    }

    fn searches_every(&self) -> Duration {
        self.settings.search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_rate::Rate;
    use airloom_sim::Index;

    /// By hand from the two modules: at a signal that stays low "simple" scans eleven times, every 30 s, and then every 300 s; "learn" goes on.
    #[test]
    fn learn_scans_its_networks_channels_and_does_not_back_off() {
        let at = |seconds: u64| Time::ZERO + Duration::from_secs(seconds);
        let low = Heard {
            bss: BssId::new(0),
            dbm: -80,
            mhz: 5180,
            highest: Rate::ofdm(54).expect("a rate"),
            fast: false,
            reports: false,
        };
        let scans = |learns: bool| {
            let [short, long, search] = [30, 300, 5].map(Duration::from_secs);
            let mut state = State::new(WpaSupplicant { learns, short, threshold_dbm: -65, long, search });
            let mut wishes = Vec::new();
            state.associated(at(0), &low, &mut wishes);
            let mut begun = Vec::new();
            while let Some(Wish::Wake(Some(next))) = wishes.pop().filter(|_| begun.len() < 13) {
                state.timer(next, &mut wishes);
                let Some(Wish::Scan(channels)) = wishes.pop() else { panic!("{wishes:?}") };
                begun.push((seconds(next), channels));
                state.scanned(next, true, Some(&low), &[], &mut wishes);
            }
            begun
        };
        let times: Vec<u64> = scans(false).iter().map(|scan| scan.0).collect();
        assert_eq!(times, [30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 630, 930]);
        let learnt: Vec<_> = (1..=13).map(|n| (30 * n, Channels::Learnt)).collect();
        assert_eq!(scans(true), learnt);
    }

    /// A network at this signal in dBm that carries so many kbit/s, at 5 GHz or 2.4.
    fn side(dbm: i32, kbps: u32, is_5ghz: bool) -> Side {
        let (band, noise) = if is_5ghz { (1, -92) } else { (0, -89) };
        Side { dbm, snr_db: dbm - noise, kbps, band }
    }

    /// Two of the cases of wpa_supplicant's own tests (`wpas_need_to_roam_module_tests` of 2.10); the others are of before throughput alone
    /// decided where networks differ by 5 Mbit/s.
    #[test]
    fn it_decides_as_wpa_supplicants_own_tests_have_it() {
        assert!(side(-40, 65_000, false).goes(&side(-50, 390_000, true), 0));
        assert!(!side(-80, 19_500, false).goes(&side(-80, 19_500, false), 0));
    }

    /// Alike but for the signal, at -72 dBm 4 dB are needed, at -90 dBm 1 dB, 2 less where the threshold lies between the two.
    #[test]
    fn the_weaker_the_signal_the_less_is_needed() {
        let least = |dbm: i32, threshold: i32| {
            let goes = |by: &i32| side(dbm, 6_500, false).goes(&side(dbm + by, 6_500, false), threshold);
            (0..9).find(goes)
        };
        assert_eq!(
            [-90, -83, -78, -72, -68].map(|dbm| least(dbm, 0)),
            [Some(1), Some(2), Some(3), Some(4), Some(5)]
        );
        assert_eq!([least(-71, -70), least(-72, -70)], [Some(2), Some(3)]);
        assert_eq!(least(-60, 0), None, "29 dB over noise is great");
    }
}
