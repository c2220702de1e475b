//! Automatic rate fallback: one rate up after a run of successes, one down after two failures in a row (Kamerman and
//! Monteban, "WaveLAN-II: a high-performance wireless LAN for the unlicensed band", 1997); and its adaptive variant, which
//! waits ever longer where going up has failed (Lacage, Manshaei and Turletti, "IEEE 802.11 rate adaptation: a practical
//! approach", 2004).

/// Successes in a row before the next rate up is tried.
const SUCCESSES: u32 = 10;
/// Failures in a row before the next rate down is taken.
const FAILURES: u32 = 2;
/// The most successes that the adaptive variant asks for.
const MOST_SUCCESSES: u32 = 50;

/// See the module; rates are indices, slowest first.
pub(crate) struct Arf {
    adaptive: bool,
    rate: usize,
    highest: usize,
    /// Successes asked for; one and a half times as many attempts do as well, which is the timer of 15.
    threshold: u32,
    successes: u32,
    failures: u32,
    attempts: u32,
    /// The next attempt is the first at a higher rate.
    probing: bool,
}

impl Arf {
    /// Begins with the highest of `rates`.
    pub(crate) fn new(rates: usize, adaptive: bool) -> Self {
        let highest = rates - 1;
        Self {
            adaptive,
            rate: highest,
            highest,
            threshold: SUCCESSES,
            successes: 0,
            failures: 0,
            attempts: 0,
            probing: false,
        }
    }

    /// The rate of the moment.
    pub(super) fn rate(&self) -> usize {
        self.rate
    }

    /// An attempt at the rate of the moment was acknowledged, or was not.
    pub(super) fn report(&mut self, success: bool) {
        let probing = std::mem::take(&mut self.probing);
        self.attempts += 1;
        if success {
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
                if self.adaptive {
                    self.threshold = (2 * self.threshold).min(MOST_SUCCESSES);
                }
                self.go_to(self.rate - 1);
            } else if self.failures == FAILURES {
                self.threshold = SUCCESSES;
                self.go_to(self.rate.saturating_sub(1));
            }
        }
    }

    fn go_to(&mut self, rate: usize) {
        self.rate = rate;
        (self.successes, self.failures, self.attempts) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reports `n` like attempts and tells the rate after them.
    fn after(arf: &mut Arf, n: u32, success: bool) -> usize {
        (0..n).for_each(|_| arf.report(success));
        arf.rate()
    }

    #[test]
    fn two_failures_go_down_and_ten_successes_up() {
        let mut arf = Arf::new(4, false);
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
        let mut arf = Arf::new(4, false);
        after(&mut arf, 2, false);
        assert_eq!(after(&mut arf, 10, true), 3);
        assert_eq!(after(&mut arf, 1, false), 2);
        assert_eq!(after(&mut arf, 10, true), 3);
        after(&mut arf, 1, true);
        assert_eq!(after(&mut arf, 1, false), 3, "once it has proved good it takes two failures");
    }

    #[test]
    fn the_timer_tries_the_next_rate_though_successes_are_broken() {
        let mut arf = Arf::new(2, false);
        after(&mut arf, 2, false);
        for _ in 0..4 {
            after(&mut arf, 2, true);
            after(&mut arf, 1, false);
        }
        assert_eq!(after(&mut arf, 2, true), 0, "fourteen attempts");
        assert_eq!(after(&mut arf, 1, true), 1);
    }

    #[test]
    fn the_adaptive_variant_doubles_its_patience_up_to_fifty() {
        let mut aarf = Arf::new(2, true);
        after(&mut aarf, 2, false);
        for patience in [10, 20, 40, 50, 50] {
            assert_eq!(after(&mut aarf, patience - 1, true), 0);
            assert_eq!(after(&mut aarf, 1, true), 1, "after {patience}");
            assert_eq!(after(&mut aarf, 1, false), 0);
        }
        after(&mut aarf, 2, false);
        assert_eq!(after(&mut aarf, 10, true), 1, "two failures make it forget");
    }
}
