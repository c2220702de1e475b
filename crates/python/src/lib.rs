//! The Python face of airloom: functions that take and give text, and nothing else.
//!
//! Tables stay in files (Arrow and Parquet are read in Python), scenarios and summaries travel as TOML and JSON, so
//! this crate has no types of its own and no logic beyond turning errors into exceptions.

mod errors;
#[cfg(not(feature = "engine"))]
mod lab;
mod progress;

#[cfg(feature = "engine")]
use airloom_lab as lab;

use pyo3::prelude::*;
use std::path::PathBuf;

/// Parses, checks and resolves a scenario: the same scenario as TOML with every default spelled out.
#[pyfunction]
fn check(text: &str, file: &str, overrides: Vec<(String, String)>, seed: Option<u64>) -> PyResult<String> {
    let scenario = lab::scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    Ok(scenario.to_toml())
}

/// Runs a scenario into a bundle at `out` and returns its summary as JSON.
///
/// The interpreter is free meanwhile. `progress` is called with the fraction done, about 20 times a second; an
/// exception from it, or Ctrl-C, ends the run and leaves nothing behind.
#[pyfunction]
#[pyo3(signature = (text, file, overrides, seed, out, progress=None))]
fn run(
    py: Python<'_>,
    text: &str,
    file: &str,
    overrides: Vec<(String, String)>,
    seed: Option<u64>,
    out: PathBuf,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let scenario = lab::scenario::load(text, file, &overrides, seed).map_err(errors::scenario)?;
    let mut reporter = progress::Reporter::new(progress);
    let result = py.detach(|| {
        lab::run::run_to_bundle(&scenario, &out, &lab::run::Options::default(), &mut |fraction| {
            reporter.report(fraction)
        })
    });
    match reporter.into_error() {
        Some(error) => Err(error),
        None => result.map_err(errors::run),
    }
}

/// The host, adapter and access-point profiles that a scenario can name, as JSON.
#[pyfunction]
fn profiles() -> String {
    lab::scenario::profiles()
}

/// The JSON Schema of a scenario file, for editors.
#[pyfunction]
fn schema() -> String {
    lab::scenario::json_schema()
}

/// The version of the engine; it is part of what identifies a run.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// `airloom._engine`.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(profiles, module)?)?;
    module.add_function(wrap_pyfunction!(schema, module)?)?;
    module.add_function(wrap_pyfunction!(version, module)?)?;
    Ok(())
}
