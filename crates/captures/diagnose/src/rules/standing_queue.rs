//! W301: a queue that never empties.

use super::cut_apart::cut_apart;
use super::own_queue::{LONG_MS, QUEUE};
use super::{no_tcp, own_queue, with_flows};
use crate::cut_short::cut_short;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::join::{Join, Passage};
use crate::no_queue::nothing_waits_before;
use crate::rule::Rule;
use airloom_trace::tcp::{RoundTrips, Vantage};
use airloom_trace::{Bin, Bins, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W301",
    name: "standing queue",
    means: "Packets stand in a long queue before they are sent. While a transfer runs, pages, calls and \
            games answer late.",
    needs: "TCP",
    computes: "The share of a flow's seconds in which even the shortest round trip is 40 ms longer than the shortest of all, and three times as \
               long: then no packet found the queue empty. The shortest is of all connections between the two hosts to the same port. Round trips go from the capture to the receiver and back, by acknowledgments; \
               where the capture was made elsewhere than at the sender, also to the sender and back, from a clock value of the receiver to its \
               echo in data (RFC 7323). Reported from a quarter on in any capture that has nine tenths of the data and of the first transmissions, if there are 100 samples, and if in most of these seconds five \
               segments wait at least, by what arrives of all flows meanwhile (Little's law). \
               Its cost is what a short queue would spare half of the packets of these seconds, or more: the median of what stands, the shortest round trip of each 100 ms less the \
               shortest of all, but for the 10 ms that a queue which is kept short lets stand (RFC 8289). What round trips are longer than the shortest beside them comes and goes with each PPDU, in a short queue, too. In captures of minutes it is at least that. \
               At the sender it is at least that, unless clock values show that nothing waits in its host: the capture is made below its host's own queue, and round trips do not have what waits there. By its clock values (RFC 7323) that shows by itself: in the same way, by how much later than the \
             quickest even the quickest packet of a second was captured, and no longer than since what the packet echoes was. \
             Where three in ten PPDUs of a sender at the air whose frames wait have one new MPDU at another rate than its last long one, as packets with which a rate control tries rates, and fewer than four MPDUs go together, it says that these keep apart what waits.",
    traps: "Delayed ACKs make round trips longer where less than two segments are outstanding: those do not count, nor do seconds with \
            fewer than five others, and flows of less than 100 kB. Absences and retries of the radio make some round trips of a second long, not all of them. Where collisions hold up the head of a queue, all are long, but hardly anything \
            waits behind it: then the rule cannot tell. A sender that \
            pauses echoes late: an echo counts only if data came within half of the time before it. A queue that stands from the first record on shows by another connection alone: where \
            half of the round trips of one that began before the capture take 100 ms, and none was short, the rule cannot tell. Nor can it of what waits in the sender's own host above its capture where its \
            TCP sends no clock values, unless the receiver's window or the program holds the sender for half of its time, each acknowledgment lets it send, or one ends a silence once a second; nor where half of ten packets and more waited there for 40 ms, and fewer than a hundred tell.",
    refuted_by: "As long round trips while nothing else is sent.",
    judge,
};

/// The shortest of a second against the shortest of all.
const TIMES: f64 = 3.0;
/// What stands, and does not come and go with bursts, is the least of so long a time, in nanoseconds (CoDel's interval: RFC 8289 section 4.2).
const INTERVAL_NS: u64 = 100_000_000;
/// What a queue that is kept short lets stand, in ms: CoDel's setpoint is 5 to 10 % of its interval (RFC 8289 section 3.2), 5 ms in Linux' fq_codel and 20 ms in mac80211's queues
/// (net/mac80211/tx.c).
const KEPT_SHORT_MS: f64 = 10.0;
/// Of `never_rest`: a second counts if its shortest round trip exceeds the shortest of all by this part of the round trip between the ends and this many
/// ms; and the share of such seconds, in percent.
const LONGER: f64 = 0.25;
const LONGER_MS: f64 = 1.0;
const MOST: f64 = 50.0;
/// What another capture shows of a wait tells its place if it is such a part of it, or more.
const MOST_OF_IT: f64 = 0.5;
/// The share of the seconds, in percent.
const REPORTED_PCT: f64 = 25.0;
/// Round trips that are long without a queue only where the ends are far from each other, in ms.
const FAR: f64 = 100.0;
/// What helps, first where the queue is likely. The queue discipline of a sender comes last: what is captured there is past it (`xmit_one()` in Linux
/// net/core/dev.c), and elsewhere an access point or a line may hold what waits as well.
const REMEDY: &str = "A queue discipline that keeps queues short where the queue is: on an access point, or a sender with Wi-Fi, mac80211's own queues \
                      with AQL; where a line is the narrow place, SQM at its router; on another host, `tc qdisc replace dev DEVICE root fq_codel`.";
/// What helps where the queue is the sender's own.
const REMEDY_AT_SENDER: &str = "A queue discipline that keeps queues short at the sender: mac80211's own queues with AQL, or `tc qdisc replace dev DEVICE root fq_codel`; and TCP small queues, where \
                                its kernel or driver has them off.";
