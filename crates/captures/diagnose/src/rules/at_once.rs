//! W101, of radios that visit all channels in one go: absences of seconds.

use crate::evidence::Evidence;
use crate::finding::{Cost, Finding};
use crate::link::{Link, data_span, links};
use crate::spells::Change;
use airloom_trace::{Air, Doze, RadioHeard};

/// What helps against scans.
pub(super) const REMEDY: &str = "Keep scans off while data moves: `airloom guard`; or find what asks for them: `airloom-guard watch`. With \
                                 wpa_supplicant: bgscan=\"\", with NetworkManager: lock the connection to its access point (802-11-wireless.bssid).";

/// The same where the station has reason to look for another access point.
pub(super) const NEARER: &str = "A place nearer to the access point, or an access point nearer to the station: scans end where the signal is strong. With \
                                 wpa_supplicant bgscan says how weak that has to be (bgscan=\"simple:30:-75:300\").";

/// The shortest and the longest in nanoseconds: drivers and firmware that scan in one go stay away for some seconds. A station that dozes may leave
/// out ten beacons.
const LENGTH: std::ops::RangeInclusive<u64> = 1_000_000_000..=20_000_000_000;
/// Data had moved until this long before, in nanoseconds: a doze begins after a longer pause.
const BEFORE: u64 = 50_000_000;
/// The rate in Mbit/s at which it had moved for a second.
const MOVED: f64 = 0.1;
/// The share of the time for which beacons said that frames wait: a station that dozes wakes for one of the next.
const WAITED_SHARE: f64 = 0.5;
/// The longest time at home between two absences of one scan, in nanoseconds.
const HOME: u64 = 2_000_000_000;
/// Absences in which the station sent what was not heard, and how many such frames in each: one may be lost.
const FEWEST: usize = 3;
const UNHEARD: u32 = 2;
/// The share of such frames outside of absences, if the monitor hears the station well.
const MISSES: f64 = 0.1;
const SECOND: u64 = 1_000_000_000;
/// Records that are named.
const NAMED: usize = 8;

/// What a station's long absences are.
pub(super) fn found(evidence: &Evidence, capture: usize, air: &Air, station: &RadioHeard) -> Option<Finding> {
    let dozes = station.presence.dozes().kept();
    if !dozes.iter().any(is_ignoring) {
        return None;
    }
    let own: Vec<_> = links(air, 1).into_iter().filter(|link| link.station().mac == station.mac).collect();
    let scanned = elsewhere(station);
    let is_scanned = |doze: &Doze| scanned.iter().any(|one| one.from_ns == doze.from_ns);
    let is_away = |doze: &&Doze| is_scanned(doze) || is_long(doze) && was_busy(&own, doze.from_ns);
    let away: Vec<&Doze> = dozes.iter().filter(is_away).collect();
    let longest = away.iter().map(|doze| doze.away_ns()).max()?;
    let all: u64 = away.iter().map(|doze| doze.away_ns()).sum();
    let (from, to) = data_span(air)?;
    let (mac, count) = (station.mac, away.len());
    let mean = all as f64 / count as f64;
    let weak = weak_at(air, station, &away);
    Some(Finding {
        subject: format!("station {mac}"),
        spans: away.iter().map(|doze| [doze.gone_ns(), doze.to_ns].map(|at| evidence.seconds(at))).collect(),
        value: longest as f64 / 1e6,
        threshold: *LENGTH.start() as f64 / 1e6,
        unit: "ms away at once",
        confidence: if count > 1 { 0.85 } else { 0.7 },
        cost: Cost::ms(
            mean / 1e6,
            all as f64 / to.saturating_sub(from).max(1) as f64,
            "each time, on average",
        ),
        capture,
        frames: away.iter().take(NAMED).flat_map(|doze| [doze.numbers.0, doze.numbers.1]).collect(),
        filter: format!("wlan.ta == {mac} && (wlan.fc.type_subtype == 0x24 || wlan.fc.type_subtype == 0x2c)"),
        says: says(&away, &scanned) + &weak.as_ref().map_or_else(String::new, said_of_weak),
        remedy: if weak.is_some() { NEARER } else { REMEDY }.to_owned(),
    })
}

