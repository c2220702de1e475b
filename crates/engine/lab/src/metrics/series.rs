//! The series, tidy: one row for each bin, entity and metric.

/// The metric of a row.
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
    LinkQueue,
    LinkSojourn,
    LinkToQueue,
    LinkToSojourn,
    Away,
    Signal,
    BusOut,
    BusRefused,
    BusIn,
    BusBusy,
}

impl Metric {
    /// All that flows have; UDP and pings have some of them.
    pub const OF_FLOWS: [Self; 9] = [
        Self::Goodput,
        Self::Cwnd,
        Self::Ssthresh,
        Self::InFlight,
        Self::Srtt,
        Self::Rtt,
        Self::Load,
        Self::Retransmissions,
        Self::Delay,
    ];
    /// All that nodes have; only some of them have all.
    pub const OF_NODES: [Self; 21] = [
        Self::Ampdus,
        Self::MpdusPerAmpdu,
        Self::MacRate,
        Self::ReceivedRate,
        Self::MpduRetries,
        Self::MpduLosses,
        Self::Airtime,
        Self::Queue,
        Self::QueueDrops,
        Self::Sojourn,
        Self::DriverQueue,
        Self::LinkQueue,
        Self::LinkSojourn,
        Self::LinkToQueue,
        Self::LinkToSojourn,
        Self::Away,
        Self::Signal,
        Self::BusOut,
        Self::BusRefused,
        Self::BusIn,
        Self::BusBusy,
    ];

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
            Self::LinkQueue => ("link_queue", "packets"),
            Self::LinkSojourn => ("link_sojourn", "ms"),
            Self::LinkToQueue => ("link_to_queue", "packets"),
            Self::LinkToSojourn => ("link_to_sojourn", "ms"),
            Self::Away => ("away", "share"),
            Self::Signal => ("signal", "dB"),
            Self::BusOut => ("bus_out", "1/s"),
            Self::BusRefused => ("bus_refused", "1/s"),
            Self::BusIn => ("bus_in", "1/s"),
            Self::BusBusy => ("bus_busy", "share"),
        }
    }
}

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesRow {
    /// Start of the bin, in seconds.
    pub time: f64,
    /// Index into [`Series::entities`].
    pub entity: u16,
    /// The metric.
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
    pub rows: Vec<SeriesRow>,
}

/// Where the rows go as each bin ends.
pub trait Keep {
    /// Drains the rows of a bin.
    fn keep(&mut self, bin: &mut Vec<SeriesRow>);

    /// Knows one more entity by its name.
    fn entity(&mut self, _name: &str) {}
}

/// All of them in memory.
impl Keep for Vec<SeriesRow> {
    fn keep(&mut self, bin: &mut Vec<SeriesRow>) {
        self.append(bin);
    }
}

/// Discards them: only the summary is wanted.
impl Keep for () {
    fn keep(&mut self, bin: &mut Vec<SeriesRow>) {
        bin.clear();
    }
}

/// The rows of the bin that ends.
#[derive(Default)]
pub(super) struct Bin(pub(super) Vec<SeriesRow>);

impl Bin {
    /// Appends a row, if there is a value.
    pub(super) fn push(&mut self, time: f64, entity: u16, metric: Metric, value: Option<f64>) {
        if let Some(value) = value {
            self.0.push(SeriesRow { time, entity, metric, value });
        }
    }
}