/// The same where it is the receiver's own, in which acknowledgments wait behind what it sends itself.
const REMEDY_AT_RECEIVER: &str = "A queue discipline that keeps queues short at the receiver, whose acknowledgments wait there, as behind what it sends itself: mac80211's own queues with AQL, or \
                                  `tc qdisc replace dev DEVICE root fq_codel`; less of what it sends at that time.";
/// In nanoseconds.
const SECOND: u64 = 1_000_000_000;
/// Fewer round trips than this say nothing.
const MIN_TRIPS: u64 = 100;
/// A second with fewer says nothing.
const FEW_A_SECOND: u32 = 5;
/// Smaller flows fill no queue, in octets.
const SMALL: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    let ways = Ways::of(evidence);
    let found: Vec<_> = flows.iter().filter_map(|flow| found(evidence, flow, &ways)).collect();
    let waits = flows.iter().find_map(|flow| own_queue::long_waits(evidence, flow));
    let verdict = match waits {
        // With a monitor's capture other rules tell why.
        Some(because) if evidence.air.is_none() => Verdict::unless_found_suspects(found, Some(because)),
        waits => Verdict::unless_found(found, waits.or_else(|| unclear(evidence, &flows, &ways))),
    };
    with_flows(verdict, &flows, SMALL)
}

/// Why it cannot be told that no queue stands in the way of some flows.
fn unclear(evidence: &Evidence, flows: &[Flow<'_>], ways: &Ways) -> Option<String> {
    if let Some(flow) = flows.iter().find(|flow| may_stand(flow, ways)) {
        return Some(format!(
            "{}: the capture begins within it, and no round trip is short: a queue that stood all the time is not told from a long way",
            flow.named()
        ));
    }
    let late = |flow: &&Flow<'_>| views(evidence, flow).iter().any(|view| is_late(view, ways));
    if let Some(flow) = flows.iter().find(late) {
        return Some(format!(
            "{}: round trips are long, but of what the captures show fewer than {QUEUE:.0} segments wait: something holds up single packets, such as \
             retries, or they wait behind others that are not seen",
            flow.named()
        ));
    }
    if let Some(because) = flows.iter().find_map(|flow| own_queue::hidden(evidence, flow)) {
        return Some(because);
    }
    if flows.is_empty() || flows.iter().any(seen_whole) {
        return None;
    }
    if let Some(because) = flows.iter().find_map(|flow| cut_short(evidence, flow)) {
        return Some(because);
    }
    let at_senders = flows.iter().any(|flow| views(evidence, flow).iter().any(at_sender));
    if at_senders {
        return Some("too few round trips to the receiver".to_owned());
    }
    let in_part = flows.iter().filter(|flow| !parts(flow).is_empty());
    let busiest = in_part.max_by_key(|flow| flow.data().octets);
    Some(busiest.map_or_else(
        || {
            "too few round trips to the sender from where the captures were made: capture at the sending host"
                .to_owned()
        },
        |flow| seen_in_part(evidence, flow, ways),
    ))
}

/// What the round trips on one part of a flow's way show, and that there are too few on the other part.
fn seen_in_part(evidence: &Evidence, flow: &Flow<'_>, ways: &Ways) -> String {
    let part = &parts(flow)[0];
    let to_sender = part.leg == Leg::ToSender;
    let (seen, hidden) = if to_sender { ("sender", "receiver") } else { ("receiver", "sender") };
    let away = flow.connection.distance_ns[if to_sender { 1 - flow.from } else { flow.from }];
    let unsure = |time_ns| evidence.captures[flow.capture].steps_back(time_ns);
    let near = away.filter(|&away| unsure(away).is_none()).map_or_else(String::new, |away| {
        format!(", which answers within {} at best,", rounded(away as f64 / 1e6))
    });
    let least = ways.least_ms(flow, part.leg).unwrap_or_default();
    let best = unsure((1e6 * least) as u64).unwrap_or_else(|| format!("{} at best", rounded(least)));
    let asks = if to_sender { flow.from } else { 1 - flow.from };
    let (why, show) = if flow.hears_first(asks) {
        ("too few to", "show")
    } else {
        (
            "more than a tenth of the packets were heard only as they were sent again on the air, so that those to",
            "do not show",
        )
    };
    format!(
        "{}: no queue shows between the place of the capture and the {seen} ({} round trips, {best}); {why} the {hidden}{near} {show} \
         whether one stands there: capture at the sending host",
        flow.named(),
        part.trips.count(),
    )
}

/// A time of so many ms with as many digits as matter.
fn rounded(ms: f64) -> String {
    match ms {
        ..0.1 => format!("{:.0} us", 1e3 * ms),
        ..10.0 => format!("{ms:.1} ms"),
        _ => format!("{ms:.0} ms"),
    }
}

/// Whether round trips of a part of the way of a flow take long though next to nothing waits in it.
fn is_late(view: &Flow<'_>, ways: &Ways) -> bool {
    parts(view).iter().filter(|part| part.leg != Leg::AtSender).any(|part| {
        let (standing, share) = ways.standing(view, part);
        share >= REPORTED_PCT && !ways.is_queue(view, &standing)
    })
}

fn found(evidence: &Evidence, flow: &Flow<'_>, ways: &Ways) -> Option<Finding> {
    let views = views(evidence, flow);
    let all = views.iter().flat_map(|view| parts(view).into_iter().map(move |part| (view, part)));
    // If one capture shows a queue, there is one, even if another shows moments in which a packet found it empty.
    let standing = all.filter_map(|(view, part)| {
        let (waits, found) = stands(evidence, view, &part, ways)?;
        Some(Standing { waits, found, host: own_host(evidence, view, &part) })
    });
    let mut standing: Vec<_> = standing.collect();
    standing.sort_by(|one, other| one.waits.total_cmp(&other.waits));
    let longest = standing.pop()?;
    let nearer = standing.iter().rev().filter(|one| one.waits >= MOST_OF_IT * longest.waits);
    let apart = cut_apart(evidence, flow).unwrap_or_default();
    let shows_host = nearer.filter(|_| longest.host.is_none()).find_map(|one| Some((&one.found, one.host?)));
    Some(match shows_host {
        Some((nearer, host)) => Finding {
            says: format!(
                "{} As {} shows, they wait {host}.{apart}",
                longest.found.says,
                evidence.captures[nearer.capture].named()
            ),
            remedy: nearer.remedy.clone(),
            ..longest.found
        },
        None => Finding { says: longest.found.says + &apart, ..longest.found },
    })
}

/// A queue that stands in a part of the way.
struct Standing {
    /// How long half of its packets wait, in ms.
    waits: f64,
    found: Finding,
    /// The host in which they wait, if this part shows it.
    host: Option<&'static str>,
}

/// A way in a capture: from one host to another, for a service. Something in between may answer for another service.
type Way = (usize, [IpAddr; 2], u16);

/// A part of the way between the ends of a flow, or below one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    /// From the capture to the receiver and back.
    ToReceiver,
    /// To the sender and back.
    ToSender,
    /// From the sender's TCP to the capture in the same host, one way.
    AtSender,
}

