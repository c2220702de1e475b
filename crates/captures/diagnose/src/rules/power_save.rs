//! W102: what is sent to a station waits until the station wakes.

use super::{no_air, with_enough};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{deafness, missed};
use crate::link::links;
use crate::pings;
use crate::rule::Rule;
use airloom_trace::{Air, Doze, Pings, RadioHeard, Wait};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W102",
    name: "power-save delay",
    means: "The device sleeps to save its battery, and what is sent to it waits until it wakes up. \
            Everything is slow to answer, most of all while little is going on.",
    needs: "air",
    computes: "Data for a station that came right after the station had been woken for it: by its frame with PM=0, a PS-Poll or a trigger within \
               8 ms of a beacon that says that frames wait. Each had come after the last beacon that told of nothing, or after the station had begun to \
               doze, and before the first one that told of it: in the middle of that on average, at least where the station sends in between, since answers come early in the doze behind what asked for them; where its pings were captured, their round trips tell it. What a station asks for by a PS-Poll waited since the first beacon that named its association identifier, at least until it asked, \
               heard or not. Reported from five on, if they are a tenth of all data that came after a pause \
               of 20 ms, and three in five spells in which a beacon said that frames wait ended with such a beacon.",
    traps: "A station that scans says the same with its null frames, but comes back when its time on the other channel is over, whatever beacons \
            say. With data all the time a station does not doze. Where a station dozes and no beacon of its access point was heard, the rule cannot tell; nor where \
            it woke or asked for what beacons said to wait five times and more, and the monitor, which misses frames, heard less of what came then.",
    refuted_by: "The same delay of single packets with power save off (`iw dev wlan0 set power_save off`).",
    judge,
};

/// Fewer than this may be chance.
const MIN_WAITS: u64 = 5;
/// The share of what came after a pause, in percent.
const REPORTED_PCT: f64 = 10.0;
/// The share of spells with waiting frames that ended as a beacon said so.
const MOST: f64 = 0.6;
/// The share of frames that a monitor may miss and still tell what it did not hear from what was not there.
const MISSES: f64 = 0.05;
/// What waits is a station's answers if it is no more often than so many times as often as these came.
const ALL_ITS: f64 = 1.1;
/// Where fewer of the answers waited, what else takes time counts as much.
const MOSTLY: f64 = 0.5;
/// The share of the waits that is most of them, where the signal is weak.
const MOSTLY_WEAK: f64 = 0.8;
/// A time unit of 1024 us, in nanoseconds (802.11-2020 clause 3.1).
const TU: u64 = 1_024_000;
/// Beacons are seldom from this interval on, in time units: access points send them every 100 unless they are set up otherwise.
const SELDOM_TU: u64 = 150;
/// Records that are named.
const NAMED: usize = 16;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let stations = || air.radios().iter().filter(|radio| !radio.is_ap);
    let findings = stations().filter_map(|station| found(evidence, *capture, air, station)).collect();
    let because = || {
        let unforetold = stations().find(|station| is_unforetold(station))?;
        Some(format!(
            "{} says again and again that it sleeps, and the monitor hears no beacon of its access point, which would say what waits for it",
            unforetold.mac
        ))
    };
    let missed = || stations().find_map(|station| missed_waits(air, station));
    let verdict = Verdict::unless_found(findings, deafness(air).or_else(missed).or_else(because));
    let heard: u64 = stations().map(|station| station.frames).sum();
    with_enough(verdict, heard >= MIN_WAITS, || {
        format!("fewer than {MIN_WAITS} frames of stations were heard")
    })
}

/// Why it does not show whether data waits for a station that wakes for it: the monitor may have missed what came then; none if nothing is missing.
fn missed_waits(air: &Air, station: &RadioHeard) -> Option<String> {
    let presence = &station.presence;
    let (fetches, heard) = (presence.fetches, presence.waits().total());
    (misses(air) && fetches >= MIN_WAITS && heard < MIN_WAITS).then(|| {
        format!(
            "{} woke or asked {fetches} times for what a beacon said to wait, and the monitor has heard {heard} frames that came then: how long they waited does \
             not show",
            station.mac
        )
    })
}

