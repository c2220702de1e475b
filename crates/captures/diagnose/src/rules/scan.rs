//! W101: a station leaves its channel to scan.

use super::at_once::{self, NEARER, REMEDY, said_of_weak, weak_at};
use super::{no_air, no_data};
use crate::capacity::payload_share;
use crate::demand::answers;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{hears_little, is_deaf};
use crate::link::links;
use crate::rule::Rule;
use crate::slow_scan::{ALIKE, FEWEST, HOME, STEADY, SlowScan, TRIP, alike_pairs};
use crate::slowed::{Slowed, slowed_mbps};
use crate::steps::without_steps;
use crate::under_way::UnderWay;
use airloom_trace::{Air, Doze, RadioHeard};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W101",
    name: "scan absence",
    means: "The device leaves its channel again and again to look for other networks. Until it is back \
            nothing reaches it: downloads pause, calls stutter.",
    needs: "air",
    computes: "Spells between a station's null frames with PM=1 and PM=0 of 10 to 500 ms, in which it sends nothing. At least three of them, \
               each at most 2 s after the one before, are a scan if they are about as long as their neighbours, no more than there are channels, and keep to no beacon, or \
               if probe requests of the station were heard within three: one trip each, to another channel or, with probe requests that were heard, to its own. Where the station asks for networks in three of them, a spell that ends with data and in which it sent nothing, \
               as its sequence numbers show, is a doze. The number is the share of a \
               scan's time that the station is away. Spells that come at equal times of more than 2 s, with probe requests in three and more, are reported together with a scan. A single absence of 1 to 20 s is found too, if data had gone until less than 50 ms before, and beacons said for half of it and more \
               that frames wait: then the number is the longest. So are several, each at most 2 s after the one before, for half of each of which beacons said so, if in three and more of them the station's sequence numbers \
               go on by two frames or more that were not heard (all but QoS data share one count on all channels: 802.11-2020 table 10-5), hardly any are missing outside of its spells, and probe requests of it were heard near. Its cost is the rate outside of scans, or before the first where that is more, since a flow may still recover behind one, without the time in which a flow grew to it, less the \
               rate within, both while flows are under way: no 3 s and more without new data; the time away where nothing more was there to be sent, or too little went outside.",
    traps: "A station that dozes announces it in the same way, but after a time without data, stays on the channel and wakes for a beacon \
            that indicates frames, or for data of its own. Spells that begin more than 50 ms after the last data and end in such a way are \
            no trips, and none that begins so is, of a station that dozes in half of them (W102). Some firmware dozes sooner: where most spells end as a \
            beacon says that frames wait, the time after which they begin counts instead of 50 ms. Where more than half of the spells begin, or \
            end, in the same twentieth of the time from one beacon to the next, such spells are dozes, but for those with probe requests within. \
            Spells every 524 ms are those of Apple's AWDL (AirDrop), and the rule abstains. Where the monitor hears too little of the station's data or of its access point's beacons, the rule abstains. A scan after a roam is followed by a reassociation.",
    refuted_by: "Frames of the station on its own channel within such a spell; a log of the station without a scan at that time.",
    judge,
};

/// The most of one scan: 14 channels at 2.4 GHz, 28 at 5 GHz and the 15 at 6 GHz on which networks are looked for (802.11-2020 annex E).
const MOST: usize = 57;
/// How much longer than a trip a spell may be that is just as long: dwell times are of timers, dozes of any length.
const EQUAL: f64 = 0.03;
/// A spell beside a scan that is as many times farther from it than its trips are from each other is no trip, if it is not alike.
const APART: u64 = 3;
/// AWDL goes through 16 slots of 64 time units each (Stute et al. 2018, One Billion Apples' Secret Sauce, section 4), and through half of them alike, in
/// nanoseconds; and how far from that an interval may be, as a part of it.
const SLOTS: f64 = 8.0 * 64.0 * 1_024_000.0;
const OFF: f64 = 0.005;
/// A doze begins after this long without data (Linux's dynamic power save takes 100 ms), in nanoseconds.
const IDLE: u64 = 50_000_000;
/// Of the spells that begin after a time without data, the share that shows that the station dozes in them.
const DOZES: f64 = 0.5;
/// Of the spells in which a beacon indicated frames, the share that ended within a moment of it: a trip ends when its time is over, which
/// is so near to a beacon by chance in one of thirteen.
const WOKEN: f64 = 0.6;
/// Fewer MPDUs than this are no data of a station that scans.
const MIN_MPDUS: u64 = 50;
/// The share of the time of a scan that is reported, in percent.
const REPORTED_PCT: f64 = 5.0;
/// Records that are named.
const NAMED: usize = 8;