/// The shortest times in nanoseconds on each way, by the part of it.
type Shortest = BTreeMap<Way, [Option<u64>; 2]>;

/// All ways, and what waits on them.
pub(super) struct Ways {
    shortest: Shortest,
    /// Octets of all flows together that wait, by capture and second.
    waiting: BTreeMap<(usize, u64), f64>,
}

impl Ways {
    /// The ways that the captures show.
    pub(super) fn of(evidence: &Evidence) -> Self {
        let mut ways = Self { shortest: shortest(evidence), waiting: BTreeMap::new() };
        let mut waiting: BTreeMap<(usize, u64), f64> = BTreeMap::new();
        for (capture, connections) in evidence.connections.iter().enumerate() {
            let both = || connections.iter().flat_map(|one| [(one, 0), (one, 1)]);
            let flows = || both().map(|(connection, from)| Flow { capture, connection, from });
            // The only seconds that are looked at later; of bins of years others would be too many.
            let asked: BTreeSet<u64> = flows().flat_map(|flow| ways.seconds(&flow)).collect();
            for flow in flows() {
                for (second, octets) in ways.waiting_of(&flow, &asked) {
                    *waiting.entry((capture, second)).or_default() += octets;
                }
            }
        }
        ways.waiting = waiting;
        ways
    }

    /// Whether round trips of a flow are long for much of its time, by a queue or by what holds up single packets: both fill a window.
    pub(super) fn hold(&self, evidence: &Evidence, flow: &Flow<'_>) -> bool {
        let views = views(evidence, flow);
        views.iter().any(|view| parts(view).iter().any(|part| self.standing(view, part).1 >= REPORTED_PCT))
    }

    /// Whether no round trip is short in most seconds of a flow, as the capture shows that tells most of it: something on the way is never without packets of it, or an
    /// end answers late.
    pub(super) fn never_rest(&self, flow: &Flow<'_>) -> bool {
        let way_ms = flow.connection.round_trip_ns().unwrap_or(0) as f64 / 1e6;
        let is_longer = |shortest: f64, least: f64| shortest - least >= LONGER * way_ms + LONGER_MS;
        let mut trips = parts(flow).into_iter().filter(|part| part.leg != Leg::AtSender);
        trips.any(|part| self.longer(flow, &part, is_longer).1 >= MOST)
    }

    /// The shortest round trip of a part of a flow's way, in ms. At the sender, waits are measured against the most prompt packet already, so that nothing is subtracted: a queue may stand
    /// there from before the first of which that shows.
    fn least_ms(&self, flow: &Flow<'_>, leg: Leg) -> Option<f64> {
        if leg == Leg::AtSender {
            return Some(0.0);
        }
        Some(self.shortest[&way(flow)][leg as usize]? as f64 / 1e6)
    }

    /// The seconds in which even the shortest round trip of a part was long, with how much longer that is, in ms; and their share in percent.
    fn standing(&self, flow: &Flow<'_>, part: &Part<'_>) -> (Vec<(u64, f64)>, f64) {
        self.longer(flow, part, |shortest, least| shortest - least >= LONG_MS && shortest >= TIMES * least)
    }

