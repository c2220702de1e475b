//! Whether the air has time to spare while a flow waits: then no link in it is what limits the flow.

use crate::capacity::{LONGEST_NS, MARGIN, MOST_MPDUS, fills_the_air};
use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::gaps::{Gaps, USUAL};
use crate::heard::{all_given_up, heard_of, rateless};
use crate::link::{Link, links};
use crate::ppdus::{can_aggregate, is_parted, largest, wanders};
use crate::waits::{PRESSED, WAITS, busy, waits};
use airloom_trace::tcp::{Pace, Vantage};
use airloom_trace::{Air, Place, Traffic};

/// The air has time to spare if it is busy for less than this share of the time, in percent.
pub(crate) const IDLE: f64 = 50.0;
/// PPDUs are short if they have fewer MPDUs, or octets, than this on average, in percent of the longest PPDU. The mean is over MPDUs: one over PPDUs would be
/// as low for a queue that is empty and full in turn.
pub(crate) const SHORT_PPDUS: f64 = 40.0;
/// Where data waits all the time PPDUs are about as long as each other: the mean over PPDUs is no less than this part of that over MPDUs. Behind a queue that runs empty in between it is
/// half of it.
const ALIKE: f64 = 0.65;
/// The part of the longest PPDU that all have on average where more waits each time.
const AS_LONG: f64 = 0.9;
/// Where this share of a link's MPDUs or more holds A-MSDUs, PPDUs of as many MPDUs may be several times as long as others.
const JOINS: f64 = 0.1;
/// Frames find the air free if fewer PPDUs than this began as soon as they could, in percent: all others had nothing to wait for.
pub(crate) const WAITED_PCT: f64 = 50.0;
/// The part of what the air would carry that has to be left where a line shows.
const LEFT_BY_LINE: f64 = 0.05;
/// Air that is busy for more of the time is full, in percent: what a line in front of it lets go does not come sooner.
const FULL_AIR: f64 = 90.0;
/// The share of the time in which a line may have nothing to let go, if it is what limits a flow: what comes in batches and is spaced out leaves more.
const EMPTY: f64 = 0.05;
/// The share of a link's frames that the monitor has to hear to tell that more would go.
const HEARS: f64 = 0.95;
/// The share of the time in which packets pass at one and the same distance, if a line lets them, in percent.
pub(crate) const EVEN: f64 = 80.0;
/// What a flow has of a line at least that it shares: of one with less something else may be the limit.
const PART: f64 = 0.25;
/// Shorter flows say nothing, in seconds.
const SHORT: f64 = 2.0;
/// With a larger share of retries the air is busy with frames that the monitor does not hear.
const DAMAGED: f64 = 0.20;
/// The air may be what loses the segments if at least so many MPDUs are given up for each lost one.
const TAKES: f64 = 0.3;
/// With fewer MPDUs in the PPDU of an MPDU none has waited for the others: two come together by chance.
const SEVERAL: f64 = 2.0;
/// A link that carries a flow has at least this part of its octets: a monitor hears some of a link, and headers are no data.
const CARRIES: f64 = 0.5;
/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 50;

/// Why it cannot be told how busy the air is; none if it can.
pub(crate) fn unclear(air: &Air) -> Option<&'static str> {
    let (sent, again) =
        air.traffic().values().fold((0, 0), |sum, one| (sum.0 + one.mpdus, sum.1 + one.retried));
    if again as f64 > DAMAGED * sent as f64 {
        return Some("too many frames are sent again: the monitor does not hear all that are damaged");
    }
    rateless(air)
}

/// What shows that the air would carry more of a flow.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spare {
    /// It is busy for this share of the time, in percent.
    Idle(f64),
    /// Its PPDUs have this share of the MPDUs of the longest one, in percent, and take less time for data than for the rest, or would carry more.
    Short(f64),
    /// This share of its PPDUs waited for the air, in percent, and more would go.
    Free(f64),
    /// Packets pass a host at one and the same distance for this share of the time, in percent, and more would go.
    Line(f64),
}

/// What shows that the air would carry more of a flow, while its sender waits for acknowledgments or recovers from losses; none if nothing does. The link is
/// the one that carries it, if that is known.
pub(crate) fn spare(
    evidence: &Evidence,
    air: &Air,
    flow: &Flow<'_>,
    link: Option<&Link<'_>>,
) -> Option<Spare> {
    let [from, to] = flow.span(evidence);
    if waits_as_seen(evidence, flow) < WAITS || to - from < SHORT {
        return None;
    }
    let busy = busy(air, flow.data().span_ns?)?;
    if busy < IDLE {
        return Some(Spare::Idle(busy));
    }
    let link = link?;
    let hears = heard_of(air, link) >= HEARS;
    let is_left = |part| hears && !fills_the_air(evidence, flow, part);
    let free = || free(air, link).filter(|_| is_left(MARGIN)).map(Spare::Free);
    let line = || {
        line(evidence, flow)
            .filter(|_| busy < FULL_AIR && is_left(LEFT_BY_LINE))
            .map(|line| Spare::Line(100.0 * line.pace.share_with_others()))
    };
    short_ppdus(air, link, is_left(MARGIN)).map(Spare::Short).or_else(free).or_else(line)
}

