//! The Python face of airloom: functions that take and return text and columns of tables, and nothing else. A module has it by
//! [`fill`]: that of the wheel, and one of somebody who brings algorithms in Rust.
//!
//! Scenarios and summaries travel as TOML and JSON, tables as columns, so this crate has no logic beyond turning errors into
//! exceptions.

mod captures;
mod errors;
mod frame;
mod kept_scenarios;
mod live;
#[cfg(target_os = "linux")]
mod machine;
mod own;
mod profile;
mod progress;
mod stepped;
mod table;
mod warning;

use airloom_diagnose::{Diagnosis, Evidence, Layers, RULES, Roams, excerpts};
use airloom_lab::metrics::Metric;
use airloom_lab::run::{Options, run_to_bundle};
use airloom_lab::{SmoothedRate, capture, memory, receive_script, scenario};
use airloom_sim::{BitRate, Time};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Parses, checks and resolves a scenario: the same scenario as TOML with every default spelled out. One that does not
/// fit into the memory of this machine is refused.
#[pyfunction]
fn check(text: &str, file: &str, overrides: Vec<(String, String)>, seed: Option<u64>) -> PyResult<String> {
    let resolved = scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    memory::check(&resolved).map_err(errors::too_large)?;
    Ok(resolved.to_toml())
}

/// What a sound scenario says but probably does not mean, in the order of its text, as dictionaries.
#[pyfunction]
fn warnings(
    text: &str,
    file: &str,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
) -> PyResult<Vec<warning::Warning>> {
    let read = scenario::load_with_warnings(text, file, &overrides, seed);
    let (_, warnings) = read.map_err(errors::scenario)?;
    Ok(warnings.into_iter().map(warning::Warning::from).collect())
}

/// What is written in a sound scenario and does not hold since something else does, in the order of its text, as dictionaries.
#[pyfunction]
fn overridden(text: &str, file: &str, overrides: Vec<(String, String)>) -> Vec<warning::Warning> {
    scenario::overridden(text, file, &overrides).into_iter().map(warning::Warning::from).collect()
}

/// Pairs of access points whose channels overlap, with the power in dBm at which they receive each other, and whether they keep quiet for each other's
/// frames; none of a scenario that cannot be read or has no places.
#[pyfunction]
fn sharing(text: &str) -> Vec<(String, String, f64, bool)> {
    let pairs = scenario::load(text, "", &[], None).map_or_else(|_| Vec::new(), |read| read.sharing());
    pairs
        .into_iter()
        .map(|scenario::Sharing { names: [one, other], dbm, heard }| (one, other, dbm, heard))
        .collect()
}

/// What to keep of a capture: bytes of each packet (zero: all), and from when until when, in nanoseconds.
type Capture = (u32, u64, u64);

fn settings((snap_length, from, until): Capture) -> capture::Settings {
    capture::Settings { snap_length, window: (Time::from_nanos(from), Time::from_nanos(until)) }
}

/// Runs a scenario into a bundle at `out` and returns its summary as JSON.
///
/// With `replace`, the bundle takes the place of one that is there; with `capture`, it holds captures too. The
/// interpreter is free meanwhile. `progress` is called with the fraction done, about 20 times a second; an exception from
/// it, or Ctrl-C, ends the run and leaves nothing behind. `engine` is the SHA-256 of this module, for the manifest.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
#[pyo3(signature = (text, file, overrides, seed, out, replace=false, capture=None, progress=None, engine=None))]
fn run(
    py: Python<'_>,
    text: &str,
    file: &str,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
    out: PathBuf,
    replace: bool,
    capture: Option<Capture>,
    progress: Option<Py<PyAny>>,
    engine: Option<String>,
) -> PyResult<String> {
    let scenario = scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    let mut reporter = progress::Reporter::new(progress);
    let capture = capture.map(settings);
    if let Some(settings) =
        capture.filter(|settings| settings.window.0.as_nanos() >= scenario.duration.as_nanos())
    {
        let (from, end) = (settings.window.0.as_secs_f64(), scenario.duration.as_secs_f64());
        return Err(errors::refused(&format!("the capture begins at {from} s, but the run ends at {end} s")));
    }
    let options = Options { replace, capture, engine };
    let result =
        py.detach(|| run_to_bundle(&scenario, &out, &options, &mut |fraction| reporter.report(fraction)));
    match reporter.into_error() {
        Some(error) => Err(error),
        None => result.map_err(errors::run),
    }
}

/// Runs a scenario, writes nothing, and returns its summary as JSON on one line; `progress` is as for `run`.
#[pyfunction]
#[pyo3(signature = (text, file, overrides, seed, progress=None))]
fn summarize(
    py: Python<'_>,
    text: &str,
    file: &str,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let scenario = scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    let mut reporter = progress::Reporter::new(progress);
    let result =
        py.detach(|| airloom_lab::run::summarize(&scenario, &mut |fraction| reporter.report(fraction)));
    match reporter.into_error() {
        Some(error) => Err(error),
        None => result.map(|summary| summary.to_document().to_string()).map_err(errors::run),
    }
}