/// A scan: its trips.
type Scan<'a> = Vec<&'a Doze>;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    if let Some(silent) = no_data(air) {
        return silent;
    }
    let (mut found, mut unsure) = (Vec::new(), None);
    for station in air.radios().iter().filter(|radio| !radio.is_ap) {
        let dozes = station.presence.dozes().kept();
        let candidates = candidates(dozes);
        let hears_data = if candidates.is_empty() { (false, false) } else { hears_data(air, station) };
        let (mut scans, mut doubts) = (Vec::new(), None);
        for scan in candidates {
            match doubt(station, hears_data, &scan) {
                None => adds(&mut scans, whole(scan, dozes)),
                doubt => doubts = doubts.or(doubt),
            }
        }
        found.extend(found_in(
            evidence,
            *capture,
            air,
            station,
            &scans,
            SlowScan::beside(&scans, dozes).as_ref(),
        ));
        found.extend(at_once::found(evidence, *capture, air, station));
        unsure = unsure.or_else(|| Some((station.mac, doubts?)));
    }
    let because =
        |(mac, doubt)| format!("{mac} says that it is away again and again, to scan or to doze: {doubt}");
    Verdict::unless_found(found, unsure.map(because))
}

/// Whether the monitor hears the station's data, both ways, and whether the capture holds most of it.
fn hears_data(air: &Air, station: &RadioHeard) -> (bool, bool) {
    let own: Vec<_> = links(air, 1).into_iter().filter(|link| link.station().mac == station.mac).collect();
    let is_heard = !own.is_empty() && !own.iter().any(|link| hears_little(air, link));
    (is_heard, is_heard && !own.iter().any(|link| is_deaf(air, link)))
}

/// Why it cannot be told that spells are a scan; none if they are one.
fn doubt(
    station: &RadioHeard,
    (hears_data, holds_data): (bool, bool),
    scan: &[&Doze],
) -> Option<&'static str> {
    let (from, to) = (scan[0].from_ns.saturating_sub(HOME), scan[scan.len() - 1].to_ns.saturating_add(HOME));
    let probed = scan.iter().filter(|trip| trip.probes > 0).count();
    let near = || station.presence.probed().kept().iter().any(|&at| from <= at && at <= to);
    let foretold = scan.iter().filter(|trip| trip.beats[1].is_some()).count();
    match () {
        () if probed >= FEWEST => None,
        () if keeps_slots(scan) => Some(
            "it comes every 524 ms, as where Apple's AWDL visits its channel for AirDrop, AirPlay or Handoff (`ifconfig awdl0 down` ends that)",
        ),
        () if scan.len() > MOST => {
            Some("it hardly asks for networks meanwhile, and there are fewer channels")
        }
        () if !hears_data => Some("the monitor hears too little of its data"),
        () if (alike_pairs(scan) as f64) < STEADY * (scan.len() - 1) as f64 => {
            Some("it hardly asks for networks meanwhile, and no two times are alike")
        }
        () if !holds_data && !near() => Some("the capture holds too little of its data"),
        () if 2 * foretold <= scan.len() && !near() => {
            Some("the monitor hears neither probe requests of it nor enough beacons of its access point")
        }
        () => None,
    }
}

/// Whether most spells begin a half of AWDL's sequence of channels, or several, after the one before.
fn keeps_slots(scan: &[&Doze]) -> bool {
    let intervals =
        scan.windows(2).map(|pair| pair[1].from_ns.saturating_sub(pair[0].from_ns) as f64 / SLOTS);
    let near = intervals.filter(|times| *times > 0.5 && (times - times.round()).abs() <= OFF).count();
    near as f64 >= STEADY * (scan.len() - 1) as f64
}

