//! What a link would carry if nothing but its rates and the rules of the air limited it.

use crate::bianchi::{expected, lost};
use crate::evidence::Evidence;
use crate::finding::Cost;
use crate::flow::Flow;
use crate::gaps::Gaps;
use crate::heard::heard_of;
use crate::link::{Link, data_span, links};
use crate::ppdus::{
    agreed, can_aggregate, goes_alone, is_parted, joins_packets, largest, most_octets, wanders,
};
use airloom_trace::{Air, MacAddr, Speed, SpeedUse, Traffic};
use std::collections::{BTreeMap, BTreeSet};

/// Drivers keep a PPDU below this, in nanoseconds.
pub(crate) const LONGEST_NS: f64 = 4_000_000.0;
/// An agreement covers so many MPDUs.
pub(crate) const MOST_MPDUS: f64 = 64.0;
/// A sender with at least this share of the turns of the one with the most has something to send all the time: among those who
/// always have, turns are equal.
pub(crate) const EQUAL: f64 = 0.5;
/// The share of MPDUs that makes a rate one in use.
const IN_USE: f64 = 0.05;
/// The part of what a link could carry that it carries at least if nothing else holds it back.
const FULL: f64 = 0.8;
/// What is worked out may be so much more than a full link carries, as a part of it: its PPDUs are not always as long as may be.
pub(crate) const MARGIN: f64 = 0.15;
/// A sender and the one who answers it.
const TWO: usize = 2;
/// The MAC header with QoS control, the FCS, the delimiter and its padding, in octets.
const FRAMING: f64 = 36.0;
/// IP and TCP headers with their options, and the LLC header, in octets.
const HEADERS: f64 = 60.0;
/// The least of them: IP, UDP and LLC.
const UDP_HEADERS: f64 = 36.0;

/// Bodies that are no longer on average are those of acknowledgments, with what they select, in octets.
const ACKNOWLEDGES: f64 = 120.0;
/// A receiver owes an acknowledgment for every second full segment (RFC 9293 section 3.8.6.3), which has so many octets in a body.
const OWED: f64 = 0.5;
/// See [`OWED`].
const SEGMENT: f64 = 1508.0;

/// Why faster frames would not have carried more, as far as shows.
pub(crate) const NOT_WAITING: Cost = Cost::unknown("nothing shows that more was there to be sent");

/// The air time that data of a station takes in nanoseconds, both ways, with the gaps that belong to it, by the share of it that the monitor heard.
pub(crate) fn taken(air: &Air) -> BTreeMap<MacAddr, f64> {
    taken_in(air, |_| 1.0)
}