/// The share of a flow's time in which its sender waits, as the sender's own capture shows; without one, as any that shows most of it, unless the one that tells most is near: without the handshake one at
/// the receiver does not know that what it has acknowledged is on its way.
fn waits_as_seen(evidence: &Evidence, flow: &Flow<'_>) -> f64 {
    let all = views(evidence, flow);
    let own = all.iter().find(|view| view.connection.vantage(view.from) == Vantage::Sender);
    match own {
        Some(own) => waits(own),
        None if flow.is_near_sender() => waits(flow),
        None => all.iter().map(waits).fold(waits(flow), f64::max),
    }
}

/// The MPDUs of a link's PPDUs in percent of those of its longest one, if its PPDUs are so short that hardly ever more was waiting: they would
/// go together, as they do at times. Where many are sent again they say nothing. With more time for data than for the rest they are so only if the air is known to have more left.
fn short_ppdus(air: &Air, link: &Link<'_>, is_left: bool) -> Option<f64> {
    let (traffic, gaps) = (link.traffic, Gaps::of(air, link));
    let data_ns = traffic.airtime_ns as f64 / traffic.ppdus.max(1) as f64 - gaps.preamble;
    let is_short = is_left || data_ns < gaps.preamble + gaps.around + gaps.answer;
    let share = 100.0 * filled(traffic);
    (is_short && !wanders(traffic) && share < SHORT_PPDUS && can_aggregate(traffic) && !is_parted(traffic))
        .then_some(share)
}

/// The share of a link's PPDUs that began as soon as they could, in percent of those that the monitor would have seen begin so, if most did not. With long slots
/// those that waited begin later than tells them from others.
fn free(air: &Air, link: &Link<'_>) -> Option<f64> {
    if Gaps::of(air, link).around != USUAL.around {
        return None;
    }
    let waited = 100.0 * link.traffic.pressed as f64 / link.traffic.ppdus.max(1) as f64 / heard_of(air, link);
    (waited < WAITED_PCT).then_some(waited)
}

/// A line in front of a capture, or right behind it at a sender, by how packets pass it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineSeen {
    /// The place of the capture.
    pub(crate) capture: usize,
    /// How they pass.
    pub(crate) pace: Pace,
    /// Whether packets of all connections of its sender, or of its receiver, pass so together, and not its own alone.
    pub(crate) is_shared: bool,
}

/// How packets of a flow pass where a host captured them, if they do so at one and the same distance but for those of others, and hardly ever leave a gap: before the capture, or right behind it at its sender, is
/// a line that always has one waiting, or a limit of the rate. Where others have their part of the line, all pass so together.
pub(crate) fn line(evidence: &Evidence, flow: &Flow<'_>) -> Option<LineSeen> {
    let hosts = views(evidence, flow);
    let hosts = || hosts.iter().filter(|view| evidence.captures[view.capture].place == Some(Place::Host));
    let is_line = |pace: &Pace| 100.0 * pace.share_with_others() >= EVEN && pace.empty() < EMPTY;
    let own = hosts().map(|view| (view.capture, view.data().clocking.pace, false));
    let together = hosts().flat_map(|view| {
        view.data().clocking.together.iter().flat_map(|both| **both).map(|pace| (view.capture, pace, true))
    });
    let has_part = |pace: &Pace| flow.mbps(evidence) >= PART * pace.mbps();
    let seen =
        own.chain(together).find(|(_, pace, is_shared)| is_line(pace) && (!is_shared || has_part(pace)));
    seen.map(|(capture, pace, is_shared)| LineSeen { capture, pace, is_shared })
}

/// The share of a link's PPDUs that began as soon as they could, in percent, if data waits for air in which nothing is heard: PPDUs are as long as where a queue does not run
/// empty, and yet too few begin so soon, of those whose data had not just come.
pub(crate) fn waits_in_silence(air: &Air, link: &Link<'_>) -> Option<f64> {
    let traffic = link.traffic;
    let waited = traffic.ppdus.saturating_sub(traffic.let_go().0);
    let pressed = traffic.pressed as f64 / waited.max(1) as f64 / heard_of(air, link);
    (stands_in_queue(link) && pressed < PRESSED).then_some(100.0 * pressed)
}

/// How long the PPDU of an MPDU is on average, as a part of the longest one: by MPDUs, or by octets where MPDUs hold several packets, so that one
/// of few may be as long as may be.
pub(crate) fn filled(traffic: &Traffic) -> f64 {
    if traffic.amsdus as f64 >= JOINS * traffic.mpdus as f64 {
        return traffic.filled_by_octets();
    }
    traffic.mpdus_beside_each() / largest(traffic).max(1.0)
}

/// Whether PPDUs are about as long as each other, so that a queue hardly ever runs empty.
pub(crate) fn are_alike(traffic: &Traffic) -> bool {
    traffic.mpdus_per_ppdu() >= ALIKE * traffic.mpdus_beside_each()
}

