//! Walks that begin after the run, or go on behind its end.

use super::{Place, Warning};
use crate::model::Scenario;
use crate::station::Station;
use airloom_config::form::Measure;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let stations = scenario.station.iter().enumerate();
    stations.filter_map(|(number, station)| warning(scenario, number, station)).collect()
}

fn warning(scenario: &Scenario, number: usize, station: &Station) -> Option<Warning> {
    let [first, .., last] = station.path.as_deref()? else { return None };
    let (name, end) = (&station.name, scenario.duration);
    let (message, hint) = if first.at >= end {
        let begins = first.at.written();
        (
            format!(
                "station `{name}` does not move: its path begins at {begins}, but the run ends at {}",
                end.written()
            ),
            "let it begin earlier, or give the run a longer `duration`",
        )
    } else if last.at > end {
        let goes_on = last.at.written();
        (
            format!(
                "station `{name}` does not come to the end of its path: that is at {goes_on}, but the run ends at {}",
                end.written()
            ),
            "let it walk sooner, or give the run a longer `duration`",
        )
    } else {
        return None;
    };
    Some(Warning {
        message,
        hint: Some(hint.to_owned()),
        concerns: vec![name.clone()],
        place: Place::new("station", number, &["path"]),
    })
}
