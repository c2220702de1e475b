//! Times in which nothing of a flow is delivered.

use airloom_sim::{Duration, Time};

/// A shorter time without a delivery is none to speak of: a scan, a roam and a timeout of TCP take less.
pub(super) const LEAST: Duration = Duration::from_secs(1);

/// Times in which nothing of a flow was delivered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Still {
    /// All of them together.
    pub(super) total: Duration,
    /// The longest.
    pub(super) longest: [Time; 2],
    /// The segments that came behind a hole in the longest.
    pub(super) longest_behind: u64,
    /// Those since the last delivery.
    behind: u64,
}

impl Still {
    /// A segment came, and waits for what is missing before it.
    pub(super) fn behind_hole(&mut self) {
        self.behind += 1;
    }

    /// Something was delivered.
    #[inline(always)]
    pub(super) fn ends(&mut self) {
        self.behind = 0;
    }

    /// Takes a time, which may be no long one.
    pub(super) fn add(&mut self, from: Time, to: Time) {
        let long = to.since(from.min(to));
        if long >= LEAST {
            self.total += long;
            if long > self.longest[1].since(self.longest[0]) {
                self.longest = [from, to];
                self.longest_behind = self.behind;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(n: u64) -> Time {
        Time::ZERO + Duration::from_secs(n)
    }

    #[test]
    fn what_came_behind_a_hole_is_that_of_the_longest_time() {
        let mut still = Still::default();
        for (from, to, segments) in [(0, 2, 1), (3, 7, 5), (8, 10, 3)] {
            (0..segments).for_each(|_| still.behind_hole());
            still.add(s(from), s(to));
            still.ends();
        }
        assert_eq!((still.longest, still.longest_behind), ([s(3), s(7)], 5));
        assert_eq!(still.total, Duration::from_secs(8));
    }
}
