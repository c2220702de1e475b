//! How many segments more than expected are acknowledged at once (`BBR.extra_acked`).

use super::super::windowed_max::WindowedMax;
use super::{Sample, carried, micros};
use airloom_sim::Time;

/// Rounds over which the greatest excess counts, once the pipe was full (`ExtraAckedFilterLen`).
pub(super) const ROUNDS: u32 = 10;

/// The excess of the present interval, and the greatest one.
#[derive(Clone, Copy, Default)]
pub(super) struct Excess {
    most: WindowedMax,
    since: Time,
    acked: u64,
}

impl Excess {
    /// The greatest excess in segments.
    pub(super) fn get(&self) -> u32 {
        u32::try_from(self.most.get()).unwrap_or(u32::MAX)
    }

    /// An interval begins.
    pub(super) fn restart(&mut self, now: Time) {
        (self.since, self.acked) = (now, 0);
    }

    /// Takes an ACK, where `rate` was expected (`UpdateACKAggregation`).
    pub(super) fn update(&mut self, rate: u64, round: u32, length: u32, window: u32, s: &Sample) {
        if s.acked == 0 {
            return;
        }
        let mut expected = carried(rate, micros(s.now.since(self.since)));
        if self.acked <= expected {
            self.restart(s.now);
            expected = 0;
        }
        self.acked += u64::from(s.acked);
        self.most.take(length, round, (self.acked - expected).min(u64::from(window)));
    }
}
