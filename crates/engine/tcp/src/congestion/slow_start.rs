//! Slow start: how the window grows below the threshold, and when it ends before a loss.

use super::{CongestionWindow, Progress};
use airloom_sim::{Duration, Time};

/// A slow start; the default methods are that of RFC 5681, which ends at the threshold or with a loss.
pub(crate) trait SlowStarter: Send {
    /// Records an ACK for new data, in slow start or not, and its round-trip time if there is one; ends slow start by
    /// setting the threshold to the window.
    fn acked(&mut self, _w: &mut CongestionWindow, _ack: &Progress, _rtt: Option<Duration>) {}

    /// Grows the window in slow start; called only if it may grow. Returns how many of the segments are left for congestion
    /// avoidance.
    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) -> u32 {
        w.slow_start(ack.segments)
    }

    /// A retransmission timeout.
    fn timeout(&mut self, _now: Time, _next: u64) {}
}

/// RFC 5681's.
pub(super) struct Standard;

impl SlowStarter for Standard {}

/// RFC 5681's, for the tests of congestion controls.
#[cfg(test)]
pub(super) fn standard() -> Box<dyn SlowStarter> {
    Box::new(Standard)
}
