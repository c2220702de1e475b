//! How often a link's PPDUs were tried, of which a monitor hears what did not collide.

/// What is never seen among so many happens to fewer than this one in them, but for one case in twenty (the rule of three).
const NEVER: f64 = 3.0;
/// A frame is tried so often before it is given up (802.11-2020 annex C: dot11ShortRetryLimit).
const TRIES: f64 = 7.0;

/// How often PPDUs were tried of which so many were heard and so many of these were retries, at most: what collided was not heard. Where each try is lost as often as the first, so many are
/// given up as are lost each time: by those that were, a try is lost no more often than that.
pub(super) fn tries(ppdus: u64, again: u64, given_up: u64) -> f64 {
    let all = (ppdus + given_up).max(1) as f64;
    let share = again as f64 / ppdus.max(1) as f64;
    let lost = libm::pow(((given_up as f64 + NEVER) / all).min(1.0), 1.0 / TRIES);
    let each = 1.0 / (1.0 - share.min(lost)).max(1.0 / all);
    ppdus as f64 * (1.0 + share * each) + given_up as f64 * TRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_up_was_not_tried_for_ever() {
        // Four hundred frames, of which all but four were heard as retries and none was given up: no try is lost more often than every second time.
        assert!((2.0..3.2).contains(&(tries(400, 396, 0) / 400.0)));
        assert!((tries(400, 0, 0) - 400.0).abs() < 1e-9);
        // Where half of the frames are given up after all tries, nine of ten tries are lost.
        assert!(tries(400, 360, 400) / 400.0 > 14.0);
    }
}
