//! A run: a scenario in, a bundle out.

use crate::bundle::{self, Bundle, Disk};
use crate::capture::{self, Capture};
use crate::detail::Detail;
use crate::memory;
use crate::metrics::{self, Recorder, Series, SeriesLog};
use crate::summary::Summary;
use airloom_observe::Probe;
use airloom_scenario::{Flow, Scenario};
use airloom_sim::{Duration, Time};
use airloom_world::{Driver, FlowEnd, World};
use std::borrow::Cow;
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
    /// A flow of this name is one of real programs.
    Program(String),
    /// The bundle's place is taken, or the disk failed.
    Bundle(bundle::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted; nothing was written"),
            Self::TooLarge(message) => f.write_str(message),
            Self::Program(name) => write!(
                f,
                "flow `{name}` runs a real program (kind = \"command\"), which is not simulated; `airloom shell` runs it over the \
                 scenario's air"
            ),
            Self::Bundle(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// Runs `scenario` to its end.
///
/// # Errors
/// [`Error::Interrupted`] if `progress`, which gets the share done, returned false; [`Error::TooLarge`] and [`Error::Program`]
/// before anything runs.
pub fn run(scenario: &Scenario, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
    is_simulated(scenario)?;
    memory::check(scenario).map_err(Error::TooLarge)?;
    let mut rows = Vec::new();
    let (recorder, run) = observed(scenario, Recorder::new(scenario, &mut rows), &mut ToItsEnd(progress))?;
    let summary = recorder.finish(scenario, &run.flows);
    let series = Series { entities: metrics::entities(scenario), rows };
    Ok(Outcome { series, summary, events: run.events })
}

/// Runs `scenario` to its end, for its summary only.
///
/// # Errors
/// As for [`run`].
pub fn summarize(scenario: &Scenario, progress: &mut dyn FnMut(f64) -> bool) -> Result<Summary, Error> {
    is_simulated(scenario)?;
    memory::check(scenario).map_err(Error::TooLarge)?;
    let mut unkept = ();
    let (recorder, run) = observed(scenario, Recorder::new(scenario, &mut unkept), &mut ToItsEnd(progress))?;
    Ok(recorder.finish(scenario, &run.flows))
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
    is_simulated(scenario)?;
    memory::check(scenario).map_err(Error::TooLarge)?;
    let mut bundle = Bundle::begin(out, options.replace).map_err(Error::Bundle)?;
    let refused = bundle.disk().refused();
    // A run whose files cannot be written ends at once; the disk's own error says why.
    let mut goes_on = |share| !refused.yet() && progress(share);
    let mut driver = ToItsEnd(&mut goes_on);
    let written = record(scenario, bundle.disk(), options.capture.as_ref(), &mut driver).transpose();
    let written = match written {
        None if !refused.yet() => return Err(Error::Interrupted),
        None => Err(io::ErrorKind::Interrupted.into()),
        Some(written) => written,
    };
    let (was, summary) = parted(scenario, written);
    bundle.finish(&was, options.engine.as_deref(), summary).map_err(Error::Bundle)
}

/// Has `scenario` driven otherwise than to its end, and writes the bundle of what came of it, with the duration and
/// the flows that it had.
///
/// # Errors
/// As for [`run_to_bundle`]; [`Error::Interrupted`] if the driver wants nothing kept.
pub fn drive_to_bundle(
    scenario: &Scenario,
    out: &Path,
    options: &Options,
    driver: &mut impl Driver,
) -> Result<String, Error> {
    memory::check(scenario).map_err(Error::TooLarge)?;
    let mut bundle = Bundle::begin(out, options.replace).map_err(Error::Bundle)?;
    let written = record(scenario, bundle.disk(), options.capture.as_ref(), driver).transpose();
    let mut written = written.ok_or(Error::Interrupted)?;
    for (name, text) in driver.files() {
        written = written.and_then(|written| bundle.disk().store(name, text.as_bytes()).map(|()| written));
    }
    if let Ok((_, summary)) = &mut written
        && scenario.flow.is_empty()
    {
        // What is sent comes from elsewhere, so that there is no flow is no mistake.
        summary.warnings.retain(|warning| !warning.concerns.is_empty());
    }
    let (was, summary) = parted(scenario, written);
    bundle.finish(&was, options.engine.as_deref(), summary).map_err(Error::Bundle)
}

/// Has `scenario` driven otherwise than to its end, and keeps nothing of it but what the driver does.
///
/// # Errors
/// [`Error::TooLarge`] before anything runs; [`Error::Interrupted`] if the driver wants nothing kept.
pub fn drive(scenario: &Scenario, driver: &mut impl Driver) -> Result<(), Error> {
    memory::check(scenario).map_err(Error::TooLarge)?;
    observed(scenario, (), driver).map(|_| ())
}

/// Refuses a scenario with flows that cannot be simulated.
pub(crate) fn is_simulated(scenario: &Scenario) -> Result<(), Error> {
    match scenario.program.first() {
        Some(program) => Err(Error::Program(program.name.clone())),
        None => Ok(()),
    }
}

/// Runs a world to its end while the caller wants it to, and asks once more there: few events are over before it is asked.
struct ToItsEnd<'a>(&'a mut dyn FnMut(f64) -> bool);

impl Driver for ToItsEnd<'_> {
    fn drive<P: Probe>(&mut self, world: &mut World<P>) -> bool {
        world.run(self.0) && (self.0)(1.0)
    }
}

