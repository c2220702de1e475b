//! A run: a scenario in, a bundle out.

use crate::bundle;
use crate::capture::{self, Capture};
use crate::metrics::{Recorder, Series};
use crate::scenario::Scenario;
use crate::world::{FlowEnd, World};
use airloom_observe::Probe;
use std::path::Path;

/// What a run is to leave beside summary and series.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Replace a bundle that already lies at the place of the new one.
    pub replace: bool,
    /// Captures and socket logs to be written, if any.
    pub capture: Option<capture::Settings>,
}

/// What a run found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The one-second series.
    pub series: Series,
    /// The summary.
    pub summary: serde_json::Value,
    /// Events handled.
    pub events: u64,
}

/// Why there is no bundle. Nothing is left behind in any of these cases.
#[derive(Debug)]
pub enum Error {
    /// The caller asked to stop.
    Interrupted,
    /// Something is in the way of the bundle, or the disk refused.
    Bundle(bundle::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted; nothing was written"),
            Self::Bundle(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// Runs `scenario` to its end.
///
/// # Errors
/// [`Error::Interrupted`] if `progress`, which is told the share done, returned false.
pub fn run(scenario: &Scenario, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
    let (recorder, run) = observed(scenario, Recorder::new(scenario), progress)?;
    Ok(run.outcome(scenario, recorder))
}

/// Runs `scenario` and writes its bundle to the folder `out`, which appears when it is whole. Returns the summary as JSON.
///
/// # Errors
/// If `out` exists (unless it is to be replaced), cannot be written, or `progress` returned false.
pub fn run_to_bundle(
    scenario: &Scenario,
    out: &Path,
    options: &Options,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<String, Error> {
    let folder = bundle::Folder::prepare(out, options.replace).map_err(Error::Bundle)?;
    let (outcome, captures) = match &options.capture {
        None => (run(scenario, progress)?, Vec::new()),
        Some(settings) => {
            let refused = |error| Error::Bundle(bundle::Error::refused(out, error));
            let capture = Capture::new(scenario, folder.path(), settings).map_err(refused)?;
            let ((recorder, capture), run) =
                observed(scenario, (Recorder::new(scenario), capture), progress)?;
            let captured = capture.finish().map_err(refused)?;
            let mut outcome = run.outcome(scenario, recorder);
            outcome.summary["captured"] = captured.records;
            (outcome, captured.files)
        }
    };
    folder.write(scenario, &outcome, captures).map_err(Error::Bundle)
}

/// What a world tells beside what its probe saw.
struct Finished {
    flows: Vec<FlowEnd>,
    events: u64,
}

impl Finished {
    fn outcome(self, scenario: &Scenario, recorder: Recorder) -> Outcome {
        let (series, summary) = recorder.finish(scenario, &self.flows);
        Outcome { series, summary, events: self.events }
    }
}

/// Runs `scenario` before the eyes of `probe`.
fn observed<P: Probe>(
    scenario: &Scenario,
    probe: P,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<(P, Finished), Error> {
    let mut world = World::new(scenario, probe);
    if !world.run(progress) {
        return Err(Error::Interrupted);
    }
    let finished = Finished { flows: world.flows(), events: world.events() };
    Ok((world.into_probe(), finished))
}
