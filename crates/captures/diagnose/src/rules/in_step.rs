//! Frames that collide more often than chance lets those that do not hear each other meet: those that are sent at the same time collide whether or not they do.

use crate::heard::{given_up, heard_of};
use crate::link::{Link, data_span, links};
use airloom_trace::Air;

/// How many times as often as by chance frames have to collide.
const BEYOND_CHANCE: f64 = 2.0;
/// With more MPDUs in a PPDU frames wait at their sender, and do not go as they come.
const ALONE: f64 = 2.0;
/// The gap before an answer and the answer, in nanoseconds: what is sent in that time destroys it.
const ANSWER_NS: f64 = 60_000.0;

/// Why it cannot be told whether a station that collides hears those with which it does; none if it can. Frames of those that do not hear each other meet wherever one begins within
/// the other, so that what others are heard to send bounds how often that is, if times are not alike. Where a station gives frames up, far more may be sent than is heard.
pub(super) fn unclear(air: &Air, link: &Link<'_>) -> Option<String> {
    let traffic = link.traffic;
    let goes_alone = traffic.mpdus_per_ppdu() < ALONE;
    let all = links(air, 1);
    let chance = 100.0 * by_chance(air, &all, link);
    let share = 100.0 * traffic.again as f64 / traffic.ppdus.max(1) as f64;
    let gives_up = || all.iter().any(|one| one.is_up() && given_up(one).0 > 0);
    (goes_alone && share > BEYOND_CHANCE * chance && !gives_up()).then(|| {
        format!(
            "{}: {share:.0} % of the PPDUs have retries, and for the little that others send {chance:.0} % would if these did not hear it: as if its frames were sent when others begin \
             theirs, like those of calls in step, which collide whether or not the senders hear each other",
            link.named()
        )
    })
}

/// The part of a link's PPDUs that those of others would meet whose senders do not hear it, at times that have nothing to do with each other.
fn by_chance(air: &Air, all: &[Link<'_>], link: &Link<'_>) -> f64 {
    let (from, to) = data_span(air).unwrap_or_default();
    let time = to.saturating_sub(from).max(1) as f64;
    let is_other = |one: &&Link<'_>| ![link.from.mac, link.to.mac].contains(&one.from.mac);
    let own = lasts_ns(link);
    let each = |one: &Link<'_>| tries(one) / heard_of(air, one) * (own + lasts_ns(one)) / time;
    meets(all.iter().filter(is_other).map(each).sum())
}

/// The chance that at least one begins where so many do on average (Poisson).
fn meets(begin: f64) -> f64 {
    1.0 - libm::exp(-begin)
}

/// For how long a PPDU of a link and its answer last, in nanoseconds.
fn lasts_ns(link: &Link<'_>) -> f64 {
    link.traffic.airtime_ns as f64 / link.traffic.ppdus.max(1) as f64 + ANSWER_NS
}

/// How often a link was tried: what collided was not heard, and what was heard as a retry was tried before, as often as each try is lost.
fn tries(link: &Link<'_>) -> f64 {
    let ppdus = link.traffic.ppdus.max(1) as f64;
    ppdus / (1.0 - link.traffic.again as f64 / ppdus).max(1.0 / ppdus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_that_is_sent_meets_seldom_and_much_always() {
        // Two calls of 50 packets a second beside one, each try of 160 us, 2.3 tries each.
        assert!((0.03..0.05).contains(&meets(2.0 * 50.0 * 2.3 * 160e-6)));
        assert!(meets(8.0) > 0.99);
    }
}
