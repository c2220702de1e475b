//! The whole scenario.

use airloom_sim::Duration;
use std::collections::BTreeSet;

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::check_capabilities;
use crate::check_reachability;
use crate::common::Common;
use crate::flow::{self, DAY, Flow, FlowText};
use crate::recording::Recording;
use crate::server::Server;
use crate::station::{Station, StationText};
use airloom_config::emit;
use airloom_config::error::{At, Faults, choose, there_are};
use airloom_config::form::{Prose, count, time};
use airloom_config::record;
use airloom_config::record::{Layers, MOST_ENTITIES, Record, known, nested, tables};
use airloom_config::toml_tree::Table;

/// A world to be run: resolved, with every default and profile value filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What it is about, in a line.
    pub title: String,
    /// What it is about, at length.
    pub description: String,
    /// How long the run lasts.
    pub duration: Duration,
    /// The seed of every random stream.
    pub seed: u64,
    /// What is recorded.
    pub record: Recording,
    /// The air that everybody shares.
    pub air: Air,
    /// The access points; there is exactly one.
    pub ap: Vec<AccessPoint>,
    /// The stations.
    pub station: Vec<Station>,
    /// The servers.
    pub server: Vec<Server>,
    /// The flows.
    pub flow: Vec<Flow>,
}

record! {
    /// A scenario as written.
    pub(crate) struct ScenarioText {
        /// What it is about, in a line.
        title: String = Prose;
        /// What it is about, at length.
        description: String = Prose, default String::new();
        /// How long the run lasts.
        duration: Duration = time(Duration::from_millis(1), DAY), default Duration::from_secs(60);
        /// The seed of every random stream.
        seed: u64 = count(0, u64::MAX), default 1;
        /// What is recorded.
        record: Recording = nested::<Recording>(), default Recording::USUAL;
        /// The air that everybody shares.
        air: Air = nested::<Air>();
        /// The access points.
        ap: Vec<AccessPoint> = tables::<AccessPoint>(), default Vec::new();
        /// The stations.
        station: Vec<StationText> = tables::<StationText>(), default Vec::new();
        /// The servers.
        server: Vec<Server> = tables::<Server>(), default Vec::new();
        /// The flows.
        flow: Vec<FlowText> = tables::<FlowText>(), default Vec::new();
    }
}

impl Scenario {
    /// The scenario with every default and profile value spelled out. Loading it again gives the same scenario.
    pub fn to_toml(&self) -> String {
        let text = ScenarioText {
            title: self.title.clone(),
            description: self.description.clone(),
            duration: self.duration,
            seed: self.seed,
            record: self.record.clone(),
            air: self.air.clone(),
            ap: self.ap.clone(),
            station: self.station.iter().map(Station::text).collect(),
            server: self.server.clone(),
            flow: self.flow.iter().map(Flow::text).collect(),
        };
        emit::document(&ScenarioText::write(&text))
    }
}

/// Reads a scenario from its tree. Mistakes between the parts of a scenario are looked for only when every part is
/// sound by itself, so that a misspelt name is reported at its own position.
pub(crate) fn read(faults: &Faults, root: &Table) -> Option<Scenario> {
    few_enough(faults, root)?;
    let sound = known(faults, "", root, &ScenarioText::keys(), ScenarioText::elsewhere);
    let layers = Layers { at: At::TOP, path: "", tables: vec![root], strict: sound };
    let text = ScenarioText::read(faults, &layers)?;
    if !faults.none() {
        return None;
    }
    one_access_point(faults, root, &text);
    different_names(faults, root);
    flow_ends(faults, root, &text);
    let ap = text.ap.first()?;
    check_capabilities::check(faults, root, &text.air, ap, &text.station);
    let mut flow: Vec<Flow> = text.flow.into_iter().map(FlowText::resolve).collect();
    flow::name_all(&mut flow);
    let mut air = text.air;
    air.fill(text.station.iter().any(|s| Common::of(&air, &s.adapter, &ap.adapter).is_80211b()));
    let stations: Vec<Station> =
        text.station.into_iter().map(|s| s.resolve(faults, &air, &ap.adapter)).collect();
    check_reachability::check(faults, root, &air, &ap.name, &stations);
    let scenario = Scenario {
        title: text.title,
        description: text.description,
        duration: text.duration,
        seed: text.seed,
        record: text.record,
        air,
        ap: text.ap,
        station: stations,
        server: text.server,
        flow,
    };
    faults.none().then_some(scenario)
}

