//! The summary of a run: the content of `summary.json` as one type, and its JSON Schema.
//!
//! Units are in the names of the fields: `_s` seconds, `_ms` milliseconds, `_mbps` Mbit/s. A field without a unit is a
//! count, or a share from 0 to 1. Times are from the start of the run, in simulated time. A mean of no values is
//! `null`.

mod flow;
mod node;
mod roam;
mod scan;

pub use flow::{Flow, FlowNumbers, Goodput, OwnTime, Ping, Tcp, Udp};
pub use node::{Bus, Hold, Link, Node, NodeKind, Queue, QueueDepth, Radio, Signal};
pub use roam::Roam;
pub use scan::{Scan, ScanOutcome, ScanRequest, Trip};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name and the version of the schema of `summary.json`. The version rises when a key goes away or comes to mean something
/// else, not when one is added.
pub const SCHEMA: &str = "airloom-summary/1";

/// A whole run in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// The version of airloom that made the run.
    pub airloom: String,
    /// The title of the scenario.
    pub title: String,
    /// The seed of the run.
    pub seed: u64,
    /// The simulated time.
    pub duration_s: f64,
    /// From when on it was measured, if not from the beginning: means, counts, shares and quantiles below are of the time from there to
    /// the end, those of datagrams and pings of what was sent in it. Bytes of TCP and what has times of its own are of the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub warm_up_s: Option<f64>,
    /// The flows, in the order of the scenario.
    pub flows: Vec<Flow>,
    /// Jain's fairness index of the goodputs of the flows that always have more to send, TCP without `bytes` and saturated UDP, over the
    /// time in which all of them are under way: a flow that is alone for a while gets more then, however fairly it shares. `null` if there
    /// are fewer than two of them, if they are never all under way, or if nothing arrived.
    pub jain: Option<f64>,
    /// The share of what is measured in which all of these flows are under way, if that is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub jain_time_share: Option<f64>,
    /// The nodes: access points, stations, servers, each in the order of the scenario.
    pub nodes: Vec<Node>,
    /// How the time of the channel was used.
    pub airtime: Airtime,
    /// Packets dropped or lost before their receiver, by place and cause; zero counts are not listed.
    pub drops: Vec<Drop>,
    /// The scans, in the order of their starts.
    pub scans: Vec<Scan>,
    /// The requests to scan, in their order.
    pub scan_requests: Vec<ScanRequest>,
    /// The ways of stations from one access point to another, in the order in which they set out, where there are several access points.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Roam>")]
    pub roams: Option<Vec<Roam>>,
    /// What the scenario says but probably does not mean.
    pub warnings: Vec<Warning>,
    /// The flows that stood still though they had something to send: for seconds nothing of them was delivered, for a tenth of their time or longer in all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standstills: Vec<Standstill>,
    /// What still changes as the run ends, beyond its scatter: of TCP flows that always have more to send. A longer run has other means.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trends: Vec<Trend>,
    /// Records in the captures, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Captured")]
    pub captured: Option<Captured>,
}

/// A flow of which nothing was delivered to the application for some time.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standstill {
    /// Its name.
    pub flow: String,
    /// The share of its time in which it stood still, in spells of a second and longer.
    pub share: f64,
    /// From when until when the longest of them lasted.
    pub from_s: f64,
    /// See `from_s`.
    pub to_s: f64,
    /// TCP segments that came in that time and waited, since what lay before them was missing; left out where there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub behind_hole: Option<u64>,
}

/// A figure that has not settled.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Trend {
    /// Which: `goodput`, or `in_flight`, what was sent and not acknowledged; of all these flows together.
    pub of: &'static str,
    /// By how much it rises along the second half of what was measured, as a share of its mean there; below zero if it falls.
    pub change: f64,
}

/// Something that the scenario says but probably does not mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Warning {
    /// The flows that get little or nothing because of it, and the nodes whose flows do, by name.
    pub concerns: Vec<String>,
    /// What comes of it.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// How the time of the channel was used; of several channels, the time of all of them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Airtime {
    /// Time on the air by transmitter, collided frames aside, as a share of the run. Out of each other's reach several may be at once: then
    /// the shares may be more than the run in all.
    pub by_node: BTreeMap<String, f64>,
    /// Time of each station's exchanges, those that the access point sends to it included, as a share of all exchanges on its
    /// channel.
    pub by_station: BTreeMap<String, f64>,
    /// Time on the air that collisions wasted, as a share of the run; the mean of several channels.
    pub collided: f64,
    /// Time in which radios kept quiet for an interferer and none of them sent, as a share of the run; the mean of several channels. Only
    /// where there are interferers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub interfered: Option<f64>,
    /// The remaining time, which nobody used, as a share of the run; the mean of several channels.
    pub idle: f64,
    /// Each channel by itself, where there are several, or several access points.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<ChannelTime>,
}

/// How the time of a channel was used.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChannelTime {
    /// The number of its primary 20 MHz.
    pub channel: u8,
    /// The band in which that is, such as "5 GHz".
    pub band: String,
    /// Its width, such as "40 MHz".
    pub width: String,
    /// The access points that are ever on it.
    pub aps: Vec<String>,
    /// Time on the air that collisions wasted, as a share of the run.
    pub collided: f64,
    /// Time in which radios there kept quiet for an interferer and none of them sent, as a share of the run. Only where there are
    /// interferers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub interfered: Option<f64>,
    /// The remaining time, which nobody used, as a share of the run.
    pub idle: f64,
}

/// Packets dropped or lost at one place for one cause.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Drop {
    /// The node and the part of it: `queue`, `link` (a wire's queue) or `driver`.
    pub place: String,
    /// The cause.
    pub cause: &'static str,
    /// Packets; of the driver, MPDUs.
    pub count: u64,
}

/// Records in the captures.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Captured {
    /// Frames in `air.pcapng`, by kind.
    pub air: BTreeMap<String, u64>,
    /// Frames in the capture of each monitor at a place, by its name; left out if there is none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub monitors: BTreeMap<String, u64>,
    /// Packets in each host's capture, by name of the host.
    pub hosts: BTreeMap<String, u64>,
}

impl Summary {
    /// As JSON. The keys of every object are in alphabetical order.
    ///
    /// # Panics
    /// Never: every field has a form in JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("every field has a form in JSON")
    }

    /// The content of `summary.json`: the same with `schema`, the name and the version of what it is.
    pub fn to_document(&self) -> Value {
        let mut document = self.to_value();
        document["schema"] = SCHEMA.into();
        document
    }
}

/// The JSON Schema of `summary.json`: of a summary, with the key that says so.
pub fn json_schema() -> String {
    let schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Summary>();
    let mut schema = schema.to_value();
    schema["title"] = "airloom summary".into();
    schema["properties"]["schema"] =
        json!({ "const": SCHEMA, "description": "The name and the version of this schema." });
    if let Some(required) = schema["required"].as_array_mut() {
        required.insert(0, "schema".into());
    }
    format!("{schema:#}\n")
}
