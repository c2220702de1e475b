//! W302: frames that have arrived wait for one that has not.

use super::doubt::Doubt;
use super::{collisions, no_air};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::in_links;
use crate::link::Link;
use crate::rule::Rule;
use airloom_trace::{Air, Bin, Hole};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W302",
    name: "reorder hole",
    means: "What arrives is held back until something that was lost has come: data stands still, and then \
            comes all at once.",
    needs: "air",
    computes: "Sequence numbers that were sent and not acknowledged, or that BlockAcks show as missing, for 15 to 200 ms although later ones have arrived: the receiver keeps \
               those until the missing one comes or is given up. Reported from five on, if such times together make 5 % of the time in which the link \
               is in use.",
    traps: "Many receivers keep no word of what they acknowledged before: what a BlockAck no longer shows is not missing, and of such a receiver only what comes \
            after all counts. No receiver waits for longer than 200 ms. While the station is away or dozes nothing can arrive, and the spell counts as that. A monitor that misses BlockAcks sees fewer \
            holes, not more.",
    refuted_by: "A capture at the receiver without bursts after these times.",
    judge,
};

/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 100;
/// Fewer holes than this may be chance.
const MIN_HOLES: usize = 5;
/// The share of the time in use, in percent.
const REPORTED_PCT: f64 = 5.0;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    in_links(air, MIN_MPDUS, |link| found(evidence, (*capture, air), link))
}

fn found(evidence: &Evidence, (capture, air): (usize, &Air), link: &Link<'_>) -> Option<Finding> {
    let dozes = link.station().presence.dozes().kept();
    let away =
        |hole: &&Hole| dozes.iter().any(|doze| doze.from_ns <= hole.to_ns && hole.from_ns <= doze.to_ns);
    let mut holes: Vec<&Hole> =
        link.traffic.holes().flat_map(|holes| holes.kept()).filter(|hole| !away(hole)).collect();
    holes.sort_by_key(|hole| hole.from_ns);
    let spells = merged(&holes);
    let lasted: u64 = spells.iter().map(|(from, to)| to.saturating_sub(*from)).sum();
    let rate = &link.traffic.over_time.octets;
    // Of many holes only the first are kept: they stand for the time until their last.
    let total: u64 = link.traffic.holes().map(|holes| holes.total()).sum();
    let kept: usize = link.traffic.holes().map(|holes| holes.kept().len()).sum();
    let until = if kept as u64 == total { u64::MAX } else { spells.last()?.1 };
    let in_use = |&(place, bin): &(usize, &Bin)| bin.count > 0 && rate.begin_ns(place) < until;
    let used = rate.bins().iter().enumerate().filter(in_use).count() as u64 * rate.width_ns();
    let share = 100.0 * lasted as f64 / used.max(1) as f64;
    if holes.len() < MIN_HOLES || share < REPORTED_PCT {
        return None;
    }
    let mean =
        holes.iter().map(|hole| (hole.to_ns - hole.from_ns) as f64).sum::<f64>() / 1e6 / holes.len() as f64;
    let longest = holes.iter().map(|hole| hole.to_ns - hole.from_ns).max().unwrap_or_default();
    Some(Finding {
        subject: link.named(),
        spans: spells.iter().map(|&(from, to)| [from, to].map(|at| evidence.seconds(at))).collect(),
        value: share.min(100.0),
        threshold: REPORTED_PCT,
        unit: "% of the time in use",
        confidence: 0.85,
        cost: Cost::ms(mean, share / 100.0, "each time, on average"),
        capture,
        frames: holes.iter().map(|hole| hole.number).take(NAMED).collect(),
        filter: format!(
            "wlan.ta == {} && wlan.ra == {} && wlan.fc.type_subtype == 0x19",
            link.to.mac, link.from.mac
        ),
        says: format!(
            "{} times what had arrived waited for a missing frame, {:.0} ms on average and {:.0} ms at most. Delays jump meanwhile, and TCP may take the wait for a loss.",
            total - (kept - holes.len()) as u64,
            mean,
            longest as f64 / 1e6
        ),
        remedy: format!(
            "{}; fewer tries at the sender (`iw phy phy0 set retry`), so that TCP learns of a loss sooner.",
            fewer_tries(air, link)
        ),
    })
}

/// What lets fewer frames need many tries: a slower rate hardly helps where collisions take them, nor where the signal is beyond any doubt.
fn fewer_tries(air: &Air, link: &Link<'_>) -> &'static str {
    let weak = || link.lowest_snr(air).is_none_or(|snr| Doubt::of(link, snr, false).is_some());
    if collisions::strikes(air, link) {
        "Requests to send (`iw phy phy0 set rts 500`), since frames collide, so that fewer of them need many tries"
    } else if weak() {
        "A slower rate or a stronger signal, so that fewer frames need many tries"
    } else {
        "Another channel or band, so that fewer frames need many tries: the signal is strong enough"
    }
}

/// Spells in which there was any hole, of holes in the order of their beginnings.
fn merged(holes: &[&Hole]) -> Vec<(u64, u64)> {
    let mut spells: Vec<(u64, u64)> = Vec::new();
    for hole in holes {
        match spells.last_mut() {
            Some((_, to)) if hole.from_ns <= *to => *to = hole.to_ns.max(*to),
            _ => spells.push((hole.from_ns, hole.to_ns)),
        }
    }
    spells
}
