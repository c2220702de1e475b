//! Checks that all radios have a place, or none.

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::station::StationText;
use airloom_config::error::{At, Faults, Source};
use airloom_config::toml_tree::Table;

/// The stations whose ratio is given, with its key, the station's place and that of the ratio.
fn stations_given(root: &Table) -> impl Iterator<Item = (&'static str, At, At)> {
    root.items("station").iter().filter_map(|node| {
        ["distance", "snr"].into_iter().find_map(|key| {
            let entry = node.table()?.entries.iter().find(|entry| entry.key == key)?;
            Some((key, node.at, entry.at))
        })
    })
}

/// Reports a radio without a place where others have one, walls without radios, and a capture ratio where powers decide.
pub(super) fn check(
    faults: &Faults,
    root: &Table,
    air: Option<&Air>,
    aps: &[Option<AccessPoint>],
    stations: &[Option<StationText>],
) {
    let all_are_read = aps.iter().all(Option::is_some) && stations.iter().all(Option::is_some);
    let aps = aps.iter().zip(root.items("ap")).filter_map(|(ap, node)| {
        let ap = ap.as_ref()?;
        Some((format!("access point `{}`", ap.name), ap.position.is_some(), node.at))
    });
    let stations = stations.iter().zip(root.items("station")).filter_map(|(station, node)| {
        let station = station.as_ref()?;
        Some((format!("station `{}`", station.name), station.has_place(), node.at))
    });
    let radios: Vec<_> = aps.chain(stations).collect();
    let Some((placed, ..)) = radios.iter().find(|(_, is_placed, _)| *is_placed) else {
        for (key, what) in [("wall", "a wall"), ("floor", "a floor")] {
            if let Some(node) = root.items(key).first().filter(|_| all_are_read && !radios.is_empty()) {
                let message = format!("{what} stands in nobody's way: no radio has a `position`");
                let hint = "give every access point and station a `position`".to_owned();
                faults.fail(node.at, message, Some(hint));
            }
        }
        return;
    };
    if let Some((other, _, at)) = radios.iter().find(|(_, is_placed, _)| !is_placed) {
        let message = format!("{other} has no `position`, but {placed} has one");
        let hint = "give every access point and station a `position`, or none".to_owned();
        match stations_given(root).find(|(_, station, _)| station == at) {
            Some((key, _, given)) => {
                let now = if matches!(given.source, Source::Set(_)) { " now" } else { "" };
                let message = format!("{other} has a `{key}`{now} and no `position`, but {placed} has one");
                faults.fail(given, message, Some(hint));
            }
            None => faults.lack(*at, message, Some(hint)),
        }
    }
    if air.is_some_and(|air| air.capture.is_some()) {
        let at = root.get("air").map(|node| node.place_of("capture"));
        let message = "`capture` decides nothing where radios have a `position`";
        let hint = "leave it out: signal over noise and the sum of what overlaps decides".to_owned();
        at.into_iter().for_each(|at| faults.fail(at, message, Some(hint.clone())));
    }
}
