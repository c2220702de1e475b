//! W405: the sender's own window does not grow.

use super::no_tcp;
use crate::capacity::cost_of_idle_air;
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::rule::Rule;
use airloom_trace::tcp::{Limit, RoundTrips, Vantage};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W405",
    name: "limited by the sender's window",
    needs: "TCP",
    computes: "How much the most that was outstanding differs from one stretch of time to the next, behind the first fifth of a flow. Reported where nine \
               in ten stretches lie within a segment and a half or 15 %, at ten segments or more, while less than one segment in 200 was sent again, the receiver's \
               window was not full for most of the time, half of the round trips take less than twice the shortest, three fifths of the window arrive in each, and nothing is acknowledged for three tenths \
               of the time, in gaps of half the shortest round trip at least, or the sender's own capture shows that each acknowledgment lets it send: then the way has room, and a window that may grow would.",
    traps: "A queue that is full keeps a window flat too, but round trips are long then, and what is behind it never silent. A program that writes at an even pace has as much outstanding \
            as its round trips last, which jumps with them. Round trips to the sender need clock values (RFC 7323) where the capture was made elsewhere.",
    refuted_by: "A socket of the sender with a window that is not full (`ss -tin`: cwnd, unacked, notsent).",
    judge,
};

/// How far stretches may differ, and what is outstanding at least, in segments.
const FLAT: f64 = 1.5;
/// The same as a part of what is outstanding: a send buffer holds the room of segments, and not always as many.
const FLAT_PART: f64 = 0.15;
const LEAST: f64 = 10.0;
/// The first part of a flow, in which a window grows.
const GROWS: f64 = 0.2;
/// Fewer stretches than this say nothing.
const FEW: usize = 20;
/// The share of the time that the receiver's window may be full.
const FULL: f64 = 0.5;
/// The share of the time in which the program may have nothing to send.
const IDLE: f64 = 0.3;
/// Half of the round trips against the shortest.
const SHORT: f64 = 2.0;
/// The same where acknowledgments come evenly: hardly any packet waits.
const SHORTER: f64 = 1.25;
/// The share of packets that an acknowledgment lets the sender send at once, and the least time between acknowledgments with which that is
/// no chance, in nanoseconds.
const CLOCKED: f64 = 0.9;
const APART: f64 = 800_000.0;
/// The share of the time in which nothing is acknowledged, since all that may be on its way has arrived.
const SILENT: f64 = 0.3;
/// The share of segments that may be sent again.
const CLEAN: f64 = 0.005;
/// The part of what a window allows, itself in each round trip, that a flow gets at least.
const KEEPS: f64 = 0.6;
/// Why a flat window cannot be told from a full queue.
const NO_TRIPS: &str =
    "its window is flat, and how long round trips take does not show: no clock values (RFC 7323), or too few";

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let (mut findings, mut unclear) = (Vec::new(), None);
    for flow in flows(evidence, 1) {
        match shown(evidence, &flow) {
            Ok(found) => findings.extend(found),
            Err(because) => unclear = unclear.or(Some(format!("{}: {because}", flow.named()))),
        }
    }
    match unclear {
        Some(because) if findings.is_empty() => Verdict::CannotTell(because),
        _ => Verdict::Found(findings),
    }
}

/// Whether the sender's window holds a flow back.
pub(super) fn holds(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    matches!(shown(evidence, flow), Ok(Some(_)))
}

/// What a flow has outstanding in kB, if nothing was lost and it passes as fast as it can with that: in the shortest round trip, or hardly
/// longer. Then nothing on the way holds it back, neither a queue nor losses.
pub(super) fn unhindered(evidence: &Evidence, flow: &Flow<'_>) -> Option<f64> {
    let data = flow.data();
    let bins = data.limits.flight.bins().iter();
    let mut most: Vec<f64> = bins.filter(|bin| bin.count > 0).map(|bin| bin.most).collect();
    most.sort_by(f64::total_cmp);
    let window = *most.get(most.len() / 2)?;
    let shortest = flow.connection.round_trip_ns()? as f64 / 1e6;
    // What is outstanding arrives within a round trip (Little's law).
    let usual = window * 8e-3 / flow.mbps(evidence);
    let clean = data.retransmissions.segments() == 0;
    (clean && usual < SHORTER * shortest).then_some(window / 1e3)
}

