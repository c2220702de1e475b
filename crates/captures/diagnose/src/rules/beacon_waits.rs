//! W109: answers come with beacons, as those of a station that dozes, in a host's capture alone.

use super::{at_host, with_enough};
use crate::beacon_grid::{INTERVAL, closeness, gathered};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::rule::Rule;
use airloom_trace::{Trip, Trips};
use std::net::IpAddr;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W109",
    name: "power save, seen by a host",
    means: "What is sent to a device waits until that wakes up for a moment, as it sleeps to save its \
            battery. Everything is slow to answer, most of all while little is going on.",
    needs: "packets of a host",
    computes: "Round trips of single packets of any kind, also of `ping -D`: what a host sends after 20 ms of silence, and the first packet back. Those that take 10 ms \
               more than the shortest waited. Where 20 or more of up to 256 within ten minutes waited, and their answers keep to a grid of 102.4 ms in time though the questions do not, \
               they waited for beacons, as all does that is sent to a station that dozes. How closely times keep to the grid is the length of the mean of their directions \
               on a circle of that length (Rayleigh), at the best drift of up to 100 ppm: 0.8 at least of the answers, 0.5 at most of the questions, and answers \
               with three of five beacons in a row at least. Where others than these came late as well, such as acknowledgments that a timer held back, those that came within 5 ms of one place on the grid waited for beacons, if chance makes \
               so many of them in one of 1e9 at most (a binomial distribution, at the best place and drift; of answers less than 51.2 ms apart one counts), and no more of the questions than chance does. \
               What came without answering, such as data that was on its way, tells when it came and not how long it waited: where 20 of them answer (in TCP: acknowledge the data), these alone are counted. The number is the share of the round trips that waited. A capture of the air tells more (W102): beside one the rule says \
               nothing of its time.",
    traps: "What a timer holds up, such as acknowledgments for 40 ms or a retransmission after 200 ms, comes a time after its question, not at beacons. A program that answers every 100 ms drifts through \
            the grid within seconds. Where each question follows an answer at once, both keep to the grid, and the rule says nothing; so does it of access points whose beacons do not come \
            every 102.4 ms. Where all answers came within 2 ms the capture may be that of the host which gives them, and the rule cannot tell.",
    refuted_by: "The same round trips with power save off (`iw dev wlan0 set power_save off`).",
    judge,
};

/// Fewer may be chance.
const FEWEST: usize = 20;
/// So many are compared with one drift at most.
const MOST: usize = 256;
/// They are compared with one drift for so long at most, in seconds.
const LONGEST_S: f64 = 600.0;
/// What took so much longer than the shortest has waited, in nanoseconds.
const WAITED_NS: u64 = 10_000_000;
/// How closely answers keep to the grid, and questions do not.
const CLOSE: f64 = 0.8;
const LOOSE: f64 = 0.5;
/// The chance, at most, of what shows it otherwise: a capture has up to 512 pairs that ask.
const CHANCE: f64 = 1e-9;
/// Beacons of five in a row that have to be met.
const MET: usize = 3;
/// A host answers within this time, in nanoseconds.
const AT_ONCE_NS: u64 = 2_000_000;
/// The share of round trips that is reported, in percent.
const REPORTED_PCT: f64 = 10.0;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    let trips = evidence.trips.iter().enumerate().flat_map(|(at, all)| all.iter().map(move |one| (at, one)));
    if trips.clone().next().is_none() {
        let remedy = if at_host(evidence) {
            "capture questions that come one by one, such as those of `ping`"
        } else {
            "take a capture at a host, or the output of `ping -D`"
        };
        return Verdict::CannotTell(format!("no round trip of a single packet: {remedy}"));
    }
    // Fewer round trips than it takes to tell would tell nothing at the host that asks, either.
    let many = trips.clone().map(|(_, one)| one.list.kept().len()).sum::<usize>() >= FEWEST;
    let at_once = trips.clone().all(|(_, one)| answers_at_once(one));
    let at_answerer = (many && at_once).then(|| AT_ONCE.to_owned());
    let most = trips.clone().map(|(_, one)| one.list.kept().len()).max().unwrap_or_default();
    let found = trips.clone().filter_map(|(capture, one)| found(evidence, capture, one)).collect();
    let few = || trips.clone().find_map(|(capture, one)| few_waited(evidence, capture, one));
    with_enough(Verdict::unless_found(found, at_answerer.or_else(few)), most >= FEWEST, || {
        format!("of single packets between two hosts {most} round trips at most, of {FEWEST} that it takes")
    })
}

