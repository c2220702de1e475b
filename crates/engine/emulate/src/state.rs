//! The state of a world in real time, for programs that show it.

use crate::connections::FlowState;
use crate::lateness::{Timing, TimingVerdict};
use airloom_observe::{NodeId, Probe};
use airloom_scenario::{Point, Role, Scenario};
use airloom_sim::IndexVec;
use airloom_world::{RadioNow, World};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

/// A world in real time, as it is now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct State {
    /// The scenario's title.
    title: String,
    /// The time of the world in seconds.
    time_s: f64,
    /// Whether to believe it so far.
    verdict: TimingVerdict,
    /// If that is so below a rate only: which.
    valid_below_mbps: Option<f64>,
    /// How late packets were: the median, the quantiles 0.99 and 0.999, and the latest.
    #[schemars(with = "(u64, u64, u64, u64)")]
    late_us: [u64; 4],
    /// The nodes: access points, stations, servers.
    hosts: Vec<HostState>,
    /// The connections.
    flows: Vec<FlowState>,
}

/// A node: what it has carried, and what can be changed about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct HostState {
    /// Its name.
    name: String,
    /// What it is, such as "station".
    kind: &'static str,
    /// The access point at which it is now, if it is a station.
    ap: Option<String>,
    /// Bytes that real programs sent from it.
    sent: u64,
    /// Bytes that real programs received at it.
    received: u64,
    /// Packets above its driver.
    queued: Option<u32>,
    /// Whether its radio is on another channel.
    away: bool,
    /// Of an access point: whether it has no power.
    off: bool,
    /// Of a station: its distance to its access point, if the scenario gives one.
    distance_m: Option<f64>,
    /// Of a station: the mean signal-to-noise ratio to its access point, in dB; of one with a place, as it is now.
    snr_db: Option<f64>,
    /// Where it is now on the plan, in metres, the height last, if the scenario gives places.
    #[schemars(with = "Option<(f64, f64, f64)>")]
    position_m: Option<[f64; 3]>,
    /// The queue discipline above its driver.
    discipline: Option<&'static str>,
    /// Of a station that scans: its remedy.
    remedy: Option<&'static str>,
}

impl State {
    /// Of this world.
    pub(crate) fn of<P: Probe>(
        scenario: &Scenario,
        world: &World<P>,
        carried: &IndexVec<NodeId, [u64; 2]>,
        flows: Vec<FlowState>,
        timing: Timing,
    ) -> Self {
        let names: IndexVec<NodeId, &String> = scenario.nodes().map(|(_, role)| role.name()).collect();
        let host = |(id, role)| HostState::of(role, carried[id], world.radio(id), &names);
        let hosts = scenario.nodes().map(host);
        Self {
            title: scenario.title.clone(),
            time_s: world.now().as_secs_f64(),
            verdict: timing.verdict,
            valid_below_mbps: timing.valid_below_mbps,
            late_us: timing.late_us,
            hosts: hosts.collect(),
            flows,
        }
    }
}

impl HostState {
    fn of(
        role: Role<'_>,
        [sent, received]: [u64; 2],
        radio: Option<RadioNow>,
        names: &IndexVec<NodeId, &String>,
    ) -> Self {
        let (kind, station, queue) = match role {
            Role::AccessPoint(ap) => ("access point", None, Some(&ap.queue)),
            Role::Station(station) => ("station", Some(station), Some(&station.host.queue)),
            Role::Server(_) => ("server", None, None),
        };
        let remedy = station.and_then(|station| station.scan.as_ref()).map(|scan| scan.remedy.policy.name());
        Self {
            name: role.name().clone(),
            kind,
            ap: radio.and_then(|radio| radio.sends_to).map(|ap| names[ap].clone()),
            sent,
            received,
            queued: radio.map(|radio| radio.queued),
            away: radio.is_some_and(|radio| radio.away),
            off: radio.is_some_and(|radio| radio.off),
            distance_m: station.and_then(|station| station.distance),
            snr_db: station.and_then(|station| match station.track() {
                Some(_) => radio?.snr_db,
                None => Some(station.snr),
            }),
            position_m: radio.and_then(|radio| radio.place).map(|Point { x, y, z }| [x, y, z]),
            discipline: queue.map(|queue| queue.word()),
            remedy,
        }
    }
}

/// The JSON Schema of a state.
pub fn state_schema() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<State>()
}
