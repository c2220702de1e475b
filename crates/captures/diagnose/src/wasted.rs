//! What air time costs that carried nothing.

use crate::finding::Cost;
use crate::heard::heard_of;
use crate::link::{Link, data_span};
use airloom_trace::{Air, Traffic};

/// So much air time of a link as a share of all time in which data went, and what it went for.
pub(crate) fn of_the_air(air: &Air, link: &Link<'_>, wasted_ns: f64, of: &'static str) -> Cost {
    let (from, to) = data_span(air).unwrap_or_default();
    let time = to.saturating_sub(from).max(1) as f64;
    let share = 100.0 * wasted_ns / heard_of(air, link) / time;
    Cost::percent(share.min(100.0), "% of the air", of)
}

/// The air time of this part of what a link sent again. At least: copies that collided or were damaged are seldom heard, and the retry bit of
/// one that arrives tells of one of them, however many there were.
pub(crate) fn again(air: &Air, link: &Link<'_>, part: f64) -> Cost {
    let cost = of_the_air(air, link, part * sent_again_ns(link.traffic), "for what this link sends again");
    Cost { at_least: true, ..cost }
}

/// The air time of what a link sent again in nanoseconds, without gaps and answers, which copies that nobody heard need not have had.
fn sent_again_ns(traffic: &Traffic) -> f64 {
    let again = |mpdus: u64, retried: u64| retried as f64 / mpdus.max(1) as f64;
    traffic.speeds.iter().map(|used| used.airtime_ns as f64 * again(used.mpdus, used.retried)).sum()
}
