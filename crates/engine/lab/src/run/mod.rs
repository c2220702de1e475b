//! A run: a scenario in, a bundle out; or what was measured of it, or its captures, in memory.

// A page in a browser has no disk.
#[cfg(not(target_family = "wasm"))]
mod to_bundle;

#[cfg(not(target_family = "wasm"))]
pub use to_bundle::{drive_to_bundle, run_to_bundle};

use crate::capture::{self, Capture};
use crate::files::Memory;
use crate::memory;
use crate::metrics::{self, Recorder, Series};
use crate::summary::Summary;
use airloom_observe::Probe;
use airloom_scenario::{Flow, Scenario};
use airloom_sim::{Duration, Time};
use airloom_world::{Driver, FlowEnd, World};
use std::io;

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
    #[cfg(not(target_family = "wasm"))]
    Bundle(crate::bundle::Error),
    /// Files in memory cannot be made, as two would have one name.
    Files(io::Error),
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
            #[cfg(not(target_family = "wasm"))]
            Self::Bundle(error) => error.fmt(f),
            Self::Files(error) => error.fmt(f),
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

/// Files in memory, each with its name.
pub type InMemory = Vec<(String, Vec<u8>)>;

/// Runs `scenario` to its end for its captures alone, which stay in memory: the files that [`capture`] writes into a
/// bundle.
///
/// # Errors
/// As for [`run`]; [`Error::Files`] if two files would have one name.
// Compiled by who calls it, for there it takes a world of its own, and most do not.
#[inline]
pub fn captured_in_memory(
    scenario: &Scenario,
    settings: &capture::Settings,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<InMemory, Error> {
    is_simulated(scenario)?;
    memory::check(scenario).map_err(Error::TooLarge)?;
    let mut files = Memory::default();
    let capture = Capture::new(scenario, &mut files, settings).map_err(Error::Files)?;
    let (capture, run) = observed(scenario, capture, &mut ToItsEnd(progress))?;
    capture.finish(Time::ZERO + run.lasted).map_err(Error::Files)?;
    Ok(files.finish())
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

/// What a world reports in addition to its observations.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "a bundle has all of it"))]
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
    let measured_from = Time::ZERO + scenario.warm_up.unwrap_or_default();
    let flows = world.flows_since(measured_from).into_iter().chain(ends).collect();
    let lasted = world.now().since(Time::ZERO);
    let finished = Finished { flows, further, events: world.events(), lasted };
    Ok((world.into_probe(), finished))
}
