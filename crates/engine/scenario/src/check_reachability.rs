//! Checks which radios hear each other: all but those hidden from each other. Every station must hear its access point.

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::check_ends::named;
use crate::signal::LEAST_SNR;
use crate::station::Station;
use airloom_config::error::{Faults, choose, there_are};
use airloom_config::record::Unknown;
use airloom_config::toml_tree::{Table, TomlNode};
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
        let ap = *home;
        let home = &*ap.with_link(station.first_link());
        let air = &home.air(shared);
        let others = Others { known: &known, all_named, name: &station.name };
        for name in station.hidden_from.iter().flatten() {
            if let Some((message, hint)) = hidden_from(station, name, &aps, &others) {
                faults.fail(node.place_of("hidden_from"), message, Some(hint));
            }
        }
        contradiction(faults, node, station, (air, home, plan));
        further_links(faults, node, shared, station, ap);
        // One that has a place may be out of reach, as where it walks, and so may one whose ratio changes.
        let moves = station.track().is_some() || !station.later.is_empty();
        if !moves && !hears(air, station.snr) {
            let at = ["snr", "distance"].iter().find_map(|key| Some(node.table()?.get(key)?.at));
            let message = format!(
                "station `{}` cannot hear its access point: {} dB is too little",
                station.name, station.snr
            );
            let hint = "move it closer, or give it a higher `snr`".to_owned();
            faults.fail(at.unwrap_or(node.at), message, Some(hint));
        } else if !moves && !hears(air, station.snr + station.up_db(home)) {
            let up = station.snr + station.up_db(home);
            let message = format!(
                "station `{}` is not heard by its access point: {up:.1} dB is too little",
                station.name
            );
            let hint =
                "move it closer, or give it a higher `snr_up`, or its adapter a higher `tx_power`".to_owned();
            faults.fail(node.place_of("snr_up"), message, Some(hint));
        }
    }
}

/// Reports links on which a station does not hear its access point, but for the first.
fn further_links(faults: &Faults, node: &TomlNode, shared: &Air, station: &Station, ap: &AccessPoint) {
    let links = station.links.as_deref().unwrap_or_default().iter().enumerate().skip(1);
    for (n, link) in links {
        let up = link.snr + station.up_db(ap);
        let one = ap.with_link(link.number);
        if !hears(&one.air(shared), link.snr.min(up)) {
            let item = node.table().and_then(|table| table.items("links").get(n));
            let (channel, band) = (link.channel, link.band.name());
            let message = format!(
                "station `{}` and its access point do not hear each other on channel {channel} at {band}: {:.1} dB is too little",
                station.name,
                link.snr.min(up)
            );
            let hint = "give it a higher `snr`, or leave the link out".to_owned();
            faults.fail(item.map_or(node.at, |item| item.at), message, Some(hint));
        }
    }
}

/// The other stations and groups of a station.
struct Others<'a> {
    known: &'a BTreeSet<&'a str>,
    /// Whether there are none but these.
    all_named: bool,
    /// The station's own name.
    name: &'a str,
}

impl<'a> Others<'a> {
    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.known.iter().copied().filter(|other| *other != self.name)
    }

    fn are_none(&self) -> bool {
        self.names().next().is_none()
    }
}

/// What is wrong with a name from which a station is hidden, and a hint.
fn hidden_from(
    station: &Station,
    name: &str,
    aps: &BTreeSet<&str>,
    others: &Others<'_>,
) -> Option<(String, String)> {
    let own = &station.name;
    if aps.contains(name) {
        let message = if name == station.ap {
            format!("station `{own}` cannot hear its access point `{name}`")
        } else {
            format!("station `{own}` cannot be hidden from the access point `{name}` yet")
        };
        return Some((message, "a station may be hidden from other stations".to_owned()));
    }
    if name == own {
        let hint = match others.known.len() > 1 {
            true => there_are(others.names()),
            false => "there is no other station".to_owned(),
        };
        return Some((format!("station `{name}` is hidden from itself"), hint));
    }
    let is_unknown = others.all_named && !others.known.contains(name);
    is_unknown.then(|| {
        let message = format!("station `{own}` is hidden from `{name}`, which is no other station");
        let hint = match others.are_none() {
            true => "leave it out: there is no other station".to_owned(),
            false => choose(name, others.names()),
        };
        (message, hint)
    })
}

/// Reports a signal-to-noise ratio beside a place from which another one follows.
fn contradiction(
    faults: &Faults,
    node: &TomlNode,
    station: &Station,
    (air, home, plan): (&Air, &AccessPoint, &Plan),
) {
    let Some(by_distance) = station.contradiction(air, home, plan) else { return };
    let place = if station.track().is_some() { "place" } else { "distance" };
    let places = ["distance", "position", "path", "walk"];
    let given = |key: &str| node.table().is_some_and(|table| table.get(key).is_some());
    let key = places.iter().find(|key| given(key)).unwrap_or(&"distance");
    let written = ["snr"].iter().chain(&places).filter(|key| given(key));
    let at = written.map(|key| node.place_of(key)).max().unwrap_or(node.at);
    let message = format!(
        "station `{}` has both `snr` and `{key}`: {} dB, but its {place} gives {by_distance} dB",
        station.name, station.snr
    );
    let hint = format!("leave `snr` out, and it follows from `{key}`; or leave `{key}` out");
    faults.fail(at, message, Some(hint));
}

/// Whether acknowledgments at the lowest rate get through at a signal-to-noise ratio in dB that a scenario may give.
pub(super) fn hears(air: &Air, snr: f64) -> bool {
    if snr < LEAST_SNR {
        return false;
    }
    let rates = air.rates();
    let Some(&lowest) = rates.first() else { return true };
    let snr = snr + error::narrowing_gain_db(air.width, lowest.width());
    let bit_error = error::bit_error(lowest, snr + FADES * air.fading);
    error::survival(bit_error, frame_size::ACK_BYTES) >= LEAST_HEARD
}
