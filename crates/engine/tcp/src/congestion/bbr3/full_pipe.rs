//! Whether the pipe is full: the delivery rate no longer grows though more is sent (`CheckFullBWReached`).

use crate::delivery::Rate;

/// Rounds without growth.
const ROUNDS: u32 = 3;

/// The estimator.
#[derive(Clone, Copy, Default)]
pub(super) struct FullPipe {
    /// The rate when it last grew by a quarter, and the rounds since.
    rate: u64,
    rounds: u32,
    /// The pipe is full at present (`full_bw_now`), and was so at some time (`full_bw_reached`).
    pub(super) now: bool,
    pub(super) reached: bool,
}

impl FullPipe {
    /// Begins anew, from `rate` on (`ResetFullBW`).
    pub(super) fn reset(&mut self, rate: u64) {
        *self = Self { rate, rounds: 0, now: false, reached: self.reached };
    }

    /// Takes an ACK.
    pub(super) fn check(&mut self, round_start: bool, rate: Option<&Rate>) {
        let Some(rate) = rate.filter(|rate| round_start && !rate.limited && !self.now) else { return };
        let rate = rate.per_microsecond();
        if rate * 4 >= self.rate * 5 {
            return self.reset(rate);
        }
        self.rounds += 1;
        if self.rounds >= ROUNDS {
            self.fill();
        }
    }

    /// The pipe is full.
    pub(super) fn fill(&mut self) {
        (self.now, self.reached) = (true, true);
    }
}
