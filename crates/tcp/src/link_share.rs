//! A window in proportion to the rate of the sender's own link: below the link's highest rate TCP uses only a share of
//! it.
//!
//! With k the highest rate over the present one, rounded, the window in use is cwnd / k, rounded down, but at least one
//! segment. The congestion control still maintains the congestion window, which is in use again when the link is back
//! at its highest rate. Retransmissions are not limited: recovery has its own window.

use airloom_sim::BitRate;

/// The factor by which the window in use is smaller than the congestion window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkShare {
    ratio: u32,
}

impl LinkShare {
    /// All of it.
    pub(crate) const WHOLE: Self = Self { ratio: 1 };

    /// The share for a link at the rate `current` whose highest rate is `highest`.
    pub(crate) fn of(current: BitRate, highest: BitRate) -> Self {
        let (current, highest) = (current.as_bps().max(1), highest.as_bps());
        let rounded = highest.saturating_add(current / 2) / current;
        Self { ratio: u32::try_from(rounded).unwrap_or(u32::MAX).max(1) }
    }

    /// Whether the window in use is smaller than the congestion window.
    pub(crate) fn cuts(self) -> bool {
        self.ratio > 1
    }

    /// The window in use, of a congestion window in segments.
    pub(crate) fn window(self, cwnd: u32) -> u32 {
        if self.cuts() { (cwnd / self.ratio).max(1) } else { cwnd }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(current: u64, highest: u64) -> LinkShare {
        LinkShare::of(BitRate::from_bps(current * 100_000), BitRate::from_bps(highest * 100_000))
    }

    #[test]
    fn the_ratio_is_rounded_to_the_nearest_and_never_below_one() {
        let ratios = [10, 20, 55, 110, 540].map(|current| share(current, 110).ratio);
        assert_eq!(ratios, [11, 6, 2, 1, 1]);
        assert_eq!(share(0, 110).window(1000), 1, "a link that stands still");
    }

    #[test]
    fn the_window_is_rounded_down_and_holds_a_segment_at_least() {
        let windows = [1, 10, 11, 21, 22, 100].map(|cwnd| share(10, 110).window(cwnd));
        assert_eq!(windows, [1, 1, 1, 1, 2, 9]);
        assert_eq!(LinkShare::WHOLE.window(0), 0, "untouched at the highest rate");
    }
}