/// Why round trips that are all short tell nothing.
const AT_ONCE: &str = "all that came after a pause was answered within 2 ms, as by the host of the capture, and what waits beyond that does not show: capture questions that come one by one, such as those of `ping`, at the host that asks";

/// Whether no answer of a pair took longer than one of the host at which the capture was made.
fn answers_at_once(trips: &Trips) -> bool {
    let all = trips.list.kept();
    let some_answer = all.iter().any(|trip| trip.answers);
    let counted = all.iter().filter(|trip| trip.answers == some_answer);
    counted.map(|trip| trip.came_ns.saturating_sub(trip.sent_ns)).all(|lasted| lasted < AT_ONCE_NS)
}

/// That some round trips of a pair took long, and too few to tell whether they waited for beacons.
fn few_waited(evidence: &Evidence, capture: usize, trips: &Trips) -> Option<String> {
    let all = trips.list.kept();
    let [from, to] = [all.first()?.sent_ns, all.last()?.came_ns].map(|at| evidence.seconds_in(capture, at));
    if evidence.is_heard(from, to) {
        return None;
    }
    let waited = waited(all).map_or(0, |(waited, _)| waited.len());
    (waited < FEWEST && 100 * waited >= REPORTED_PCT as usize * all.len().max(FEWEST)).then(|| {
        format!("too little data: {waited} of {} round trips of single packets took {} ms longer than the shortest, of {FEWEST} that it takes", all.len(), WAITED_NS / 1_000_000)
    })
}

/// Trips that took longer than the shortest of them by so much that they waited, and that shortest in nanoseconds; none of no trips.
fn waited(part: &[Trip]) -> Option<(Vec<&Trip>, u64)> {
    let length = |trip: &Trip| trip.came_ns - trip.sent_ns;
    let least = part.iter().map(length).min()?;
    Some((part.iter().filter(|trip| length(trip) >= least + WAITED_NS).collect(), least))
}

/// Trips that are compared at once: as many as may be, of ten minutes at most.
fn parts(trips: &[Trip]) -> Vec<&[Trip]> {
    let mut parts: Vec<&[Trip]> = Vec::new();
    let mut rest = trips;
    while let Some(first) = rest.first() {
        let near = |one: &Trip| one.came_ns.saturating_sub(first.came_ns) as f64 / 1e9 <= LONGEST_S;
        let count = rest.iter().take(MOST).take_while(|one| near(one)).count().max(1);
        let (part, after) = rest.split_at(count);
        parts.push(part);
        rest = after;
    }
    parts
}

/// Those that waited for beacons: all that waited, if they keep to the grid; else those of them that do, if chance makes so many of them hardly ever.
fn for_beacons(part: &[Trip]) -> Option<(Vec<&Trip>, u64)> {
    let (waited, least) = waited(part)?;
    if waited.len() < FEWEST {
        return None;
    }
    let (came, sent) = seconds(&waited);
    let (close, loose, met) = closeness(&came, &sent);
    if close >= CLOSE && loose <= LOOSE && met >= MET {
        return Some((waited, least));
    }
    let single = one_a_beacon(&waited);
    let (came, sent) = seconds(&single);
    let gathered = gathered(&came, &sent);
    let is_shown =
        gathered.chance_ln <= libm::log(CHANCE) && gathered.others_ln >= 0.0 && gathered.met >= MET;
    is_shown.then(|| (gathered.places.iter().map(|&place| single[place]).collect(), least))
}