/// The keys that hold entities.
const ENTITIES: [&str; 4] = ["ap", "station", "server", "flow"];

fn few_enough(faults: &Faults, root: &Table) -> Option<()> {
    let mut all: Vec<At> = ENTITIES.iter().flat_map(|k| root.items(k)).map(|n| n.at).collect();
    if all.len() > MOST_ENTITIES {
        all.sort_unstable();
        let message = format!("more than {MOST_ENTITIES} access points, stations, servers and flows");
        faults.fail(all[MOST_ENTITIES], message, None);
        return None;
    }
    Some(())
}

fn one_access_point(faults: &Faults, root: &Table, text: &ScenarioText) {
    if text.ap.is_empty() {
        let hint = "write [[ap]] with name = \"ap\" and adapter = \"ath9k\"".to_owned();
        faults.fail(At::TOP, "there is no access point", Some(hint));
    }
    if let Some(second) = root.items("ap").get(1) {
        let hint = "keep one [[ap]]".to_owned();
        faults.fail(second.at, "more than one access point is not supported yet", Some(hint));
    }
}

/// Every name of these entities with its place.
fn named<'a>(root: &'a Table, key: &str) -> impl Iterator<Item = (&'a str, At)> {
    root.items(key).iter().filter_map(|n| n.table()?.get("name")).filter_map(|n| Some((n.text()?, n.at)))
}

fn different_names(faults: &Faults, root: &Table) {
    let hosts: Vec<(&str, At)> = ENTITIES[..3].iter().flat_map(|key| named(root, key)).collect();
    let flows: Vec<(&str, At)> = named(root, "flow").collect();
    for mut names in [hosts, flows] {
        names.sort_unstable();
        for pair in names.windows(2) {
            if pair[0].0 == pair[1].0 {
                faults.fail(pair[1].1, format!("the name `{}` is taken", pair[1].0), None);
            }
        }
    }
}

fn flow_ends(faults: &Faults, root: &Table, text: &ScenarioText) {
    let stations: BTreeSet<&str> = text.station.iter().map(|s| s.name.as_str()).collect();
    let is_station = |name: &str| stations.contains(name);
    let is_server = |name: &str| text.server.iter().any(|s| s.name == name);
    let is_ap = |name: &str| text.ap.iter().any(|a| a.name == name);
    let hosts =
        || text.station.iter().map(|s| s.name.as_str()).chain(text.server.iter().map(|s| s.name.as_str()));
    for (flow, node) in text.flow.iter().zip(root.items("flow")) {
        let place = |key: &str| node.table().and_then(|t| t.get(key)).map_or(node.at, |n| n.at);
        let mut sound = true;
        for (key, name) in [("from", &flow.from), ("to", &flow.to)] {
            if is_station(name) || is_server(name) {
                continue;
            }
            sound = false;
            if is_ap(name) {
                let message = format!("`{key}` is the access point `{name}`, which is no host");
                faults.fail(place(key), message, Some(there_are(hosts())));
            } else {
                let hint = choose(name, hosts());
                let message = format!("`{key}` is `{name}`, but no station or server has this name");
                faults.fail(place(key), message, Some(hint));
            }
        }
        if !sound {
            continue;
        }
        let (from, to) = (is_station(&flow.from), is_station(&flow.to));
        let hint = || Some("let it run to or from a server".to_owned());
        if flow.from == flow.to {
            faults.fail(place("to"), format!("the flow goes from `{}` to itself", flow.from), hint());
        } else if from && to {
            faults.fail(place("to"), "a flow from station to station is not supported yet", hint());
        } else if !from && flow.tcp.as_ref().is_some_and(|tcp| tcp.link_rate.is_some()) {
            let hint = "let it run from a station, or leave it out".to_owned();
            faults.fail(
                place("tcp"),
                "`link_rate` is that of the sender's radio, but a server has none",
                Some(hint),
            );
        }
    }
}
