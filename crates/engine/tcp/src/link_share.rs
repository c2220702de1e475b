//! A window in proportion to the rate of the sender's own link: below the link's highest rate TCP uses only a share of
//! it.
//!
//! With k the highest rate over the present one, rounded, the window in use is cwnd / k, rounded down, but at least one
//! segment. The congestion window is saved when the link falls from its highest rate, and is in use again when the link is
//! back there. In between it does not grow beyond what was saved: it is an estimate for another rate, and what is
//! acknowledged at the lower rate says nothing about it. A loss meanwhile cuts it as ever, and it may grow back. A connection
//! that begins on a slow link has nothing saved, and its window grows without such a limit. Retransmissions are not limited:
//! recovery has its own window.

use airloom_sim::BitRate;

/// The factor by which the window in use is smaller than the congestion window, and the window that was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkShare {
    ratio: u32,
    /// The congestion window when the link fell, in segments; `u32::MAX` if none was saved.
    saved: u32,
}

impl LinkShare {
    /// All of it.
    pub const WHOLE: Self = Self { ratio: 1, saved: u32::MAX };

    /// What becomes of this share when the link has the rate `current` of at most `highest`. `cwnd` is the congestion window
    /// in segments of a connection that is established.
    pub fn turned(self, current: BitRate, highest: BitRate, cwnd: Option<u32>) -> Self {
        let (current, highest) = (current.as_bps().max(1), highest.as_bps());
        let rounded = highest.saturating_add(current / 2) / current;
        let ratio = u32::try_from(rounded).unwrap_or(u32::MAX).max(1);
        match (self.cuts(), ratio) {
            (_, 1) => Self::WHOLE,
            (true, _) => Self { ratio, ..self },
            (false, _) => Self { ratio, saved: cwnd.unwrap_or(u32::MAX) },
        }
    }

    /// Whether the window in use is smaller than the congestion window.
    pub fn cuts(self) -> bool {
        self.ratio > 1
    }

    /// The window in use, of a congestion window in segments.
    pub fn window(self, cwnd: u32) -> u32 {
        if self.cuts() { (cwnd / self.ratio).max(1) } else { cwnd }
    }

    /// The congestion window that may follow upon growth to `cwnd`, in segments.
    pub fn grown(self, cwnd: u32) -> u32 {
        cwnd.min(self.saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mbps(tenths: u64) -> BitRate {
        BitRate::from_bps(tenths * 100_000)
    }

    fn share(current: u64, highest: u64) -> LinkShare {
        LinkShare::WHOLE.turned(mbps(current), mbps(highest), Some(40))
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

    #[test]
    fn what_is_saved_is_the_window_at_the_fall_from_the_highest_rate() {
        let slow = share(10, 110);
        assert_eq!((slow.grown(39), slow.grown(41)), (39, 40));
        let slower = share(55, 110).turned(mbps(10), mbps(110), Some(20));
        assert_eq!((slower.grown(41), slower.window(40)), (40, 3), "not that at a later fall");
        let back = slow.turned(mbps(110), mbps(110), Some(40));
        assert_eq!(back.grown(41), 41);
        let begun_slow = LinkShare::WHOLE.turned(mbps(10), mbps(110), None);
        assert_eq!((begun_slow.grown(1000), begun_slow.window(1000)), (1000, 90), "nothing to save");
    }
}
