//! The whole scenario.

use airloom_sim::Duration;

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::check_capabilities;
use crate::check_ends::{self, named};
use crate::check_in_flight;
use crate::check_reachability;
use crate::common::SharedRates;
use crate::flow::{self, DAY, Flow, FlowText};
use crate::gathered;
use crate::not_yet;
use crate::program::Program;
use crate::recording::Recording;
use crate::server::Server;
use crate::station::{Station, StationText};
use airloom_config::emit;
use airloom_config::error::{At, Faults};
use airloom_config::form::{Form, Prose, count, time};
use airloom_config::record;
use airloom_config::record::{Layers, MOST_ENTITIES, Record, Unknown, known, nested, tables};
use airloom_config::toml_tree::{Table, TomlNode, Value};

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
    /// Real programs in place of flows.
    pub program: Vec<Program>,
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
    elsewhere not_yet::key;
}

impl Scenario {
    /// The scenario with every default and profile value spelled out, once for all members of a group. Loading it again gives
    /// the same scenario.
    pub fn to_toml(&self) -> String {
        let each = self.text();
        let station = gathered::stations(&each.station);
        let flow = gathered::flows(&each.flow, &station);
        if (station.len(), flow.len()) == (each.station.len(), each.flow.len()) {
            return emit::document(&ScenarioText::write(&each));
        }
        let shared = emit::document(&ScenarioText::write(&ScenarioText { station, flow, ..each.clone() }));
        // Names of the scenario's own can stand in the way: `sta` beside a group `sta`.
        if crate::load(&shared, "", &[], None).is_ok_and(|again| again == *self) {
            shared
        } else {
            emit::document(&ScenarioText::write(&each))
        }
    }

    /// The scenario as it would be written with every station and every flow by itself.
    fn text(&self) -> ScenarioText {
        ScenarioText {
            title: self.title.clone(),
            description: self.description.clone(),
            duration: self.duration,
            seed: self.seed,
            record: self.record.clone(),
            air: self.air.clone(),
            ap: self.ap.clone(),
            station: self.station.iter().map(Station::text).collect(),
            server: self.server.clone(),
            flow: self.flow.iter().map(Flow::text).chain(self.program.iter().map(Program::text)).collect(),
        }
    }
}

/// Reads a scenario from its tree. Mistakes between the parts of a scenario are looked for among the parts that are sound
/// by themselves, so that a misspelt name is reported at its own position and nowhere else.
pub(crate) fn read(faults: &Faults, root: &Table) -> Option<Scenario> {
    few_enough(faults, root)?;
    let unknown = known(faults, "", root, &ScenarioText::keys(), ScenarioText::elsewhere);
    one_access_point(faults, root, &unknown);
    different_names(faults, root);
    check_ends::check(faults, root, &unknown);
    let layers = Layers { at: At::TOP, path: "", tables: vec![root], unknown };
    let text = ScenarioText::read(faults, &layers);
    let Some(text) = text.filter(|_| faults.none()) else {
        let sound = SoundParts::of(root);
        sound.resolve(faults, root);
        return None;
    };
    let (stations, ap) = (text.station.into_iter().map(Some).collect(), text.ap.first()?.clone());
    let (air, stations) = SoundParts { air: Some(text.air), ap: Some(ap), stations }.resolve(faults, root)?;
    let mut flows = text.flow;
    flow::name_all(&mut flows);
    let program = flows.iter().filter_map(Program::of).collect();
    let simulated = flows.into_iter().filter(|flow| Program::of(flow).is_none());
    let flow = simulated.map(FlowText::resolve).collect();
    let scenario = Scenario {
        title: text.title,
        description: text.description,
        duration: text.duration,
        seed: text.seed,
        record: text.record,
        air,
        ap: text.ap,
        station: stations.into_iter().collect::<Option<_>>()?,
        server: text.server,
        flow,
        program,
    };
    check_in_flight::check(faults, root, &scenario.server, &scenario.flow);
    faults.none().then_some(scenario)
}

/// The parts of a scenario that take part in the cell, as far as they are sound by themselves.
struct SoundParts {
    air: Option<Air>,
    ap: Option<AccessPoint>,
    /// All stations in their order; none for one that is not sound.
    stations: Vec<Option<StationText>>,
}

impl SoundParts {
    /// The sound parts of a scenario in which mistakes were reported.
    fn of(root: &Table) -> Self {
        Self {
            air: root.get("air").and_then(|node| sound(&nested::<Air>(), "air", node)),
            ap: root.items("ap").first().and_then(|node| sound(&nested::<AccessPoint>(), "ap", node)),
            stations: root
                .items("station")
                .iter()
                .map(|node| sound(&nested::<StationText>(), "station", node))
                .collect(),
        }
    }

    /// Checks these parts against one another. The air and the stations with everything filled in, if that can be.
    fn resolve(self, faults: &Faults, root: &Table) -> Option<(Air, Vec<Option<Station>>)> {
        let Self { air, ap, stations } = self;
        let (mut air, ap) = (air?, ap?);
        check_capabilities::check(faults, root, &air, &ap, &stations);
        let is_80211b = |s: &StationText| SharedRates::of(&air, &s.adapter, &ap.adapter).is_80211b();
        let with_80211b = stations.iter().flatten().any(is_80211b);
        air.fill(with_80211b);
        let stations: Vec<Option<Station>> =
            stations.into_iter().map(|s| Some(s?.resolve(faults, &air, &ap.adapter))).collect();
        check_reachability::check(faults, root, &air, &ap.name, &stations);
        Some((air, stations))
    }
}

/// Reads a part of a scenario whose mistakes were reported before: none if it has any.
fn sound<F: Form>(form: &F, path: &str, node: &TomlNode) -> Option<F::Of> {
    let faults = Faults::default();
    form.read(&faults, path, &[node]).filter(|_| faults.none())
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

fn one_access_point(faults: &Faults, root: &Table, unknown: &Unknown) {
    let none = match root.get("ap").map(|node| &node.value) {
        None => !unknown.may_be("ap"),
        Some(Value::List(items)) => items.is_empty(),
        Some(_) => false,
    };
    if none {
        let hint = "write [[ap]] with name = \"ap\" and adapter = \"ath9k\"".to_owned();
        faults.lack(At::TOP, "there is no access point", Some(hint));
    }
    if let Some(second) = root.items("ap").get(1) {
        let hint = "keep one [[ap]]".to_owned();
        faults.fail(second.at, "more than one access point is not supported yet", Some(hint));
    }
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