    /// The same by another measure of what is long, from the shortest round trip of a second and the shortest of all in ms.
    fn longer(
        &self,
        flow: &Flow<'_>,
        part: &Part<'_>,
        is_long: impl Fn(f64, f64) -> bool,
    ) -> (Vec<(u64, f64)>, f64) {
        let Some(least) = self.least_ms(flow, part.leg) else { return (Vec::new(), 0.0) };
        let seconds = shortest_by_second(&part.trips.unheld);
        let stands = |&&(_, shortest): &&(u64, f64)| is_long(shortest, least);
        let standing: Vec<_> =
            seconds.iter().filter(stands).map(|&(at_ns, shortest)| (at_ns, shortest - least)).collect();
        let share = 100.0 * standing.len() as f64 / seconds.len().max(1) as f64;
        (standing, share)
    }

    /// The seconds since 1970 at which round trips of a flow begin to be long.
    fn seconds(&self, flow: &Flow<'_>) -> BTreeSet<u64> {
        let parts = parts(flow);
        let standing = parts.iter().flat_map(|part| self.standing(flow, part).0);
        standing.map(|(at_ns, _)| at_ns / SECOND).collect()
    }

    /// What of a flow waits in those of some seconds since 1970 that are long, in octets: what passes while a packet waits (Little's law).
    fn waiting_of(&self, flow: &Flow<'_>, asked: &BTreeSet<u64>) -> BTreeMap<u64, f64> {
        let mut waiting: BTreeMap<u64, f64> = BTreeMap::new();
        for part in parts(flow) {
            let lasts_ns = part.trips.unheld.width_ns().max(SECOND);
            for (at_ns, wait_ms) in self.standing(flow, &part).0 {
                let octets = flow.data().delivered.density(at_ns, at_ns + lasts_ns) * wait_ms * 1e6;
                let ends_ns = at_ns.saturating_add(lasts_ns - 1);
                for &second in asked.range(at_ns / SECOND..=ends_ns / SECOND) {
                    let known = waiting.entry(second).or_default();
                    *known = known.max(octets);
                }
            }
        }
        waiting
    }

    /// Whether the octets of all flows that wait are enough for a queue in most of these seconds.
    fn is_queue(&self, flow: &Flow<'_>, standing: &[(u64, f64)]) -> bool {
        let enough = QUEUE * f64::from(flow.data().longest.min(flow.data().segment()));
        let waits =
            |at_ns: u64| self.waiting.get(&(flow.capture, at_ns / SECOND)).copied().unwrap_or_default();
        2 * standing.iter().filter(|&&(at_ns, _)| waits(at_ns) >= enough).count() > standing.len()
    }
}

fn shortest(evidence: &Evidence) -> Shortest {
    let mut shortest = Shortest::new();
    for (capture, connections) in evidence.connections.iter().enumerate() {
        for (connection, from) in connections.iter().flat_map(|one| [(one, 0), (one, 1)]) {
            let known = shortest.entry(way(&Flow { capture, connection, from })).or_default();
            let trips = &connection.directions[from].trips;
            for (known, trips) in known.iter_mut().zip([trips.to_receiver(), &trips.to_sender]) {
                *known = known.iter().copied().chain(trips.least_ns()).min();
            }
        }
    }
    shortest
}

/// The way of a flow; of its two ports the lower is that of the service.
fn way(flow: &Flow<'_>) -> Way {
    let [from, to] = [flow.from, 1 - flow.from].map(|end| flow.connection.ends[end]);
    (flow.capture, [from.ip(), to.ip()], from.port().min(to.port()))
}

/// Whether a queue may have stood in a flow from its first record on: it goes on from before the capture, and never was a round trip short.
fn may_stand(flow: &Flow<'_>, ways: &Ways) -> bool {
    let none_short = |part: &Part<'_>| {
        ways.least_ms(flow, part.leg).is_some_and(|least| least >= LONG_MS)
            && part.trips.quantile_ms(0.5).is_some_and(|median| median >= FAR)
    };
    !flow.connection.handshake_seen() && parts(flow).iter().any(none_short)
}

/// Whether packets may wait in their own host before they pass the capture, which its round trips do not have.
fn hides_own_wait(flow: &Flow<'_>) -> bool {
    at_sender(flow) && !nothing_waits_before(flow)
}

fn at_sender(view: &Flow<'_>) -> bool {
    view.connection.vantage(view.from) == Vantage::Sender
}

/// A part of the way that packets of a flow pass twice, there and back, or their own host's part of it.
#[derive(Debug)]
struct Part<'a> {
    trips: &'a RoundTrips,
    /// Which part it is.
    leg: Leg,
    /// The place where packets wait on this part, in words.
    place: &'static str,
    /// What a display filter needs besides the flow to show its round trips.
    shown: &'static str,
}

