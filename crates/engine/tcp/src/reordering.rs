//! How far segments are known to overtake each other on the path (`tcp_check_sack_reordering`, Linux 4.15 on).

use crate::LossRecovery;

/// The most that the degree may be (`tcp_max_reordering`).
const MOST: u32 = 300;

/// The reordering seen.
pub(crate) struct Reordering {
    /// The threshold that is configured (`tcp_reordering`).
    threshold: u32,
    adapts: bool,
    /// By how many segments one may be late without being lost (`tp->reordering`).
    degree: u32,
    seen: bool,
}

impl Reordering {
    pub(crate) fn new(config: &LossRecovery) -> Self {
        let (threshold, adapts) = (config.duplicate_threshold, config.adaptive_reordering);
        Self { threshold, adapts, degree: threshold, seen: false }
    }

    /// A segment from `low` on, sent once, arrived after one that ends at `edge`. `mss` is the payload of a full segment.
    pub(crate) fn arrived_late(&mut self, low: u64, edge: u64, mss: u32) {
        if low >= edge {
            return;
        }
        self.seen = true;
        let behind = (edge - low).div_ceil(u64::from(mss.max(1)));
        if self.adapts && edge - low > u64::from(self.degree) * u64::from(mss) {
            self.degree = behind.min(u64::from(MOST)) as u32;
        }
    }

    /// Without SACK, there were more duplicate ACKs than `segments` that were sent leave room for: that is taken for reordering
    /// (`tcp_check_reno_reordering`).
    pub(crate) fn too_many_duplicates(&mut self, segments: u32) {
        self.seen = true;
        if self.adapts {
            self.degree = segments.min(MOST);
        }
    }

    /// Whether a segment was ever late (`reord_seen`).
    pub(crate) fn seen(&self) -> bool {
        self.seen
    }

    /// SACKed segments that are evidence of a loss.
    pub(crate) fn degree(&self) -> u32 {
        self.degree
    }

    /// Whether the path reorders more than the threshold allows for.
    pub(crate) fn is_high(&self) -> bool {
        self.degree > self.threshold
    }

    /// A timeout while `sacked` segments were SACKed, outside recovery: the degree was too high (`tcp_enter_loss`).
    pub(crate) fn timed_out(&mut self, sacked: u32) {
        if sacked >= self.threshold {
            self.degree = self.degree.min(self.threshold);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reordering(adaptive_reordering: bool) -> Reordering {
        Reordering::new(&LossRecovery { adaptive_reordering, ..LossRecovery::PLAIN })
    }

    #[test]
    fn the_degree_follows_the_latest_segment_and_a_timeout_lowers_it() {
        let mut r = reordering(true);
        r.arrived_late(1000, 1000, 100);
        assert!(!r.seen(), "nothing above it had arrived");
        r.arrived_late(1000, 1300, 100);
        assert!(r.seen() && !r.is_high() && r.degree() == 3);
        r.arrived_late(1000, 1701, 100);
        assert_eq!((r.degree(), r.is_high()), (8, true));
        r.arrived_late(0, 1_000_000, 100);
        assert_eq!(r.degree(), 300);
        r.timed_out(2);
        assert_eq!(r.degree(), 300, "two SACKed would not have been a loss anyway");
        r.timed_out(3);
        assert_eq!(r.degree(), 3);
    }

    #[test]
    fn a_threshold_that_is_fixed_stays() {
        let mut r = reordering(false);
        r.arrived_late(0, 100_000, 100);
        assert_eq!((r.seen(), r.degree()), (true, 3));
    }
}