/// What a capture finds about a flow if any does, since what one shows another need not; an error says why none can tell.
fn shown(evidence: &Evidence, flow: &Flow<'_>) -> Result<Option<Finding>, &'static str> {
    let mut unclear = None;
    for view in views(evidence, flow) {
        match flat(&view).map(|flat| found(evidence, &view, &flat)) {
            Some(Ok(Some(finding))) => return Ok(Some(finding)),
            Some(Err(because)) => unclear = Some(because),
            Some(Ok(None)) | None => {}
        }
    }
    unclear.map_or(Ok(None), Err)
}

/// A window that does not grow.
struct Flat {
    /// What was outstanding, in octets.
    window: f64,
    /// How far stretches differ, and how far they may, in segments.
    apart: f64,
    /// See `apart`.
    most_apart: f64,
}

/// The window of a flow that is flat and large enough, without losses or another end that holds it back; none of any other.
fn flat(flow: &Flow<'_>) -> Option<Flat> {
    let data = flow.data();
    let bins = data.limits.flight.bins();
    let behind = &bins[(GROWS * bins.len() as f64) as usize..];
    let mut most: Vec<f64> = behind.iter().filter(|bin| bin.count > 0).map(|bin| bin.most).collect();
    most.sort_by(f64::total_cmp);
    let at = |share: f64| most.get((share * (most.len().max(1) - 1) as f64) as usize).copied();
    let (low, window, high) = (at(0.05)?, at(0.5)?, at(0.95)?);
    let segment = f64::from(data.longest.min(data.segment()));
    let apart = (high - low) / segment;
    let clean = (data.retransmissions.segments() as f64) < CLEAN * data.packets as f64;
    let others = data.limits.share(Limit::Receiver) >= FULL || data.limits.share(Limit::Application) >= IDLE;
    let most_apart = FLAT.max(FLAT_PART * window / segment);
    let is_flat = most.len() >= FEW && apart <= most_apart && window >= LEAST * segment;
    (is_flat && clean && !others).then_some(Flat { window, apart, most_apart })
}

/// A flow with a flat window on a way that has room; an error says why that does not show.
fn found(evidence: &Evidence, flow: &Flow<'_>, flat: &Flat) -> Result<Option<Finding>, &'static str> {
    let data = flow.data();
    let (shortest, usual) = round_trip(flow).ok_or(NO_TRIPS)?;
    if usual >= SHORT * shortest {
        return Ok(None);
    }
    // What is outstanding arrives within a round trip: a flow that is slower by much waits for something else as well.
    let [from, to] = flow.span(evidence);
    let mbps = data.octets as f64 * 8e-6 / (to - from).max(1e-3);
    if mbps < KEEPS * flat.window * 8e-3 / usual {
        return Ok(None);
    }
    let silent = data.quiet_ns as f64 >= SILENT * data.acknowledging_ns.max(1) as f64;
    let clocked = is_clocked(flow) && usual < SHORTER * shortest;
    if !silent && !clocked {
        return Ok(None);
    }
    Ok(Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value: flat.apart,
        threshold: flat.most_apart,
        unit: "segments between the 5th and the 95th percentile of what was outstanding",
        confidence: 0.75,
        cost: cost_of_idle_air(evidence, flow),
        capture: flow.capture,
        frames: data.limits.shown(Limit::Congestion).to_vec(),
        filter: flow.filter(),
        says: format!(
            "The sender has no more than about {:.0} kB outstanding, flat after the first fifth of the flow, though round trips of {usual:.0} ms are hardly longer \
             than the shortest and next to nothing was lost. It is not the Wi-Fi.",
            flat.window / 1e3
        ),
        remedy: "A larger send buffer at the sender (`sysctl net.ipv4.tcp_wmem`, no SO_SNDBUF in the program), no clamp of the window (`ip route`: cwnd \
                 lock), or a program that keeps more on its way."
            .to_owned(),
    }))
}

/// Whether each acknowledgment lets the sender send, and none comes so often that chance would make it look so.
fn is_clocked(flow: &Flow<'_>) -> bool {
    let data = flow.data();
    let gap_ns = data.acknowledging_ns as f64 / data.acks.max(1) as f64;
    let released = data.released as f64 / data.packets.max(1) as f64;
    flow.connection.vantage(flow.from) == Vantage::Sender && gap_ns >= APART && released >= CLOCKED
}

/// The shortest and the usual round trip between the ends in ms; none if a part of the way does not show.
fn round_trip(flow: &Flow<'_>) -> Option<(f64, f64)> {
    let there = flow.connection.round_trips(flow.from);
    let back = &flow.data().sender_round_trips;
    let of = |trips: &RoundTrips| Some((trips.least_ns()? as f64 / 1e6, trips.quantile_ms(0.5)?));
    match flow.connection.vantage(flow.from) {
        Vantage::Sender => of(there),
        Vantage::Receiver => of(back),
        Vantage::Middle | Vantage::Unknown => {
            let (there, back) = (of(there)?, of(back)?);
            Some((there.0 + back.0, there.1 + back.1))
        }
    }
}
