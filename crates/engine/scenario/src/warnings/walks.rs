//! Walks that begin after the run.

use super::{Place, Warning};
use crate::model::Scenario;
use crate::station::Station;
use airloom_config::form::Measure;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let stations = scenario.station.iter().enumerate();
    stations.filter_map(|(number, station)| warning(scenario, number, station)).collect()
}

fn warning(scenario: &Scenario, number: usize, station: &Station) -> Option<Warning> {
    let [first, _, ..] = station.path.as_deref()? else { return None };
    let (name, end) = (&station.name, scenario.duration);
    (first.at >= end).then(|| Warning {
        message: format!(
            "station `{name}` does not move: its path begins at {}, but the run ends at {}",
            first.at.written(),
            end.written()
        ),
        hint: Some("let it begin earlier, or give the run a longer `duration`".to_owned()),
        concerns: vec![name.clone()],
        place: Place::new("station", number, &["path"]),
    })
}
