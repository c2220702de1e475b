//! The bounds of rate and flight that losses teach: for the short term, until the next probe, and for the long term
//! (`bw_shortterm`, `inflight_shortterm`, `inflight_longterm`).

use super::latest::Latest;
use super::{LEAST_WINDOW, NONE};

/// Of 100 segments in flight more than two may not be lost (`LossThresh`).
const LOST_OF: u64 = 50;
/// The bounds fall to no less than seven tenths (`Beta`).
const BETA: (u64, u64) = (7, 10);
/// Room that is left to others (`Headroom`).
const HEADROOM: (u32, u32) = (15, 100);

/// The bounds, each the greatest number if there is none.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) rate: u64,
    pub(super) short_term: u32,
    pub(super) long_term: u32,
}

/// Seven tenths.
pub(super) fn beta(value: u64) -> u64 {
    value * BETA.0 / BETA.1
}

/// Whether `lost` of the segments that were sent while `in_flight` were out are more than two in a hundred.
pub(super) fn exceeds(lost: u64, in_flight: u32) -> bool {
    lost * LOST_OF > u64::from(in_flight)
}

/// How many were in flight when losses became too many, where the last of `lost` is one of `in_flight` (`InflightAtLoss`).
pub(super) fn in_flight_at_loss(lost: u64, in_flight: u32) -> u32 {
    let (before, lost) = (in_flight.saturating_sub(1), lost.saturating_sub(1));
    let room = u64::from(before).saturating_sub(lost * LOST_OF);
    before + (room / (LOST_OF - 1)) as u32
}

impl Bounds {
    pub(super) const NONE: Self = Self { rate: u64::MAX, short_term: NONE, long_term: NONE };

    /// A round with losses is over (`InitLowerBounds`, `LossLowerBounds`).
    pub(super) fn lower(&mut self, max_rate: u64, window: u32, latest: &Latest) {
        let rate = if self.rate == u64::MAX { max_rate } else { self.rate };
        let short_term = if self.short_term == NONE { window } else { self.short_term };
        self.rate = latest.rate.max(beta(rate));
        self.short_term = latest.in_flight.max(beta(u64::from(short_term)) as u32);
    }

    /// `ResetShortTermModel`.
    pub(super) fn forget_short_term(&mut self) {
        (self.rate, self.short_term) = (u64::MAX, NONE);
    }

    /// The bounds were lowered for nothing.
    pub(super) fn raise_to(&mut self, before: &Self) {
        self.rate = self.rate.max(before.rate);
        self.short_term = self.short_term.max(before.short_term);
        self.long_term = self.long_term.max(before.long_term);
    }

    /// The long-term bound, less the room for others (`InflightWithHeadroom`).
    pub(super) fn with_headroom(&self) -> u32 {
        if self.long_term == NONE {
            return NONE;
        }
        let room = (u64::from(self.long_term) * u64::from(HEADROOM.0) / u64::from(HEADROOM.1)) as u32;
        self.long_term.saturating_sub(room.max(1)).max(LEAST_WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_of_a_hundred_are_not_too_many() {
        assert!(!exceeds(2, 100) && exceeds(3, 100) && exceeds(2, 99));
        // The third of 100: 99 were out with two lost. 0.02 (99 - x) ... solved: no more than 99.
        assert_eq!(in_flight_at_loss(3, 100), 99);
        // The first of 30: 29 were out with none lost, and 0.02 x 29 / 0.98 rounds down to nothing.
        assert_eq!(in_flight_at_loss(1, 30), 29);
        assert_eq!(in_flight_at_loss(1, 100), 99 + 2, "two more would have been safe");
    }

    #[test]
    fn a_round_with_losses_lowers_to_what_was_delivered_but_not_below_seven_tenths() {
        let mut bounds = Bounds::NONE;
        let latest = |rate, in_flight| Latest { rate, in_flight, ..Latest::default() };
        bounds.lower(1000, 100, &latest(950, 60));
        assert_eq!((bounds.rate, bounds.short_term, bounds.long_term), (950, 70, NONE));
        bounds.lower(1000, 100, &latest(100, 65));
        assert_eq!((bounds.rate, bounds.short_term), (665, 65));
        bounds.forget_short_term();
        assert_eq!((bounds.rate, bounds.short_term), (u64::MAX, NONE));
    }

    #[test]
    fn headroom_is_fifteen_of_a_hundred_and_a_segment_at_least() {
        let headroom = |long_term| Bounds { long_term, ..Bounds::NONE }.with_headroom();
        assert_eq!([NONE, 100, 6, 4].map(headroom), [NONE, 85, 5, 4]);
    }
}