/// The scenario with the duration that a run of it had, and with the flows of hosts outside.
fn as_it_was(scenario: &Scenario, duration: Duration, further: Vec<Flow>) -> Cow<'_, Scenario> {
    if duration == scenario.duration && further.is_empty() && scenario.program.is_empty() {
        return Cow::Borrowed(scenario);
    }
    // What programs did is among the flows now.
    let mut was = Scenario { duration, program: Vec::new(), ..scenario.clone() };
    was.flow.extend(further);
    Cow::Owned(was)
}

/// A scenario as its run was, and the summary.
type Written<'a> = (Cow<'a, Scenario>, Summary);

/// Both apart; of a failed run the scenario as it was given.
fn parted<'a>(
    scenario: &'a Scenario,
    written: io::Result<Written<'a>>,
) -> (Cow<'a, Scenario>, io::Result<Summary>) {
    match written {
        Ok((was, summary)) => (was, Ok(summary)),
        Err(error) => (Cow::Borrowed(scenario), Err(error)),
    }
}

/// Drives `scenario` while its series and its detail, and its captures if they are wanted, are written to `disk`. Returns the summary;
/// nothing if interrupted.
fn record<'a>(
    scenario: &'a Scenario,
    disk: &mut Disk,
    capture: Option<&capture::Settings>,
    driver: &mut impl Driver,
) -> io::Result<Option<Written<'a>>> {
    let mut series = SeriesLog::new(disk.create("series.parquet")?, &metrics::entities(scenario))?;
    let watched = (Recorder::new(scenario, &mut series), Detail::new(scenario));
    let Some(settings) = capture else {
        let Ok(((recorder, detail), run)) = observed(scenario, watched, driver) else { return Ok(None) };
        let was = as_it_was(scenario, run.lasted, run.further);
        let summary = recorder.finish(&was, &run.flows);
        series.finish()?;
        detail.finish(&was, disk)?;
        return Ok(Some((was, summary)));
    };
    let capture = Capture::new(scenario, disk, settings)?;
    let Ok((((recorder, detail), capture), run)) = observed(scenario, (watched, capture), driver) else {
        return Ok(None);
    };
    let was = as_it_was(scenario, run.lasted, run.further);
    let mut summary = recorder.finish(&was, &run.flows);
    series.finish()?;
    detail.finish(&was, disk)?;
    summary.captured = Some(capture.finish()?);
    Ok(Some((was, summary)))
}

/// What a world reports in addition to its observations.
struct Finished {
    flows: Vec<FlowEnd>,
    /// Flows of hosts outside, the last of those.
    further: Vec<Flow>,
    events: u64,
    /// How long it lasted.
    lasted: Duration,
}

/// Drives `scenario` with `probe`.
fn observed<P: Probe>(
    scenario: &Scenario,
    probe: P,
    driver: &mut impl Driver,
) -> Result<(P, Finished), Error> {
    let mut world = match driver.sends_for_walks() {
        true => World::with_walks(scenario, probe),
        false => World::new(scenario, probe),
    };
    if !driver.drive(&mut world) {
        return Err(Error::Interrupted);
    }
    let (further, ends): (Vec<_>, Vec<_>) = driver.flows().into_iter().unzip();
    let flows = world.flows().into_iter().chain(ends).collect();
    let lasted = world.now().since(Time::ZERO);
    let finished = Finished { flows, further, events: world.events(), lasted };
    Ok((world.into_probe(), finished))
}