/// The parts of the way whose round trips the capture shows: to the receiver, and to the sender unless it was made there.
fn parts<'a>(flow: &Flow<'a>) -> Vec<Part<'a>> {
    let (ahead, behind) = match flow.connection.vantage(flow.from) {
        Vantage::Sender => ("below the sender's TCP or on the way", None),
        Vantage::Middle | Vantage::Unknown => {
            ("behind the place of the capture", Some("before the place of the capture"))
        }
        Vantage::Receiver => (
            "at the receiver",
            Some(
                "on the way to the receiver or below the sender's TCP, or, as acknowledgments, in the receiver's own adapter or on the way back",
            ),
        ),
    };
    let trips = &flow.connection.directions[flow.from].trips;
    let to_receiver = Part {
        trips: trips.to_receiver(),
        leg: Leg::ToReceiver,
        place: ahead,
        shown: " && tcp.analysis.ack_rtt",
    };
    let to_sender =
        behind.map(|place| Part { trips: &trips.to_sender, leg: Leg::ToSender, place, shown: "" });
    let own = trips.waited.as_deref().filter(|_| at_sender(flow));
    let own =
        own.map(|trips| Part { trips, leg: Leg::AtSender, place: "in the sender's own host", shown: "" });
    // Each round trip begins with a packet of one end.
    let begun = [(flow.from, Some(to_receiver)), (1 - flow.from, to_sender), (flow.from, own)];
    let known = begun.into_iter().filter(|&(end, _)| flow.hears_first(end)).filter_map(|(_, part)| part);
    known.filter(|part| !flow.has_gaps() && part.trips.count() >= MIN_TRIPS).collect()
}

/// Whether no part of the way is hidden.
fn seen_whole(flow: &Flow<'_>) -> bool {
    let ends = if at_sender(flow) { 1 } else { 2 };
    parts(flow).iter().filter(|part| part.leg != Leg::AtSender).count() == ends
}

/// A queue that stands in a part of the way, behind how long half of its packets wait in ms.
fn stands(evidence: &Evidence, flow: &Flow<'_>, part: &Part<'_>, ways: &Ways) -> Option<(f64, Finding)> {
    let &Part { trips, leg, shown, .. } = part;
    let shortest_ms = match leg {
        Leg::AtSender => flow.connection.round_trip_ns()? as f64 / 1e6,
        Leg::ToReceiver | Leg::ToSender => ways.least_ms(flow, leg)?,
    };
    let (standing, share) = ways.standing(flow, part);
    if share < REPORTED_PCT || !ways.is_queue(flow, &standing) {
        return None;
    }
    let waits = median_wait_ms(&trips.unheld, &standing)?;
    let stands = (standing_ms(&trips.unheld, &standing)? - KEPT_SHORT_MS).max(0.0);
    let spans: Vec<_> = spans_ns(&trips.unheld, &standing)
        .into_iter()
        .map(|span| span.map(|at| evidence.seconds_in(flow.capture, at)))
        .collect();
    let between = between(evidence, flow, waits, &spans);
    let found = Finding {
        subject: flow.named(),
        spans,
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the seconds",
        confidence: 0.85,
        cost: Cost {
            at_least: leg == Leg::AtSender
                || hides_own_wait(flow)
                || trips.unheld.width_ns() > 2 * INTERVAL_NS,
            ..Cost::ms(
                stands,
                stands / (waits + shortest_ms),
                "for a packet of these seconds against a short queue, the median",
            )
        },
        capture: flow.capture,
        frames: trips.slow().to_vec(),
        filter: format!("{}{shown}", flow.filter()),
        says: format!(
            "In {share:.0} % of the seconds no packet found the queue empty: {}{between}",
            times_in_words(evidence, flow, part, shortest_ms, waits)
        ),
        remedy: match leg {
            Leg::AtSender => REMEDY_AT_SENDER,
            Leg::ToReceiver if own_host(evidence, flow, part).is_some() => REMEDY_AT_RECEIVER,
            Leg::ToReceiver | Leg::ToSender => REMEDY,
        }
        .to_owned(),
    };
    Some((waits, found))
}

/// How long packets of these seconds take on a part of the way, of which this is the shortest time in ms, if half of them wait for so many ms, and where they wait: two sentences.
fn times_in_words(
    evidence: &Evidence,
    flow: &Flow<'_>,
    part: &Part<'_>,
    shortest_ms: f64,
    wait_ms: f64,
) -> String {
    if part.leg == Leg::AtSender {
        return format!(
            "by the clock values of its TCP (RFC 7323) half of the packets of these seconds were captured more than {wait_ms:.0} ms later than the quickest. \
             They wait {}, between its TCP and the place of the capture; round trips from there do not show that.",
            part.place
        );
    }
    format!(
        "half of the round trips of these seconds{} take more than {:.0} ms, where {}. Packets wait {}.",
        way_in_words(evidence, flow, part.leg == Leg::ToSender),
        shortest_ms + wait_ms,
        shortest_in_words(part.trips.least_ns(), shortest_ms),
        own_host(evidence, flow, part).unwrap_or(part.place)
    )
}

