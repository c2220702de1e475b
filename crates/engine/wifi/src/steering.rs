//! An access point that asks stations to go to a better one: the state machine of OpenWrt's usteer (`policy.c` of 2026-05), with its names in
//! brackets.
//!
//! usteer looks at its stations once a second. One that it receives below a threshold, and that another access point receives so much better,
//! it asks by a BSS Transition Management request which names that one and says that the association ends in 10 s (`aggressiveness` 3). Then it
//! waits: a station that refuses stays, and is left alone; one that neither refuses nor goes is deauthenticated.

use airloom_sim::{Duration, Time};

/// Between two looks (`local_sta_update`).
pub(crate) const LOOKS: Duration = Duration::from_secs(1);
/// From a request until the association ends (`roam_kick_delay`).
const KICKS: Duration = Duration::from_secs(10);
/// A station that has refused is not asked again for so long (`steer_reject_timeout`).
const REFUSED: Duration = Duration::from_secs(60);

/// When an access point asks a station to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steering {
    /// The signal in dBm below which it receives the station (`roam_trigger_snr`, or `roam_scan_snr`).
    pub below_dbm: f64,
    /// By how many dB another one must receive it better (`signal_diff_threshold`).
    pub better_by_db: f64,
    /// For so long its signal has been below: until others have heard a probe of it that it was asked to send (`roam_scan_interval`), and two
    /// more looks.
    pub waits: Duration,
    /// For so long it has been at the access point (`roam_trigger_interval`).
    pub settled: Duration,
}

/// What a station makes of such a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steered {
    /// It scans for the access point that is named and goes there, if it hears it.
    Obeys,
    /// It answers that it stays.
    Refuses,
    /// It does not know such requests.
    Ignores,
}

/// What an access point does about a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Ask,
    Kick,
}

/// What an access point knows of a station that is there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    /// Since when it is there; none from the beginning of a run on, as if it had been for long.
    since: Option<Time>,
    /// Since when its signal is below the threshold.
    low_since: Option<Time>,
    /// It is left alone until then.
    quiet: Time,
    /// Its association ends then.
    kick: Option<Time>,
}

impl Watch {
    /// The station has just come.
    pub(crate) fn new(now: Time) -> Self {
        Self { since: Some(now), ..Self::default() }
    }

    /// A look at the station, which the access point receives at `dbm`, and another one at most at `other`, in dBm.
    pub(crate) fn look(&mut self, now: Time, rules: &Steering, dbm: f64, other: Option<f64>) -> Option<Step> {
        if self.kick.is_some_and(|kick| kick <= now) {
            self.kick = None;
            return Some(Step::Kick);
        }
        let new = self.since.is_some_and(|since| now < since + rules.settled);
        if dbm >= rules.below_dbm || now < self.quiet || new {
            self.low_since = None;
            return None;
        }
        let low_since = *self.low_since.get_or_insert(now);
        let is_better = |other: f64| other >= rules.below_dbm && other - dbm > rules.better_by_db;
        if now < low_since + rules.waits || !other.is_some_and(is_better) {
            return None;
        }
        (self.low_since, self.quiet, self.kick) = (None, now + KICKS, Some(now + KICKS));
        Some(Step::Ask)
    }

    /// The station's answer has come.
    pub(crate) fn answered(&mut self, now: Time, agrees: bool) {
        if !agrees {
            (self.kick, self.quiet) = (None, now + REFUSED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Steering = Steering {
        below_dbm: -70.0,
        better_by_db: 8.0,
        waits: Duration::from_secs(2),
        settled: Duration::from_secs(5),
    };

    /// What it does in each second at a signal, while another one has that of `other`; it `answers` after this many seconds.
    fn steps(dbm: f64, other: f64, refuses: Option<u64>) -> Vec<(u64, Step)> {
        let (mut watch, mut steps) = (Watch::new(Time::ZERO), Vec::new());
        for second in 0..82 {
            let now = Time::ZERO + Duration::from_secs(second);
            if refuses == Some(second) {
                watch.answered(now, false);
            }
            steps.extend(watch.look(now, &RULES, dbm, Some(other)).map(|step| (second, step)));
        }
        steps
    }

    #[test]
    fn it_asks_once_the_station_has_settled_and_its_signal_has_been_low() {
        assert_eq!(steps(-71.0, -62.0, None)[..2], [(7, Step::Ask), (17, Step::Kick)]);
        assert_eq!(steps(-70.0, -50.0, None), [], "the signal is not below the threshold");
        assert_eq!(steps(-71.0, -63.0, None), [], "the other one is not better by more");
        assert_eq!(steps(-90.0, -71.0, None), [], "the other one would ask it to go too");
    }

    #[test]
    fn who_refuses_stays_and_is_left_alone_for_a_minute() {
        assert_eq!(steps(-71.0, -60.0, Some(8)), [(7, Step::Ask), (70, Step::Ask), (80, Step::Kick)]);
    }
}
