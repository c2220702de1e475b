//! Times in which nothing of a flow arrives.

use airloom_sim::{Duration, Time};

/// A shorter time without a delivery is none to speak of: a scan, a roam and a timeout of TCP take less.
pub(super) const LEAST: Duration = Duration::from_secs(1);

/// Times in which nothing of a flow arrived.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Still {
    /// All of them together.
    pub(super) total: Duration,
    /// The longest.
    pub(super) longest: [Time; 2],
}

impl Still {
    /// Takes a time, which may be no long one.
    pub(super) fn add(&mut self, from: Time, to: Time) {
        let long = to.since(from.min(to));
        if long >= LEAST {
            self.total += long;
            if long > self.longest[1].since(self.longest[0]) {
                self.longest = [from, to];
            }
        }
    }
}
