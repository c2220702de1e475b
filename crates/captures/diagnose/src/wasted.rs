//! What air time costs that carried nothing.

use crate::finding::Cost;
use crate::gaps::USUAL;
use crate::heard::heard_of;
use crate::link::{Link, data_span};
use airloom_trace::{Air, Traffic};

/// So much air time that a link takes and carries nothing in, as a share of all time: all that send on the channel have as much less.
pub(crate) fn of_the_air(air: &Air, link: &Link<'_>, wasted_ns: f64) -> Cost {
    let (from, to) = data_span(air).unwrap_or_default();
    let time = to.saturating_sub(from).max(1) as f64;
    let share = 100.0 * wasted_ns / heard_of(air, link) / time;
    Cost::percent(share.min(100.0), "% of the air", "of all, which this link wastes")
}

/// The air time of this part of what a link sent again, without gaps and answers. At least: copies that collided are seldom heard, and the retry bit of one that
/// arrives tells of one of them, however many there were.
pub(crate) fn again(air: &Air, link: &Link<'_>, part: f64) -> Cost {
    Cost { at_least: true, ..of_the_air(air, link, part * copies_ns(link.traffic)) }
}

/// The air time of what a link sent again in nanoseconds, with the gaps that belong to it.
pub(crate) fn sent_again_ns(traffic: &Traffic) -> f64 {
    let share = traffic.retried as f64 / traffic.mpdus.max(1) as f64;
    copies_ns(traffic) + traffic.ppdus as f64 * share * USUAL.around
}

/// The same without the gaps.
fn copies_ns(traffic: &Traffic) -> f64 {
    let again = |mpdus: u64, retried: u64| retried as f64 / mpdus.max(1) as f64;
    traffic.speeds.iter().map(|used| used.airtime_ns as f64 * again(used.mpdus, used.retried)).sum()
}
