//! Checks that a station that roams has somewhere to go, and that its way there is known; and that an access point that asks stations to go
//! to another one has one.

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::roam::can_go;
use crate::station::StationText;
use airloom_config::error::Faults;
use airloom_config::toml_tree::Table;

/// Reports a station that roams without a place, over USB, or with no access point to go to; `homes` has the access point of each.
pub(super) fn check(
    faults: &Faults,
    root: &Table,
    shared: &Air,
    homes: &[Option<&AccessPoint>],
    (aps, stations): (&[Option<AccessPoint>], &[Option<StationText>]),
) {
    // One that is not sound may be where it can go.
    let all_are_read = aps.iter().all(Option::is_some);
    if all_are_read {
        steers(faults, root, aps);
    }
    for ((station, home), node) in stations.iter().zip(homes).zip(root.items("station")) {
        let (Some(station), Some(home)) = (station, home) else { continue };
        if station.roam.is_none() {
            continue;
        }
        let (at, name) = (node.place_of("roam"), &station.name);
        if !station.has_place() {
            let message = format!(
                "station `{name}` roams, but how strongly it receives other access points is not known"
            );
            let hint = "give every access point and station a `position`, and this one a `walk` or a `path`"
                .to_owned();
            faults.fail(at, message, Some(hint));
        } else if station.adapter.usb.is_some() {
            let message = format!("station `{name}` roams with an adapter on USB, which is not supported");
            faults.fail(at, message, Some("give it another adapter, such as \"ath9k\"".to_owned()));
        } else if all_are_read && !aps.iter().flatten().any(|ap| can_go(shared, &station.adapter, home, ap)) {
            let message =
                format!("station `{name}` roams, but there is no other access point of its network");
            let hint = format!(
                "give `{}` and another access point, at which its adapter can be, the same `ssid`, as ssid = \"home\"",
                home.name
            );
            faults.fail(at, message, Some(hint));
        }
    }
}

/// Reports an access point that asks stations to go to another one of its network, although there is none.
fn steers(faults: &Faults, root: &Table, aps: &[Option<AccessPoint>]) {
    for (ap, node) in aps.iter().flatten().zip(root.items("ap")) {
        let is_of_it =
            |other: &AccessPoint| other.name != ap.name && other.ssid.is_some() && other.ssid == ap.ssid;
        if ap.steer.is_some() && !aps.iter().flatten().any(is_of_it) {
            let message = format!(
                "access point `{}` asks stations to go to another one of its network, and there is none",
                ap.name
            );
            let hint = "give it and another access point the same `ssid`, as ssid = \"home\"".to_owned();
            faults.fail(node.place_of("steer"), message, Some(hint));
        }
    }
}