/// The names of the metrics that the series of flows have, and of those that nodes have.
#[pyfunction]
fn series_metrics() -> (Vec<&'static str>, Vec<&'static str>) {
    let names = |all: &[Metric]| all.iter().map(|metric| metric.name_and_unit().0).collect();
    (names(&Metric::OF_FLOWS), names(&Metric::OF_NODES))
}

/// The frames of a capture of the air, in its order.
#[pyfunction]
fn frames(py: Python<'_>, path: PathBuf) -> PyResult<frame::Frames> {
    py.detach(|| frame::read(&path)).map_err(|message| errors::bundle(&path, &message))
}

/// What the rules find in captures of the same time, as JSON; `progress` gets the fraction of them that has been read.
#[pyfunction]
#[pyo3(signature = (paths, progress=None))]
fn diagnose(py: Python<'_>, paths: Vec<PathBuf>, progress: Option<Py<PyAny>>) -> PyResult<String> {
    json(&captures::read(py, &paths, progress, 1, |evidence, _| Ok(Diagnosis::of(evidence)))?)
}

/// How stations went from one access point to another, as JSON: the captures are read twice or more.
#[pyfunction]
#[pyo3(signature = (paths, progress=None))]
fn roams(py: Python<'_>, paths: Vec<PathBuf>, progress: Option<Py<PyAny>>) -> PyResult<String> {
    // Of several files beacons are read in a pass of their own.
    let passes = if paths.len() > 1 { 3 } else { 2 };
    json(&captures::read(py, &paths, progress, passes, |evidence, open| Roams::of(evidence, open))?)
}

/// From when until when a capture goes, in nanoseconds since 1970; none if it has no record.
#[pyfunction]
fn capture_span(py: Python<'_>, path: PathBuf) -> PyResult<Option<(u64, u64)>> {
    captures::span(py, &path)
}

/// What the rules say of themselves, as JSON.
#[pyfunction]
fn rules() -> PyResult<String> {
    json(&RULES)
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| errors::capture(&error.to_string()))
}

/// The same of captures, and what they show over time, as JSON.
#[pyfunction]
#[pyo3(signature = (paths, progress=None))]
fn diagnose_over_time(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let make =
        |evidence: &mut Evidence, _: captures::Again<'_>| Ok((Diagnosis::of(evidence), Layers::of(evidence)));
    let (told, layers) = captures::read(py, &paths, progress, 1, make)?;
    Ok((json(&told)?, json(&layers)?))
}

/// The same, then what the captures show over time, and the records around each finding, all as JSON.
#[pyfunction]
#[pyo3(signature = (paths, progress=None))]
fn diagnose_closely(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String, String)> {
    let make = |evidence: &mut Evidence, _: captures::Again<'_>| {
        let told = Diagnosis::of(evidence);
        let around = excerpts(evidence, &told.findings);
        Ok((told, Layers::of(evidence), around))
    };
    let (told, layers, around) = captures::read(py, &paths, progress, 1, make)?;
    Ok((json(&told)?, json(&layers)?, json(&around)?))
}

/// What one exchange takes on the air: a question and its answer, both JSON.
#[pyfunction]
fn airtime(ask: &str) -> PyResult<String> {
    let ask = serde_json::from_str(ask).map_err(|error| errors::refused(&error.to_string()))?;
    json(&airloom_lab::airtime::answer(&ask).map_err(|message| errors::refused(&message))?)
}

/// Exchanges two folders, in one step where the file system can.
#[pyfunction]
fn exchange(new: PathBuf, old: PathBuf) -> PyResult<()> {
    Ok(airloom_lab::bundle::exchange(&new, &old)?)
}

/// What a receiver with pseudo retry-out does about each MPDU of these A-MPDUs (`"1 2! 3"`, `!` for damaged ones), by number.
#[pyfunction]
fn receive(rate_mbps: f64, first: u16, ampdus: Vec<String>) -> PyResult<Vec<BTreeMap<u16, String>>> {
    let ampdus: Vec<&str> = ampdus.iter().map(String::as_str).collect();
    let rows = receive_script::play(bit_rate(rate_mbps), first, &ampdus).map_err(|e| errors::refused(&e))?;
    let written = |row: BTreeMap<u16, receive_script::Done>| {
        row.into_iter().map(|(seq, done)| (seq, done.to_string())).collect()
    };
    Ok(rows.into_iter().map(written).collect())
}

/// How many retransmissions an MPDU is worth after MPDUs at these rates.
#[pyfunction]
fn retry_out_index(rates_mbps: Vec<f64>) -> Option<u32> {
    let mut smoothed = SmoothedRate::default();
    rates_mbps.into_iter().for_each(|rate| smoothed.update(bit_rate(rate)));
    smoothed.retry_out_index()
}

