//! The one-second series, tidy: one row for each bin, entity and metric.

/// What a row measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described by its name and unit below and in docs/bundle.md")]
pub enum Metric {
    Goodput,
    Cwnd,
    Ssthresh,
    InFlight,
    Srtt,
    Rtt,
    Load,
    Retransmissions,
    Delay,
    Ampdus,
    MpdusPerAmpdu,
    MacRate,
    ReceivedRate,
    MpduRetries,
    MpduLosses,
    Airtime,
    Queue,
    QueueDrops,
    Sojourn,
    DriverQueue,
    Away,
    BusOut,
    BusRefused,
    BusIn,
    BusBusy,
}

impl Metric {
    /// Its name and unit in the table.
    pub const fn name_and_unit(self) -> (&'static str, &'static str) {
        match self {
            Self::Goodput => ("goodput", "Mbit/s"),
            Self::Cwnd => ("cwnd", "packets"),
            Self::Ssthresh => ("ssthresh", "packets"),
            Self::InFlight => ("in_flight", "packets"),
            Self::Srtt => ("srtt", "ms"),
            Self::Rtt => ("rtt", "ms"),
            Self::Load => ("load", "Mbit/s"),
            Self::Retransmissions => ("retransmissions", "1/s"),
            Self::Delay => ("delay", "ms"),
            Self::Ampdus => ("ampdus", "1/s"),
            Self::MpdusPerAmpdu => ("mpdus_per_ampdu", "MPDUs"),
            Self::MacRate => ("mac_rate", "Mbit/s"),
            Self::ReceivedRate => ("received_rate", "Mbit/s"),
            Self::MpduRetries => ("mpdu_retries", "1/s"),
            Self::MpduLosses => ("mpdu_losses", "1/s"),
            Self::Airtime => ("airtime", "share"),
            Self::Queue => ("queue", "packets"),
            Self::QueueDrops => ("queue_drops", "1/s"),
            Self::Sojourn => ("sojourn", "ms"),
            Self::DriverQueue => ("driver_queue", "packets"),
            Self::Away => ("away", "share"),
            Self::BusOut => ("bus_out", "1/s"),
            Self::BusRefused => ("bus_refused", "1/s"),
            Self::BusIn => ("bus_in", "1/s"),
            Self::BusBusy => ("bus_busy", "share"),
        }
    }
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Start of the bin, in seconds.
    pub time: f64,
    /// Index into [`Series::entities`].
    pub entity: u16,
    /// What is measured.
    pub metric: Metric,
    /// The value, in the metric's unit.
    pub value: f64,
}

/// All rows, in order of time, then entity, then metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Names of nodes and flows.
    pub entities: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Series {
    pub(super) fn new(entities: Vec<String>) -> Self {
        Self { entities, rows: Vec::new() }
    }

    /// Appends a row, if there is a value.
    pub(super) fn push(&mut self, time: f64, entity: u16, metric: Metric, value: Option<f64>) {
        if let Some(value) = value {
            self.rows.push(Row { time, entity, metric, value });
        }
    }
}
