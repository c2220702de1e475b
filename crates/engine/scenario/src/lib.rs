//! Scenarios: the files that describe a world to be run.
//!
//! A scenario is TOML. [`load`] reads it, lays it over the profiles that it names, fills the defaults and returns a
//! complete [`Scenario`], or all its mistakes: each with its file, line and column, and what to write instead.
//! [`Scenario::to_toml`] writes it back with everything spelled out.
//!
//! The tables of the file are the structs of this crate, and their keys are its fields; `-` and `_` are the same
//! in a key. Three things differ between file and struct:
//!
//! - a key that takes a profile (`host`, `adapter`, and `by` of a scan) takes its name, or a table with `profile` and
//!   the keys that differ from it: `host = { profile = "linux-3.13", small_queue = "off" }`. The keys of
//!   [`Host::tcp`] stand directly in the host;
//! - a station may have `distance` instead of `snr` ([`airloom_propagation::snr_at`]);
//! - a quantity is text with its unit: `"120 s"`, `"300 Mbit/s"`, `"128 KiB"`, `"1000 packets"`.
//!
//! ```
//! let text = std::fs::read_to_string("../../../examples/download.toml")?;
//! let longer = [("duration".to_owned(), "2 min".to_owned())];
//! let scenario = airloom_scenario::load(&text, "download.toml", &longer, None)?;
//! assert_eq!(scenario.duration.as_secs_f64(), 120.0);
//! assert_eq!(scenario.station[0].host.profile, "linux-6.18");
//!
//! let wrong = text.replace("[[flow]]", "[[flows]]");
//! let mistakes = airloom_scenario::load(&wrong, "download.toml", &[], None).expect_err("a mistake");
//! assert_eq!(mistakes.first().hint.as_deref(), Some("did you mean `flow`?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access_point;
mod adapter;
mod air;
mod band;
mod belongs;
mod channel;
mod channel_switch;
mod check_capabilities;
mod check_ends;
mod check_in_flight;
mod check_links;
mod check_networks;
mod check_place;
mod check_reachability;
mod check_roaming;
mod check_switches;
mod common;
mod control_form;
mod day;
mod discipline;
mod driver_settings;
mod dscp;
mod edca;
mod flow;
mod format;
mod front_end;
mod gathered;
mod hidden;
mod host;
mod interferer;
mod kernel;
mod link_rate;
mod model;
mod monitor;
mod multi_link;
mod not_yet;
mod only_80211b;
mod overridden;
mod own;
mod own_air;
mod parameters;
mod phy;
mod place;
mod position;
mod power_cut;
mod power_save;
mod processor;
mod profiles;
mod program;
mod publications;
mod queue_limit;
mod rate_form;
mod rate_text;
mod recording;
mod recovery;
mod roam;
mod role;
mod scan;
mod schema;
mod script;
mod server;
mod sharing;
mod signal;
mod signals;
mod station;
mod station_groups;
mod steer;
mod tcp;
mod traffic;
mod traffic_form;
mod turns_form;
mod usb;
mod walk;
mod wall;
mod warnings;
mod wire_rate;

pub use access_point::AccessPoint;
pub use adapter::Adapter;
pub use air::{Air, SlotTime, Standard};
pub use airloom_config::error::{Mistake, Mistakes};
pub use band::Band;
pub use channel_switch::ChannelSwitch;
pub use common::{AggregatingRates, SharedRates};
pub use edca::{Categories, Contention};
pub use flow::{Flow, FlowKind, Spacing, UdpRate, Writes, Writing};
pub use format::Format;
pub use front_end::FrontEnd;
pub use host::Host;
pub use interferer::{Interferer, InterfererKind, Mains};
pub use kernel::Kernel;
pub use link_rate::LinkRate;
pub use model::Scenario;
pub use monitor::Monitor;
pub use multi_link::{ApLink, MultiLink, StationLink};
pub use not_yet::serves_for as serves_for_key;
pub use own::OwnValues;
pub use own_air::OwnAir;
pub use place::{Hearing, Place};
pub use power_cut::PowerCut;
pub use processor::Processor;
pub use profiles::{Profile, ProfileKind, ProfileValue, profiles, serves_for_profile};
pub use program::Program;
pub use recording::Recording;
pub use roam::{Roam, RoamBy, register_roaming};
pub use role::{NodeLink, Role};
pub use scan::{Remedy, RemedyPolicy, Scan, register_scan_policy};
pub use schema::json_schema;
pub use server::{Late, Link, Server};
pub use sharing::Sharing;
pub use signal::SignalStep;
pub use signals::Signals;
pub use station::Station;
pub use steer::Steer;
pub use tcp::FlowTcp;
pub use traffic::{Applications, Delivery, HandOver, OWN_TRAFFIC, Socket, Traffic, register_traffic};
pub use traffic_form::{HandedOver, TrafficSource};
pub use walk::Walk;
pub use wall::Floor;
pub use warnings::{NO_FLOW, Warning};
pub use wire_rate::{WireRate, WireRateStep};

pub use airloom_propagation::{Material, Point, Wall, Waypoint};
pub use airloom_queue::Discipline;

use airloom_config::error::{At, Fault, Faults, Source, line_and_column, shown};
use airloom_config::overrides;
use airloom_config::toml_tree::{self, Table, TomlNode, Value};

