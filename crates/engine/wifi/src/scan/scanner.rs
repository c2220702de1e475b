//! The requester of scans: a connection manager that scans periodically, at intervals that grow (NetworkManager 0.9.8
//! `schedule_scan`, src/nm-device-wifi.c: steps of 20 s up to 120 s).

use airloom_sim::{Duration, Time};

/// The periodic requester.
#[derive(Clone, Copy, Debug)]
pub struct Scanner {
    first: Duration,
    interval: Duration,
    step: Duration,
    longest: Duration,
}

impl Scanner {
    /// Asks first after `first`, then after `shortest`, and each time `step` later until the interval is `longest`.
    pub fn new(first: Duration, shortest: Duration, step: Duration, longest: Duration) -> Self {
        Self { first, interval: shortest.min(longest), step, longest }
    }

    /// Has asked every `every` for long: asks first after `first`, which is less than that.
    pub fn settled(first: Duration, every: Duration) -> Self {
        Self::new(first, every, Duration::ZERO, every)
    }

    /// When the first request comes.
    pub fn first(&self) -> Time {
        Time::ZERO + self.first
    }

    /// A request was made `now`; returns the time of the next one.
    pub fn next(&mut self, now: Time) -> Time {
        let at = now + self.interval;
        self.interval = (self.interval + self.step).min(self.longest);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_backs_off_to_two_minutes() {
        let s = Duration::from_secs;
        let mut scanner = Scanner::new(s(5), s(60), s(20), s(120));
        let mut at = scanner.first();
        let mut gaps = Vec::new();
        for _ in 0..6 {
            let next = scanner.next(at);
            gaps.push((next - at).as_millis() / 1000);
            at = next;
        }
        assert_eq!(gaps, [60, 80, 100, 120, 120, 120]);
    }

    #[test]
    fn one_that_has_asked_for_long_keeps_its_interval() {
        let s = Duration::from_secs;
        let mut scanner = Scanner::settled(s(7), s(120));
        let first = scanner.first();
        let second = scanner.next(first);
        assert_eq!(
            [first, second, scanner.next(second)].map(|at| at.since(Time::ZERO)),
            [7, 127, 247].map(s)
        );
    }
}