/// The host in which packets wait, if a part of the way leads through that alone: below the TCP of a sender or of a receiver, or from the air to a station and back. None if others lie on it.
fn own_host(evidence: &Evidence, flow: &Flow<'_>, part: &Part<'_>) -> Option<&'static str> {
    let is_station = |end: usize| evidence.station_of(flow.capture, flow.connection.ends[end].ip()).is_some();
    let of_air = evidence.captures[flow.capture].place == Some(Place::Air);
    let alone = |end: usize| of_air && is_station(end) && !is_station(1 - end);
    match part.leg {
        Leg::AtSender => Some(part.place),
        Leg::ToSender => alone(flow.from).then_some("in the sender's own host or adapter, before the air"),
        Leg::ToReceiver if alone(1 - flow.from) => {
            Some("as acknowledgments, in the receiver's own host or adapter, before the air")
        }
        Leg::ToReceiver => (flow.connection.vantage(flow.from) == Vantage::Receiver)
            .then_some("as acknowledgments, in the receiver's own host, before they pass its capture"),
    }
}

/// The shortest round trip of all connections on a way, in ms, and that it is of another than this if its own shortest, in ns, is longer.
fn shortest_in_words(own_ns: Option<u64>, shortest_ms: f64) -> String {
    let own = own_ns.map(|own_ns| own_ns as f64 / 1e6).filter(|own_ms| *own_ms > shortest_ms);
    own.map_or_else(
        || format!("the shortest took {shortest_ms:.1} ms"),
        |own_ms| {
            format!(
                "the shortest took {own_ms:.1} ms, and {shortest_ms:.1} ms on another connection of the two hosts"
            )
        },
    )
}

/// From where to where round trips go, unless they are those of the sender itself.
fn way_in_words(evidence: &Evidence, flow: &Flow<'_>, to_sender: bool) -> String {
    if at_sender(flow) {
        return String::new();
    }
    let end = if to_sender { "sender" } else { "receiver" };
    format!(" from {} to the {end} and back", evidence.captures[flow.capture].named())
}

/// How long half of the packets of some seconds wait, or longer, in ms: the median of round trips, each as the mean of its bin, less the shortest of all. None without any.
fn median_wait_ms(trips: &Bins, standing: &[(u64, f64)]) -> Option<f64> {
    median_ms(trips, standing, 1, |bin| bin.sum / f64::from(bin.count))
}

/// What stands for half of them, or more, in ms: the shortest round trip of the interval that each comes in, less the shortest of all.
fn standing_ms(trips: &Bins, standing: &[(u64, f64)]) -> Option<f64> {
    let interval = (INTERVAL_NS / trips.width_ns()).max(1) as usize;
    median_ms(trips, standing, interval, |bin| bin.least)
}

/// The median over the packets of some seconds, in ms, of what is asked of so many bins of round trips together, less the shortest of all. Of each second is known by how much its
/// own shortest is longer than that.
fn median_ms(
    trips: &Bins,
    standing: &[(u64, f64)],
    together: usize,
    of: impl Fn(&Bin) -> f64,
) -> Option<f64> {
    let bins = bins_a_second(trips);
    let of_second = |&(at_ns, wait_ms): &(u64, f64)| {
        let place = (at_ns.saturating_sub(trips.begin_ns(0)) / trips.width_ns()) as usize;
        let second = trips.bins().get(place..).unwrap_or_default();
        let parts = second[..bins.min(second.len())].chunks(together).map(merged);
        let noted: Vec<Bin> = parts.filter(|bin| bin.count > 0).collect();
        let shortest = noted.iter().map(|bin| bin.least).fold(f64::INFINITY, f64::min);
        noted.into_iter().map(|bin| (of(&bin) - shortest + wait_ms, bin.count)).collect::<Vec<_>>()
    };
    let mut waits: Vec<(f64, u32)> = standing.iter().flat_map(of_second).collect();
    waits.sort_by(|one, other| one.0.total_cmp(&other.0));
    let half = waits.iter().map(|&(_, count)| u64::from(count)).sum::<u64>().div_ceil(2);
    let mut behind = 0;
    let median = waits.into_iter().find(|&(_, count)| {
        behind += u64::from(count);
        behind >= half
    });
    median.map(|(wait_ms, _)| wait_ms)
}

/// Bins as one.
fn merged(bins: &[Bin]) -> Bin {
    let mut all = Bin::default();
    bins.iter().for_each(|bin| all.merge(bin));
    all
}

/// How many bins make a second. Where bins are longer than that, each stands for one.
fn bins_a_second(trips: &Bins) -> usize {
    (SECOND / trips.width_ns()).max(1) as usize
}

