//! W304: frames travel alone though many wait.

use super::no_air;
use crate::capacity::{AROUND, NOT_WAITING, arriving, moved_mbps, room_mbps};
use crate::demand::PRESSED;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{heard_of, in_links};
use crate::link::Link;
use crate::rule::Rule;
use airloom_trace::Air;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W304",
    name: "no or short aggregation",
    needs: "air",
    computes: "MPDUs in each PPDU of a link with rates of 802.11n or later that sends large frames. Reported where there are fewer than 2.5, and \
               four in five PPDUs began within a backoff after the air had become idle, and it is busy for three quarters of the time in \
               which the link is in use: then frames wait, and preambles, gaps and answers take what they could have. PPDUs of more than 1.5 ms on average are long enough.",
    traps: "A sender with little to send has nothing to aggregate: then the air is idle. Rates of 802.11g and older cannot. Not every monitor \
            tells which frames came together; where none did, records that follow each other within 20 us would be such, \
            and the rule abstains.",
    refuted_by: "An idle queue at the sender while frames went alone.",
    judge,
};

/// MPDUs in a PPDU.
const SHORT: f64 = 2.5;
/// The share of the time in use that is busy.
const BUSY: f64 = 0.75;
/// Fewer MPDUs than this say nothing.
const FEW: u64 = 100;
/// Octets of a body that are large: a third of the largest packet.
const LARGE: f64 = 500.0;
/// At slow rates a PPDU may not be longer, however few MPDUs it has: drivers keep it below 4 ms. In nanoseconds.
const LONG: u64 = 1_500_000;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    in_links(air, FEW, |link| found(evidence, *capture, air, link))
}

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let traffic = link.traffic;
    let (from, to) = air.span_ns?;
    let able: u64 =
        traffic.speeds.iter().filter(|used| used.speed.index.is_some()).map(|used| used.mpdus).sum();
    let per_ppdu = traffic.mpdus_per_ppdu();
    let pressed = traffic.pressed as f64 / traffic.ppdus.max(1) as f64;
    let busy = if pressed < PRESSED * heard_of(air, link) { 0.0 } else { busy_in_use(air, link) };
    let large = traffic.octets as f64 / traffic.mpdus as f64 >= LARGE;
    if per_ppdu >= SHORT || busy < BUSY * heard_of(air, link) || !large || able < traffic.mpdus / 2 {
        return None;
    }
    if traffic.airtime_ns / traffic.ppdus > LONG {
        return None;
    }
    let (more, moved) = (room_mbps(air, link, 1.0, arriving(air, link)), moved_mbps(air, link)?);
    Some(Finding {
        subject: link.named(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: per_ppdu,
        threshold: SHORT,
        unit: "MPDUs in a PPDU",
        confidence: 0.85,
        cost: more.map_or(NOT_WAITING, |more| Cost::mbps(more, moved, "of this link")),
        capture,
        frames: traffic.shown.kept().to_vec(),
        filter: link.filter(),
        says: format!(
            "{per_ppdu:.1} MPDUs travel in a PPDU, while the air is busy for {:.0} % of the time.{}",
            100.0 * busy.min(1.0),
            more.map(|more| format!(" As many together as fit would carry {more:.0} Mbit/s more.")).unwrap_or_default()
        ),
        remedy: "Look whether a BlockAck agreement exists (`iw event -f` at association, debugfs `agg_status`), whether the sender's TCP keeps \
                 enough in its queue (TCP small queues), and the limits of the access point."
            .to_owned(),
    })
}

/// The share of the time that is busy while a link is in use: in bins in which it has at least half as much of the air as on
/// average where it has any. Gaps around PPDUs count as busy.
fn busy_in_use(air: &Air, link: &Link<'_>) -> f64 {
    let own = &link.traffic.airtime;
    let used: Vec<f64> = own.bins().iter().map(|bin| bin.sum).filter(|&sum| sum > 0.0).collect();
    let half = used.iter().sum::<f64>() / used.len().max(1) as f64 / 2.0;
    let (mut busy, mut time) = (0.0, 0.0);
    for (place, _) in own.bins().iter().enumerate().filter(|(_, bin)| bin.sum >= half && bin.sum > 0.0) {
        let (from, to) = (own.begin_ns(place), own.begin_ns(place + 1));
        let ppdus: f64 = air
            .traffic()
            .values()
            .map(|traffic| {
                let mean = traffic.airtime_ns as f64 / traffic.ppdus.max(1) as f64;
                traffic.airtime.density(from, to) / mean.max(1.0)
            })
            .sum();
        busy += air.busy.density(from, to) + ppdus * AROUND;
        time += 1.0;
    }
    busy / f64::max(time, 1.0)
}
