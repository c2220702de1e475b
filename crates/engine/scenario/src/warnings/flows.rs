//! Flows that send nothing.

use super::{Place, Warning};
use crate::model::Scenario;
use airloom_config::form::Measure;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    if scenario.flow.is_empty() && scenario.program.is_empty() {
        let hint = "write [[flow]] with from = \"server\" and to = \"a station\"".to_owned();
        let message = "there is no flow: nothing will be sent".to_owned();
        return vec![Warning { message, hint: Some(hint), concerns: Vec::new(), place: Place::TOP }];
    }
    let late = |(number, flow): (usize, &crate::Flow)| {
        (flow.start >= scenario.duration).then(|| Warning {
            message: format!(
                "flow `{}` starts at {}, but the run ends at {}",
                flow.name,
                flow.start.written(),
                scenario.duration.written()
            ),
            hint: Some("let it start earlier, or give the run a longer `duration`".to_owned()),
            concerns: vec![flow.name.clone()],
            place: Place::new("flow", number, &["start"]),
        })
    };
    scenario.flow.iter().enumerate().filter_map(late).collect()
}
