//! A run: a scenario in, a bundle out.

use crate::bundle;
use crate::metrics::{Recorder, Series};
use crate::scenario::Scenario;
use crate::world::World;
use std::path::Path;

/// What a run is to leave beside summary and series.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Replace a bundle that already lies at the place of the new one.
    pub replace: bool,
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
    let mut world = World::new(scenario, Recorder::new(scenario));
    if !world.run(progress) {
        return Err(Error::Interrupted);
    }
    let written: Vec<u64> = world.flows().map(|f| f.written).collect();
    let events = world.events();
    let (series, summary) = world.into_probe().finish(scenario, &written);
    Ok(Outcome { series, summary, events })
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
    let outcome = run(scenario, progress)?;
    folder.write(scenario, &outcome).map_err(Error::Bundle)
}
