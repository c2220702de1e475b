//! The whole scenario.

use airloom_sim::Duration;

use crate::access_point::AccessPoint;
use crate::air::Air;
use crate::check_capabilities;
use crate::check_ends::{self, named};
use crate::check_in_flight;
use crate::check_links;
use crate::check_networks;
use crate::check_place;
use crate::check_reachability;
use crate::check_roaming;
use crate::check_switches;
use crate::day::DAY;
use crate::flow::{self, Flow, FlowText};
use crate::gathered;
use crate::interferer::{self, Interferer};
use crate::monitor::{self, Monitor};
use crate::not_yet;
use crate::only_80211b;
use crate::own::{self, OwnForm, OwnValues};
use crate::program::Program;
use crate::recording::Recording;
use crate::server::Server;
use crate::station::{Station, StationText};
use crate::wall::{self, Floor, WallTable};
use airloom_config::emit;
use airloom_config::error::{At, Faults};
use airloom_config::form::{Form, Measure, Optional, Prose, count, time};
use airloom_config::record;
use airloom_config::record::{Layers, MOST_ENTITIES, Record, Unknown, known, missing, nested, tables};
use airloom_config::toml_tree::{Table, TomlNode};
use airloom_propagation::Wall;

/// A world to be run: resolved, with every default and profile value filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What it is about, in a line.
    pub title: String,
    /// What it is about, at length.
    pub description: String,
    /// How long the run lasts.
    pub duration: Duration,
    /// From when on the summary measures; from the beginning if none.
    pub warm_up: Option<Duration>,
    /// The seed of every random stream.
    pub seed: u64,
    /// What is recorded.
    pub record: Recording,
    /// The values of parameters of what the caller brings.
    pub own: Vec<OwnValues>,
    /// The air that everybody shares.
    pub air: Air,
    /// The walls of the plan.
    pub wall: Vec<Wall>,
    /// The floors of the house.
    pub floor: Vec<Floor>,
    /// What else is on the air.
    pub interferer: Vec<Interferer>,
    /// Radios that only listen.
    pub monitor: Vec<Monitor>,
    /// The access points, at least one, each with a network of its own.
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

/// What a scenario is about that does not say it.
const UNTITLED: &str = "untitled";

record! {
    /// A scenario as written.
    pub(crate) struct ScenarioText {
        /// What it is about, in a line.
        title: String = Prose, default UNTITLED.to_owned();
        /// What it is about, at length.
        description: String = Prose, default String::new();
        /// How long the run lasts.
        duration: Duration = time(Duration::from_millis(1), DAY), default Duration::from_secs(60);
        /// How long the run goes on before the summary measures anything, so that what begins cold does not count: no longer than the
        /// `duration`. Series and captures are of the whole run.
        warm_up: Option<Duration> = Optional(time(Duration::ZERO, DAY)), default None;
        /// The seed of every random stream.
        seed: u64 = count(0, u64::MAX), default 1;
        /// What is recorded.
        record: Recording = nested::<Recording>(), default Recording::USUAL;
        /// Values for parameters of classes of one's own, in a table for each name (docs/own-congestion-control.md).
        own: Vec<OwnValues> = OwnForm, default Vec::new();
        /// The air that everybody shares.
        air: Air = nested::<Air>();
        /// The walls of the plan, where radios have places.
        wall: Vec<Wall> = tables::<WallTable>(), default Vec::new();
        /// The floors between storeys, where radios have heights.
        floor: Vec<Floor> = tables::<Floor>(), default Vec::new();
        /// What else is on the air: Bluetooth, microwave ovens, neighbours by themselves.
        interferer: Vec<Interferer> = tables::<Interferer>(), default Vec::new();
        /// The access points.
        ap: Vec<AccessPoint> = tables::<AccessPoint>(), default Vec::new();
        /// The stations.
        station: Vec<StationText> = tables::<StationText>(), default Vec::new();
        /// The servers.
        server: Vec<Server> = tables::<Server>(), default Vec::new();
        /// The flows.
        flow: Vec<FlowText> = tables::<FlowText>(), default Vec::new();
        /// Monitor stations at places, each of which leaves a capture where captures are wanted.
        monitor: Vec<Monitor> = tables::<Monitor>(), default Vec::new();
    }
    elsewhere not_yet::of_file;
    check measures;
}

