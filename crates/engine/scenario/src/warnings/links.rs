//! Links of servers that carry nothing.

use super::{Place, Warning};
use crate::model::Scenario;
use crate::server::Server;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let servers = scenario.server.iter().enumerate();
    servers.filter_map(|(number, server)| warning(scenario, number, server)).collect()
}

/// What is wrong with the losses of a link, if anything is.
fn warning(scenario: &Scenario, number: usize, Server { name, link, .. }: &Server) -> Option<Warning> {
    let of_it = scenario.flow.iter().filter(|flow| [&flow.from, &flow.to].contains(&name));
    (link.loss >= 1.0).then(|| Warning {
        message: format!("`loss` is 1: the link of server `{name}` loses every packet"),
        hint: Some("it is a share: write 0.01 for 1 %".to_owned()),
        concerns: of_it.map(|flow| flow.name.clone()).chain([name.clone()]).collect(),
        place: Place::new("server", number, &["link", "loss"]),
    })
}
