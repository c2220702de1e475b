//! W106: frames collide, because senders do not hear each other.

use super::no_air;
use super::weak::{WEAK, margin};
use crate::bianchi::expected;
use crate::capacity::{MARGIN, alone_mbps, moved_mbps, taken_by_others};
use crate::demand::Turns;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::gaps::Gaps;
use crate::heard::{given_up, heard_of, in_strong_links};
use crate::link::{Link, data_span, links};
use crate::rule::Rule;
use crate::wasted;
use airloom_trace::{Air, MacAddr};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W106",
    name: "collisions, hidden station",
    means: "Devices that do not hear each other talk at the same time, and what they send is lost.",
    needs: "air",
    computes: "The share of a station's PPDUs with retries although the signal is at least 15 dB, and 4 dB above what its rates need, against that \
               of its access point, which all stations hear: senders that hear each other collide about as often, or as often as two that always send, if the access point sends more PPDUs. Where the access point \
               sends too little, against Bianchi's model (2000) for as many saturated senders as had a fifth of the PPDUs of the busiest one at least. Reported from \
               2.2 times that and 15 % on; from 1.3 times on where the station gave up one MPDU in a hundred after all its tries: numbers that were never heard, \
               nor answered, though those around them were.",
    traps: "Few senders that hear each other collide rarely, since the backoff tells them apart. Noise takes single MPDUs of a \
            PPDU; a collision takes all of them. A signal that changes counts as where it is weak. Retries after a lost BlockAck look like a collision, and are as rare as \
            lost BlockAcks.",
    refuted_by: "As many retries with RTS and CTS before each PPDU.",
    judge,
};

/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 50;
/// The least share of PPDUs with retries that is reported, in percent.
const REPORTED_PCT: f64 = 15.0;
/// How many times more than those who hear each other have.
const BEYOND: f64 = 2.2;
/// The same if the station gave up MPDUs, which senders that hear each other hardly do.
const BEYOND_GIVEN_UP: f64 = 1.3;
/// The least share of MPDUs given up, in percent, and the least number that is no accident.
const GIVEN_UP: f64 = 1.0;
const FEW_GIVEN_UP: u64 = 20;
/// The fewest tries that a sender makes (802.11-2020 annex C: dot11LongRetryLimit).
const TRIES: f64 = 4.0;
/// With less signal than this above what is needed, noise may have destroyed MPDUs, in dB.
const SNR_MARGIN_DB: f64 = 4.0;
/// A sender with less PPDUs than this share of the busiest one's is not one to collide with.
const RIVAL_SHARE: f64 = 0.2;
/// A station and its access point.
const TWO: usize = 2;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let links = links(air, MIN_MPDUS);
    let most = links.iter().map(|link| link.traffic.ppdus).max().unwrap_or_default();
    let busy = |link: &&Link<'_>| link.traffic.ppdus as f64 >= RIVAL_SHARE * most as f64;
    let mut senders: Vec<_> = links.iter().filter(busy).map(|link| link.from.mac).collect();
    senders.sort();
    senders.dedup();
    in_strong_links(air, MIN_MPDUS, |link, snr| {
        if !link.is_up() {
            return None;
        }
        let (sent, again) = links
            .iter()
            .filter(|other| other.from.mac == link.to.mac)
            .fold((0, 0), |sum, other| (sum.0 + other.traffic.ppdus, sum.1 + other.traffic.again));
        // A station that sends less than its access point meets a busy sender, but the access point seldom meets the station: its own share of retries
        // is too low a measure.
        let meets = if sent >= link.traffic.ppdus { expected(TWO) } else { 0.0 };
        let of_access_point = 100.0 * again as f64 / sent.max(1) as f64;
        let heard_by_all =
            if sent >= MIN_MPDUS { of_access_point.max(meets) } else { expected(senders.len()) };
        found(evidence, *capture, air, (link, snr), heard_by_all)
    })
}

/// What would go without collisions in the time that others leave, at least; of a station that has no more to send, or no less than it would have then, what it sends
/// again beyond the share that collisions of those who hear each other explain.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, beyond: f64) -> Cost {
    let own = (1.0 - MARGIN) * alone_mbps(air, link) * left(evidence, air, link);
    match moved_mbps(air, link).filter(|&moved| evidence.is_greedy(link) && moved < own) {
        // Rate controls are slow behind collisions, and do not show what they would do without.
        Some(moved) => Cost { at_least: true, ..Cost::mbps(own - moved, moved, "of this link") },
        None => wasted::again(air, link, beyond),
    }
}

