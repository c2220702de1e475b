//! Drivers of another Linux than their station's: at a station the host says which Linux it is.

use super::{Place, Warning};
use crate::kernel::Kernel;
use crate::model::Scenario;
use crate::profiles::{ProfileKind, find};
use crate::station::Station;
use airloom_config::error::{At, Faults};
use airloom_config::toml_tree::{TomlNode, Value};

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let stations = scenario.station.iter().enumerate();
    stations.filter_map(|(number, station)| warning(number, station)).collect()
}

/// What the profile of an adapter says is no wish of the scenario's author.
fn warning(number: usize, station: &Station) -> Option<Warning> {
    let (driver, host) = (station.adapter.driver.kernel?, station.host.kernel?);
    if driver == host || Some(driver) == of_profile(&station.adapter.profile) {
        return None;
    }
    Some(Warning {
        message: format!(
            "`kernel = \"{driver}\"` of the adapter of `{}` decides nothing: at a station the Linux of its host does, {host}",
            station.name
        ),
        hint: Some(format!(
            "write host = {{ profile = \"{}\", kernel = \"{driver}\" }}",
            station.host.profile
        )),
        concerns: Vec::new(),
        place: Place::new("station", number, &["adapter", "kernel"]),
    })
}

/// The Linux of the driver of an adapter's profile.
fn of_profile(name: &str) -> Option<Kernel> {
    let name = TomlNode { at: At::TOP, value: Value::Text(name.to_owned()) };
    let profile = find(&Faults::default(), ProfileKind::Adapter, &name)?;
    Kernel::parsed(profile.iter().find_map(|table| table.get("kernel"))?.text()?)
}
