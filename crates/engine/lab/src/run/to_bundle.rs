//! A run with its bundle on disk.

use super::{Error, Options, ToItsEnd, is_simulated, observed};
use crate::bundle::Bundle;
use crate::capture::{self, Capture, Logs};
use crate::detail::Detail;
use crate::files::Files;
use crate::memory;
use crate::metrics::{self, Recorder, SeriesLog};
use crate::summary::Summary;
use airloom_scenario::{Flow, NO_FLOW, Scenario};
use airloom_sim::{Duration, Time};
use airloom_world::Driver;
use std::borrow::Cow;
use std::io;
use std::path::Path;

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
        summary.warnings.retain(|warning| warning.message != NO_FLOW);
    }
    let (was, summary) = parted(scenario, written);
    bundle.finish(&was, options.engine.as_deref(), summary).map_err(Error::Bundle)
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

/// Drives `scenario` while its series and its detail, and its captures if they are wanted, are written to `files`. Returns the summary;
/// nothing if interrupted.
fn record<'a>(
    scenario: &'a Scenario,
    files: &mut dyn Files,
    capture: Option<&capture::Settings>,
    driver: &mut impl Driver,
) -> io::Result<Option<Written<'a>>> {
    let mut series = SeriesLog::new(files.create("series.parquet")?, &metrics::entities(scenario))?;
    let watched = (Recorder::new(scenario, &mut series), Detail::new(scenario));
    let Some(settings) = capture else {
        let Ok(((recorder, detail), run)) = observed(scenario, watched, driver) else { return Ok(None) };
        let was = as_it_was(scenario, run.lasted, run.further);
        let summary = recorder.finish(&was, &run.flows);
        series.finish()?;
        detail.finish(&was, files)?;
        return Ok(Some((was, summary)));
    };
    let captures = (Capture::new(scenario, files, settings)?, Logs::new(scenario, files, settings)?);
    let Ok((((recorder, detail), (capture, logs)), run)) = observed(scenario, (watched, captures), driver)
    else {
        return Ok(None);
    };
    let was = as_it_was(scenario, run.lasted, run.further);
    let mut summary = recorder.finish(&was, &run.flows);
    series.finish()?;
    detail.finish(&was, files)?;
    summary.captured = Some(capture.finish(Time::ZERO + run.lasted)?);
    logs.finish()?;
    Ok(Some((was, summary)))
}

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
