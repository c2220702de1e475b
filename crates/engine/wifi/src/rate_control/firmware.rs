//! Rate adaptation as an early 802.11b adapter has it in its firmware: after a few successes straight to the highest rate,
//! after failures in a row to the next one below and then to the lowest. Failures count from frame to frame, so that one frame
//! may be given up on the way down.

use super::{RateControl, Setup};
use crate::id::RateId;
use airloom_rate::Rate;
use airloom_sim::Index;

/// When a firmware changes the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// Successes in a row that lead to the highest rate.
    pub successes: u32,
    /// Failures in a row at the highest rate that lead to the next.
    pub highest_failures: u32,
    /// Failures in a row at that one which lead to the lowest.
    pub next_failures: u32,
}

impl Ladder {
    /// One of several kinds.
    pub const PLAIN: Self = Self { successes: 10, highest_failures: 3, next_failures: 3 };
}

airloom_sim::parameters! {
    /// The control of an adapter's firmware; its parameters are the adapter's.
    pub struct Firmware {}
}

impl Firmware {
    /// The rates that it chooses from, and its control over them.
    pub(super) fn control(&self, setup: Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        let rates = setup.steps();
        let control = Control::new(rates.len(), setup.firmware);
        (rates, Box::new(control))
    }
}

/// See the module; rates are indices, slowest first.
pub(super) struct Control {
    ladder: Ladder,
    rate: usize,
    highest: usize,
    successes: u32,
    failures: u32,
}

impl Control {
    /// Begins with the highest of `rates`.
    fn new(rates: usize, ladder: Ladder) -> Self {
        let highest = rates - 1;
        Self { ladder, rate: highest, highest, successes: 0, failures: 0 }
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
        if 2 * succeeded >= attempted {
            self.failures = 0;
            self.successes += 1;
            if self.successes >= self.ladder.successes {
                (self.rate, self.successes) = (self.highest, 0);
            }
            return;
        }
        self.successes = 0;
        self.failures += 1;
        let (enough, below) = if self.rate == self.highest {
            (self.ladder.highest_failures, self.highest.saturating_sub(1))
        } else {
            (self.ladder.next_failures, 0)
        };
        if self.failures >= enough {
            (self.rate, self.failures) = (below, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: Ladder = Ladder { successes: 5, highest_failures: 3, next_failures: 4 };

    /// The rates of attempts of which none succeeds, in Mbit/s.
    fn falling(firmware: &mut Control, attempts: usize) -> Vec<f64> {
        (0..attempts)
            .map(|_| {
                let rate = [1.0, 2.0, 5.5, 11.0][firmware.preferred().place()];
                firmware.attempted(1, 0);
                rate
            })
            .collect()
    }

    #[test]
    fn what_fails_falls_from_the_highest_to_the_lowest() {
        let rates = falling(&mut Control::new(4, LADDER), 9);
        assert_eq!(rates, [11.0, 11.0, 11.0, 5.5, 5.5, 5.5, 5.5, 1.0, 1.0]);
    }

    #[test]
    fn a_few_successes_lead_straight_to_the_highest() {
        let mut firmware = Control::new(4, LADDER);
        falling(&mut firmware, 7);
        for _ in 0..4 {
            firmware.attempted(1, 1);
            assert_eq!(firmware.preferred().place(), 0);
        }
        firmware.attempted(1, 1);
        assert_eq!(firmware.preferred().place(), 3);
    }
}
