//! What a link would carry if nothing but its rates and the rules of the air limited it.

use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::Flow;
use crate::heard::heard_of;
use crate::link::{Link, data_span, links};
use airloom_trace::{Air, MacAddr, Phy, Traffic};
use std::collections::BTreeMap;

/// Around each PPDU nobody sends: SIFS, DIFS and half of the least window, at 5 GHz 16 + 34 + 67 us, in nanoseconds.
pub(crate) const AROUND: f64 = 117_000.0;
/// The half of the least window in it.
const BACKOFF: f64 = 67_000.0;
/// A preamble of 802.11n (802.11-2020 clause 19.3.2) and an answer at 24 Mbit/s (clause 17.4.3), in nanoseconds.
pub(crate) const PREAMBLE: f64 = 36_000.0;
pub(crate) const ANSWER: f64 = 32_000.0;
/// Drivers keep a PPDU below this, in nanoseconds; an A-MPDU of 802.11n has at most so many octets (clause 9.4.2.55.3), and an
/// agreement covers so many MPDUs.
pub(crate) const LONGEST: f64 = 4_000_000.0;
const LARGEST: f64 = 65_535.0;
const MOST: f64 = 64.0;
/// The share of MPDUs that makes a rate one in use.
pub(crate) const IN_USE: f64 = 0.05;
/// IP and TCP headers with their options, and the LLC header, in octets.
const HEADERS: f64 = 60.0;

/// Why faster frames would not have carried more, as far as shows.
pub(crate) const NOT_WAITING: Cost = Cost::unknown("nothing shows that more was there to be sent");
/// Why what holds a flow back has no cost without a capture of the air.
pub(crate) const NO_AIR: Cost =
    Cost::unknown("what the air would have carried shows only in a monitor's capture of it");

/// The air time that data of a station takes in nanoseconds, both ways, with the gaps that belong to it, by the share of it that the monitor heard.
pub(crate) fn taken(air: &Air) -> BTreeMap<MacAddr, f64> {
    let mut taken: BTreeMap<MacAddr, f64> = BTreeMap::new();
    for link in links(air, 1) {
        let traffic = link.traffic;
        *taken.entry(link.station().mac).or_default() +=
            (traffic.airtime_ns as f64 + traffic.ppdus as f64 * AROUND) / heard_of(air, &link);
    }
    taken
}

/// The share of the time in which data went that stations beside one take; none without data.
pub(crate) fn taken_by_others(air: &Air, station: MacAddr) -> Option<f64> {
    let (from, to) = data_span(air)?;
    let others = taken(air).into_iter().filter(|(mac, _)| *mac != station);
    let ns: f64 = others.map(|(_, ns)| ns).sum();
    Some(ns / to.saturating_sub(from).max(1) as f64)
}

/// Mbit/s of frame bodies that a link has moved, each once.
pub(crate) fn moved_mbps(air: &Air, link: &Link<'_>) -> Option<f64> {
    let (from, to) = data_span(air)?;
    Some(8e3 * delivered(air, link) / to.saturating_sub(from).max(1) as f64)
}

/// Octets of frame bodies that have arrived, each once, by the share of frames that the monitor heard.
pub(crate) fn delivered(air: &Air, link: &Link<'_>) -> f64 {
    arrived(link, heard_of(air, link)) * link.traffic.octets as f64 / link.traffic.mpdus.max(1) as f64
}

/// MPDUs that have arrived: by BlockAcks, by ACKs, or as far as nothing was sent again.
fn arrived(link: &Link<'_>, heard: f64) -> f64 {
    let traffic = link.traffic;
    let (arrived, _) = traffic.arrived_and_unheard();
    match arrived + traffic.acked {
        0 => traffic.mpdus.saturating_sub(traffic.retried) as f64 / heard,
        _ => arrived as f64 + traffic.acked as f64 / heard,
    }
}

/// The share of the MPDUs in the air that arrived: what collided was not heard, and is not among them.
pub(crate) fn arriving(air: &Air, link: &Link<'_>) -> f64 {
    let heard = heard_of(air, link);
    (arrived(link, heard) * heard / link.traffic.mpdus.max(1) as f64).min(1.0)
}

/// Mbit/s of frame bodies that a link would carry with all of the air and nothing sent again, `faster` times as fast as rates are now either way, as many together
/// as may be, and with what goes the other way for it.
pub(crate) fn capacity_mbps(air: &Air, link: &Link<'_>, faster: f64) -> f64 {
    cycles_mbps(air, link, faster, AROUND)
}

/// The same of all together where so many senders always have something to send: they wait for the first of their backoffs.
pub(crate) fn shared_mbps(air: &Air, link: &Link<'_>, senders: usize) -> f64 {
    cycles_mbps(air, link, 1.0, AROUND - BACKOFF * (1.0 - 1.0 / senders as f64))
}

