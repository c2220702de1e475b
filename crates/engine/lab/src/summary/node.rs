//! A node in the summary.

use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// One machine over the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Node {
    /// Its name in the scenario.
    pub name: String,
    /// The group it belongs to, if it is of one; only stations are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group: Option<String>,
    /// Its role.
    pub kind: NodeKind,
    /// The access point at which a station is, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub ap: Option<String>,
    /// Its signal, if it is a station that has a place.
    #[serde(flatten)]
    pub signal: Option<Signal>,
    /// Its radio; a server has none.
    #[serde(flatten)]
    pub radio: Option<Radio>,
    /// Its queues: those above and below the driver of a radio, what waits for a processor, and those at both ends of a server's wire.
    pub queues: Vec<Queue>,
    /// Traffic on its USB bus, if its adapter is on one and there was any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Bus")]
    pub bus: Option<Bus>,
    /// Its links, if it has several at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Link>")]
    pub links: Option<Vec<Link>>,
}

/// What one of several links carries of what its node sends.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Link {
    /// What the series calls it.
    pub name: String,
    /// Its band.
    pub band: String,
    /// The number of its primary channel.
    pub channel: u8,
    /// The width of its channel.
    pub width: String,
    /// Data PPDUs sent, A-MPDUs and single MPDUs.
    pub ampdus: u64,
    /// MPDUs in them.
    pub mpdus: u64,
    /// MPDUs in one of them, mean.
    pub mpdus_per_ampdu: Option<f64>,
    /// The data rate of those PPDUs, mean.
    pub mac_rate_mbps: Option<f64>,
    /// MPDUs retransmitted.
    pub mpdu_retries: u64,
    /// Time on the air of frames that did not collide, as a share of the run.
    pub airtime_share: f64,
}

/// The role of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// An access point.
    Ap,
    /// A station.
    Station,
    /// A wired host.
    Server,
}

/// The signal of a station that has a place: the ratio between it and its access point, in dB, the same both ways.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Signal {
    /// The least during the run.
    pub signal_min_db: f64,
    /// The one below which it was for half of the time.
    pub signal_median_db: f64,
}

/// Measurements of a radio.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Radio {
    /// Data PPDUs sent, A-MPDUs and single MPDUs.
    pub ampdus: u64,
    /// MPDUs in one of them, mean.
    pub mpdus_per_ampdu: Option<f64>,
    /// The data rate of those PPDUs, mean.
    pub mac_rate_mbps: Option<f64>,
    /// The same of A-MPDUs only: single MPDUs with which a rate control probes do not count.
    pub ampdu_rate_mbps: Option<f64>,
    /// The data rate of the A-MPDUs sent to it, mean.
    pub received_rate_mbps: Option<f64>,
    /// Time on the air of its frames that did not collide, as a share of the run.
    pub airtime_share: f64,
    /// MPDUs retransmitted.
    pub mpdu_retries: u64,
    /// Frames sent, by kind.
    pub frames: BTreeMap<String, u64>,
}

/// One queue.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Queue {
    /// Where it is: `discipline`, `driver` or `processor`; before a server's wire `link`, and `link_to` at the wire's other end, where packets
    /// for the server wait.
    pub layer: &'static str,
    /// Packets refused or dropped.
    pub drops: u64,
    /// Packets marked with ECN's CE, if any were.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub marks: Option<u64>,
    /// Its depth. Bundles of earlier versions have none of a server's link.
    #[serde(flatten)]
    pub depth: Option<QueueDepth>,
}

/// The depth of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QueueDepth {
    /// Packets in it, mean over time.
    pub mean_packets: f64,
    /// The most packets in it.
    pub max_packets: f64,
    /// Time that a packet waited in it, mean: above a driver of those that waited at all, of others of all that passed. What a wire sends
    /// waits no more.
    pub mean_sojourn_ms: Option<f64>,
}

/// Traffic on a USB bus.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bus {
    /// Bulk OUT transactions that moved data: from the host to the adapter.
    pub out: u64,
    /// OUT transactions that the adapter had no room for (NAK).
    pub out_refused: u64,
    /// Bulk IN transactions that moved data: from the adapter to the host.
    pub r#in: u64,
    /// Packets handed to the adapter.
    pub out_packets: u64,
    /// Packets that the adapter passed on.
    pub in_packets: u64,
    /// Spells in which the adapter received frames and did not pass them on.
    pub holds: Vec<Hold>,
}

/// A spell in which an adapter held back received frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hold {
    /// When it began.
    pub start_s: f64,
    /// When it ended, which may be after the run.
    pub end_s: f64,
}
