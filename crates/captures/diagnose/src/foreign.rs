//! Other networks than a station's own, of which data takes the air beside it.

use crate::evidence::Evidence;
use crate::link::network_of;
use airloom_trace::{Air, MacAddr};
use std::collections::{BTreeMap, BTreeSet};

/// A network is named from this share of the time on.
const HEARD: f64 = 0.05;

/// The other networks that take a twentieth of the time each, those that take most first: each in words with its share of the time, in percent.
pub(crate) fn networks(
    air: &Air,
    taken: &BTreeMap<MacAddr, f64>,
    station: MacAddr,
    time: f64,
) -> Vec<(String, f64)> {
    let network = |mac: MacAddr| air.radio(mac).and_then(network_of);
    let mut by_network: BTreeMap<MacAddr, f64> = BTreeMap::new();
    for (&mac, ns) in taken {
        if let Some(other) = network(mac).filter(|&other| network(station).is_some_and(|own| own != other)) {
            *by_network.entry(other).or_default() += ns;
        }
    }
    let mut networks: Vec<_> = by_network.into_iter().filter(|(_, ns)| *ns >= HEARD * time).collect();
    networks.sort_by(|one, other| other.1.total_cmp(&one.1));
    networks.into_iter().map(|(bssid, ns)| (named(air, bssid), (100.0 * ns / time).min(100.0))).collect()
}

/// A network in words, by the address of its access point.
pub(crate) fn named(air: &Air, bssid: MacAddr) -> String {
    match air.radio(bssid).and_then(|radio| radio.ssid) {
        Some(ssid) => format!("\"{ssid}\" ({bssid})"),
        None => bssid.to_string(),
    }
}

/// The stations of other networks than some: of access points with none of their names (SSID) and addresses; none where those of the captured hosts are not known.
pub(crate) fn strangers(evidence: &Evidence, own: &BTreeSet<MacAddr>) -> BTreeSet<MacAddr> {
    let radios = || evidence.airs().flat_map(|(_, air)| air.radios());
    let ssids: BTreeMap<MacAddr, _> = radios().filter_map(|radio| Some((radio.mac, radio.ssid?))).collect();
    let stations =
        || radios().filter(|radio| !radio.is_ap).filter_map(|radio| Some((radio.mac, radio.bssid?)));
    let homes: BTreeSet<MacAddr> =
        stations().filter(|(mac, _)| own.contains(mac)).map(|(_, home)| home).collect();
    let is_like = |home: MacAddr, other: MacAddr| {
        home == other || ssids.get(&home).is_some_and(|ssid| ssids.get(&other) == Some(ssid))
    };
    let is_strange = |home: MacAddr| !homes.is_empty() && !homes.iter().any(|&own| is_like(own, home));
    stations().filter(|&(mac, home)| is_strange(home) && !own.contains(&mac)).map(|(mac, _)| mac).collect()
}

/// How much of the time data of these takes, a sentence for each.
pub(crate) fn said(networks: &[(String, f64)]) -> String {
    let sentence = |(of, share): &(String, f64)| {
        format!(" Data of the other network {of} takes {share:.0} % of the time.")
    };
    networks.iter().map(sentence).collect()
}