fn measures(text: &ScenarioText, faults: &Faults, layers: &Layers<'_>) {
    if let Some(warm_up) = text.warm_up.filter(|warm_up| *warm_up >= text.duration) {
        let (warm_up, duration) = (warm_up.written(), text.duration.written());
        let message = format!("nothing is measured: `warm_up` is {warm_up}, and the run lasts {duration}");
        let hint = "write a shorter `warm_up` or a longer `duration`".to_owned();
        faults.fail(layers.place("warm_up"), message, Some(hint));
    }
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
            warm_up: self.warm_up,
            seed: self.seed,
            record: self.record.clone(),
            own: self.own.clone(),
            air: self.air.clone(),
            wall: self.wall.clone(),
            floor: self.floor.clone(),
            interferer: self.interferer.clone(),
            monitor: self.monitor.clone(),
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
    check_networks::some(faults, root, &unknown);
    has_air(faults, root, &unknown);
    different_names(faults, root);
    check_ends::check(faults, root, &unknown);
    let layers = Layers { at: At::TOP, path: "", tables: vec![root], unknown: unknown.clone() };
    let text = ScenarioText::read(faults, &layers);
    let Some(text) = text.filter(|_| faults.none()) else {
        let sound = SoundParts::of(root);
        sound.resolve(faults, root, &unknown);
        return None;
    };
    let (aps, stations) = (wrapped(text.ap), wrapped(text.station));
    let (walls, floors) = (text.wall.clone(), text.floor.clone());
    let parts = SoundParts { air: Some(text.air), walls, floors, aps, stations };
    let Cell { air, aps, stations } = parts.resolve(faults, root, &unknown)?;
    let mut flows = text.flow;
    flow::name_all(&mut flows);
    let program = flows.iter().filter_map(Program::of).collect();
    let simulated = flows.into_iter().filter(|flow| Program::of(flow).is_none());
    let flow = simulated.map(FlowText::resolve).collect();
    let scenario = Scenario {
        title: text.title,
        description: text.description,
        duration: text.duration,
        warm_up: text.warm_up,
        seed: text.seed,
        record: text.record,
        own: own::completed(text.own, &faults.used()),
        air,
        wall: text.wall,
        floor: text.floor,
        interferer: text.interferer,
        monitor: text.monitor,
        ap: aps.into_iter().collect::<Option<_>>()?,
        station: stations.into_iter().collect::<Option<_>>()?,
        server: text.server,
        flow,
        program,
    };
    check_in_flight::check(faults, root, &scenario.server, &scenario.flow);
    interferer::check(faults, root, &scenario);
    monitor::check(faults, root, &scenario);
    check_switches::check(faults, root, &scenario);
    check_links::flows(faults, root, &scenario);
    faults.none().then_some(scenario)
}

/// Parts that are all sound.
fn wrapped<T>(all: Vec<T>) -> Vec<Option<T>> {
    all.into_iter().map(Some).collect()
}

/// The parts of a scenario that take part in its networks, as far as they are sound by themselves.
struct SoundParts {
    air: Option<Air>,
    walls: Vec<Wall>,
    floors: Vec<Floor>,
    /// All access points in their order; none for one that is not sound.
    aps: Vec<Option<AccessPoint>>,
    /// All stations in their order; none for one that is not sound.
    stations: Vec<Option<StationText>>,
}

/// The same with everything filled in.
struct Cell {
    air: Air,
    aps: Vec<Option<AccessPoint>>,
    stations: Vec<Option<Station>>,
}