/// Whether the monitor misses so much of what arrived that data may have waited unheard.
fn misses(air: &Air) -> bool {
    missed(air).is_none_or(|(arrived, unheard)| unheard as f64 > MISSES * arrived as f64)
}

/// Whether a station dozes, and no beacon was heard that says whether frames wait.
fn is_unforetold(station: &RadioHeard) -> bool {
    let dozes = station.presence.dozes();
    dozes.total() >= MIN_WAITS && dozes.kept().iter().all(|doze| doze.beats == [None; 2])
}

fn found(evidence: &Evidence, capture: usize, air: &Air, station: &RadioHeard) -> Option<Finding> {
    let presence = &station.presence;
    let waits = presence.waits();
    let quiet = air.quiet();
    // What waited while nothing at all was heard may have gone then.
    let is_heard = |wait: &&Wait| !quiet.iter().any(|&(from, to)| wait.since_ns <= from && to <= wait.to_ns);
    let kept: Vec<&Wait> = waits.kept().iter().filter(is_heard).collect();
    let total = waits.total() - (waits.kept().len() - kept.len()) as u64;
    let dozes = presence.dozes().kept();
    let indicated = dozes.iter().filter(|doze| doze.indicated_ns.is_some()).count() as f64;
    let woken = dozes.iter().filter(|doze| doze.is_woken()).count() as f64;
    // What was asked for came, though the monitor may not have heard it.
    let share = 100.0 * total as f64 / presence.bursts.max(total).max(1) as f64;
    if total < MIN_WAITS || share < REPORTED_PCT || woken < MOST * indicated {
        return None;
    }
    let longest = |wait: &Wait| wait.to_ns.saturating_sub(wait.since_ns) as f64 / 1e6;
    // It came at any time before the first beacon that told of it; a station that does not listen to every beacon hears a later one.
    let usual = |wait: &Wait| longest(wait) - wait.told_ns.saturating_sub(wait.since_ns) as f64 / 2e6;
    let most = kept.iter().copied().map(longest).fold(0.0, f64::max);
    let mac = station.mac;
    let asked = asked_ms(evidence, station, total).filter(|&ms| ms <= most);
    let mean = asked.unwrap_or_else(|| kept.iter().copied().map(usual).sum::<f64>() / kept.len() as f64);
    // An answer to what the station sends comes early in the doze behind that, and waits for longer than half of it.
    let at_least = asked.is_none() && 2.0 * (dozes.len() as f64 - woken) >= kept.len() as f64;
    let kept_waiting: Vec<f64> =
        dozes.iter().filter(|doze| !doze.is_woken()).filter_map(waited_ms).filter(|&ms| ms > most).collect();
    Some(Finding {
        subject: format!("station {mac}"),
        spans: kept.iter().map(|wait| [wait.since_ns, wait.to_ns].map(|at| evidence.seconds(at))).collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of what came after a pause",
        confidence: if total >= 3 * MIN_WAITS { 0.95 } else { 0.85 },
        cost: Cost { at_least, ..Cost::ms(mean, share / 100.0, "each time, on average") },
        capture,
        frames: kept.iter().map(|wait| wait.number).take(NAMED).collect(),
        filter: format!("wlan.ra == {mac} && wlan.fc.type == 2"),
        says: format!(
            "{}{total} times data waited at the access point until {}: {}{mean:.0} ms on average, {most:.0} ms at most.{}{}{}",
            if presence.fetches > total && misses(air) { "At least " } else { "" },
            ended(&kept),
            if at_least { "at least " } else { "" },
            asked.map_or("", |_| " The average is by the round trips of its pings, beyond the shortest."),
            longer(&kept_waiting),
            beacons(air, station, &kept)
        ) + &weak(air, station, &kept),
        remedy: "Where delay matters more than the battery: `iw dev wlan0 set power_save off`, with NetworkManager wifi.powersave = 2; otherwise \
                 a longer time until the station dozes, or U-APSD."
            .to_owned(),
    })
}