/// The times of seconds whose round trips are long, in nanoseconds since 1970. Some of a second's time may be without round trips: where the second before it or
/// behind it is not long, its time is from when its first round trip began to when its last one ended.
fn spans_ns(trips: &Bins, standing: &[(u64, f64)]) -> Vec<[u64; 2]> {
    let bins = bins_a_second(trips);
    let length = bins as u64 * trips.width_ns();
    let is_long = |at_ns| standing.binary_search_by_key(&at_ns, |&(at_ns, _)| at_ns).is_ok();
    let span = |&(at_ns, _): &(u64, f64)| {
        let place = (at_ns.saturating_sub(trips.begin_ns(0)) / trips.width_ns()) as usize;
        let noted = || {
            let second = trips.bins().iter().enumerate().skip(place).take(bins);
            second.filter(|(_, bin)| bin.count > 0)
        };
        let first = noted().next().filter(|_| !is_long(at_ns.saturating_sub(length)));
        let last = noted().next_back().filter(|_| !is_long(at_ns.saturating_add(length)));
        [
            first
                .map_or(at_ns, |(place, bin)| trips.begin_ns(place).saturating_sub((1e6 * bin.least) as u64)),
            last.map_or(at_ns.saturating_add(length), |(place, _)| {
                trips.begin_ns(place).saturating_add(trips.width_ns())
            }),
        ]
    };
    standing.iter().map(span).collect()
}

/// When each second with enough round trips began, and its shortest in ms. Where bins are longer than a second they stand for seconds.
fn shortest_by_second(trips: &Bins) -> Vec<(u64, f64)> {
    let bins = bins_a_second(trips);
    let seconds = trips.bins().chunks(bins).enumerate();
    seconds
        .filter_map(|(place, second)| {
            let all = merged(second);
            (all.count >= FEW_A_SECOND).then(|| (trips.begin_ns(place * bins), all.least))
        })
        .collect()
}

/// Between which two captures at least half of a wait in ms passes in these seconds, and what that does to datagrams of the host that sends or to the one that receives, as
/// those of a call: how long they need one way, if that is half of the wait, too. Datagrams between both hosts come before those of either and another one. A sentence for each, if captures show it.
fn between(evidence: &Evidence, flow: &Flow<'_>, wait_ms: f64, spans: &[[f64; 2]]) -> String {
    let [from, to] = flow.ends().map(|end| end.ip());
    let is_meanwhile = |at_ns: u64| {
        let at = evidence.seconds_in(evidence.reference(), at_ns);
        spans.iter().any(|&[first, last]| (first..=last).contains(&at))
    };
    let passages: Vec<_> =
        joins(evidence, flow).map(|(capture, join)| (capture, join.passages_at(is_meanwhile))).collect();
    let all = |kind: usize| {
        passages.iter().flat_map(move |(capture, kinds)| kinds[kind].iter().map(|one| (*capture, one)))
    };
    let own = slowest(all(0).filter(|(_, one)| one.ends == [from, to]), [from, to], wait_ms / 2.0);
    let own = own.map_or_else(String::new, |(capture, one)| {
        format!(
            " Half of them need more than {:.0} ms {}.",
            one.median_ms(),
            way_between(evidence, capture, one)
        )
    });
    let back = slowest(all(0).filter(|(_, one)| one.ends == [to, from]), [to, from], wait_ms / 2.0);
    let back = back.map_or_else(String::new, |(capture, one)| {
        format!(
            " Half of the acknowledgments need more than {:.0} ms {}.",
            one.median_ms(),
            way_between(evidence, capture, one)
        )
    });
    let beside = slowest(all(1), [from, to], wait_ms / 2.0);
    let beside = beside.map_or_else(String::new, |(capture, one)| {
        format!(
            " Half of the datagrams from {} to {} meanwhile, as those of a call, need more than {:.0} ms {}.",
            one.ends[0],
            one.ends[1],
            one.median_ms(),
            way_between(evidence, capture, one)
        )
    });
    own + &back + &beside
}

/// Of which packets half take longest, and as many ms at least: of those from one host to another, or else of those of the one that sends or to the one that receives.
fn slowest<'a>(
    passages: impl Iterator<Item = (usize, &'a Passage)>,
    ends: [IpAddr; 2],
    least_ms: f64,
) -> Option<(usize, &'a Passage)> {
    let [from, to] = ends;
    let fits = |one: &Passage| (one.ends[0] == from || one.ends[1] == to) && one.median_ms() >= least_ms;
    let is_both = |one: &Passage| one.ends == ends;
    passages.filter(|(_, one)| fits(one)).max_by(|(_, one), (_, other)| {
        is_both(one).cmp(&is_both(other)).then(one.median_ms().total_cmp(&other.median_ms()))
    })
}

/// Each capture of a flow's network with how it is joined: between it and the reference, or the capture by way of which its clock is known.
fn joins<'a>(evidence: &'a Evidence, flow: &Flow<'_>) -> impl Iterator<Item = (usize, &'a Join)> {
    let is_beside = evidence.is_beside(flow.capture, evidence.reference());
    let joins: &[Join] = if is_beside { &evidence.joins } else { &[] };
    joins.iter().enumerate()
}