/// The same of a part of each link's data.
pub(crate) fn taken_in(air: &Air, part: impl Fn(&Link<'_>) -> f64) -> BTreeMap<MacAddr, f64> {
    let mut taken: BTreeMap<MacAddr, f64> = BTreeMap::new();
    for link in links(air, 1) {
        let traffic = link.traffic;
        *taken.entry(link.station().mac).or_default() += part(&link)
            * (traffic.airtime_ns as f64 + traffic.ppdus as f64 * Gaps::of(air, &link).around)
            / heard_of(air, &link);
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

/// Mbit/s of payload that a link has moved, each once.
pub(crate) fn moved_mbps(air: &Air, link: &Link<'_>) -> Option<f64> {
    let (from, to) = data_span(air)?;
    let payload = delivered(air, link) * payload_share(link.traffic);
    Some(8e3 * payload / to.saturating_sub(from).max(1) as f64)
}

/// The octets of a frame body on average.
fn body(traffic: &Traffic) -> f64 {
    traffic.octets as f64 / traffic.mpdus.max(1) as f64
}

/// The share of bodies that is payload.
pub(crate) fn payload_share(traffic: &Traffic) -> f64 {
    payload(body(traffic)) / body(traffic).max(1.0)
}

/// How many times as much of a link's bodies is payload, at most, as is taken for it: if it is of UDP.
pub(crate) fn most_payload(traffic: &Traffic) -> f64 {
    (body(traffic) - UDP_HEADERS).max(0.0) / payload(body(traffic)).max(1.0)
}

/// The octets of payload in a body, without headers.
fn payload(body: f64) -> f64 {
    (body - HEADERS).max(0.0)
}

/// Octets of frame bodies that have arrived, each once, by the share of frames that the monitor heard.
pub(crate) fn delivered(air: &Air, link: &Link<'_>) -> f64 {
    arrived(link, heard_of(air, link)) * body(link.traffic)
}

/// MPDUs that have arrived: by BlockAcks, by ACKs, or as far as nothing was sent again.
fn arrived(link: &Link<'_>, heard: f64) -> f64 {
    let traffic = link.traffic;
    let (arrived, _) = traffic.arrived_and_unheard();
    match arrived + traffic.acked {
        0 => traffic.mpdus.saturating_sub(traffic.retried) as f64 / heard,
        _ => arrived as f64 + traffic.acked.saturating_sub(traffic.acked_again) as f64 / heard,
    }
}

/// The share of the MPDUs in the air that arrived: what collided was not heard, and is not among them.
pub(crate) fn arriving(air: &Air, link: &Link<'_>) -> f64 {
    let heard = heard_of(air, link);
    (arrived(link, heard) * heard / link.traffic.mpdus.max(1) as f64).min(1.0)
}

/// Mbit/s of payload that a link would carry with all of the air and nothing lost to noise, `faster` times as fast as rates are now either way, as many together
/// as may be and at most so many, and with what goes the other way for it.
pub(crate) fn capacity_mbps(air: &Air, link: &Link<'_>, faster: f64, together: f64) -> f64 {
    cycle(air, link, |traffic, gaps| mpdu_ns(traffic, gaps.preamble) / faster, Most::of(together), 1).mbps
}

/// The same at the fastest of the rates in use either way, since a rate control that has little to send is slow to find them.
pub(crate) fn swiftest_mbps(air: &Air, link: &Link<'_>) -> f64 {
    longest(air, link, least_mpdu_ns).mbps
}

/// The same with as many MPDUs lost as now, where nothing but what waits would change: of a link of which so many are sent again that its rate control goes from rate to rate, at these rates.
pub(crate) fn full(air: &Air, link: &Link<'_>) -> Cycle {
    let mpdu = if wanders(link.traffic) { mpdu_ns } else { least_mpdu_ns };
    let Cycle { ns, mbps } = longest(air, link, mpdu);
    Cycle { ns, mbps: mbps * arriving(air, link) }
}

/// A cycle with PPDUs as long as drivers make them, the standard lets them be, and an agreement covers MPDUs, however many these are where MPDUs
/// may hold several packets: how many go into one where many wait does not show. Acknowledgments are no more
/// than a receiver owes that gets many at a time: what comes by ones and twos is acknowledged more often. Data of the other way grows as this does.
fn longest(air: &Air, link: &Link<'_>, mpdu: fn(&Traffic, f64) -> f64) -> Cycle {
    let together = if goes_alone(link.traffic) {
        1.0
    } else if joins_packets(link.traffic) {
        f64::INFINITY
    } else {
        agreed(link.traffic)
    };
    let acknowledges =
        air.traffic().get(&(link.to.mac, link.from.mac)).is_some_and(|back| body(back) < ACKNOWLEDGES);
    let most = if acknowledges {
        Most { together, answers: (body(link.traffic) / SEGMENT).max(1.0) * OWED }
    } else {
        Most::of(together)
    };
    cycle(air, link, |traffic, gaps| mpdu(traffic, gaps.preamble), most, 1)
}

/// The same of all together where so many senders always have something to send: they wait for the first of their backoffs. PPDUs have as many MPDUs
/// as now, and as many are lost.
pub(crate) fn shared_mbps(air: &Air, link: &Link<'_>, senders: usize) -> f64 {
    undamaged_mbps(air, link, senders) * arriving(air, link)
}

/// The same where nothing is lost but by collisions.
pub(crate) fn undamaged_mbps(air: &Air, link: &Link<'_>, senders: usize) -> f64 {
    let now = |traffic: &Traffic, gaps: &Gaps| mpdu_ns(traffic, gaps.preamble);
    cycle(air, link, now, Most::of(usual(link.traffic)), senders).mbps
}

/// Whether a link moves about what it can at its rates and with its PPDUs, in the time that others leave: with less, something else holds it back.
pub(crate) fn is_full(air: &Air, link: &Link<'_>) -> bool {
    let others = taken_by_others(air, link.station().mac).unwrap_or_default();
    let most = shared_mbps(air, link, 1) * (1.0 - others).max(0.0);
    moved_mbps(air, link).is_none_or(|moved| moved >= FULL * most)
}

/// How many MPDUs go together at most, as far as a link shows: an agreement of 802.11ax may cover more.
pub(crate) fn most_together(traffic: &Traffic) -> f64 {
    if goes_alone(traffic) { 1.0 } else { largest(traffic).max(MOST_MPDUS) }
}

/// How many MPDUs the PPDU of an MPDU has, or as many as may be where that does not show.
fn usual(traffic: &Traffic) -> f64 {
    if is_parted(traffic) { MOST_MPDUS } else { traffic.mpdus_beside_each() }
}

/// How long an MPDU takes in a long PPDU on average, in nanoseconds: by what PPDUs last behind their preambles, or by its rates if that is less, since
/// much of short PPDUs is training and padding.
fn mpdu_ns(traffic: &Traffic, preamble: f64) -> f64 {
    let known: u64 = traffic.speeds.iter().map(|used| used.mpdus).sum();
    let slowness: f64 = traffic.speeds.iter().map(|used| used.mpdus as f64 / used.speed.mbps).sum();
    let lasts =
        (traffic.airtime_ns as f64 - traffic.ppdus as f64 * preamble).max(1.0) / traffic.mpdus.max(1) as f64;
    if known == 0 { lasts } else { lasts.min(8e3 * (body(traffic) + FRAMING) * slowness / known as f64) }
}

/// The same at the fastest rate in use.
fn least_mpdu_ns(traffic: &Traffic, preamble: f64) -> f64 {
    let by_rate = |mbps: f64| 8e3 * (body(traffic) + FRAMING) / mbps;
    fastest_mbps(traffic).map_or(f64::INFINITY, by_rate).min(mpdu_ns(traffic, preamble))
}

/// The fastest rate in use in Mbit/s; none if no rate is known.
fn fastest_mbps(traffic: &Traffic) -> Option<f64> {
    fastest_in_use(traffic).map(|speed| speed.mbps)
}

/// The rates at which a part of the MPDUs goes that counts.
fn in_use(traffic: &Traffic) -> impl Iterator<Item = &SpeedUse> {
    let least = IN_USE * traffic.mpdus as f64;
    traffic.speeds.iter().filter(move |used| used.mpdus as f64 >= least)
}

/// The fastest of them; none if no rate is known.
pub(crate) fn fastest_in_use(traffic: &Traffic) -> Option<&Speed> {
    in_use(traffic).map(|used| &used.speed).max_by(|one, other| one.mbps.total_cmp(&other.mbps))
}

/// What a cycle has at most.
#[derive(Clone, Copy, Debug)]
struct Most {
    /// MPDUs in a PPDU.
    together: f64,
    /// MPDUs of the other way for each of them.
    answers: f64,
}

impl Most {
    /// So many MPDUs in a PPDU, with what goes the other way as it is.
    const fn of(together: f64) -> Self {
        Self { together, answers: f64::INFINITY }
    }
}

/// What a link does over and over where much waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cycle {
    /// How long it takes, in nanoseconds.
    pub(crate) ns: f64,
    /// Mbit/s of payload that go in it.
    pub(crate) mbps: f64,
}

/// A cycle of a link: a PPDU and its answer, and what goes the other way for it, with the gaps and the collisions among so many senders, and the one that
/// answers. `mpdu` says how long an MPDU of either way takes, in nanoseconds.
fn cycle(
    air: &Air,
    link: &Link<'_>,
    mpdu: impl Fn(&Traffic, &Gaps) -> f64,
    most: Most,
    senders: usize,
) -> Cycle {
    let gaps = Gaps::of(air, link);
    let around = gaps.around - gaps.backoff * (1.0 - 1.0 / senders as f64);
    let traffic = link.traffic;
    let mpdus = traffic.mpdus.max(1) as f64;
    let body = body(traffic);
    let each = mpdu(traffic, &gaps);
    let together = if can_aggregate(traffic) {
        (LONGEST_NS / each).min(most_octets(traffic) / body).min(most.together).max(1.0)
    } else {
        1.0
    };
    let sends = gaps.preamble + together * each;
    let answering = air.traffic().get(&(link.to.mac, link.from.mac));
    let back = answering.map_or(0.0, |back| {
        let answers = together * (back.mpdus as f64 / mpdus).min(most.answers);
        let each = mpdu(back, &gaps);
        let turns = if can_aggregate(back) { answers.min(1.0) } else { answers };
        let meets = if senders > 1 { 0.0 } else { meets_ns(sends.max(gaps.preamble + each), &gaps) };
        answers * each + turns * (gaps.preamble + gaps.answer + around + meets)
    });
    let ns = sends + gaps.answer + around + back;
    Cycle { ns, mbps: 8e3 * together * payload(body) / ns * (1.0 - lost(senders)) }
}

/// What it takes more that a sender and the one who answers it wait at once, in nanoseconds, where the longer of their PPDUs takes so long: both count down together, so that
/// both have sent behind the longer of two backoffs, which is two thirds of their sum; but now and then they collide.
fn meets_ns(longer: f64, gaps: &Gaps) -> f64 {
    expected(TWO) / 100.0 * longer - 2.0 / 3.0 * gaps.backoff
}

/// In which share of the air a link would carry more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// That of its station, or a fair one among those with more to send if that is less: what it takes beyond that it takes by being slow.
    Own,
    /// A fair one, whatever its station has now: for where others as fast have theirs.
    Fair,
}

/// The part by which what is worked out for a full link may be more than it carries: PPDUs that may have many MPDUs are not always as long as may be.
pub(crate) fn margin(traffic: &Traffic) -> f64 {
    if can_aggregate(traffic) { MARGIN } else { 0.0 }
}

/// Mbit/s that a link would carry more in such a share of the air, so many times as fast, with this part of its MPDUs arriving, and at most so
/// many together.
pub(crate) fn room_mbps(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    share: Share,
    faster: f64,
    clean: f64,
    together: f64,
) -> Option<f64> {
    let Shares { own, fair, .. } = shares(evidence, air, link.station().mac)?;
    let share = if share == Share::Fair { fair } else { own.min(fair) };
    let whole = capacity_mbps(air, link, faster, together) * left_for_data(air)?;
    Some((whole * clean * share - moved_mbps(air, link)?).max(0.0))
}

/// The share of the time that beacons, other management frames and data to groups leave, in which data goes; none without data. At 1 Mbit/s beacons take a fiftieth.
fn left_for_data(air: &Air) -> Option<f64> {
    let (from, to) = data_span(air)?;
    let taken = air.management.sum(from, to) + air.group.airtime_ns as f64;
    Some((1.0 - taken / to.saturating_sub(from).max(1) as f64).max(0.0))
}

/// Shares of the air.
pub(crate) struct Shares {
    /// What a station has.
    own: f64,
    /// A fair one among those with more to send.
    pub(crate) fair: f64,
    /// Whether others are among these: TCP shares with them by chance, so that what one would have more is known about, and not at least.
    rivals: bool,
}

/// Whether others have more to send in a link's air.
pub(crate) fn has_rivals(evidence: &Evidence, air: &Air, link: &Link<'_>) -> bool {
    shares(evidence, air, link.station().mac).is_some_and(|shares| shares.rivals)
}

/// The share of the air that a station has, and a fair one among those with more to send.
pub(crate) fn shares(evidence: &Evidence, air: &Air, station: MacAddr) -> Option<Shares> {
    let taken = taken(air);
    let all: f64 = taken.values().sum();
    let own = taken.get(&station)?;
    let links = links(air, 1);
    let most = links.iter().map(|link| link.traffic.ppdus).max().unwrap_or_default() as f64;
    let wants = |link: &&Link<'_>| evidence.is_greedy(link) || link.traffic.ppdus as f64 >= EQUAL * most;
    let mut wanting: BTreeSet<MacAddr> = links.iter().filter(wants).map(|link| link.station().mac).collect();
    wanting.insert(station);
    let left: f64 = taken.iter().filter(|(mac, _)| wanting.contains(mac)).map(|(_, ns)| ns).sum();
    Some(Shares { own: own / all, fair: left / wanting.len() as f64 / all, rivals: wanting.len() > 1 })
}

/// Whether the air is known to carry hardly more of a flow than it does, by less than a part of what it would with other stations' data as it is, as many MPDUs together as may be and
/// as many lost as now: nothing else holds it back.
pub(crate) fn fills_the_air(evidence: &Evidence, flow: &Flow<'_>, part: f64) -> bool {
    let most = || {
        let (_, air) = evidence.air.as_ref()?;
        let link = flow.link(evidence, air)?;
        let left = 1.0 - taken_by_others(air, link.station().mac)?;
        let alone = capacity_mbps(air, &link, 1.0, most_together(link.traffic)) * arriving(air, &link);
        Some(alone * left.max(0.0))
    };
    most().is_some_and(|most| most - flow.mbps(evidence) < part * most)
}

/// Mbit/s of payload that a link would carry if no other station sent: at the fastest of the rates that it uses, since
/// collisions make rate controls slow, with as many MPDUs in each PPDU as now, and as many lost.
pub(crate) fn alone_mbps(air: &Air, link: &Link<'_>) -> f64 {
    at_its_fastest_mbps(air, link, usual(link.traffic))
}

/// The same with as many MPDUs in each PPDU as may be.
pub(crate) fn unhindered_mbps(air: &Air, link: &Link<'_>) -> f64 {
    at_its_fastest_mbps(air, link, most_together(link.traffic))
}

/// The same with at most so many: rates are as far apart as now, and their mean is the fastest.
fn at_its_fastest_mbps(air: &Air, link: &Link<'_>, together: f64) -> f64 {
    let speeds = fastest_mbps(link.traffic).zip(link.traffic.mean_mbps());
    let faster = speeds.map_or(1.0, |(fastest, mean)| (fastest / mean).max(1.0));
    capacity_mbps(air, link, faster, together) * arriving(air, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_trace::{Speed, SpeedUse};

    #[test]
    fn at_the_fastest_rate_in_use_an_mpdu_takes_no_longer_than_that_rate_lets_it() {
        let used = |units: u8, mpdus: u64| {
            let speed = Speed::legacy(units).expect("a rate of 802.11a");
            SpeedUse { speed, mpdus, retried: 0, airtime_ns: 0 }
        };
        let mut traffic = Traffic::default();
        (traffic.mpdus, traffic.ppdus, traffic.octets, traffic.airtime_ns) = (100, 100, 150_000, 200_000_000);
        // Two of a hundred at 54 Mbit/s are not in use.
        traffic.speeds = vec![used(12, 49), used(48, 49), used(108, 2)];
        assert!((least_mpdu_ns(&traffic, 0.0) - 8e3 * 1536.0 / 24.0).abs() < 1.0);
        // Times are means, and rates are not: half at 6 and half at 24 Mbit/s is as slow as all at 9.6.
        assert!((mpdu_ns(&traffic, 0.0) / least_mpdu_ns(&traffic, 0.0) - 24.0 / 9.6).abs() < 0.1);
    }
}