fn cycles_mbps(air: &Air, link: &Link<'_>, faster: f64, around: f64) -> f64 {
    let traffic = link.traffic;
    let (ppdus, mpdus) = (traffic.ppdus as f64, traffic.mpdus.max(1) as f64);
    let body = traffic.octets as f64 / mpdus;
    let each = (traffic.airtime_ns as f64 - ppdus * PREAMBLE).max(1.0) / mpdus / faster;
    let together =
        if can_aggregate(traffic) { (LONGEST / each).min(LARGEST / body).clamp(1.0, MOST) } else { 1.0 };
    let back = air.traffic().get(&(link.to.mac, link.from.mac)).map_or(0.0, |back| {
        let answers = together * back.mpdus as f64 / mpdus;
        let airtime = (back.airtime_ns as f64 - back.ppdus as f64 * PREAMBLE).max(0.0);
        let each = airtime / back.mpdus.max(1) as f64 / faster;
        let turns = if can_aggregate(back) { answers.min(1.0) } else { answers };
        answers * each + turns * (PREAMBLE + ANSWER + around)
    });
    let cycle = PREAMBLE + together * each + ANSWER + around + back;
    8e3 * together * body / cycle
}

/// Whether its frames may travel together: most have rates of 802.11n or later.
pub(crate) fn can_aggregate(traffic: &Traffic) -> bool {
    let able = traffic.speeds.iter().filter(|used| !matches!(used.speed.phy, Phy::Dsss | Phy::Ofdm));
    2 * able.map(|used| used.mpdus).sum::<u64>() > traffic.mpdus
}

/// Mbit/s that a link would carry more, so many times as fast, with this share of its MPDUs arriving, and as many together as may be, in
/// the share of the air that its station has.
pub(crate) fn room_mbps(air: &Air, link: &Link<'_>, faster: f64, clean: f64) -> Option<f64> {
    let taken = taken(air);
    let share = taken.get(&link.station().mac)? / taken.values().sum::<f64>();
    let more = capacity_mbps(air, link, faster) * clean * share - moved_mbps(air, link)?;
    Some(more.max(0.0))
}

/// Mbit/s of payload that a flow would carry more, if nothing but the air limited it and other stations took what they take; none
/// if no link is known to carry it.
pub(crate) fn gain_of_flow_mbps(evidence: &Evidence, flow: &Flow<'_>) -> Option<f64> {
    spare_for_flow_mbps(evidence, flow).filter(|&more| more > 0.0)
}

/// The same, negative where the flow moves more than the link is held to carry.
fn spare_for_flow_mbps(evidence: &Evidence, flow: &Flow<'_>) -> Option<f64> {
    let (_, air) = evidence.air.as_ref()?;
    let link = evidence.carried()?.link_of(air, flow.data().octets)?;
    let others = taken_by_others(air, link.station().mac)?;
    let payload = flow.data().octets as f64 / flow.data().packets.max(1) as f64;
    let most = capacity_mbps(air, &link, 1.0) * arriving(air, &link) * payload / (payload + HEADERS);
    Some(most * (1.0 - others).max(0.0) - flow.mbps(evidence))
}

/// Whether the air is known to carry hardly more of a flow than it does, by less than a part of what it would: nothing else holds it back.
pub(crate) fn fills_the_air(evidence: &Evidence, flow: &Flow<'_>, part: f64) -> bool {
    spare_for_flow_mbps(evidence, flow).is_some_and(|more| more < part * (more + flow.mbps(evidence)))
}

/// What the air would carry of a flow that something else holds back.
pub(crate) fn cost_of_idle_air(evidence: &Evidence, flow: &Flow<'_>) -> Cost {
    match gain_of_flow_mbps(evidence, flow) {
        Some(more) => Cost::mbps(more, flow.mbps(evidence), "of this flow"),
        None if evidence.air.is_none() => NO_AIR,
        None => Cost::unknown("no link in the air is known to carry this flow alone"),
    }
}

/// Mbit/s of frame bodies that a link would carry if no other station sent: at the fastest of the rates that it uses, since
/// collisions make rate controls slow, and with nothing sent again.
pub(crate) fn alone_mbps(air: &Air, link: &Link<'_>) -> f64 {
    let least = IN_USE * link.traffic.mpdus as f64;
    let in_use = link.traffic.speeds.iter().filter(|used| used.mpdus as f64 >= least);
    let fastest = in_use.map(|used| used.speed.mbps).fold(0.0, f64::max);
    let faster = link.traffic.mean_mbps().map_or(1.0, |mean| (fastest / mean).max(1.0));
    capacity_mbps(air, link, faster)
}
