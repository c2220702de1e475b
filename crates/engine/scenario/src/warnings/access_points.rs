//! Access points that lose their power after the run, or give up on stations, or ask them to go, of which none roams.

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
    late.chain(idle).chain(asks).chain(tells).collect()
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
        concerns: vec![name.clone()],
        place: Place::new("ap", number, &["off"]),
    })
}

fn idle(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    (ap.disassoc_low_ack && nobody_roams(scenario)).then(|| Warning {
        message: format!("access point `{}` gives up on no station: none roams", ap.name),
        hint: Some(
            "give a station `roam`, such as roam = \"sticky\", or leave `disassoc_low_ack` out".to_owned(),
        ),
        concerns: vec![ap.name.clone()],
        place: Place::new("ap", number, &["disassoc_low_ack"]),
    })
}

fn asks_nobody(scenario: &Scenario, number: usize, ap: &AccessPoint) -> Option<Warning> {
    (ap.steer.is_some() && nobody_roams(scenario)).then(|| Warning {
        message: format!("access point `{}` asks no station to go: none roams", ap.name),
        hint: Some("give a station `roam`, such as roam = \"sticky\", or leave `steer` out".to_owned()),
        concerns: vec![ap.name.clone()],
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
        concerns: vec![ap.name.clone()],
        place: Place::new("ap", number, &["rrm_neighbor_report"]),
    })
}

fn nobody_roams(scenario: &Scenario) -> bool {
    scenario.station.iter().all(|station| station.roam.is_none())
}
