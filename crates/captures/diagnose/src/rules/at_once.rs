//! W101, of radios that visit all channels in one go: absences of seconds.

use crate::evidence::Evidence;
use crate::finding::{Cost, Finding};
use crate::link::{Link, data_span, links};
use airloom_trace::{Air, Doze, RadioHeard};

/// What helps against scans.
pub(super) const REMEDY: &str = "Keep scans off while data moves: `airloom guard`; or find what asks for them: `airloom-guard watch`. With \
                                 wpa_supplicant: bgscan=\"\", with NetworkManager: lock the connection to its access point (802-11-wireless.bssid).";

/// The shortest and the longest in nanoseconds: drivers and firmware that scan in one go stay away for some seconds. A station that dozes may leave
/// out ten beacons.
const LENGTH: std::ops::RangeInclusive<u64> = 1_000_000_000..=20_000_000_000;
/// Data had moved until this long before, in nanoseconds: a doze begins after a longer pause.
const BEFORE: u64 = 50_000_000;
/// The rate in Mbit/s at which it had moved for a second.
const MOVED: f64 = 0.1;
/// The share of the time for which beacons said that frames wait: a station that dozes wakes for one of the next.
const WAITED_SHARE: f64 = 0.5;
const SECOND: u64 = 1_000_000_000;
/// Records that are named.
const NAMED: usize = 8;

/// What a station's long absences are.
pub(super) fn found(evidence: &Evidence, capture: usize, air: &Air, station: &RadioHeard) -> Option<Finding> {
    let dozes = station.presence.dozes().kept();
    if !dozes.iter().any(is_long) {
        return None;
    }
    let own: Vec<_> = links(air, 1).into_iter().filter(|link| link.station().mac == station.mac).collect();
    let away: Vec<&Doze> =
        dozes.iter().filter(|doze| is_long(doze) && was_busy(&own, doze.from_ns)).collect();
    let longest = away.iter().map(|doze| doze.length_ns()).max()?;
    let all: u64 = away.iter().map(|doze| doze.length_ns()).sum();
    let (from, to) = data_span(air)?;
    let (mac, count) = (station.mac, away.len());
    let mean = all as f64 / count as f64;
    Some(Finding {
        subject: format!("station {mac}"),
        spans: away.iter().map(|doze| [doze.from_ns, doze.to_ns].map(|at| evidence.seconds(at))).collect(),
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
        says: format!(
            "{} in the middle of data the station said that it goes, and was away for {:.1} s{}, though its access point's beacons said that frames \
             wait. A doze ends with the next beacons; a radio that visits all channels in one go is away so long.",
            if count == 1 { "Once".to_owned() } else { format!("{count} times") },
            mean / 1e9,
            if count == 1 {
                String::new()
            } else {
                format!(" on average, {:.1} s at most", longest as f64 / 1e9)
            },
        ),
        remedy: REMEDY.to_owned(),
    })
}

/// Whether a station that had data is away so long that it cannot doze.
fn is_long(doze: &Doze) -> bool {
    let waited = doze.waited_ns.unwrap_or_default();
    LENGTH.contains(&doze.length_ns())
        && doze.frames == 0
        && doze.idle_before_ns.is_some_and(|idle| idle <= BEFORE)
        && waited >= *LENGTH.start()
        && waited as f64 >= WAITED_SHARE * doze.length_ns() as f64
}

/// Whether much had moved in the second before a time.
fn was_busy(own: &[Link<'_>], at_ns: u64) -> bool {
    let moved =
        own.iter().map(|link| link.traffic.over_time.octets.density(at_ns.saturating_sub(SECOND), at_ns));
    8e3 * moved.sum::<f64>() >= MOVED
}
