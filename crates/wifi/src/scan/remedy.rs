//! The remedy: a requested scan is skipped when data moved since the last request.
//!
//! Two bounds make it fit for daily use: a threshold below which moved bytes do not count as a transfer, and a longest
//! postponement after which a scan is let through all the same, so that a station can still find a better access point.

use airloom_sim::{Bytes, Duration, Time};

/// What to do with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Scan: nothing worth mentioning moved.
    Scan,
    /// Do not scan: a transfer is under way.
    Skip,
    /// Scan although a transfer is under way: it has been postponed for long enough.
    LetThrough,
}

/// The policy and what it remembers.
#[derive(Clone, Copy, Debug)]
pub struct Remedy {
    threshold: Bytes,
    longest_postponement: Option<Duration>,
    moved_at_last_request: u64,
    postponed_since: Option<Time>,
}

impl Remedy {
    /// Skips a request when more than `threshold` bytes moved since the last one, but no longer than
    /// `longest_postponement` after the first one skipped.
    pub fn new(threshold: Bytes, longest_postponement: Option<Duration>) -> Self {
        Self { threshold, longest_postponement, moved_at_last_request: 0, postponed_since: None }
    }

    /// Judges a request made `now`, when `moved` bytes have been sent and received since the station associated.
    pub fn judge(&mut self, now: Time, moved: u64) -> Verdict {
        let since_last = moved - std::mem::replace(&mut self.moved_at_last_request, moved);
        if since_last <= self.threshold.0 {
            self.postponed_since = None;
            return Verdict::Scan;
        }
        let since = *self.postponed_since.get_or_insert(now);
        if self.longest_postponement.is_some_and(|longest| now.since(since) >= longest) {
            self.postponed_since = None;
            return Verdict::LetThrough;
        }
        Verdict::Skip
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn s(n: u64) -> Time {
        Time::ZERO + Duration::from_secs(n)
    }

    #[test]
    fn a_transfer_holds_scans_off_and_idleness_lets_them_pass() {
        let mut r = Remedy::new(Bytes(0), None);
        assert_eq!(r.judge(s(0), 0), Verdict::Scan);
        assert_eq!(r.judge(s(120), 1), Verdict::Skip);
        assert_eq!(r.judge(s(240), 1), Verdict::Scan);
    }

    #[test]
    fn small_talk_is_no_transfer() {
        let mut r = Remedy::new(Bytes(1000), None);
        assert_eq!(r.judge(s(0), 1000), Verdict::Scan);
        assert_eq!(r.judge(s(120), 2001), Verdict::Skip);
    }

    #[test]
    fn one_scan_is_let_through_now_and_then() {
        let mut r = Remedy::new(Bytes(0), Some(Duration::from_secs(300)));
        let verdicts: Vec<_> = (1..=8).map(|n| r.judge(s(120 * n), n)).collect();
        use Verdict::{LetThrough, Skip};
        assert_eq!(verdicts, [Skip, Skip, Skip, LetThrough, Skip, Skip, Skip, LetThrough]);
    }

    proptest! {
        /// With a longest postponement, scans are never further apart than it and one interval between requests.
        #[test]
        fn roaming_survives(gaps in prop::collection::vec(1u64..200, 1..100), longest in 1u64..600) {
            let mut r = Remedy::new(Bytes(0), Some(Duration::from_secs(longest)));
            let (mut now, mut moved) = (0, 0);
            let mut last_scan = None;
            for gap in gaps {
                now += gap;
                moved += 1;
                let origin = *last_scan.get_or_insert(now);
                if r.judge(s(now), moved) != Verdict::Skip {
                    last_scan = Some(now);
                } else {
                    prop_assert!(now - origin < longest + 200);
                }
            }
        }
    }
}