/// Of those that waited, what answers, the shortest that answers at all, and how many of those there are; none if that is too few.
fn answers<'a>(part: &'a [Trip], waited: &[&'a Trip]) -> Option<(Vec<&'a Trip>, u64, usize)> {
    let length = |trip: &Trip| trip.came_ns - trip.sent_ns;
    let answers = || part.iter().filter(|trip| trip.answers);
    let least = answers().map(length).min()?;
    let waited = waited.iter().filter(|trip| trip.answers && length(trip) >= least + WAITED_NS);
    let waited: Vec<&Trip> = waited.copied().collect();
    (waited.len() >= FEWEST).then(|| (waited, least, answers().count()))
}

/// When answers came, and when their questions went, in seconds since the first question.
fn seconds(trips: &[&Trip]) -> (Vec<f64>, Vec<f64>) {
    let begin = trips[0].sent_ns.min(trips[0].came_ns);
    let seconds = |at: u64| at.saturating_sub(begin) as f64 / 1e9;
    trips.iter().map(|trip| (seconds(trip.came_ns), seconds(trip.sent_ns))).unzip()
}

/// Of answers that came together the first alone: one tells no more than the other.
fn one_a_beacon<'a>(waited: &[&'a Trip]) -> Vec<&'a Trip> {
    let mut single: Vec<&Trip> = Vec::new();
    for &trip in waited {
        let since = single.last().map(|last| trip.came_ns.saturating_sub(last.came_ns));
        if since.is_none_or(|since| since as f64 / 1e9 >= INTERVAL / 2.0) {
            single.push(trip);
        }
    }
    single
}

fn found(evidence: &Evidence, capture: usize, trips: &Trips) -> Option<Finding> {
    let mut waited: Vec<&Trip> = Vec::new();
    let (mut all, mut spans, mut waits_ms) = (0, Vec::new(), Vec::<f64>::new());
    for part in parts(trips.list.kept()) {
        let Some((some, least)) = for_beacons(part) else { continue };
        let [from, to] =
            [part[0].sent_ns, part[part.len() - 1].came_ns].map(|at| evidence.seconds_in(capture, at));
        if evidence.is_heard(from, to) {
            continue;
        }
        spans.push([from, to]);
        let (some, least, count) = answers(part, &some).unwrap_or((some, least, part.len()));
        all += count;
        waits_ms.extend(some.iter().map(|trip| (trip.came_ns - trip.sent_ns - least) as f64 / 1e6));
        waited.extend(some);
    }
    let share = 100.0 * waited.len() as f64 / all.max(1) as f64;
    if waited.is_empty() || share < REPORTED_PCT {
        return None;
    }
    waits_ms.sort_by(f64::total_cmp);
    let (usual, most) = (waits_ms[waits_ms.len() / 2], waits_ms[waits_ms.len() - 1]);
    let [asks, answers] = trips.ends;
    let subject =
        if asks.is_unspecified() { format!("ping to {answers}") } else { format!("{asks} to {answers}") };
    Some(Finding {
        subject,
        spans,
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the round trips",
        confidence: if waited.len() >= 3 * FEWEST { 0.9 } else { 0.8 },
        cost: Cost::ms(usual, share / 100.0, "each time (median)"),
        capture,
        frames: waited.iter().map(|trip| trip.number).take(NAMED).collect(),
        filter: filter(trips.ends),
        says: format!(
            "{} of {all} answers came on the beat of beacons, every 102.4 ms, whenever they were asked for: half of them waited for {usual:.0} ms or more, {most:.0} ms at most. \
             So does what is sent to a station that dozes.",
            waited.len()
        ),
        remedy: "Where delay matters more than the battery: `iw dev wlan0 set power_save off` at the station, with NetworkManager wifi.powersave = 2; otherwise \
                 a longer time until it dozes, or U-APSD."
            .to_owned(),
    })
}

fn filter([one, other]: [IpAddr; 2]) -> String {
    let family = if one.is_ipv4() { "ip" } else { "ipv6" };
    if one.is_unspecified() {
        return format!("{family}.addr == {other}");
    }
    format!("{family}.addr == {one} && {family}.addr == {other}")
}