/// Whether nearly every PPDU is as long as the longest: then more waits each time, however much of the air others are given.
pub(crate) fn is_never_empty(traffic: &Traffic) -> bool {
    can_aggregate(traffic)
        && !is_parted(traffic)
        && traffic.mpdus_per_ppdu() >= SEVERAL
        && traffic.mpdus_per_ppdu() >= AS_LONG * largest(traffic)
}

/// Whether nearly every PPDU is as long as PPDUs may be, in time or in MPDUs.
pub(crate) fn are_longest(traffic: &Traffic) -> bool {
    let each = |sum: u64| sum as f64 / traffic.ppdus.max(1) as f64;
    let is_longest =
        each(traffic.airtime_ns) >= AS_LONG * LONGEST_NS || each(traffic.mpdus) >= AS_LONG * MOST_MPDUS;
    is_never_empty(traffic) && is_longest
}

/// Whether PPDUs of a link are as long as where a queue does not run empty.
pub(crate) fn stands_in_queue(link: &Link<'_>) -> bool {
    let traffic = link.traffic;
    let beside = traffic.mpdus_beside_each();
    can_aggregate(traffic)
        && !is_parted(traffic)
        && beside >= SEVERAL
        && 100.0 * filled(traffic) >= SHORT_PPDUS
}

/// Whether frames of a link wait for the air at its sender: PPDUs are as long as where a queue does not run empty, or those that have one frame each, or do not show how many, go as soon as they can.
pub(crate) fn waits_for_air(air: &Air, link: &Link<'_>) -> bool {
    let traffic = link.traffic;
    if can_aggregate(traffic) && !is_parted(traffic) {
        return stands_in_queue(link);
    }
    traffic.pressed as f64 >= PRESSED * traffic.ppdus as f64 * heard_of(air, link)
}

/// What takes less than this part of the air time of a link is no queue that never runs empty beside it: a call, of which each packet goes as soon as it can.
const FEEDS: f64 = 0.1;

/// Whether a link's access point always has data waiting for another station, by its PPDUs to that one: each begins as soon as it can, and they are as long as where a queue does
/// not run empty. What it sends to a station beside may then be dropped by its own queue, however little of it is waiting at a time.
pub(crate) fn feeds_another(air: &Air, link: &Link<'_>) -> bool {
    let always = |other: &Link<'_>| {
        let traffic = other.traffic;
        if (traffic.airtime_ns as f64) < FEEDS * link.traffic.airtime_ns as f64 {
            return false;
        }
        let pressed = traffic.pressed as f64 / traffic.ppdus.max(1) as f64;
        let is_long = !can_aggregate(traffic) || is_parted(traffic) || 100.0 * filled(traffic) >= SHORT_PPDUS;
        pressed >= PRESSED * heard_of(air, other) && is_long
    };
    let others = || links(air, MIN_MPDUS).into_iter().filter(|other| other.to.mac != link.to.mac);
    link.from.is_ap && others().any(|other| other.from.mac == link.from.mac && always(&other))
}

/// Whether the air may be what takes a flow's segments: of its link at least about as many MPDUs were given up after all tries as segments were lost.
pub(crate) fn loses_in_the_air(flow: &Flow<'_>, link: &Link<'_>) -> bool {
    let again = &flow.data().retransmissions;
    let lost = again.segments().saturating_sub(again.needless());
    lost > 0 && all_given_up(link).is_some_and(|given_up| given_up as f64 >= TAKES * lost as f64)
}

/// Whether the monitor heard a link, of the flow's station where that is known, that carried at least half as much as the flow in the same time. A
/// monitor on another channel hears only links of other stations; those that it can read have their own connections and not this one. What is encrypted may be this one's all the
/// same, of a network whose keys are not known beside an open one.
pub(crate) fn is_heard(evidence: &Evidence, air: &Air, flow: &Flow<'_>) -> bool {
    if evidence.captures[flow.capture].place == Some(Place::Air) {
        return true;
    }
    let (Some((from, to)), Some((begin, end))) = (flow.data().span_ns, air.span_ns) else { return false };
    let span = (from.max(begin), to.min(end));
    let mean = flow.data().octets as f64 / to.saturating_sub(from).max(1) as f64;
    let known = flow.connection.ends.iter().find_map(|end| evidence.station_of(flow.capture, end.ip()));
    let same = views(evidence, flow);
    let by_lengths = || [*flow].iter().chain(&same).find_map(|view| evidence.joins[view.capture].station);
    let station = known.or_else(by_lengths);
    let reads = |place: &usize| !evidence.connections[*place].is_empty();
    let is_read = |place: &usize| same.iter().any(|view| view.capture == *place);
    let has_others = evidence.air.as_ref().is_some_and(|(place, _)| reads(place) && !is_read(place));
    let may_be_its = |link: &&Link<'_>| match station {
        Some(mac) => link.station().mac == mac,
        None => !has_others || link.traffic.sent_and_skipped().0 > 0,
    };
    links(air, 1).iter().filter(may_be_its).any(|link| {
        let went = link.traffic.over_time.octets.density(span.0, span.1) / heard_of(air, link);
        went >= CARRIES * mean
    })
}
