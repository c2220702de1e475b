//! A run: a scenario in, a bundle out.

use crate::bundle::{self, Bundle, Disk};
use crate::capture::{self, Capture};
use crate::detail::Detail;
use crate::memory;
use crate::metrics::{self, Recorder, Series, SeriesLog};
use crate::summary::Summary;
use airloom_observe::Probe;
use airloom_scenario::Scenario;
use airloom_world::{FlowEnd, World};
use std::io;
use std::path::Path;

/// Optional outputs of a run, beside summary and series.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Replace an existing bundle.
    pub replace: bool,
    /// Captures and socket logs to be written, if any.
    pub capture: Option<capture::Settings>,
    /// SHA-256 of the running program, for the manifest, if the caller knows it.
    pub engine: Option<String>,
}

/// The results of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The series.
    pub series: Series,
    /// The summary.
    pub summary: Summary,
    /// Events handled.
    pub events: u64,
}

/// Why there is no bundle. No files are left in any of these cases.
#[derive(Debug)]
pub enum Error {
    /// The caller asked to stop.
    Interrupted,
    /// The run does not fit into memory.
    TooLarge(String),
    /// The bundle's place is taken, or the disk failed.
    Bundle(bundle::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted; nothing was written"),
            Self::TooLarge(message) => f.write_str(message),
            Self::Bundle(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// Runs `scenario` to its end.
///
/// # Errors
/// [`Error::Interrupted`] if `progress`, which gets the share done, returned false; [`Error::TooLarge`] before anything
/// runs.
pub fn run(scenario: &Scenario, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
    memory::check(scenario).map_err(Error::TooLarge)?;
    let (recorder, run) = observed(scenario, Recorder::new(scenario), progress)?;
    let (rows, summary) = recorder.finish(scenario, &run.flows);
    let series = Series { entities: metrics::entities(scenario), rows };
    Ok(Outcome { series, summary, events: run.events })
}

/// Runs `scenario` to its end, for its summary only.
///
/// # Errors
/// As for [`run`].
pub fn summarize(scenario: &Scenario, progress: &mut dyn FnMut(f64) -> bool) -> Result<Summary, Error> {
    memory::check(scenario).map_err(Error::TooLarge)?;
    let (recorder, run) = observed(scenario, Recorder::keeping(scenario, ()), progress)?;
    Ok(recorder.finish(scenario, &run.flows).1)
}

/// Runs `scenario` and writes its bundle to the folder `out`, which appears when it is whole. Returns the summary as JSON.
///
/// # Errors
/// If `out` exists (unless it is to be replaced) or cannot be written, the run does not fit into memory, or `progress`
/// returned false.
pub fn run_to_bundle(
    scenario: &Scenario,
    out: &Path,
    options: &Options,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<String, Error> {
    memory::check(scenario).map_err(Error::TooLarge)?;
    let mut bundle = Bundle::begin(out, options.replace).map_err(Error::Bundle)?;
    let refused = bundle.disk().refused();
    // A run whose files cannot be written ends at once; the disk's own error says why.
    let mut goes_on = |share| !refused.yet() && progress(share);
    let written = record(scenario, bundle.disk(), options.capture.as_ref(), &mut goes_on).transpose();
    let written = match written {
        None if !refused.yet() => return Err(Error::Interrupted),
        None => Err(io::ErrorKind::Interrupted.into()),
        Some(written) => written,
    };
    bundle.finish(scenario, options.engine.as_deref(), written).map_err(Error::Bundle)
}

/// Runs `scenario` while its series and its detail, and its captures if they are wanted, are written to `disk`. Returns the summary;
/// nothing if interrupted.
fn record(
    scenario: &Scenario,
    disk: &mut Disk,
    capture: Option<&capture::Settings>,
    progress: &mut dyn FnMut(f64) -> bool,
) -> io::Result<Option<Summary>> {
    let series = SeriesLog::new(disk.create("series.parquet")?, &metrics::entities(scenario))?;
    let watched = (Recorder::keeping(scenario, series), Detail::new(scenario));
    let Some(settings) = capture else {
        let Ok(((recorder, detail), run)) = observed(scenario, watched, progress) else { return Ok(None) };
        let (series, summary) = recorder.finish(scenario, &run.flows);
        series.finish()?;
        detail.finish(scenario, disk)?;
        return Ok(Some(summary));
    };
    let capture = Capture::new(scenario, disk, settings)?;
    let Ok((((recorder, detail), capture), run)) = observed(scenario, (watched, capture), progress) else {
        return Ok(None);
    };
    let (series, mut summary) = recorder.finish(scenario, &run.flows);
    series.finish()?;
    detail.finish(scenario, disk)?;
    summary.captured = Some(capture.finish()?);
    Ok(Some(summary))
}

/// What a world reports in addition to its observations.
struct Finished {
    flows: Vec<FlowEnd>,
    events: u64,
}

/// Runs `scenario` with `probe`.
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