/// The share of the time that a link would have without collisions, at least.
fn left(evidence: &Evidence, air: &Air, link: &Link<'_>) -> f64 {
    let station = link.station().mac;
    // A sender that is heard takes as many turns, and collides now and then. Of two that are hidden one may have its half while the other has less.
    let shared = (1.0 - taken_by_others(air, station).unwrap_or_default()).clamp(0.0, 0.5);
    if has_rival(evidence, air, link) { shared } else { shared.max(left_by_few(air, station)) }
}

/// The same where others have little to send: each of their MPDUs may go alone, since what goes together now is what collisions held up.
fn left_by_few(air: &Air, station: MacAddr) -> f64 {
    let (from, to) = data_span(air).unwrap_or_default();
    let others = links(air, 1).into_iter().filter(|other| other.station().mac != station);
    let alone = |other: Link<'_>| {
        let gaps = other.traffic.mpdus as f64 * Gaps::of(air, &other).around;
        (other.traffic.airtime_ns as f64 + gaps) / heard_of(air, &other)
    };
    1.0 - others.map(alone).sum::<f64>() / to.saturating_sub(from).max(1) as f64
}

/// Whether another station has more to send all the time.
fn has_rival(evidence: &Evidence, air: &Air, link: &Link<'_>) -> bool {
    let turns = Turns::of(air);
    let mut others =
        links(air, MIN_MPDUS).into_iter().filter(|other| other.station().mac != link.station().mac);
    others.any(|other| evidence.is_greedy(&other) || turns.are_all_taken(air, &other))
}

/// The share of a link's MPDUs that were given up, in percent, if there are more than collisions among those who hear each other explain, of whose PPDUs
/// `expected` percent collide, and than the monitor may have missed.
fn lost_by_tries(link: &Link<'_>, expected: f64) -> Option<f64> {
    let (given_up, never) = given_up(link);
    let share = 100.0 * given_up as f64 / (link.traffic.mpdus + given_up).max(1) as f64;
    let explained = 100.0 * libm::pow(expected / 100.0, TRIES);
    let enough = given_up >= FEW_GIVEN_UP && 2 * given_up >= never;
    (enough && share >= GIVEN_UP.max(BEYOND * explained)).then_some(share)
}

fn found(
    evidence: &Evidence,
    capture: usize,
    air: &Air,
    (link, snr): (&Link<'_>, f64),
    expected: f64,
) -> Option<Finding> {
    let traffic = link.traffic;
    let again = 100.0 * traffic.again as f64 / traffic.ppdus as f64;
    let lost = lost_by_tries(link, expected);
    let threshold = REPORTED_PCT.max(expected * lost.map_or(BEYOND, |_| BEYOND_GIVEN_UP));
    // Noise destroys some MPDUs of a long PPDU, a collision all of them.
    let noise = traffic.large.ppdus >= 20 && traffic.large.some_retried > traffic.large.all_retried;
    let enough = snr >= WEAK && margin(link, snr)? >= SNR_MARGIN_DB;
    // A receiver that answers nothing may be gone, or none: then nothing collides.
    if again < threshold || !enough || noise || traffic.answered == 0 {
        return None;
    }
    let (from, to) = air.span_ns.unwrap_or_default();
    let asked = traffic.requested as f64 / traffic.ppdus.max(1) as f64;
    Some(Finding {
        subject: link.named(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: again,
        threshold,
        unit: "% of PPDUs with retries",
        confidence: if asked > 0.5 { 0.6 } else { 0.85 },
        cost: cost(evidence, air, link, (1.0 - expected / again).max(0.0)),
        capture,
        frames: traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "{again:.0} % of the station's PPDUs have retries though the signal is strong enough; collisions among senders that hear each other \
             explain {expected:.0} %.{}",
            lost.map_or_else(String::new, |lost| format!(
                " {lost:.0} % of its frames never came through, whatever it tried."
            ))
        ),
        remedy: "Have the senders ask first: `iw phy phy0 set rts 500`, or protection by RTS/CTS at the access point.".to_owned(),
    })
}
