//! Access points that lose their power or go to another channel after the run, or give up on stations, or ask them to go, of which none roams; or that alone have
//! fast transitions.

use super::{Place, Warning};
use crate::access_point::AccessPoint;
use crate::model::Scenario;
use crate::roam::Roam;
use airloom_config::form::Measure;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let numbered = || scenario.ap.iter().enumerate();
    let late = numbered().filter_map(|(number, ap)| late(scenario, number, ap));
    let idle = numbered().filter_map(|(number, ap)| idle(scenario, number, ap));
    let asks = numbered().filter_map(|(number, ap)| asks_nobody(scenario, number, ap));
    let tells = numbered().filter_map(|(number, ap)| tells_nobody(scenario, number, ap));
    let fast = numbered().filter_map(|(number, ap)| fast_alone(scenario, number, ap));
    let stays = numbered().filter_map(|(number, ap)| stays(scenario, number, ap));
    late.chain(stays).chain(idle).chain(asks).chain(tells).chain(fast).collect()
}

fn late(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    let (name, end) = (&ap.name, scenario.duration);
    let cut = ap.off.iter().flatten().find(|cut| cut.from >= end)?;
    Some(Warning {
        message: format!(
            "access point `{name}` keeps its power at {}: the run ends at {}",
            cut.from.written(),
            end.written()
        ),
        hint: Some("let `off` begin earlier, or give the run a longer `duration`".to_owned()),
        concerns: Vec::new(),
        place: Place::new("ap", number, &["off"]),
    })
}

fn stays(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    let (name, end) = (&ap.name, scenario.duration);
    let switch = ap.switches().find(|switch| switch.at >= end)?;
    Some(Warning {
        message: format!(
            "access point `{name}` stays on its channel at {}: the run ends at {}",
            switch.at.written(),
            end.written()
        ),
        hint: Some("let `switch` begin earlier, or give the run a longer `duration`".to_owned()),
        concerns: Vec::new(),
        place: Place::new("ap", number, &["switch"]),
    })
}

fn idle(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    let key = match (ap.disassoc_low_ack, ap.ap_max_inactivity) {
        (true, _) => "disassoc_low_ack",
        (false, Some(_)) => "ap_max_inactivity",
        (false, None) => return None,
    };
    nobody_roams(scenario).then(|| Warning {
        message: format!("access point `{}` gives up on no station: none roams", ap.name),
        hint: Some(format!("give a station `roam`, such as roam = \"sticky\", or leave `{key}` out")),
        concerns: Vec::new(),
        place: Place::new("ap", number, &[key]),
    })
}

fn asks_nobody(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    (ap.steer.is_some() && nobody_roams(scenario)).then(|| Warning {
        message: format!("access point `{}` asks no station to go: none roams", ap.name),
        hint: Some("give a station `roam`, such as roam = \"sticky\", or leave `steer` out".to_owned()),
        concerns: Vec::new(),
        place: Place::new("ap", number, &["steer"]),
    })
}

fn tells_nobody(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    let roams = || scenario.station.iter().filter_map(|station| station.roam.as_ref());
    (ap.rrm_neighbor_report && !roams().any(Roam::asks_for_neighbors)).then(|| Warning {
        message: format!("access point `{}` names its neighbours to no station: none asks", ap.name),
        hint: Some(
            "give a station roam = \"iwd\", \"ios\" or \"macos\", which ask, or leave `rrm_neighbor_report` out".to_owned(),
        ),
        concerns: Vec::new(),
        place: Place::new("ap", number, &["rrm_neighbor_report"]),
    })
}

fn fast_alone(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    let is_other = |other: &AccessPoint| {
        other.name != ap.name && other.ft && other.ssid.is_some() && other.ssid == ap.ssid
    };
    (ap.ft && !scenario.ap.iter().any(is_other)).then(|| Warning {
        message: format!(
            "access point `{}` has `ft`, but no other one of its network has: roams there take the full handshake",
            ap.name
        ),
        hint: Some("give another one with the same `ssid` ft = true, or leave `ft` out".to_owned()),
        concerns: Vec::new(),
        place: Place::new("ap", number, &["ft"]),
    })
}

fn nobody_roams(scenario: &Scenario) -> bool {
    scenario.station.iter().all(|station| station.roam.is_none())
}
