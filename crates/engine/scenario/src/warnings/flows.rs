//! Flows that send nothing, or nothing that is measured, or not for as long as they are said to.

use super::{Place, Warning};
use crate::Flow;
use crate::model::Scenario;
use airloom_config::form::Measure;

/// What is said of a scenario in which nothing is sent.
pub const NO_FLOW: &str = "there is no flow: nothing will be sent";

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    if scenario.flow.is_empty() && scenario.program.is_empty() {
        let hint = "write [[flow]] with from = \"server\" and to = \"a station\"".to_owned();
        return vec![Warning {
            message: NO_FLOW.to_owned(),
            hint: Some(hint),
            concerns: Vec::new(),
            place: Place::TOP,
        }];
    }
    scenario.flow.iter().enumerate().filter_map(|(number, flow)| warning(scenario, number, flow)).collect()
}

/// What is wrong with the times of a flow, if anything is.
fn warning(scenario: &Scenario, number: usize, flow: &Flow) -> Option<Warning> {
    let (name, end) = (&flow.name, scenario.duration);
    let longer = "give the run a longer `duration`";
    let (key, message, hint) = match (flow.stop, scenario.warm_up) {
        _ if flow.start >= end => (
            "start",
            format!(
                "flow `{name}` starts at {}, but the run ends at {}",
                flow.start.written(),
                end.written()
            ),
            format!("let it start earlier, or {longer}"),
        ),
        (Some(stop), _) if stop > end => (
            "stop",
            format!("flow `{name}` stops at {}, but the run ends at {}", stop.written(), end.written()),
            format!("leave `stop` out, or {longer}"),
        ),
        (Some(stop), Some(warm_up)) if stop <= warm_up => (
            "stop",
            format!(
                "flow `{name}` stops at {}, but the `warm_up` lasts until {}: nothing of it is measured",
                stop.written(),
                warm_up.written()
            ),
            "let it stop later, or write a shorter `warm_up`".to_owned(),
        ),
        _ => return None,
    };
    let (hint, concerns) = (Some(hint), vec![name.clone()]);
    Some(Warning { message, hint, concerns, place: Place::new("flow", number, &[key]) })
}