fn found_in(
    evidence: &Evidence,
    capture: usize,
    air: &Air,
    station: &RadioHeard,
    scans: &[Scan<'_>],
    slow: Option<&SlowScan>,
) -> Option<Finding> {
    let trips: Vec<&Doze> = scans.iter().flatten().copied().collect();
    let away: u64 = trips.iter().map(|trip| trip.length_ns()).sum();
    let within: u64 =
        scans.iter().map(|scan| scan[scan.len() - 1].to_ns.saturating_sub(scan[0].from_ns)).sum();
    let share = 100.0 * away as f64 / within.max(1) as f64;
    if scans.is_empty() || share < REPORTED_PCT {
        return None;
    }
    let longest = trips.iter().map(|trip| trip.length_ns()).max().unwrap_or_default();
    let unsure = unsure(scans, station.presence.dozes().kept());
    let slowed = slowed(evidence, air, station, scans);
    let lost = lost(evidence, air, station, scans, (slowed, share, unsure > 0));
    let mac = station.mac;
    let count = scans.len();
    // A scan asks on the station's own channel as well.
    let is_heard = trips.iter().any(|trip| trip.probes > 0);
    let weak = weak_at(air, station, &trips);
    Some(Finding {
        subject: format!("station {mac}"),
        spans: scans
            .iter()
            .map(|scan| [evidence.seconds(scan[0].from_ns), evidence.seconds(scan[scan.len() - 1].to_ns)])
            .collect(),
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of a scan's time away",
        confidence: if trips.len() >= 2 * FEWEST { 0.97 } else { 0.85 },
        cost: lost,
        capture,
        frames: trips.iter().take(NAMED).flat_map(|trip| [trip.numbers.0, trip.numbers.1]).collect(),
        filter: format!("wlan.ta == {mac} && (wlan.fc.type_subtype == 0x24 || wlan.fc.type_subtype == 0x2c)"),
        says: format!(
            "{count} {} with {}{} trips{}{}; {:.0} ms away in each on average, {:.0} ms at most.{} {}{}",
            if count == 1 { "scan" } else { "scans" },
            if unsure > 0 { "at least " } else { "" },
            trips.len(),
            if is_heard { "" } else { " to other channels" },
            if slow.is_none() { " in all" } else { "" },
            away as f64 / 1e6 / trips.len() as f64,
            longest as f64 / 1e6,
            said_of_unsure(unsure),
            if is_heard {
                "Its access point holds back what comes for it meanwhile."
            } else {
                "On its own channel nothing reaches the station meanwhile."
            },
            slow.map(|slow| slow.says(evidence)).unwrap_or_default(),
        ) + if nothing_waited(&trips) {
            " No beacon that was heard meanwhile said that anything waits for a station."
        } else {
            ""
        } + &slowed.map_or_else(String::new, |slowed| said_of_recovery(&slowed))
            + &weak.as_ref().map_or_else(String::new, said_of_weak),
        remedy: if weak.is_some() { NEARER } else { REMEDY }.to_owned(),
    })
}

/// How many spells between the first trip of a scan and its last are no trips of it, but may be: long enough, nothing came by of the station, and nothing shows
/// that it dozed.
fn unsure(scans: &[Scan<'_>], dozes: &[Doze]) -> usize {
    let is_within = |doze: &Doze, scan: &Scan<'_>| {
        scan[0].from_ns < doze.from_ns
            && doze.from_ns < scan[scan.len() - 1].from_ns
            && scan.iter().all(|trip| trip.from_ns != doze.from_ns)
    };
    let may_be = |doze: &&Doze| {
        TRIP.contains(&doze.length_ns()) && doze.frames == 0 && !doze.is_woken() && !asks_nothing(doze)
    };
    dozes.iter().filter(may_be).filter(|doze| scans.iter().any(|scan| is_within(doze, scan))).count()
}

/// What is said of so many spells that may be trips.
fn said_of_unsure(spells: usize) -> String {
    match spells {
        0 => String::new(),
        1 => " A spell of another length in between may be a doze or one more.".to_owned(),
        many => format!(" {many} spells of other lengths in between may be dozes or more of them."),
    }
}

/// Whether beacons were heard up to the end of each trip, and none said that frames wait.
fn nothing_waited(trips: &[&Doze]) -> bool {
    trips.iter().all(|trip| trip.beats[1].is_some() && trip.indicated_ns.is_none())
}

/// Whether a spell ended as one of power save does: for what beacons say that waits, or for data of the station.
fn saves(doze: &Doze) -> bool {
    doze.is_woken() || doze.by_data
}

/// Whether most spells of a station that begin so long after the last data, in nanoseconds, are of power save.
fn is_dozing(dozes: &[Doze], after: u64) -> bool {
    let idle = || dozes.iter().filter(|doze| is_idle(doze, after));
    let saving = idle().filter(|doze| saves(doze)).count() as f64;
    saving >= DOZES * idle().count() as f64
}

/// Whether a spell begins so long after the last data, in nanoseconds.
fn is_idle(doze: &Doze, after: u64) -> bool {
    doze.idle_before_ns.is_some_and(|idle| idle > after)
}

/// What may be scans among spells of absence: each a list of what may be trips.
fn candidates(dozes: &[Doze]) -> Vec<Scan<'_>> {
    let after = dozes_after(dozes);
    let dozing = is_dozing(dozes, after);
    let trip = |doze: &&Doze| {
        TRIP.contains(&doze.length_ns())
            && doze.frames == 0
            && !(is_idle(doze, after) && (dozing || saves(doze)))
    };
    let mut scans: Vec<Scan<'_>> = Vec::new();
    for doze in without_steps(dozes.iter().filter(trip).collect()) {
        match scans.last_mut() {
            Some(scan) if doze.from_ns.saturating_sub(scan[scan.len() - 1].to_ns) <= HOME => scan.push(doze),
            _ => scans.push(vec![doze]),
        }
    }
    scans.retain(|scan| scan.len() >= FEWEST);
    scans.iter_mut().for_each(trim);
    scans
}

