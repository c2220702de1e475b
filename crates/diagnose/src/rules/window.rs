//! W405: the sender's own window does not grow.

use super::no_tcp;
use crate::capacity::cost_of_idle_air;
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::rule::Rule;
use airloom_trace::Bins;
use airloom_trace::tcp::{Limit, RoundTrips, Vantage};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W405",
    name: "limited by the sender's window",
    needs: "TCP",
    computes: "How much the most that was outstanding differs from one stretch of time to the next, behind the first fifth of a flow. Reported where nine \
               in ten stretches lie within a segment and a half, at ten segments or more, while less than one segment in 200 was sent again, the receiver's \
               window was not full for most of the time, half of the round trips take less than twice the shortest, and nothing arrives in three stretches \
               of ten: then the way has room, and a window that may grow would.",
    traps: "A queue that is full keeps a window flat too, but round trips are long then, and what is behind it never silent. Where \
            stretches are longer than half a round trip, in long captures or on short ways, the rule cannot tell. A program that writes at an even pace has as much outstanding \
            as its round trips last, which jumps with them. Round trips to the sender need clock values (RFC 7323) where the capture was made elsewhere.",
    refuted_by: "A socket of the sender with a window that is not full (`ss -tin`: cwnd, unacked, notsent).",
    judge,
};

/// How far stretches may differ, and what is outstanding at least, in segments.
const FLAT: f64 = 1.5;
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
/// The share of the time in which nothing arrives, since all that may be on its way has.
const SILENT: f64 = 0.3;
/// The share of segments that may be sent again.
const CLEAN: f64 = 0.005;
/// Why a flat window cannot be told from a full queue.
const NO_TRIPS: &str =
    "its window is flat, and how long round trips take does not show: no clock values (RFC 7323), or too few";
const TOO_COARSE: &str = "its window is flat, and the moments in which nothing arrives do not show: the capture is too long, or the way too short";

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp();
    }
    let (mut findings, mut unclear) = (Vec::new(), None);
    for flow in flows(evidence, 1) {
        match flat(&flow).map(|flat| found(evidence, &flow, &flat)) {
            Some(Ok(found)) => findings.extend(found),
            Some(Err(because)) => unclear = unclear.or(Some(format!("{}: {because}", flow.named()))),
            None => {}
        }
    }
    match unclear {
        Some(because) if findings.is_empty() => Verdict::CannotTell(because),
        _ => Verdict::Found(findings),
    }
}

/// A window that does not grow.
struct Flat {
    /// What was outstanding, in octets.
    window: f64,
    /// How far stretches differ, in segments.
    apart: f64,
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
    let is_flat = most.len() >= FEW && apart <= FLAT && window >= LEAST * segment;
    (is_flat && clean && !others).then_some(Flat { window, apart })
}

/// A flow with a flat window on a way that has room; an error says why that does not show.
fn found(evidence: &Evidence, flow: &Flow<'_>, flat: &Flat) -> Result<Option<Finding>, &'static str> {
    let data = flow.data();
    let (shortest, usual) = round_trip(flow).ok_or(NO_TRIPS)?;
    if usual >= SHORT * shortest {
        return Ok(None);
    }
    if silent(&data.delivered, usual).ok_or(TOO_COARSE)? < SILENT {
        return Ok(None);
    }
    Ok(Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value: flat.apart,
        threshold: FLAT,
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

/// The share of stretches in which nothing was acknowledged; none if they are too long to show that.
fn silent(delivered: &Bins, round_trip_ms: f64) -> Option<f64> {
    let bins = delivered.bins();
    let short = delivered.width_ns() as f64 / 1e6 <= round_trip_ms / 2.0;
    let empty = bins.iter().filter(|bin| bin.count == 0).count();
    (short && !bins.is_empty()).then(|| empty as f64 / bins.len() as f64)
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
