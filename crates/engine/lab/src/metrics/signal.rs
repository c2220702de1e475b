//! The signal of a station over time: its ratio to the noise, which holds until it changes.

use super::mean::TimeMean;
use airloom_sim::{Duration, Time};

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct SignalMeter {
    mean: TimeMean,
    /// Every value with the time from which it holds.
    values: Vec<(Time, f64)>,
    /// From when on they count.
    from: Time,
}

impl SignalMeter {
    /// From `now` on the ratio is this one, in dB.
    pub(super) fn set(&mut self, now: Time, snr_db: f64) {
        self.mean.set(now, snr_db);
        self.values.push((now, snr_db));
    }

    /// What was before `now` counts in the series alone.
    pub(super) fn forget(&mut self, now: Time) {
        self.from = now;
    }

    /// The mean of a bin, if there is a signal.
    pub(super) fn take(&mut self, start: Time, end: Time) -> Option<f64> {
        self.mean.take(start, end)
    }

    /// The least ratio until `end`, and the one below which it was for half of the time; none if there is none.
    pub(super) fn least_and_median(&self, end: Time) -> Option<(f64, f64)> {
        let ends = self.values.iter().skip(1).map(|(at, _)| *at).chain([end]);
        let held = self.values.iter().zip(ends).map(|(&(at, db), until)| {
            let until = until.min(end);
            (db, until.since(at.max(self.from).min(until)))
        });
        let mut held: Vec<(f64, Duration)> = held.filter(|(_, time)| *time > Duration::ZERO).collect();
        held.sort_by(|a, b| a.0.total_cmp(&b.0));
        let all: Duration = held.iter().map(|(_, time)| *time).sum();
        let mut passed = Duration::ZERO;
        let median = held.iter().find(|(_, time)| {
            passed += *time;
            passed * 2 >= all
        });
        Some((held.first()?.0, median?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_weighs_by_how_long_a_value_held() {
        let s = |n| Time::ZERO + Duration::from_secs(n);
        let mut signal = SignalMeter::default();
        assert_eq!(signal.least_and_median(s(9)), None);
        for (at, db) in [(0, 40.0), (1, 10.0), (2, 20.0), (8, 99.0)] {
            signal.set(s(at), db);
        }
        assert_eq!(signal.least_and_median(s(8)), Some((10.0, 20.0)));
        signal.forget(s(2));
        assert_eq!(signal.least_and_median(s(8)), Some((20.0, 20.0)));
    }
}
