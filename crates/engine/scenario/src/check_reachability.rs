//! Checks which radios hear each other: all but those hidden from each other. Every station must hear its access point.

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::check_ends::named;
use crate::station::{LEAST_SNR, Station};
use airloom_config::error::{Faults, choose, there_are};
use airloom_config::record::Unknown;
use airloom_config::toml_tree::Table;
use airloom_propagation::{Plan, error};
use airloom_wifi::frame_size;
use std::collections::BTreeSet;

/// Share of acknowledgments at the lowest rate that a station must receive in order to take part.
const LEAST_HEARD: f64 = 0.01;
/// Standard deviations of fading that are allowed for.
const FADES: f64 = 3.0;

/// Reports stations hidden from stations that do not exist, and stations that cannot hear their access point: `homes` has that of
/// each.
pub(super) fn check(
    faults: &Faults,
    (root, unknown): (&Table, &Unknown),
    (shared, plan): (&Air, &Plan),
    homes: &[Option<&AccessPoint>],
    stations: &[Option<Station>],
) {
    let aps: BTreeSet<&str> = named(root, "ap").map(|(name, _)| name).collect();
    let texts = |key| root.items("station").iter().filter_map(move |node| node.table()?.get(key)?.text());
    let known: BTreeSet<&str> = texts("name").chain(texts("group")).collect();
    let all_named = texts("name").count() == stations.len() && !unknown.seems("station");
    for ((station, home), node) in stations.iter().zip(homes).zip(root.items("station")) {
        let (Some(station), Some(home)) = (station, home) else { continue };
        let air = &home.air(shared);
        let others = || known.iter().copied().filter(|other| *other != station.name);
        for name in station.hidden_from.iter().flatten() {
            let at = node.place_of("hidden_from");
            if aps.contains(name.as_str()) {
                let message = match *name == station.ap {
                    true => format!("station `{}` cannot hear its access point `{name}`", station.name),
                    false => format!(
                        "station `{}` cannot be hidden from the access point `{name}` yet",
                        station.name
                    ),
                };
                let hint = "a station may be hidden from other stations".to_owned();
                faults.fail(at, message, Some(hint));
            } else if *name == station.name {
                let hint = if known.len() > 1 {
                    there_are(others())
                } else {
                    "there is no other station".to_owned()
                };
                faults.fail(at, format!("station `{name}` is hidden from itself"), Some(hint));
            } else if all_named && !known.contains(name.as_str()) {
                let message =
                    format!("station `{}` is hidden from `{name}`, which is no other station", station.name);
                let hint = if others().next().is_some() {
                    choose(name, others())
                } else {
                    "leave it out: there is no other station".to_owned()
                };
                faults.fail(at, message, Some(hint));
            }
        }
        let snr = station.snr;
        if let Some(by_distance) = station.contradiction(air, home, plan) {
            let place = if station.track().is_some() { "place" } else { "distance" };
            let keys = ["snr", "distance", "position", "path", "walk"];
            let given = |key: &str| node.table().is_some_and(|table| table.get(key).is_some());
            let at = keys.into_iter().filter(|key| given(key)).map(|key| node.place_of(key)).max();
            let key = keys[1..].iter().find(|key| given(key)).unwrap_or(&"distance");
            let message = format!(
                "station `{}` has both `snr` and `{key}`: {snr} dB, but its {place} gives {by_distance} dB",
                station.name
            );
            let at = at.unwrap_or(node.at);
            let hint = format!("leave `snr` out, and it follows from `{key}`; or leave `{key}` out");
            faults.fail(at, message, Some(hint));
        }
        // One that has a place may be out of reach, as where it walks.
        if station.track().is_none() && !hears(air, snr) {
            let at = ["snr", "distance"].iter().find_map(|key| Some(node.table()?.get(key)?.at));
            let message =
                format!("station `{}` cannot hear its access point: {snr} dB is too little", station.name);
            let hint = "move it closer, or give it a higher `snr`".to_owned();
            faults.fail(at.unwrap_or(node.at), message, Some(hint));
        }
    }
}

/// Whether acknowledgments at the lowest rate get through at a signal-to-noise ratio in dB that a scenario may give.
pub(super) fn hears(air: &Air, snr: f64) -> bool {
    if snr < LEAST_SNR {
        return false;
    }
    let rates = air.rates();
    let Some(&lowest) = rates.first() else { return true };
    let bit_error = error::bit_error(lowest, snr + FADES * air.fading);
    error::survival(bit_error, frame_size::ACK_BYTES) >= LEAST_HEARD
}
