//! W107: bursts of losses that neither the signal nor other stations explain.

use super::no_air;
use super::weak_signal::margin;
use crate::capacity::moved_mbps;
use crate::demand::is_greedy;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::in_links;
use crate::link::Link;
use crate::rule::Rule;
use airloom_trace::{Air, RadioHeard, Storm};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W107",
    name: "interference",
    needs: "air",
    computes: "Bursts in which a link sends nothing but retries, four PPDUs and more one after another for 5 ms at least, though the signal is at least 4 dB \
               above what its rates need. Reported from three on, if they take 1 % of the time, outside of them fewer than \
               one MPDU in five is sent again, and there are three times as many as chance would make of these retries.",
    traps: "A station that is away or dozes does not answer either: spells between PM=1 and PM=0 do not count. Collisions and a weak \
            signal make retries all the time, not in bursts. The monitor may be disturbed where the receiver is not, and then hears nothing.",
    refuted_by: "As many bursts in another band, or with everything switched off that is not Wi-Fi.",
    judge,
};

/// Fewer MPDUs than this say nothing.
const FEW: u64 = 50;
/// Fewer bursts than this may be chance.
const FEWEST: usize = 3;
/// The share of the time, in percent.
const MUCH: f64 = 1.0;
/// The share of retries outside of bursts.
const CLEAN: f64 = 0.20;
/// How many times more bursts than chance makes.
const BEYOND: f64 = 3.0;
/// PPDUs of a burst.
const BURST: f64 = 4.0;
/// With this much signal more than needed, noise is not what destroys MPDUs, in dB.
const ENOUGH: f64 = 4.0;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    in_links(air, FEW, |link| found(evidence, *capture, air, link))
}

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let traffic = link.traffic;
    let storms: Vec<&Storm> =
        traffic.storms.kept().iter().filter(|storm| !away(link.station(), storm)).collect();
    let within: u64 = storms.iter().map(|storm| storm.mpdus).sum();
    let lasted: u64 = storms.iter().map(|storm| storm.to_ns.saturating_sub(storm.from_ns)).sum();
    let (from, to) = air.span_ns?;
    let outside =
        traffic.retried.saturating_sub(within) as f64 / traffic.mpdus.saturating_sub(within).max(1) as f64;
    let share = 100.0 * lasted as f64 / to.saturating_sub(from).max(1) as f64;
    let chance = traffic.ppdus as f64 * libm::pow(outside, BURST);
    if storms.len() < FEWEST
        || (storms.len() as f64) < BEYOND * chance
        || share < MUCH
        || outside > CLEAN
        || margin(air, link)? < ENOUGH
    {
        return None;
    }
    Some(Finding {
        subject: link.named(),
        spans: storms.iter().map(|storm| [storm.from_ns, storm.to_ns].map(|at| evidence.seconds(at))).collect(),
        value: share,
        threshold: MUCH,
        unit: "% of the time",
        confidence: 0.75,
        cost: cost(evidence, air, link, share),
        capture,
        frames: storms.iter().map(|storm| storm.number).take(NAMED).collect(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "{} bursts of {:.0} ms on average in which nothing arrived, though the signal is strong enough; outside of them {:.0} % of the \
             MPDUs are sent again.",
            storms.len(),
            lasted as f64 / 1e6 / storms.len() as f64,
            100.0 * outside
        ),
        remedy: "Another channel or band; look for what is on at these times: microwave ovens, wireless video, USB 3 beside the antenna, Bluetooth on \
                 the same chip."
            .to_owned(),
    })
}

/// What would have gone in the time of the bursts, if more is there to be sent, without what senders need to recover from them; else
/// that time.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, share: f64) -> Cost {
    match moved_mbps(air, link).filter(|_| is_greedy(evidence, link) && share < 100.0) {
        Some(moved) => {
            Cost { at_least: true, ..Cost::mbps(moved * share / (100.0 - share), moved, "of this link") }
        }
        None => Cost::percent(share, "% of the time", "in all"),
    }
}

/// Whether the station was away or dozed, as far as it announced.
fn away(station: &RadioHeard, storm: &Storm) -> bool {
    station
        .presence
        .dozes()
        .kept()
        .iter()
        .any(|doze| doze.from_ns <= storm.to_ns && storm.from_ns <= doze.to_ns)
}