/// The longest scenario file: 16 MiB, for a thousand stations with everything spelled out.
const LONGEST_FILE: usize = 16 << 20;

/// Reads a scenario from the text of a file.
///
/// `file` is its name in messages. Each of `overrides` is a path and a value, as `flow.0.tcp.congestion` and
/// `newreno`; an item of an array goes by its number or its name, a flow also by the station or server at one of its ends
/// if it is the only one there. The value is TOML, or else text. `seed` takes the place of the file's.
pub fn load(
    text: &str,
    file: &str,
    overrides: &[(String, String)],
    seed: Option<u64>,
) -> Result<Scenario, Mistakes> {
    read(text, file, overrides, seed).map(|(_, scenario)| scenario)
}

/// Reads a scenario as [`load`] does, and gives its [warnings](Scenario::warnings) too, in the order of their places, each
/// with the place that a mistake would have.
pub fn load_with_warnings(
    text: &str,
    file: &str,
    overrides: &[(String, String)],
    seed: Option<u64>,
) -> Result<(Scenario, Vec<Mistake>), Mistakes> {
    let (root, scenario) = read(text, file, overrides, seed)?;
    let placed = |w: Warning| Fault { at: w.at(&root), message: w.message, hint: w.hint, first: None };
    let mut warnings: Vec<Fault> = scenario.warnings().into_iter().map(placed).collect();
    warnings.sort_by_key(|warning| warning.at);
    Ok((scenario, warnings.into_iter().map(|fault| place(fault, text, file, overrides)).collect()))
}

/// Reads a scenario as it and the overrides are written, beside it; or says what is wrong.
fn read(
    text: &str,
    file: &str,
    overrides: &[(String, String)],
    seed: Option<u64>,
) -> Result<(Table, Scenario), Mistakes> {
    let faults = Faults::knowing(belongs::belongs);
    let read = as_far_as_sound(&faults, text, overrides, seed);
    let place = |fault| place(fault, text, file, overrides);
    let mut mistakes = faults.all().map(place);
    match (read, mistakes.next()) {
        (Some(read), None) => Ok(read),
        (_, Some(first)) => Err(Mistakes::new(first, mistakes)),
        (None, None) => {
            let fault = Fault {
                at: At::TOP,
                message: "the scenario cannot be read".to_owned(),
                hint: None,
                first: None,
            };
            Err(Mistakes::new(place(fault), []))
        }
    }
}

/// What is written in a sound scenario, or set over it, and does not hold since something else does, each with its place: a host's congestion
/// control beside a flow's own, a place that an override has replaced.
pub fn overridden(text: &str, file: &str, overrides: &[(String, String)]) -> Vec<Mistake> {
    let faults = Faults::default();
    let Some(own) = toml_tree::parse(&faults, Source::File, text) else { return Vec::new() };
    let mut root = own.clone();
    overrides::apply(&faults, &mut root, overrides, flow::called);
    overridden::notes(&root, &own).into_iter().map(|note| place(note, text, file, overrides)).collect()
}

/// Keys of overrides in which every item is called by its number: `station.bob.snr` is `station.1.snr`.
pub fn numbered(text: &str, keys: &[String]) -> Vec<String> {
    match toml_tree::parse(&Faults::default(), Source::File, text) {
        Some(root) => keys.iter().map(|key| overrides::numbered(&root, key, flow::called)).collect(),
        None => keys.to_vec(),
    }
}

/// The same, with what is wrong reported.
fn as_far_as_sound(
    faults: &Faults,
    text: &str,
    overrides: &[(String, String)],
    seed: Option<u64>,
) -> Option<(Table, Scenario)> {
    if text.len() > LONGEST_FILE {
        faults.fail(At::TOP, "the file is longer than 16 MiB", None);
        return None;
    }
    let mut root = toml_tree::parse(faults, Source::File, text)?;
    overrides::apply(faults, &mut root, overrides, flow::called);
    if let Some(seed) = seed {
        root.put("seed", At::TOP, TomlNode { at: At::TOP, value: Value::Whole(seed.into()) });
    }
    driver_settings::fill(&mut root);
    station_groups::expand(faults, &mut root)?;
    let scenario = model::read(faults, &root)?;
    Some((root, scenario))
}

/// A mistake with its line and column.
fn place(fault: Fault, text: &str, file: &str, overrides: &[(String, String)]) -> Mistake {
    let Fault { at, mut message, hint, first } = fault;
    match first.map(|first| (first.source, first.offset)) {
        Some((Source::File, offset)) => message += &format!(" on line {}", line_and_column(text, offset).0),
        Some((Source::Set(n), _)) => message += &format!(" by the override `{}`", shown(&overrides[n].0)),
        _ => {}
    }
    let mut setting = None;
    let (file, (line, column)) = match at.source {
        Source::File => (file.to_owned(), line_and_column(text, at.offset)),
        Source::Set(n) => {
            let text = overrides.get(n).map(overrides::text).unwrap_or_default();
            setting = Some(shown(&text));
            ("set".to_owned(), (n + 1, line_and_column(&text.replace('\n', " "), at.offset).1))
        }
        Source::Embedded(n) => {
            let (path, text) = profiles::file(n);
            (path.to_owned(), line_and_column(text, at.offset))
        }
    };
    Mistake { file, line, column, setting, message, hint }
}