impl SoundParts {
    /// The sound parts of a scenario in which mistakes were reported.
    fn of(root: &Table) -> Self {
        Self {
            air: root.get("air").and_then(|node| sound(&nested::<Air>(), "air", node)),
            walls: all_sound(root, "wall", &nested::<WallTable>()).into_iter().flatten().collect(),
            floors: all_sound(root, "floor", &nested::<Floor>()).into_iter().flatten().collect(),
            aps: all_sound(root, "ap", &nested::<AccessPoint>()),
            stations: all_sound(root, "station", &nested::<StationText>()),
        }
    }

    /// Checks these parts against one another. The same with everything filled in, if that can be.
    fn resolve(self, faults: &Faults, root: &Table, unknown: &Unknown) -> Option<Cell> {
        let Self { air, walls, floors, mut aps, stations } = self;
        check_place::check(faults, root, air.as_ref(), &aps, &stations);
        let places = check_networks::places(faults, root, unknown, &stations);
        let mut air = air?;
        check_links::access_points(faults, root, &air, &mut aps);
        check_networks::airs(faults, root, &air, &mut aps);
        check_networks::channels(faults, root, &air, &aps);
        for ap in aps.iter_mut().flatten() {
            let usual = ap.air(&air).band.usual_channel();
            ap.channel.get_or_insert(usual);
        }
        check_capabilities::check(faults, root, &air, &aps, &stations, &homes(&places, &aps));
        check_links::stations(faults, root, &air, &homes(&places, &aps), &stations);
        check_roaming::check(faults, root, &air, &homes(&places, &aps), (&aps, &stations));
        only_80211b::fill(&mut air, &mut aps, &places, &stations);
        let homes = homes(&places, &aps);
        let plan = wall::plan(&air, &walls, &floors, 0);
        let resolved = |(station, home): (Option<StationText>, &Option<&AccessPoint>)| {
            let home = (*home)?;
            Some(station?.resolve_links(faults, &air, home, &plan))
        };
        let stations: Vec<Option<Station>> = stations.into_iter().zip(&homes).map(resolved).collect();
        check_reachability::check(faults, (root, unknown), (&air, &plan), &homes, &stations);
        Some(Cell { air, aps, stations })
    }
}

/// By station its access point, if that is sound.
fn homes<'a>(places: &[Option<usize>], aps: &'a [Option<AccessPoint>]) -> Vec<Option<&'a AccessPoint>> {
    places.iter().map(|place| aps.get((*place)?)?.as_ref()).collect()
}

/// Reads all parts of a kind as [`sound`] does one.
fn all_sound<F: Form>(root: &Table, key: &str, form: &F) -> Vec<Option<F::Of>> {
    root.items(key).iter().map(|node| sound(form, key, node)).collect()
}

/// Reads a part of a scenario whose mistakes were reported before: none if it has any.
fn sound<F: Form>(form: &F, path: &str, node: &TomlNode) -> Option<F::Of> {
    let faults = Faults::default();
    form.read(&faults, path, &[node]).filter(|_| faults.none())
}

/// Reports that there is no air.
fn has_air(faults: &Faults, root: &Table, unknown: &Unknown) {
    if root.get("air").is_none() && !unknown.may_be("air") {
        let hint = "write [air] with standard = \"802.11n\", band = \"5 GHz\" and width = \"40 MHz\"";
        faults.lack(At::TOP, missing("", "air"), Some(hint.to_owned()));
    }
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

fn different_names(faults: &Faults, root: &Table) {
    let captured = ENTITIES[..3].iter().chain(&["monitor"]);
    let hosts: Vec<(&str, At)> = captured.flat_map(|key| named(root, key)).collect();
    let flows: Vec<(&str, At)> = named(root, "flow").collect();
    for mut names in [hosts, flows] {
        names.sort_unstable();
        for pair in names.windows(2) {
            if pair[0].0 == pair[1].0 {
                let hint = "write another `name`".to_owned();
                let message = format!("the name `{}` is taken", pair[1].0);
                faults.clash(pair[1].1, pair[0].1, message, Some(hint));
            }
        }
    }
}
