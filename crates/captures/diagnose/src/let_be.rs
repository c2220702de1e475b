//! How fast its losses let a sender be (Mathis et al. 1997).

use crate::evidence::Evidence;
use crate::flow::Flow;
use crate::losses::{sent, share};
use crate::rules::round_trip;
use crate::standstill::stands_still;
use airloom_trace::tcp::Trigger;

/// The share of the segments from which on losses may be what limits a flow, in percent.
pub(crate) const LIMITING_PCT: f64 = 0.05;
/// Losses that limit a flow come at more times than this, apart by a round trip.
pub(crate) const TIMES: usize = 8;
/// A sender of the standards loses one segment in two thirds of the square of its window, in segments, as it learns its share (RFC 5348 section 3.1,
/// Mathis et al. 1997); CUBIC no more in small windows.
pub(crate) const LEARNS: f64 = 1.5;
/// A flow that is so many times as fast as its losses allow does not slow down for single losses.
const OUTRUNS: f64 = 8.0;

/// When a flow lost segments, in nanoseconds since 1970: what is lost within a round trip of so many ms is lost at the time of the first of it, since a sender slows down once for it (RFC 5348
/// section 5.2).
pub(crate) fn times_ns(flow: &Flow<'_>, trip_ms: f64) -> Vec<u64> {
    let again = &flow.data().retransmissions;
    let stamps = again
        .list()
        .iter()
        .filter(|one| one.needless.is_none() && !one.thrown_away && one.trigger != Trigger::TooBig)
        .map(|one| one.at_ns);
    events(stamps, (trip_ms * 1e6) as u64)
}

/// Those of some stamps that come so many nanoseconds after the last such one.
fn events(stamps: impl Iterator<Item = u64>, apart_ns: u64) -> Vec<u64> {
    let mut events: Vec<u64> = Vec::new();
    for at in stamps {
        if events.last().is_none_or(|&first| at.saturating_sub(first) > apart_ns) {
            events.push(at);
        }
    }
    events
}

/// At how many times a flow lost segments, apart by a round trip of so many ms, and how fast that lets a sender be in Mbit/s.
pub(crate) fn let_be(flow: &Flow<'_>, trip_ms: f64) -> (usize, f64) {
    let times = times_ns(flow, trip_ms).len();
    let window = libm::sqrt(LEARNS / (times as f64 / sent(flow.data()).max(1) as f64));
    (times, window * 8e-3 * f64::from(flow.data().segment()) / trip_ms)
}

/// How many times as fast as its losses allow a flow is, and at how many times it lost any; none of a flow that may slow down for each loss. BBR, for one, does not.
pub(crate) fn outruns(evidence: &Evidence, flow: &Flow<'_>) -> Option<(f64, usize)> {
    let (_, share) = share(flow.data());
    let (_, usual) = round_trip(flow).filter(|_| share >= LIMITING_PCT && !stands_still(flow))?;
    let (times, limit_mbps) = let_be(flow, usual);
    let faster = flow.mbps(evidence) / limit_mbps.max(1e-9);
    (times > TIMES && faster >= OUTRUNS).then_some((faster, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_that_go_on_are_lost_at_one_time_in_each_round_trip() {
        let lost = [0, 10, 20, 30, 40, 50, 60, 200];
        assert_eq!(events(lost.into_iter(), 25), [0, 30, 60, 200]);
    }
}