/// What is said of waits of which most were where the signal of the station is weak. A monitor that misses frames may hear those alone that go at slow rates, as they do there.
fn weak(air: &Air, station: &RadioHeard, waits: &[&Wait]) -> String {
    let link = links(air, 1).into_iter().find(|link| link.station().mac == station.mac);
    let Some(change) = link.and_then(|link| link.change(air)) else { return String::new() };
    let count = waits.iter().filter(|wait| change.is_weak(wait.to_ns)).count();
    if misses(air) || (count as f64) < MOSTLY_WEAK * waits.len() as f64 {
        return String::new();
    }
    let whose =
        if count == waits.len() { "All".to_owned() } else { format!("{count} of these {}", waits.len()) };
    format!(
        " {whose} were where its signal was weak ({:.0} dB above the noise, else {:.0}).",
        change.weak, change.strong
    )
}

/// What ended waits.
fn ended(waits: &[&Wait]) -> &'static str {
    if waits.iter().all(|wait| wait.polled) {
        "the station asked for it (PS-Poll)"
    } else {
        "a beacon woke the station"
    }
}

/// What is said of beacons: of those that a station let pass before it asked, and of an access point that sends fewer than others.
fn beacons(air: &Air, station: &RadioHeard, waits: &[&Wait]) -> String {
    let Some(interval_ns) = station.bssid.and_then(|bssid| air.beacon_interval_ns(bssid)) else {
        return String::new();
    };
    let polled = waits.iter().filter(|wait| wait.polled);
    let passed = polled.map(|wait| wait.to_ns.saturating_sub(wait.told_ns) / interval_ns).max().unwrap_or(0);
    let mut said = String::new();
    if passed > 1 {
        said += &format!(" It let up to {passed} beacons pass that told of it.");
    }
    let tu = interval_ns / TU;
    if tu >= SELDOM_TU {
        let ms = interval_ns as f64 / 1e6;
        said += &format!(
            " Its access point sends a beacon every {ms:.0} ms alone ({tu} TU, where 100 are usual)."
        );
    }
    said
}

/// How long each of so many answers waited for a station on average, in ms, by the round trips of its own pings beyond the shortest; none if its host was not captured, or
/// others than their answers waited.
fn asked_ms(evidence: &Evidence, station: &RadioHeard, waits: u64) -> Option<f64> {
    let is_its = |&(capture, pings): &(usize, &Pings)| {
        let asks = evidence.station_of(capture, pings.ends[0]) == Some(station.mac);
        asks && pings.answered >= MIN_WAITS && !pings.is_at_answerer()
    };
    // Of two captures the one farther from the host that answers has all of the wait in its round trips.
    let its = pings::all(evidence).filter(is_its).map(|(_, one)| one);
    let pings = its.max_by_key(|pings| (pings.answered, pings.round_trips.least_ns()))?;
    let least_ms = pings.round_trips.least_ns()? as f64 / 1e6;
    let bins = pings.round_trips.over_time.bins();
    let beyond: f64 = bins.iter().map(|bin| bin.sum - least_ms * f64::from(bin.count)).sum();
    let often = waits as f64 / pings.answered as f64;
    (MOSTLY..=ALL_ITS).contains(&often).then(|| beyond / waits as f64)
}

/// How long before the end of a spell beacons began to say that frames wait, in ms.
fn waited_ms(doze: &Doze) -> Option<f64> {
    doze.waited_ns.map(|waited| waited as f64 / 1e6)
}

/// What is said of spells in which beacons said for longer that frames wait, and that ended otherwise.
fn longer(waited_ms: &[f64]) -> String {
    if waited_ms.is_empty() {
        return String::new();
    }
    let most = waited_ms.iter().copied().fold(0.0, f64::max);
    let spells = if waited_ms.len() == 1 {
        "one more spell".to_owned()
    } else {
        format!("{} more spells", waited_ms.len())
    };
    format!(
        " In {spells} the station came back without heed to its beacons, which had said for up to {most:.0} ms that frames wait."
    )
}