/// How the signal of a station changes, if it was away only where that is weak: a station looks for a better access point then.
pub(super) fn weak_at(air: &Air, station: &RadioHeard, away: &[&Doze]) -> Option<Change> {
    let link = links(air, 1).into_iter().find(|link| link.station().mac == station.mac)?;
    link.change(air).filter(|change| away.iter().all(|doze| change.is_weak(doze.from_ns)))
}

/// What is said of a signal that is weak where a station is away.
pub(super) fn said_of_weak(change: &Change) -> String {
    format!(
        " Its signal was weak then ({:.0} dB above the noise, else {:.0}): it looks for a better access point.",
        change.weak, change.strong
    )
}

/// What is said of absences, those of them among it in which the station was on other channels.
fn says(away: &[&Doze], scanned: &[&Doze]) -> String {
    let lengths = || away.iter().map(|doze| doze.away_ns() as f64 / 1e9);
    let mean = lengths().sum::<f64>() / away.len() as f64;
    let (times, most) = match away.len() {
        1 => ("Once".to_owned(), String::new()),
        count => {
            (format!("{count} times"), format!(" on average, {:.1} s at most", lengths().fold(0.0, f64::max)))
        }
    };
    let unheard: u32 = scanned.iter().map(|doze| doze.unheard).sum();
    let (middle, shown) = if scanned.is_empty() {
        (" in the middle of data", String::new())
    } else {
        let told = scanned.iter().filter(|doze| doze.unheard >= UNHEARD).count();
        let shown = format!(
            " In {told} of these times the station sent {unheard} frames that were not heard on its channel, as its sequence numbers show, and it asked for networks."
        );
        ("", shown)
    };
    format!(
        "{times}{middle} the station said that it goes, and was away for {mean:.1} s{most}, though its access point's beacons said that frames \
         wait. A doze ends with the next beacons; a radio that visits all channels in one go is away so long.{shown}"
    )
}

/// Absences of a scan, by what the station sent on other channels: in three of them and more its numbers go on by frames that were not heard,
/// though what it sends at home is, and probe requests of it were heard within them or near.
fn elsewhere(station: &RadioHeard) -> Vec<&Doze> {
    let presence = &station.presence;
    if presence.unheard as f64 > MISSES * presence.numbered as f64 {
        return Vec::new();
    }
    let mut scans: Vec<Vec<&Doze>> = Vec::new();
    for doze in presence.dozes().kept().iter().filter(|doze| is_ignoring(doze)) {
        match scans.last_mut() {
            Some(scan) if doze.from_ns.saturating_sub(scan[scan.len() - 1].to_ns) <= HOME => scan.push(doze),
            _ => scans.push(vec![doze]),
        }
    }
    let probed = |scan: &Vec<&Doze>| {
        let (from, to) =
            (scan[0].from_ns.saturating_sub(HOME), scan[scan.len() - 1].to_ns.saturating_add(HOME));
        presence.probed().kept().iter().any(|&at| from <= at && at <= to)
    };
    scans.retain(|scan| scan.iter().filter(|doze| doze.unheard >= UNHEARD).count() >= FEWEST && probed(scan));
    scans.concat()
}

/// Whether a station is away so long though beacons say that frames wait: it does not doze.
fn is_ignoring(doze: &Doze) -> bool {
    let waited = doze.waited_ns.unwrap_or_default();
    LENGTH.contains(&doze.away_ns())
        && doze.frames == 0
        && waited as f64 >= WAITED_SHARE * doze.away_ns() as f64
}

/// Whether a station that had data is away so long that it cannot doze.
fn is_long(doze: &Doze) -> bool {
    is_ignoring(doze)
        && doze.left_ns == doze.from_ns
        && doze.idle_before_ns.is_some_and(|idle| idle <= BEFORE)
        && doze.waited_ns.is_some_and(|waited| waited >= *LENGTH.start())
}

/// Whether much had moved in the second before a time.
fn was_busy(own: &[Link<'_>], at_ns: u64) -> bool {
    let moved =
        own.iter().map(|link| link.traffic.over_time.octets.density(at_ns.saturating_sub(SECOND), at_ns));
    8e3 * moved.sum::<f64>() >= MOVED
}
