//! Warnings: what a sound scenario says but probably does not mean.
//!
//! They follow from the resolved scenario alone, so that a run can report them without its file; where they stand in the
//! file is looked up afterwards.

mod above;
mod access_points;
mod alike;
mod drivers;
mod flows;
mod hearing;
mod limits;
mod links;
mod own;
mod packets;
mod queues;
mod signal;
mod walks;

pub use flows::NO_FLOW;

use crate::model::Scenario;
use airloom_config::brought::key_of;
use airloom_config::error::At;
use airloom_config::toml_tree::Table;

/// Something that a scenario says but probably does not mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What will happen, in one line.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The flows that get little or nothing because of it, and the nodes whose flows do, by name.
    pub concerns: Vec<String>,
    place: Place,
}

/// The key of a scenario that a warning is about.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// The array of tables and the item in it; none for the whole scenario.
    item: Option<(&'static str, usize)>,
    /// The keys from there on, as messages have them, of which the last ones may be left out in the file.
    keys: Vec<&'static str>,
}

impl Place {
    const TOP: Self = Self { item: None, keys: Vec::new() };

    fn new(list: &'static str, number: usize, keys: &[&'static str]) -> Self {
        Self { item: Some((list, number)), keys: keys.to_vec() }
    }

    /// Where this stands in a file: the key, or what is there of the way to it.
    fn at(&self, root: &Table) -> At {
        let item = self.item.and_then(|(list, number)| root.items(list).get(number));
        let (mut at, mut table) = item.map_or((At::TOP, Some(root)), |item| (item.at, item.table()));
        for key in &self.keys {
            let Some(next) = table.and_then(|table| table.get(&key_of(key))) else { break };
            (at, table) = (next.at, next.table());
        }
        at
    }
}

impl Warning {
    /// Where it stands in the tree of the scenario's file.
    pub(crate) fn at(&self, root: &Table) -> At {
        self.place.at(root)
    }
}

impl Scenario {
    /// What it says but probably does not mean.
    pub fn warnings(&self) -> Vec<Warning> {
        let each = [
            flows::warnings,
            links::warnings,
            signal::warnings,
            hearing::warnings,
            queues::warnings,
            above::warnings,
            drivers::warnings,
            limits::warnings,
            walks::warnings,
            access_points::warnings,
            own::warnings,
        ];
        alike::once(self, each.iter().flat_map(|warnings| warnings(self)).collect())
    }
}
