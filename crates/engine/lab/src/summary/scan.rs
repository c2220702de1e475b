//! Scans in the summary.

use schemars::JsonSchema;
use serde::Serialize;

/// One scan of all channels.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Scan {
    /// The station.
    pub station: String,
    /// When it was requested.
    pub requested_s: Option<f64>,
    /// When it started.
    pub start_s: f64,
    /// When it ended; `null` if the run ended first.
    pub end_s: Option<f64>,
    /// The visits to other channels.
    pub trips: Vec<Trip>,
}

/// One visit to a foreign channel; `null` stands for times after the end of the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Trip {
    /// When the station began to announce its sleep.
    pub leaving_s: f64,
    /// When it was off its channel.
    pub away_s: Option<f64>,
    /// When it tuned back.
    pub returning_s: Option<f64>,
    /// When it had announced its return.
    pub home_s: Option<f64>,
}

/// One request to scan and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScanRequest {
    /// The station.
    pub station: String,
    /// When it was made.
    pub time_s: f64,
    /// Its outcome.
    pub verdict: ScanOutcome,
}

/// The outcome of a request to scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScanOutcome {
    /// Nothing: a scan was under way.
    Ignored,
    /// The remedy refused it.
    Skipped,
    /// The remedy would have refused it, but the last scan was too long ago.
    #[serde(rename = "let through")]
    LetThrough,
    /// A scan started.
    Started,
}
