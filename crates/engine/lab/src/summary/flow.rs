//! A flow in the summary.

use schemars::JsonSchema;
use serde::Serialize;

/// One flow over the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Flow {
    /// Its name in the scenario.
    pub name: String,
    /// The group it belongs to, if it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group: Option<String>,
    /// The node that sends.
    pub from: String,
    /// The node that receives, or answers.
    pub to: String,
    /// Its own time, if that is not all of what was measured.
    #[serde(flatten)]
    pub own_time: OwnTime,
    /// Its measurements, by kind of flow.
    #[serde(flatten)]
    pub numbers: FlowNumbers,
}

/// The time of a flow that is not under way all the time that is measured. A key that is not there is as of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct OwnTime {
    /// When it starts, if that is after what was measured begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub start_s: Option<f64>,
    /// When it ends, if that is before the run does: with the last of a given number of bytes, or as its application stops, or with what
    /// arrives later. It may be before what was measured begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub end_s: Option<f64>,
    /// Its own time as a share of that which was measured, if it is not all of that: a goodput times this is one over the run's time, and
    /// goodputs over the same time add up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64")]
    pub time_share: Option<f64>,
}

/// Measurements of a flow.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FlowNumbers {
    /// A TCP connection.
    Tcp(Tcp),
    /// Datagrams.
    Udp(Udp),
    /// Echo requests and their answers.
    Ping(Ping),
}

/// The payload of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Goodput {
    /// Bytes that reached the receiving application, over the flow's own time.
    pub goodput_mbps: f64,
    /// Its share of the sum of all goodputs, each over the flow's own time; `null` where nothing arrived of any flow.
    pub share: Option<f64>,
}

/// A TCP connection over the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tcp {
    /// Its payload.
    #[serde(flatten)]
    pub goodput: Goodput,
    /// The congestion control of the sender.
    pub congestion: &'static str,
    /// Bytes that the sending application wrote.
    pub bytes_written: u64,
    /// Bytes that reached the receiving application, in order.
    pub bytes_delivered: u64,
    /// Bytes written and not delivered by the end of the run.
    pub bytes_held: u64,
    /// Segments retransmitted.
    pub retransmissions: u64,
    /// Expiries of the retransmission timer.
    pub timeouts: u64,
    /// Times that loss recovery was entered.
    pub recoveries: u64,
    /// Segments that a queue of the sender's own host refused.
    pub local_drops: u64,
    /// Reductions of the window that were undone, since their cause was not a loss.
    pub undone: u64,
    /// The congestion window in packets, mean over time.
    pub cwnd_mean: Option<f64>,
    /// The largest congestion window in packets.
    pub cwnd_max: f64,
    /// Packets in flight, mean over time.
    pub in_flight_mean: Option<f64>,
    /// The smoothed round-trip time, mean over time.
    pub srtt_mean_ms: Option<f64>,
    /// The samples of the round-trip time, mean.
    pub rtt_mean_ms: Option<f64>,
    /// The samples of the round-trip time, median; this and the next two are within 1 %.
    pub rtt_median_ms: Option<f64>,
    /// Their 95th percentile.
    pub rtt_p95_ms: Option<f64>,
    /// Their 99th percentile.
    pub rtt_p99_ms: Option<f64>,
    /// Round trips per minute: 60 s over the mean of those up to the 95th percentile (draft-ietf-ippm-responsiveness).
    pub rpm: Option<f64>,
}

/// Datagrams over the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Udp {
    /// Their payload.
    #[serde(flatten)]
    pub goodput: Goodput,
    /// Bytes of payload that arrived.
    pub bytes_delivered: u64,
    /// Datagrams sent.
    pub sent: u64,
    /// Datagrams that arrived.
    pub delivered: u64,
    /// Datagrams lost; those in transit as the run ends are not counted.
    pub lost: u64,
    /// From sender to receiver, mean.
    pub delay_mean_ms: Option<f64>,
    /// The same, median; this and the next two are within 1 %.
    pub delay_median_ms: Option<f64>,
    /// The same, 95th percentile.
    pub delay_p95_ms: Option<f64>,
    /// The same, 99th percentile.
    pub delay_p99_ms: Option<f64>,
}

/// Pings over the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ping {
    /// Requests sent.
    pub sent: u64,
    /// Requests whose answer came back.
    pub answered: u64,
    /// Requests lost, or their answers; those in transit as the run ends are not counted.
    pub lost: u64,
    /// The round trips, mean.
    pub rtt_mean_ms: Option<f64>,
    /// The round trips, median (nearest rank).
    pub rtt_median_ms: Option<f64>,
    /// The 95th percentile of the round trips (nearest rank).
    pub rtt_p95_ms: Option<f64>,
    /// The 99th percentile of the round trips (nearest rank).
    pub rtt_p99_ms: Option<f64>,
    /// The longest round trip.
    pub rtt_max_ms: Option<f64>,
    /// Round trips per minute: 60 s over the mean of those up to the 95th percentile (draft-ietf-ippm-responsiveness).
    pub rpm: Option<f64>,
}
