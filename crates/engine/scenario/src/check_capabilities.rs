//! Checks that every radio can take part in the cell: adapters support its standard, control frames have supported
//! rates, contention windows are sound, and all stations support the basic rates.

use airloom_rate::{Rate, Width};

use crate::access_point::AccessPoint;
use crate::adapter::Adapter;
use crate::air::{Air, Standard, rates_said};
use crate::common::SharedRates;
use crate::station::StationText;
use airloom_config::error::{At, Faults};
use airloom_config::toml_tree::{Table, TomlNode};
use airloom_wifi::Edca;

/// Reports what prevents an access point or a station from taking part; `homes` has the access point of each station.
pub(super) fn check(
    faults: &Faults,
    root: &Table,
    shared: &Air,
    aps: &[Option<AccessPoint>],
    stations: &[Option<StationText>],
    homes: &[Option<&AccessPoint>],
) {
    for (ap, node) in aps.iter().zip(root.items("ap")) {
        let Some(ap) = ap else { continue };
        let air = &*ap.air(shared);
        access_point(faults, node, air, ap);
        let own = stations.iter().zip(homes).filter_map(|(station, home)| {
            let station = station.as_ref().filter(|_| home.is_some_and(|home| home.name == ap.name))?;
            let common = SharedRates::of(air, &station.adapter, &ap.adapter);
            Some(station.adapter.edca(&common.legacy, Edca::STATION, ap.wmm.as_ref()))
        });
        windows(faults, node, "wmm", own);
    }
    let mut members: Vec<Member<'_>> = Vec::new();
    for ((station, home), node) in stations.iter().zip(homes).zip(root.items("station")) {
        let (Some(station), Some(ap)) = (station, home) else { continue };
        let air = &*ap.air(shared);
        let common = SharedRates::of(air, &station.adapter, &ap.adapter);
        speaks(faults, node, air, &station.adapter);
        control_rates(faults, node, &station.adapter, &common.legacy);
        members.push(Member { station, ap, common });
    }
    let at = root.get("air").map_or(At::TOP, |air| air.place_of("basic_rates"));
    let inherits = |ap: &AccessPoint| ap.own.basic_rates.is_none() && ap.own.is_of_shared_kind(shared);
    basic_rates(faults, at, shared, members.iter().filter(|member| inherits(member.ap)));
    for (ap, node) in aps.iter().zip(root.items("ap")) {
        if let Some(ap) = ap.as_ref().filter(|ap| ap.own.basic_rates.is_some()) {
            let own = members.iter().filter(|member| member.ap.name == ap.name);
            basic_rates(faults, node.place_of("basic_rates"), &ap.air(shared), own);
        }
    }
}

/// A station of a network.
struct Member<'a> {
    station: &'a StationText,
    ap: &'a AccessPoint,
    /// What both support.
    common: SharedRates,
}

/// Reports basic rates of this air that a station does not have; they are given here.
fn basic_rates<'a>(faults: &Faults, at: At, air: &Air, members: impl Iterator<Item = &'a Member<'a>>) {
    let members: Vec<&Member<'_>> = members.collect();
    for &rate in air.basic_rates.iter().flatten() {
        let lacks =
            |member: &&&Member<'_>| !member.common.legacy.iter().any(|known| known.bit_rate() == rate);
        let lacking: Vec<&&Member<'_>> = members.iter().filter(lacks).collect();
        let Some(Member { station: first, .. }) = lacking.first() else { continue };
        let subject = match lacking.len() == members.len() {
            true => "no station has".to_owned(),
            false => format!("station `{}` does not have", first.name),
        };
        let hint = rates_said(first.adapter.standard.name(), &air.rates_of(first.adapter.standard));
        faults.fail(at, format!("{subject} the basic rate {} Mbit/s", rate.as_mbps_f64()), Some(hint));
    }
}

/// Reports what prevents an access point from taking part.
fn access_point(faults: &Faults, node: &TomlNode, air: &Air, ap: &AccessPoint) {
    speaks(faults, node, air, &ap.adapter);
    if !ap.adapter.standard.covers(air.standard) {
        let message = format!(
            "the access point's adapter speaks {}, but the air is {}",
            ap.adapter.standard.name(),
            air.standard.name()
        );
        faults.fail(place(node, "standard"), message, Some(speaking(air.standard)));
    } else if ap.adapter.widest() < air.width {
        let [widest, width] = [ap.adapter.widest(), air.width].map(Width::name);
        let message = format!("the access point's adapter has channels of up to {widest}, not of {width}");
        faults.fail(place(node, "width"), message, Some(format!("write width = \"{widest}\" for the air")));
    }
    control_rates(faults, node, &ap.adapter, &air.rates());
    let own = ap.adapter.edca(&air.rates(), Edca::ACCESS_POINT, ap.edca.as_ref());
    windows(faults, node, "edca", std::iter::once(own));
}

fn speaks(faults: &Faults, node: &TomlNode, air: &Air, adapter: &Adapter) {
    let spoken = air.rates_of(adapter.standard);
    if !adapter.standard.works_in(air.band) || !air.rates().iter().any(|rate| spoken.contains(rate)) {
        let (spoken, name) = (adapter.standard.name(), air.standard.name());
        let message = format!("the adapter speaks {spoken}, which cannot take part in {name}");
        faults.fail(place(node, "standard"), message, Some(speaking(air.standard)));
    }
}

/// What to write for an adapter that takes part in networks of this standard.
fn speaking(standard: Standard) -> String {
    let adapter = match standard {
        Standard::Be80211 => "edca-be",
        Standard::Ax80211 => "edca-ax",
        Standard::Ac80211 => "edca-ac",
        Standard::N80211 => "ath9k",
        Standard::A80211 | Standard::B80211 | Standard::G80211 => "dcf",
    };
    format!("write for example adapter = \"{adapter}\", or another `standard` of the air")
}

fn control_rates(faults: &Faults, node: &TomlNode, adapter: &Adapter, rates: &[Rate]) {
    for (key, rate, word) in [
        ("control_rate", adapter.fixed_rates.control_rate, "basic"),
        ("management_rate", adapter.fixed_rates.management_rate, "lowest"),
    ] {
        if let Some(rate) = rate.filter(|&rate| !rates.iter().any(|known| known.bit_rate() == rate)) {
            let message = format!("`{key}` is {} Mbit/s, which is no rate here", rate.as_mbps_f64());
            let hint = format!("write {key} = \"{word}\"; {}", rates_said("this adapter", rates));
            faults.fail(place(node, key), message, Some(hint));
        }
    }
}

/// Reports contention windows that contradict each other where the access point changes them under this key.
fn windows(faults: &Faults, ap: &TomlNode, key: &str, mut changed: impl Iterator<Item = Edca>) {
    let contradicts = |edca: Edca| edca.0.iter().any(|access| access.cw_min > access.cw_max);
    if ap.table().is_some_and(|table| table.get(key).is_some()) && changed.any(contradicts) {
        let hint = "write a lower `cw_min` or a higher `cw_max`, such as 15 and 1023".to_owned();
        faults.fail(ap.place_of(key), format!("`cw_min` is above `cw_max` in `{key}`"), Some(hint));
    }
}

/// Position of an adapter's value, or of the adapter or node that contains it.
fn place(node: &TomlNode, key: &str) -> At {
    match node.table().and_then(|table| table.get("adapter")) {
        Some(adapter) => adapter.place_of(key),
        None => node.at,
    }
}
