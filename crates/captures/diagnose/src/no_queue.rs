//! Losses before which no queue stood: what drops a packet of a queue leaves the others of it waiting, so that round trips are long.

use crate::beside_air::NEARLY;
use crate::flow::Flow;
use crate::losses::unseen;
use airloom_trace::Bins;
use airloom_trace::tcp::{RoundTrips, Vantage};

/// For so long packets wait before a queue that drops early drops one, in nanoseconds (CoDel's interval: RFC 8289 section 4.2).
const INTERVAL_NS: u64 = 100_000_000;
/// Round trips in which no packet waits are longer than the shortest by no more than a half of the least wait by which such a queue drops, in ms (CoDel's target: RFC 8289 section 4.2).
const MOST_WAIT_MS: f64 = 2.5;
/// They may always be so much longer, in ms: the air and the host take their time.
const LEAST_WAIT_MS: f64 = 1.0;
/// They are longer by no more than this part.
const LONGER: f64 = 0.1;
/// Of the times of losses, and of all times, so many have no queue.
const LOSSES: f64 = 0.75;
const TIMES: f64 = 0.5;
/// Fewer round trips than this say nothing.
const MIN_TRIPS: u64 = 100;
/// What waits for less in its own host hardly waits, in ms: a tick of its clock, and its scheduler.
const SHORT_MS: f64 = 5.0;

/// How long packets need from a flow's sender to the capture: in the sender's own host, or from there and back. None where that does not show, as without clock values (RFC 7323).
pub(crate) fn sender_side<'a>(flow: &Flow<'a>) -> Option<&'a RoundTrips> {
    let trips = &flow.data().trips;
    let own = match flow.connection.vantage(flow.from) {
        Vantage::Sender => trips.waited.as_deref(),
        _ => Some(&trips.to_sender),
    };
    own.filter(|trips| trips.count() >= MIN_TRIPS)
}

/// Whether hardly any packet of a flow waits on its sender's side of the capture, as far as that shows.
pub(crate) fn nothing_waits_before(flow: &Flow<'_>) -> bool {
    // At the sender's own capture this is how long they wait, and elsewhere the way is in it.
    let is_way = flow.connection.vantage(flow.from) != Vantage::Sender;
    let way_ms = |trips: &RoundTrips| trips.least_ns().filter(|_| is_way).unwrap_or(0) as f64 / 1e6;
    let wait_ms = |trips: &RoundTrips| Some(trips.quantile_ms(0.95)? - way_ms(trips));
    sender_side(flow).and_then(wait_ms).is_some_and(|most| most < SHORT_MS)
}

/// Whether what was lost may have been lost on its sender's side of the capture: the first transmissions of some of it did not come so far. At the sender they were dropped in its own host, whose
/// queue lies above the place of the capture (`xmit_one()` in Linux net/core/dev.c).
fn lost_before(flow: &Flow<'_>) -> bool {
    unseen(flow.data()).is_some_and(|unseen| unseen > 1.0 - NEARLY)
}

/// Whether what was lost may have been lost where the capture does not show whether a queue stood: on its sender's side, without round trips to there.
pub(crate) fn lost_out_of_sight(flow: &Flow<'_>) -> bool {
    lost_before(flow) && sender_side(flow).is_none()
}

/// Whether a queue on the sender's side of a capture that was made at its sender or next to it may have dropped what was lost.
pub(crate) fn may_be_dropped_before(flow: &Flow<'_>) -> bool {
    lost_before(flow) && !nothing_waits_before(flow)
}

/// Whether most losses at these times, in nanoseconds since 1970, came while no packet of their flow waited in a queue, and in most of the flow's time none waited either. A flow that was captured
/// between its ends has to show that of both parts of its way. False where it does not show.
pub(crate) fn lost_without_queue(flow: &Flow<'_>, lost_ns: &[u64]) -> bool {
    let trips = &flow.data().trips;
    let (there, back) = (trips.to_receiver(), &trips.to_sender);
    let has_none = |trips: &RoundTrips| {
        let shortest = trips.least_ns().map(|least| least as f64 / 1e6);
        shortest.is_some_and(|shortest| is_unqueued(&trips.over_time, shortest, lost_ns))
    };
    match flow.connection.vantage(flow.from) {
        Vantage::Sender => has_none(there) && !may_be_dropped_before(flow),
        Vantage::Receiver => has_none(back),
        Vantage::Middle if flow.is_near_sender() => has_none(there) && !may_be_dropped_before(flow),
        Vantage::Middle => has_none(there) && has_none(back),
        Vantage::Unknown => false,
    }
}

/// Whether round trips in ms over time, of which this is the shortest, are about as short before most of these losses, and in most of the time.
fn is_unqueued(trips: &Bins, shortest: f64, lost_ns: &[u64]) -> bool {
    if trips.width_ns() > INTERVAL_NS {
        return false;
    }
    let most = shortest + (LONGER * shortest).clamp(LEAST_WAIT_MS, MOST_WAIT_MS);
    let least = |bins: &[airloom_trace::Bin]| {
        bins.iter().filter(|bin| bin.count > 0).map(|bin| bin.least).reduce(f64::min)
    };
    let (bins, each) = (trips.bins(), INTERVAL_NS.div_ceil(trips.width_ns()) as usize);
    let share = |times: &[Option<f64>]| {
        times.iter().filter(|time| time.is_some_and(|least| least <= most)).count() as f64
            / times.len().max(1) as f64
    };
    let before = |&at_ns: &u64| {
        let end = (at_ns.saturating_sub(trips.origin_ns()?) / trips.width_ns()) as usize + 1;
        least(&bins[end.saturating_sub(each + 1).min(bins.len())..end.min(bins.len())])
    };
    let losses: Vec<_> = lost_ns.iter().map(before).collect();
    let all: Vec<_> = bins.chunks(each).map(least).filter(Option::is_some).collect();
    share(&losses) >= LOSSES && share(&all) >= TIMES
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Round trips every 5 ms for 4 s: of 40 ms, with so many ms more that grow until a loss every second and begin anew.
    fn is_empty_where(grow_by: f64) -> bool {
        let mut trips = Bins::from(0);
        for at_ms in (0..4000).step_by(5) {
            let waits = grow_by * (at_ms % 1000) as f64 / 1000.0;
            // The air makes most a little longer.
            trips.note(at_ms * MS, 40.0 + waits + if at_ms % 20 == 0 { 0.1 } else { 8.0 });
        }
        let lost_ns = [995, 1995, 2995, 3995].map(|at_ms| at_ms * MS);
        is_unqueued(&trips, 40.0, &lost_ns)
    }

    #[test]
    fn round_trips_that_grow_until_a_loss_are_of_a_queue() {
        assert!(is_empty_where(0.0));
        assert!(!is_empty_where(6.0), "what waits for 5 ms and longer CoDel drops");
        assert!(!is_empty_where(60.0), "a queue that is full");
    }

    #[test]
    fn of_round_trips_in_bins_that_are_longer_than_a_queue_takes_nothing_shows() {
        let mut trips = Bins::from(0);
        for at_s in 0..200 {
            trips.note(at_s * 1000 * MS, 40.0);
        }
        assert!(!is_unqueued(&trips, 40.0, &[1000 * MS]));
    }
}
