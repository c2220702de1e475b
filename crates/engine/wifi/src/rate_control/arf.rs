//! Automatic rate fallback: one rate up after a run of successes, one down after two failures in a row (Kamerman and
//! Monteban, "WaveLAN-II: a high-performance wireless LAN for the unlicensed band", 1997).

use super::{RateControl, Setup};
use crate::id::RateId;
use airloom_rate::Rate;
use airloom_sim::Index;

airloom_sim::parameters! {
    /// ARF.
    pub struct Arf {
        /// Successes in a row before the next rate up is tried; one and a half times as many attempts do as well.
        successes: u32 = count(1, 1_000), default 10;
        /// Failures in a row before the next rate down is taken; one is enough right after going up.
        failures: u32 = count(1, 255), default 2;
    }
}

impl Arf {
    /// The rates that it chooses from, and its control over them.
    pub(super) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        let rates = setup.steps();
        let control = Control::new(rates.len(), self.failures, (self.successes, self.successes));
        (rates, Box::new(control))
    }
}

/// See the module; rates are indices, slowest first.
pub(super) struct Control {
    rate: usize,
    highest: usize,
    /// Failures in a row before the next rate down is taken.
    enough: u32,
    /// The fewest and the most successes that are asked for; they double each time a higher rate fails at once.
    range: (u32, u32),
    /// Successes asked for; one and a half times as many attempts do as well, which is the timer of 15.
    threshold: u32,
    successes: u32,
    failures: u32,
    attempts: u32,
    /// The next attempt is the first at a higher rate.
    probing: bool,
}

impl Control {
    /// Begins with the highest of `rates`.
    pub(super) fn new(rates: usize, enough: u32, range: (u32, u32)) -> Self {
        let highest = rates - 1;
        Self {
            rate: highest,
            highest,
            enough,
            range,
            threshold: range.0,
            successes: 0,
            failures: 0,
            attempts: 0,
            probing: false,
        }
    }

    fn go_to(&mut self, rate: usize) {
        self.rate = rate;
        (self.successes, self.failures, self.attempts) = (0, 0, 0);
    }
}

impl RateControl for Control {
    fn preferred(&self) -> RateId {
        RateId::new(self.rate)
    }

    fn is_in_hardware(&self) -> bool {
        true
    }

    /// An attempt succeeds if at least half of its MPDUs do.
    fn attempted(&mut self, attempted: u32, succeeded: u32) {
        let probing = std::mem::take(&mut self.probing);
        let (least, most) = self.range;
        self.attempts += 1;
        if 2 * succeeded >= attempted {
            self.failures = 0;
            self.successes += 1;
            let due = self.successes >= self.threshold || self.attempts >= self.threshold * 3 / 2;
            if due && self.rate < self.highest {
                self.go_to(self.rate + 1);
                self.probing = true;
            }
        } else {
            self.successes = 0;
            self.failures += 1;
            if probing {
                self.threshold = (2 * self.threshold).min(most);
                self.go_to(self.rate - 1);
            } else if self.failures == self.enough {
                self.threshold = least;
                self.go_to(self.rate.saturating_sub(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arf(rates: usize) -> Control {
        Control::new(rates, 2, (10, 10))
    }

    /// Reports `n` like attempts; the rate after them.
    fn after(arf: &mut Control, n: u32, success: bool) -> usize {
        (0..n).for_each(|_| arf.attempted(1, success.into()));
        arf.preferred().place()
    }

    #[test]
    fn two_failures_go_down_and_ten_successes_up() {
        let mut arf = arf(4);
        assert_eq!(after(&mut arf, 1, false), 3);
        assert_eq!(after(&mut arf, 1, true), 3, "the failures must follow each other");
        assert_eq!(after(&mut arf, 2, false), 2);
        assert_eq!(after(&mut arf, 2, false), 1);
        assert_eq!(after(&mut arf, 9, true), 1);
        assert_eq!(after(&mut arf, 1, true), 2);
        assert_eq!(after(&mut arf, 100, false), 0);
    }

    #[test]
    fn a_higher_rate_that_fails_at_once_is_left_at_once() {
        let mut arf = arf(4);
        after(&mut arf, 2, false);
        assert_eq!(after(&mut arf, 10, true), 3);
        assert_eq!(after(&mut arf, 1, false), 2);
        assert_eq!(after(&mut arf, 10, true), 3);
        after(&mut arf, 1, true);
        assert_eq!(after(&mut arf, 1, false), 3, "once it has proved good it takes two failures");
    }

    #[test]
    fn the_timer_tries_the_next_rate_though_successes_are_broken() {
        let mut arf = arf(2);
        after(&mut arf, 2, false);
        for _ in 0..4 {
            after(&mut arf, 2, true);
            after(&mut arf, 1, false);
        }
        assert_eq!(after(&mut arf, 2, true), 0, "fourteen attempts");
        assert_eq!(after(&mut arf, 1, true), 1);
    }
}
