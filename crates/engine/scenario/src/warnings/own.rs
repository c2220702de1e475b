//! Values for what nothing in the scenario uses.

use super::{Place, Warning};
use crate::model::Scenario;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let unused = scenario.own.iter().filter(|own| !own.is_used);
    unused
        .map(|own| Warning {
            message: format!("nothing has `{0}`: the values of [own.{0}] change nothing", own.name),
            hint: Some(format!("name it, as in congestion = \"{}\", or leave the table out", own.name)),
            concerns: Vec::new(),
            place: Place { item: None, keys: vec!["own", own.name] },
        })
        .collect()
}
