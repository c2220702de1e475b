//! Airtime queue limits below a queue that does not know them.

use super::{Place, Warning};
use crate::adapter::Adapter;
use crate::model::Scenario;
use airloom_queue::Discipline;

pub(super) fn warnings(scenario: &Scenario) -> Vec<Warning> {
    let aps = scenario.ap.iter().enumerate().filter_map(|(number, ap)| {
        warning(&ap.name, (&ap.adapter, &ap.queue), Place::new("ap", number, &["queue"]))
    });
    let stations = scenario.station.iter().enumerate().filter_map(|(number, station)| {
        let place = Place::new("station", number, &["host", "queue"]);
        warning(&station.name, (&station.adapter, &station.host.queue), place)
    });
    aps.chain(stations).collect()
}

/// What is wrong with the limits of an adapter below this queue, if anything is.
fn warning(name: &str, (adapter, queue): (&Adapter, &Discipline), place: Place) -> Option<Warning> {
    let known = matches!(queue, Discipline::Mac80211(_));
    (adapter.pulling.aql.is_some() && !known).then(|| Warning {
        message: format!("`aql` limits nothing at `{name}`: its queue is `{}`", queue.word()),
        hint: Some("write queue = { discipline = \"mac80211\" }".to_owned()),
        concerns: Vec::new(),
        place,
    })
}