fn bit_rate(mbps: f64) -> BitRate {
    BitRate::from_bps((mbps * 1e6).round() as u64)
}

/// The profiles that a scenario can name, as dictionaries.
#[pyfunction]
fn profiles() -> Vec<profile::Profile> {
    scenario::profiles().into_iter().map(profile::Profile::from).collect()
}

/// What to write instead of a profile that there is not; none where nothing is known by this name.
#[pyfunction]
fn serves_for_profile(name: &str) -> Option<String> {
    scenario::serves_for_profile(name)
}

/// What serves today in place of a key that there is not; none where nothing is known by this name.
#[pyfunction]
fn serves_for_key(key: &str) -> Option<String> {
    scenario::serves_for_key(key)
}

/// Keys of overrides in which every item is called by its number: `station.bob.snr` is `station.1.snr`.
#[pyfunction]
fn numbered(text: &str, keys: Vec<String>) -> Vec<String> {
    scenario::numbered(text, &keys)
}

/// The JSON Schema of a scenario file, for editors.
#[pyfunction]
fn schema() -> String {
    scenario::json_schema()
}

/// The JSON Schema of a run's summary.
#[pyfunction]
fn summary_schema() -> String {
    airloom_lab::summary::json_schema()
}

/// The JSON Schema of what a diagnosis says, with a definition of each shape.
#[pyfunction]
fn diagnosis_schema() -> String {
    serde_json::Value::from(airloom_diagnose::schema()).to_string()
}

/// The JSON Schema of the state of a world in real time.
#[pyfunction]
fn state_schema() -> String {
    serde_json::Value::from(airloom_emulate::state_schema()).to_string()
}

/// The version of the engine; it is part of what identifies a run.
#[pyfunction]
fn version() -> &'static str {
    airloom_lab::VERSION
}

/// The results version of the engine: with the same one, a scenario and a seed give the same numbers.
#[pyfunction]
fn results() -> u32 {
    airloom_lab::RESULTS
}

/// Puts all of it into a module, which the package `airloom` then finds under the name `airloom._engine`.
///
/// # Errors
///
/// What Python says of a name that cannot be put there.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<stepped::Stepped>()?;
    module.add_function(wrap_pyfunction!(series_metrics, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(warnings, module)?)?;
    module.add_function(wrap_pyfunction!(overridden, module)?)?;
    module.add_function(wrap_pyfunction!(sharing, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(summarize, module)?)?;
    module.add_function(wrap_pyfunction!(live::hosts, module)?)?;
    module.add_function(wrap_pyfunction!(live::programs, module)?)?;
    module.add_function(wrap_pyfunction!(live::live, module)?)?;
    #[cfg(target_os = "linux")]
    {
        module.add_function(wrap_pyfunction!(machine::read_machine, module)?)?;
        module.add_function(wrap_pyfunction!(machine::examine_machine, module)?)?;
        module.add_function(wrap_pyfunction!(machine::machine_checks, module)?)?;
        module.add_function(wrap_pyfunction!(machine::machine_schema, module)?)?;
        module.add_function(wrap_pyfunction!(machine::collect, module)?)?;
    }
    module.add_function(wrap_pyfunction!(frames, module)?)?;
    module.add_function(wrap_pyfunction!(capture_span, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose, module)?)?;
    module.add_function(wrap_pyfunction!(rules, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose_over_time, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose_closely, module)?)?;
    module.add_function(wrap_pyfunction!(roams, module)?)?;
    module.add_function(wrap_pyfunction!(airtime, module)?)?;
    module.add_function(wrap_pyfunction!(exchange, module)?)?;
    module.add_function(wrap_pyfunction!(table::read_table, module)?)?;
    module.add_function(wrap_pyfunction!(table::write_table, module)?)?;
    module.add_function(wrap_pyfunction!(receive, module)?)?;
    module.add_function(wrap_pyfunction!(retry_out_index, module)?)?;
    module.add_function(wrap_pyfunction!(own::hooks, module)?)?;
    module.add_function(wrap_pyfunction!(own::register, module)?)?;
    module.add_function(wrap_pyfunction!(profiles, module)?)?;
    module.add_function(wrap_pyfunction!(serves_for_profile, module)?)?;
    module.add_function(wrap_pyfunction!(serves_for_key, module)?)?;
    module.add_function(wrap_pyfunction!(numbered, module)?)?;
    module.add_function(wrap_pyfunction!(schema, module)?)?;
    module.add_function(wrap_pyfunction!(summary_schema, module)?)?;
    module.add_function(wrap_pyfunction!(diagnosis_schema, module)?)?;
    module.add_function(wrap_pyfunction!(state_schema, module)?)?;
    module.add_function(wrap_pyfunction!(version, module)?)?;
    module.add_function(wrap_pyfunction!(results, module)?)?;
    Ok(())
}
