//! Frames that collide more often than chance lets those that do not hear each other meet: those that are sent at the same time collide whether or not they do.

use super::collided::MIN_MPDUS;
use super::first_tries::struck;
use super::tries::tries;
use crate::heard::{given_up, heard_of};
use crate::link::{Link, data_span, links};
use airloom_trace::{Air, MacAddr};

/// How many times as often as by chance frames have to collide.
const BEYOND_CHANCE: f64 = 2.0;
/// With more MPDUs in a PPDU frames wait at their sender, and do not go as they come.
const ALONE: f64 = 2.0;
/// The gap before an answer and the answer, in nanoseconds: what is sent in that time destroys it.
const ANSWER_NS: f64 = 60_000.0;
/// Most of what is sent to a station collides, and hardly any, in percent.
const STRUCK_PCT: f64 = 50.0;
/// See `STRUCK_PCT`.
const FREE_PCT: f64 = 5.0;
/// What an access point sends collides about as often as what its station sends, if the latter's share of retries is no more than so many times as large.
const ALIKE: f64 = 1.5;

/// Why it cannot be told whether a station that collides hears those with which it does; none if it can.
pub(super) fn unclear(air: &Air, link: &Link<'_>) -> Option<String> {
    if link.traffic.mpdus_per_ppdu() >= ALONE {
        return None;
    }
    by_access_point(air, link).or_else(|| beyond_chance(air, link))
}

/// That what a station's access point sends, which all its stations hear, collides about as often: what begins at the same time does.
fn by_access_point(air: &Air, link: &Link<'_>) -> Option<String> {
    let down = links(air, MIN_MPDUS).into_iter().filter(|one| one.from.mac == link.to.mac);
    let alone = down.filter(|one| one.traffic.mpdus_per_ppdu() < ALONE);
    let each = alone.filter_map(|one| Some((struck(air, &one)?, one.to.mac)));
    let (most, to) = each.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let share = again(link);
    (share <= ALIKE * most).then(|| {
        format!(
            "{}: {share:.0} % of the PPDUs have retries, and of what the access point sends to {to}, which all its stations hear, {most:.0} % collides: frames that are sent at the same time, such \
             as those of calls in step, collide whether or not their senders hear each other",
            link.named()
        )
    })
}

/// That frames collide far more often than those of senders that do not hear each other meet: wherever one begins within the other, so that what others send bounds how often that is, if
/// times are not alike.
fn beyond_chance(air: &Air, link: &Link<'_>) -> Option<String> {
    let (share, chance) = (again(link), 100.0 * by_chance(air, &links(air, 1), link));
    (share > BEYOND_CHANCE * chance).then(|| {
        format!(
            "{}: {share:.0} % of the PPDUs have retries, and for the little that others send {chance:.0} % would if these did not hear it: as if its frames were sent when others begin \
             theirs, like those of calls in step, which collide whether or not the senders hear each other",
            link.named()
        )
    })
}

/// Whether what an access point sends to one of its stations collides, and hardly anything of what it sends to another one: what begins at the same time as theirs collides, and not what goes
/// behind that.
pub(super) fn begins_with_others(air: &Air, ap: MacAddr) -> bool {
    let down = links(air, MIN_MPDUS).into_iter().filter(|one| one.from.mac == ap);
    let alone = down.filter(|one| one.traffic.mpdus_per_ppdu() < ALONE);
    let each: Vec<f64> = alone.filter_map(|one| struck(air, &one)).collect();
    each.iter().any(|&one| one >= STRUCK_PCT) && each.iter().any(|&one| one <= FREE_PCT)
}

/// The share of a link's PPDUs with retries, in percent.
fn again(link: &Link<'_>) -> f64 {
    100.0 * link.traffic.again as f64 / link.traffic.ppdus.max(1) as f64
}

/// The part of a link's PPDUs that those of others would meet whose senders do not hear it, at times that have nothing to do with each other.
fn by_chance(air: &Air, all: &[Link<'_>], link: &Link<'_>) -> f64 {
    let (from, to) = data_span(air).unwrap_or_default();
    let time = to.saturating_sub(from).max(1) as f64;
    let is_other = |one: &&Link<'_>| ![link.from.mac, link.to.mac].contains(&one.from.mac);
    let own = lasts_ns(link);
    let each = |one: &Link<'_>| {
        let traffic = one.traffic;
        let given_up = if one.is_up() { given_up(one).0 } else { 0 };
        tries(traffic.ppdus, traffic.again, given_up) / heard_of(air, one) * (own + lasts_ns(one)) / time
    };
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
