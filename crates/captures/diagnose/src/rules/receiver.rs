//! W401: the receiver's window holds the sender back.

use super::standing_queue::Ways;
use super::{closed_window, no_tcp, window, with_flows};
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows, of_records};
use crate::idle_air::{beyond, cost_of_idle_air};
use crate::rule::Rule;
use crate::standstill::stands_still;
use airloom_trace::tcp::{Limit, Pause};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W401",
    name: "limited by the receiver",
    means: "The receiving computer or program takes no more at a time. The network could carry more.",
    needs: "TCP",
    computes: "The share of a flow's time in which as much was outstanding as the receiver's window allows. Reported from a half on, or, away from the sender, where nearly as much (85 %) was in nine of ten round trips, and \
               what was outstanding arrives in no longer a time than the handshake's round trip; unless a queue stands in the way of the flow, or else round trips are as long as if one did (W301), \
               which fills the window. Time in which the window was closed for 5 s and longer does not count: \
               that is W407.",
    traps: "Without the handshake the scale of the window is not known: only the time counts for which it was closed, and where that is less than half the rule abstains. A window that is full because the way is long \
            is the same limit, and a larger buffer is what helps. Where half of the round trips take twice the shortest, or in most seconds even the shortest takes a quarter and 1 ms more than the shortest of all, packets \
            wait on the way all the time, or the receiver answers late: then the rule cannot tell, nor where a tenth of the data lies far beyond the window. It can where a third of the largest window or more is missing as half of the data is acknowledged: what \
            the receiver's program has not read takes that room. With a queue (W301) the window only bounds how long that is, and a larger one makes it longer.",
    refuted_by: "The same rate with a larger receive buffer.",
    judge,
};

/// The share of the time, in percent.
const REPORTED_PCT: f64 = 50.0;
/// The share of the data whose acknowledgments show that a receiver's program has not read for long.
const WITHHELD: f64 = 0.5;
/// The share of the data far beyond the window from which on the rule cannot tell.
const AWAY: f64 = 0.1;
/// Shorter flows say nothing, in nanoseconds: their windows still grow.
const SHORT: u64 = 100_000_000;
/// Smaller flows say nothing, in octets.
const SMALL: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    let ways = Ways::of(evidence);
    let because = |fits: &dyn Fn(&Flow<'_>) -> bool, says: &str| {
        flows.iter().find(|flow| fits(flow)).map(|flow| format!("{}: {says}", flow.named()))
    };
    let (mut findings, mut filled) = (Vec::new(), None);
    for (flow, finding) in flows.iter().filter_map(|flow| Some((flow, found(evidence, flow, &ways)?))) {
        if !reads_late(flow) && (ways.never_rest(flow) || window::waits(flow)) {
            filled = filled.or_else(|| Some(format!("{}: {FILLED}", flow.named())));
        } else {
            findings.push(finding);
        }
    }
    let unclear = because(&is_beyond, BEYOND).or(filled);
    let unclear = unclear.or_else(|| because(&|flow| is_unsure(evidence, flow), UNSURE));
    let unscaled = !flows.is_empty() && flows.iter().all(|flow| !flow.connection.handshake_seen());
    let unclear = if unscaled { Some(UNSCALED.to_owned()) } else { unclear };
    with_flows(Verdict::unless_found(findings, unclear), &flows, SMALL)
}

/// Whether the window of a flow's receiver may be what holds it back, though it is not known to have been full.
fn is_unsure(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    let (limited_ns, all_ns) = open_ns(flow);
    flow.connection.handshake_seen()
        && (100.0 * limited_ns as f64) < REPORTED_PCT * all_ns as f64
        && flow.data().limits.share(Limit::Recovery) < flow.data().limits.share(Limit::Congestion)
        && window::fills_receivers(evidence, flow) == Some(false)
}

