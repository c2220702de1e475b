//! W305: the adapter's bus is slower than its radio.

use super::{no_air, no_tcp, with_flows};
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::held_before_air::{HELD_UP, held_before_air};
use crate::idle_air::cost_of_idle_air;
use crate::link::Link;
use crate::rule::Rule;
use crate::waits::{WAITS, busy, waits};
use airloom_trace::Air;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W305",
    name: "slow bus",
    means: "The adapter gets its data from the computer more slowly than its radio could send it: the port \
            or the cable between them is the narrow place, not the air.",
    needs: "air and TCP",
    computes: "How closely a station's frames begin on a beat of 1 ms, the frame of USB 1.1: from 0, any time is as likely, to 1. \
               Those count that begin neither as soon as the air is idle nor within 1 ms of data for the station. Reported from 0.5 on where three in ten do, \
               and the sender of a flow waits for acknowledgments for a half of the time at least though the air is \
               busy for less than three quarters of it, and three in four of its packets take 1 ms or more from the station's own capture to the air, as long as the bus needs for one of full length: something \
               between the two hands frames on by its clock.",
    traps: "A program that writes by a timer keeps to a beat too, but its packets go at once: without a capture at the station the rule cannot tell the two apart. No bus with that \
            beat carries more than 12 Mbit/s. A window that is full is let go by acknowledgments, in bursts \
            as fast as the air takes them: its round trips, and frames that last just about 1 ms, may keep to the beat and do not count. USB 2.0 has a beat of 125 us, which \
            cannot be told from backoffs; there W403 says what it is not.",
    refuted_by: "The same rate with the adapter at another port, or with one of another bus.",
    judge,
};

/// Closeness to the beat: by chance 0.08.
const CLOSE: f64 = 0.5;
/// The share of the time in which the air is busy, in percent.
const IDLE: f64 = 75.0;
/// The most that USB 1.1 carries, in Mbit/s.
const FASTEST: f64 = 12.0;
/// Smaller flows say nothing, in octets.
const SMALL: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    if evidence.air.is_none() {
        return no_air();
    }
    let flows = flows(evidence, SMALL);
    let kept_to = flows.iter().filter_map(|flow| Some((flow, kept_to(evidence, flow)?)));
    let (mut findings, mut unclear) = (Vec::new(), None);
    for (flow, beat) in kept_to {
        match held_before_air(evidence, flow, &beat.link) {
            Some(true) => findings.extend(found(evidence, flow, &beat)),
            Some(false) => {}
            None => unclear = unclear.or_else(|| Some(unmeasured(evidence, flow, &beat))),
        }
    }
    with_flows(Verdict::unless_found(findings, unclear), &flows, SMALL)
}

/// Why a flow's beat cannot be told from that of a program.
fn unmeasured(evidence: &Evidence, flow: &Flow<'_>, beat: &Beat<'_>) -> String {
    let station = beat.link.station().mac;
    let is_there = (0..evidence.captures.len()).any(|capture| evidence.stations(capture).contains(&station));
    let would_tell = if is_there {
        "the station's capture has too few of these packets to tell"
    } else {
        "a capture at the station would tell"
    };
    format!(
        "{}: its frames keep to a beat of 1 ms, as behind USB 1.1 or from a program with a timer; {would_tell}",
        flow.named()
    )
}

/// Whether a bus may hold a flow back: then nothing beyond the air need do.
pub(super) fn may_hold(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    kept_to(evidence, flow).is_some()
}

/// A station's link on a beat.
struct Beat<'a> {
    link: Link<'a>,
    closeness: f64,
    /// The share of the time in which the air is busy, in percent.
    busy: f64,
}

/// How closely the frames of a flow keep to the beat, if they do while its sender waits and the air is idle.
fn kept_to<'a>(evidence: &'a Evidence, flow: &Flow<'_>) -> Option<Beat<'a>> {
    let (_, air) = evidence.air.as_ref()?;
    let (link, closeness) = beating(evidence, air, flow)?;
    let busy = busy(air, flow.data().span_ns?)?;
    (waits(flow) >= WAITS && busy < IDLE && flow.mbps(evidence) <= FASTEST).then_some(Beat {
        link,
        closeness,
        busy,
    })
}

fn found(evidence: &Evidence, flow: &Flow<'_>, beat: &Beat<'_>) -> Option<Finding> {
    let &Beat { link, closeness, busy } = beat;
    let (capture, _) = evidence.air.as_ref()?;
    let mbps = flow.mbps(evidence);
    Some(Finding {
        subject: format!("station {}", link.station().mac),
        spans: vec![flow.span(evidence)],
        value: closeness,
        threshold: CLOSE,
        unit: "closeness of frames to a beat of 1 ms",
        confidence: 0.85,
        cost: cost_of_idle_air(evidence, flow),
        capture: *capture,
        frames: link.traffic.shown.kept().to_vec(),
        filter: link.filter(),
        says: format!(
            "Its frames begin on a beat of 1 ms, as closely as {closeness:.2} of 1, while {} waits and the air is busy for {busy:.0} % of the \
             time: the adapter gets {mbps:.1} Mbit/s from its bus, not more.",
            flow.named()
        ),
        remedy: "Look at the speed of the adapter's port: `lsusb -t` says 12M for USB 1.1. Use a port of USB 2.0 or later, or leave out a hub in \
                 between; on old host controllers, bandwidth reclamation."
            .to_owned(),
    })
}

/// The station's link that carries a flow and keeps to the beat, and how closely.
fn beating<'a>(evidence: &'a Evidence, air: &'a Air, flow: &Flow<'_>) -> Option<(Link<'a>, f64)> {
    let link = flow.link(evidence, air).filter(Link::is_up)?;
    let beat = &link.traffic.beat;
    let closeness = beat.closeness()?;
    (closeness >= CLOSE && beat.held_up() >= HELD_UP).then_some((link, closeness))
}