/// From which capture to which packets pass that a capture shares with the one that it is joined to.
fn way_between(evidence: &Evidence, capture: usize, passage: &Passage) -> String {
    let other = evidence.joins[capture].through.unwrap_or_else(|| evidence.reference());
    let [other, capture] = [other, capture].map(|at| evidence.captures[at].named());
    if passage.there { format!("from {other} to {capture}") } else { format!("from {capture} to {other}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_begin_where_the_queue_is_likely() {
        let [ap, line, tc] = ["access point", "SQM", "`tc"].map(|word| REMEDY.find(word).expect(word));
        assert!(ap < line && line < tc);
    }

    #[test]
    fn a_long_second_lasts_no_longer_than_its_round_trips() {
        const MS: u64 = 1_000_000;
        let mut trips = Bins::from(0);
        let mut note = |from_ms, to_ms, trip_ms| {
            (from_ms..to_ms).step_by(10).for_each(|at_ms| trips.note(at_ms * MS, trip_ms));
        };
        // A queue that drains within the second second, and one that stands for two; the last of these begins with a pause.
        note(0, 1000, 66.0);
        note(1000, 1100, 440.0);
        note(3500, 4000, 300.0);
        note(4200, 5000, 300.0);
        let standing: Vec<_> =
            shortest_by_second(&trips).into_iter().filter(|&(_, shortest)| shortest > 100.0).collect();
        assert_eq!(
            spans_ns(&trips, &standing),
            [[560, 1100], [3200, 4000], [4000, 5000]].map(|span| span.map(|at_ms| at_ms * MS))
        );
    }

    #[test]
    fn a_queue_that_swings_costs_what_half_of_its_packets_wait() {
        const MS: u64 = 1_000_000;
        let wait_of = |trip_ms: &dyn Fn(u64) -> f64| {
            let mut trips = Bins::from(0);
            (0..4000).step_by(2).for_each(|at_ms| trips.note(at_ms * MS, trip_ms(at_ms)));
            let standing: Vec<_> = shortest_by_second(&trips)
                .into_iter()
                .map(|(at_ns, shortest)| (at_ns, shortest - 10.0))
                .filter(|&(_, wait)| wait >= LONG_MS)
                .collect();
            median_wait_ms(&trips, &standing)
        };
        let swings = wait_of(&|at_ms| 60.0 + (at_ms % 1000) as f64 / 5.0).expect("it stands");
        assert!((swings - 150.0).abs() < 3.0, "from 50 to 250 ms: {swings}");
        let falls = wait_of(&|at_ms| 240.0 - (at_ms % 1000) as f64 / 10.0 - 90.0 * (at_ms / 3000) as f64);
        let falls = falls.expect("it stands");
        assert!((falls - 163.0).abs() < 4.0, "the quickest second counts as its packets: {falls}");
        assert_eq!(wait_of(&|_| 100.0), Some(90.0), "one that stands still");
        assert_eq!(wait_of(&|_| 12.0), None);
    }

    #[test]
    fn what_comes_and_goes_with_each_ppdu_is_no_part_of_what_a_short_queue_spares() {
        const MS: u64 = 1_000_000;
        // The queue stands for 60 ms; each PPDU of 20 ms lets its packets wait for up to as much more.
        let mut trips = Bins::from(0);
        (0..4000).for_each(|at_ms| trips.note(at_ms * MS, 70.0 + (at_ms % 20) as f64));
        let standing: Vec<_> = shortest_by_second(&trips)
            .into_iter()
            .map(|(at_ns, shortest)| (at_ns, shortest - 10.0))
            .collect();
        let [waits, stands] =
            [median_wait_ms, standing_ms].map(|of| of(&trips, &standing).expect("it stands"));
        assert!((waits - 69.5).abs() < 6.0 && (stands - 60.0).abs() < 1e-9, "{waits} {stands}");
    }

    #[test]
    fn what_waits_between_both_hosts_comes_before_what_waits_longer_elsewhere() {
        let [from, to, other] = [1, 2, 3].map(|last| IpAddr::from([10, 0, 0, last]));
        let passage = |ends, ms| Passage { ends, there: true, delays_ms: vec![ms] };
        let slowest_of = |all: &[Passage]| {
            slowest(all.iter().map(|one| (0, one)), [from, to], 50.0).map(|(_, one)| one.median_ms())
        };
        let beside = || [passage([from, other], 400.0), passage([other, from], 900.0)];
        let [first, second] = beside();
        assert_eq!(slowest_of(&[first, passage([from, to], 80.0), second]), Some(80.0));
        let [first, second] = beside();
        assert_eq!(slowest_of(&[first, passage([from, to], 3.0), second]), Some(400.0));
        assert_eq!(slowest_of(&[passage([from, other], 3.0)]), None);
    }

    #[test]
    fn the_shortest_round_trip_of_another_connection_is_named_as_such() {
        assert_eq!(shortest_in_words(Some(54_800_000), 54.8), "the shortest took 54.8 ms");
        assert_eq!(
            shortest_in_words(Some(65_800_000), 54.8),
            "the shortest took 65.8 ms, and 54.8 ms on another connection of the two hosts"
        );
    }

    #[test]
    fn what_takes_less_than_a_tenth_of_a_millisecond_is_not_nothing() {
        assert_eq!([0.031, 0.25, 3.0, 500.4].map(rounded), ["31 us", "0.2 ms", "3.0 ms", "500 ms"]);
    }
}