fn found(evidence: &Evidence, flow: &Flow<'_>, ways: &Ways) -> Option<Finding> {
    let data = flow.data();
    let (limited_ns, all_ns) = open_ns(flow);
    let share = 100.0 * limited_ns as f64 / all_ns.max(1) as f64;
    let fills = window::fills_receivers(evidence, flow) == Some(true);
    if (share < REPORTED_PCT && !fills) || all_ns < SHORT || ways.hold(evidence, flow) {
        return None;
    }
    let lasted_ns = closed_ns(flow);
    let times =
        data.stalls.count(Pause::ZeroWindow).saturating_sub(closed_window::spells(flow).count() as u64);
    let closed = match times {
        0 => String::new(),
        1 => format!("; its window was closed once, for {:.2} s", lasted_ns as f64 / 1e9),
        _ => format!("; its window was closed {times} times, {:.2} s together", lasted_ns as f64 / 1e9),
    };
    let (value, threshold, unit) = if share < REPORTED_PCT {
        (
            100.0 * window::most_of_receivers(evidence, flow),
            100.0 * window::NEARLY,
            "% of the window in nine of ten round trips",
        )
    } else {
        (share, REPORTED_PCT, "% of the time")
    };
    let beside = if evidence.air.is_some() { " It is not the Wi-Fi." } else { "" };
    let cost = cost_of_idle_air(evidence, flow);
    Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value,
        threshold,
        unit,
        confidence: 0.85,
        cost,
        capture: flow.capture,
        frames: data.limits.shown(Limit::Receiver).to_vec(),
        filter: format!(
            "{} && (tcp.analysis.window_full || tcp.analysis.zero_window || {})",
            flow.filter(),
            of_records(data.limits.shown(Limit::Receiver))
        ),
        says: if share < REPORTED_PCT {
            format!("{NEARLY}{beside}{}", beyond(evidence, flow, &cost))
        } else {
            let held = if flow.connection.handshake_seen() { FULL } else { NO_ROOM };
            format!("For {share:.0} % of the time {held}{closed}.{beside}{}", beyond(evidence, flow, &cost))
        },
        remedy: if reads_late(flow) { READS } else { BUFFER }.to_owned(),
    })
}

/// Whether much of a flow lies far beyond the window that its receiver gave.
fn is_beyond(flow: &Flow<'_>) -> bool {
    flow.data().uncaptured.beyond as f64 >= AWAY * flow.data().octets as f64
}

/// How long the receiver's window was closed, without spells in which it stayed so (W407), in nanoseconds.
fn closed_ns(flow: &Flow<'_>) -> u64 {
    flow.data().stalls.lasted_ns(Pause::ZeroWindow).saturating_sub(closed_window::spells_ns(flow))
}

/// Whether the receiver's window shows that its program reads later than data comes: for most of the time for which it is full it is closed, or it has
/// never all of its room. Nothing on the way closes a window.
fn reads_late(flow: &Flow<'_>) -> bool {
    let (limited_ns, _) = open_ns(flow);
    2 * closed_ns(flow) > limited_ns || flow.data().limits.withheld() >= WITHHELD
}

/// What holds the sender where the scale of windows is known, and where it is not: zero is zero in any scale.
const FULL: &str = "as much was outstanding as the receiver takes";
const NO_ROOM: &str = "the receiver had no room for a single octet";

/// Why windows do not show whether they hold a sender.
const UNSCALED: &str = "no handshake was captured, so that the scale of windows is not known";

/// What shows away from the sender that a window holds it back.
const NEARLY: &str = "In nine of ten round trips nearly as much was outstanding as the receiver takes, and by what arrives these are no longer than the one of the handshake.";

/// Why a window that is nearly full is not called too small.
const UNSURE: &str = "nearly as much is outstanding as its receiver takes, whose window may be what holds it back: a capture at the sender would tell";

/// Why a window does not show whether it holds its sender.
const BEYOND: &str = "much of its data lies far beyond the window that its receiver had given: acknowledgments are missing in the capture, or the capture is artificial";

/// Why a window that is full is not called too small.
const FILLED: &str = "its receiver's window is full, and hardly any round trip is short: what waits on the way may fill it, or a receiver that answers late";

/// What helps where the window is small, and where the program lets it close.
const BUFFER: &str = "A larger receive buffer at the receiver (`sysctl net.ipv4.tcp_rmem`, no SO_RCVBUF in the program), or a program there that \
                      reads faster.";
const READS: &str = "A program at the receiver that reads faster: its buffer is full for most of this time, and a larger one only puts that off.";

/// How long the receiver's window limited a flow, and how long that lasted, in nanoseconds; both without spells in which it stayed closed, and the latter
/// without the repetitions of a dead connection (W406).
fn open_ns(flow: &Flow<'_>) -> (u64, u64) {
    let limits = &flow.data().limits;
    let closed = closed_window::spells_ns(flow);
    let dead = if stands_still(flow) { limits.repeated_ns() } else { 0 };
    (
        limits.lasted_ns(Limit::Receiver).saturating_sub(closed),
        limits.active_ns().saturating_sub(closed + dead),
    )
}
