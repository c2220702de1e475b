//! W106: frames collide, because senders do not hear each other.

use super::weak_signal::margin;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::link::{Link, links};
use crate::rule::Rule;
use airloom_trace::Air;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W106",
    name: "collisions, hidden station",
    computes: "The share of a link's MPDUs that are retries although the signal is at least 4 dB above what its rates need, against what stations \
               that hear each other lose to collisions: one in sixteen with each other sender that is as busy, one in five at most. \
               Reported from twice that and 20 % on.",
    traps: "Few senders that hear each other collide rarely, since the backoff tells them apart. Noise takes single MPDUs of a \
            PPDU; a collision takes all of them. Retries after a lost BlockAck look like a collision, and are as rare as \
            lost BlockAcks.",
    refuted_by: "As many retries with RTS and CTS before each PPDU.",
    judge,
};

/// Fewer MPDUs than this say nothing.
const FEW: u64 = 300;
/// The least share of retries that is reported, in percent.
const MUCH: f64 = 20.0;
/// With less signal than this above what is needed, noise may have destroyed MPDUs, in dB.
const ENOUGH: f64 = 4.0;
/// The chance of two saturated stations to collide is some 1/16 with a least window of 15 slots (Bianchi 2000, n = 2), in percent.
const EACH: f64 = 6.25;
/// A sender with less of the data's air time than this is not one to collide with.
const BUSY: f64 = 0.05;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else {
        return Verdict::CannotTell("no capture of the air: retries are seen nowhere else".to_owned());
    };
    let links = links(air, FEW);
    let whole: u64 = links.iter().map(|link| link.traffic.airtime_ns).sum();
    let busy = |link: &&Link<'_>| link.traffic.airtime_ns as f64 >= BUSY * whole as f64;
    let mut senders: Vec<_> = links.iter().filter(busy).map(|link| link.from.mac).collect();
    senders.sort();
    senders.dedup();
    let others = senders.len().saturating_sub(1);
    let expected = (EACH * others as f64).min(20.0);
    Verdict::Found(
        links.iter().filter_map(|link| found(evidence, *capture, air, link, expected, others)).collect(),
    )
}

fn found(
    evidence: &Evidence,
    capture: usize,
    air: &Air,
    link: &Link<'_>,
    expected: f64,
    others: usize,
) -> Option<Finding> {
    let traffic = link.traffic;
    let retries = 100.0 * traffic.retried as f64 / traffic.mpdus as f64;
    let threshold = MUCH.max(2.0 * expected);
    // Of long PPDUs noise takes a part, a collision all.
    let noise = traffic.large >= 20 && traffic.some_retried > traffic.all_retried;
    if retries < threshold || margin(air, link)? < ENOUGH || noise {
        return None;
    }
    let (from, to) = air.span_ns.unwrap_or_default();
    let asked = traffic.requested as f64 / traffic.ppdus.max(1) as f64;
    Some(Finding {
        code: RULE.code,
        name: RULE.name,
        subject: link.named(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: retries,
        threshold,
        unit: "% of MPDUs sent again",
        confidence: if asked > 0.5 { 0.6 } else { 0.85 },
        cost: Cost {
            value: traffic.airtime_ns as f64 * retries / to.saturating_sub(from).max(1) as f64,
            unit: "% of the air",
        },
        capture,
        frames: Vec::new(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "{retries:.0} % of the MPDUs were sent again with enough signal; {others} other busy {} would explain {expected:.0} %.",
            if others == 1 { "sender" } else { "senders" },
        ),
        refuted_by: RULE.refuted_by,
        remedy: "Have the senders ask first: `iw phy phy0 set rts 500`, or protection by RTS/CTS at the access point.".to_owned(),
    })
}
