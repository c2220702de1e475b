//! Whether a link is about to be lost: its signal is weak and falling.

use airloom_sim::{Duration, Time};

/// When a signal is weak and falling, so that the station should look for another access point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weak {
    /// Weak is below this, in dBm.
    pub below_dbm: i16,
    /// Falling is this many dB or more below its best within the last `within` to twice `within`.
    pub fall_db: i16,
    /// How long the best is remembered.
    pub within: Duration,
}

/// The signal's recent past: its best, in this period and in the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signal {
    weak: Option<Weak>,
    period: Time,
    best: [Option<i16>; 2],
    latest: Option<i16>,
}

impl Signal {
    pub(crate) fn new(weak: Option<Weak>) -> Self {
        Self { weak, period: Time::ZERO, best: [None; 2], latest: None }
    }

    /// The signal is `dbm` now.
    pub(crate) fn sample(&mut self, now: Time, dbm: i16) {
        let Some(weak) = self.weak else { return };
        let age = now.since(self.period);
        if age >= weak.within {
            self.best = [None, if age < weak.within * 2 { self.best[0] } else { None }];
            self.period = now;
        }
        self.best[0] = self.best[0].max(Some(dbm));
        self.latest = Some(dbm);
    }

    /// Clears the history: the link is another one.
    pub(crate) fn forget(&mut self) {
        *self = Self::new(self.weak);
    }

    /// Whether the station should be free to look for another access point.
    pub(crate) fn weak_and_falling(&self) -> bool {
        let (Some(weak), Some(latest)) = (self.weak, self.latest) else { return false };
        let best = self.best[0].max(self.best[1]).unwrap_or(latest);
        latest < weak.below_dbm && best - latest >= weak.fall_db
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEAK: Weak = Weak { below_dbm: -75, fall_db: 6, within: Duration::from_secs(30) };

    fn after(samples: &[(u64, i16)]) -> bool {
        let mut signal = Signal::new(Some(WEAK));
        for &(second, dbm) in samples {
            signal.sample(Time::ZERO + Duration::from_secs(second), dbm);
        }
        signal.weak_and_falling()
    }

    #[test]
    fn a_signal_that_falls_while_strong_or_is_weak_but_steady_is_no_reason_to_roam() {
        assert!(!after(&[(0, -40), (10, -70)]));
        assert!(!after(&[(0, -80), (10, -82), (20, -80)]));
    }

    #[test]
    fn a_walk_away_from_the_access_point_is() {
        assert!(after(&[(0, -60), (10, -70), (20, -80)]));
    }

    #[test]
    fn a_fall_is_remembered_across_periods_and_then_over() {
        assert!(after(&[(0, -70), (29, -70), (31, -80), (59, -80)]));
        assert!(!after(&[(0, -70), (31, -80), (62, -80), (93, -80)]));
    }

    #[test]
    fn what_was_long_ago_says_nothing() {
        assert!(!after(&[(0, -40), (600, -80)]));
    }
}