/// Adds a scan to those before it; to the last of them what it has beyond that, if they have trips in common.
fn adds<'a>(scans: &mut Vec<Scan<'a>>, scan: Scan<'a>) {
    match scans.last_mut() {
        Some(last) if last[last.len() - 1].from_ns >= scan[0].from_ns => {
            let known_ns = last[last.len() - 1].from_ns;
            last.extend(scan.into_iter().filter(|trip| trip.from_ns > known_ns));
        }
        _ => scans.push(scan),
    }
}

/// A scan with its trips that end with data, as those do before which nothing had gone for a while: all spells between its first trip and its last,
/// and those before and behind that are as long as its trips or have probe requests in them. Of a station that dozes as well, only those that are just as long.
fn whole<'a>(scan: Scan<'a>, dozes: &'a [Doze]) -> Scan<'a> {
    let is_dozing = is_dozing(dozes, dozes_after(dozes));
    let mut lengths: Vec<_> = scan.iter().map(|trip| trip.length_ns() as f64).collect();
    lengths.sort_by(f64::total_cmp);
    let usual = lengths[lengths.len() / 2];
    let within = |doze: &Doze, longer: f64| {
        let length = doze.length_ns() as f64;
        length.max(usual) <= (1.0 + longer) * length.min(usual)
    };
    let alike = |doze: &Doze| within(doze, if is_dozing { EQUAL } else { ALIKE });
    let known = |doze: &Doze| scan.iter().any(|trip| trip.from_ns == doze.from_ns);
    let is_active = scan.iter().filter(|trip| trip.unheard > 0 || trip.probes > 0).count() >= FEWEST;
    // A trip may end just behind a beacon that says that frames wait, and a doze has no probe requests in it.
    let may_be = |doze: &&Doze| {
        TRIP.contains(&doze.length_ns())
            && doze.frames == 0
            && (!doze.is_woken() || doze.probes > 0 || within(doze, EQUAL))
            && !(is_active && asks_nothing(doze))
    };
    let fits = |doze: &Doze| alike(doze) || doze.probes > 0;
    let is_trip = |doze: &&Doze| known(doze) || may_be(doze) && (!is_dozing || fits(doze));
    let spells: Vec<&Doze> = dozes.iter().filter(is_trip).collect();
    let mut from = spells.partition_point(|doze| doze.from_ns < scan[0].from_ns);
    let mut to = spells.partition_point(|doze| doze.from_ns <= scan[scan.len() - 1].from_ns);
    let near = |one: &Doze, next: &Doze| next.from_ns.saturating_sub(one.to_ns) <= HOME;
    while from > 0 && fits(spells[from - 1]) && near(spells[from - 1], spells[from]) {
        from -= 1;
    }
    while to < spells.len() && fits(spells[to]) && near(spells[to - 1], spells[to]) {
        to += 1;
    }
    spells[from..to].to_vec()
}

/// Whether the station sent nothing in a spell, as its numbers show, and ended it for data of its own: a doze of a station that asks for networks on its trips.
/// Without data at its end it may be a trip to a channel on which nobody may ask (802.11-2020 clause 11.1.4.2: passive scanning).
fn asks_nothing(doze: &Doze) -> bool {
    doze.complete && doze.probes == 0 && doze.by_data
}

/// Leaves out spells before and behind a scan that are neither as long as its trips nor near them, nor have probe requests in them: dozes.
fn trim(scan: &mut Scan<'_>) {
    let alone = |scan: &Scan<'_>, end: usize, next: usize| {
        let [one, other] = [scan[end], scan[next]].map(|trip| trip.length_ns() as f64);
        let mut gaps: Vec<_> =
            scan.windows(2).map(|pair| pair[1].from_ns.saturating_sub(pair[0].to_ns)).collect();
        let gap = if end < next { gaps[0] } else { gaps[gaps.len() - 1] };
        gaps.sort_unstable();
        scan[end].probes == 0
            && one.max(other) > (1.0 + ALIKE) * one.min(other)
            && gap > APART * gaps[gaps.len() / 2]
    };
    while scan.len() > FEWEST && alone(scan, 0, 1) {
        scan.remove(0);
    }
    while scan.len() > FEWEST && alone(scan, scan.len() - 1, scan.len() - 2) {
        scan.pop();
    }
}

/// After how long without data a station dozes, in nanoseconds: some firmware does sooner than Linux, as the spells show that it
/// ended for a beacon.
fn dozes_after(dozes: &[Doze]) -> u64 {
    let indicated = dozes.iter().filter(|doze| doze.indicated_ns.is_some()).count();
    let woken = || dozes.iter().filter(|doze| doze.is_woken());
    if indicated < FEWEST || (woken().count() as f64) < WOKEN * indicated as f64 {
        return IDLE;
    }
    let mut before: Vec<_> = woken().filter_map(|doze| doze.idle_before_ns).collect();
    before.sort_unstable();
    before.get(before.len() / 10).map_or(IDLE, |usual| IDLE.min(usual / 10 * 9))
}

/// What the station's data lost within scans: the rate outside of them less that within, or the time away if nothing more was there to be sent, which may
/// be more.
fn lost(
    evidence: &Evidence,
    air: &Air,
    station: &RadioHeard,
    scans: &[Scan<'_>],
    (slowed, share, is_more): (Option<Slowed>, f64, bool),
) -> Cost {
    if let Some(slowed) = slowed {
        // Of data that may wait as well, what it lost does not show.
        let mut of_station =
            links(air, MIN_MPDUS).into_iter().filter(|link| link.station().mac == station.mac);
        let at_least = of_station.any(|link| !evidence.is_greedy(&link) && !answers(air, &link));
        Cost { at_least, ..Cost::mbps(slowed.less, slowed.within, "of this station, while it scans") }
    } else {
        let away: u64 = scans.iter().flatten().map(|trip| trip.length_ns()).sum();
        let each = if scans.len() == 1 { "in all" } else { "each time, on average" };
        let cost = Cost::ms(away as f64 / 1e6 / scans.len() as f64, share / 100.0, each);
        Cost { at_least: is_more, ..cost }
    }
}

/// What a flow takes to come back behind a scan, which is no part of the cost: how much of it is of the scan, and how much of other losses or of whatever began behind it, does not show.
fn said_of_recovery(slowed: &Slowed) -> String {
    slowed.recovers().map_or_else(String::new, |(before, behind)| {
        format!(
            " Between and behind the scans it goes at {behind:.0} Mbit/s, and at {before:.0} Mbit/s before: what a sender takes to come back, or what else began, is beside this cost."
        )
    })
}

/// How much slower the station's data goes within scans, where more is there to be sent.
fn slowed(evidence: &Evidence, air: &Air, station: &RadioHeard, scans: &[Scan<'_>]) -> Option<Slowed> {
    let of_station = links(air, MIN_MPDUS).into_iter().filter(|link| link.station().mac == station.mac);
    let waiting: Vec<_> = of_station.filter(|link| evidence.is_greedy(link)).collect();
    let within = |at: u64| scans.iter().any(|scan| scan[0].from_ns <= at && at < scan[scan.len() - 1].to_ns);
    let times = UnderWay::of(evidence, air, &waiting);
    let within = |at: u64| times.holds(evidence.seconds(at)).then(|| within(at));
    let rates = waiting.iter().map(|link| (&link.traffic.over_time.octets, payload_share(link.traffic)));
    slowed_mbps(rates, within)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// A spell from one time to another in ms, without anything of the station in it.
    fn spell(from_ms: u64, to_ms: u64) -> Doze {
        Doze { to_ns: to_ms * MS, ..Doze::begun(from_ms * MS, 1) }
    }

    #[test]
    fn spells_between_trips_that_may_be_dozes_make_trips_at_least_as_many() {
        let mut dozes = [
            spell(0, 60),
            spell(3173, 3302),
            spell(3303, 3432),
            spell(3922, 4090),
            spell(4115, 4277),
            spell(4281, 4410),
            spell(4600, 4760),
        ];
        // In the third it sends data.
        dozes[2].frames = 4;
        let scans = [vec![&dozes[1], &dozes[5]]];
        assert_eq!(unsure(&scans, &dozes), 2);
        assert_eq!(said_of_unsure(2), " 2 spells of other lengths in between may be dozes or more of them.");

        let mut known = dozes;
        // Its numbers show that it dozed in one of these.
        (known[4].complete, known[4].by_data) = (true, true);
        assert_eq!(unsure(&scans, &known), 1);
        assert_eq!(unsure(&[dozes[1..6].iter().collect()], &dozes), 0, "all are trips");
    }
}
