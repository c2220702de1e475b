//! This machine's Wi-Fi: reading it, judging what was read, recording it. Only on Linux.

use crate::errors::machine as failed;
use crate::progress::Reporter;
use airloom_doctor::{CHECKS, Document, MOST_COLLECTED, Plan, Snapshot};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

/// Reads this machine: a snapshot as JSON. Takes a little more than a second.
#[pyfunction]
pub(crate) fn read_machine(py: Python<'_>) -> PyResult<String> {
    let snapshot = py.detach(airloom_doctor::read).map_err(failed)?;
    serde_json::to_string_pretty(&Document::snapshot(&snapshot)).map_err(|error| failed(error.to_string()))
}

/// Judges a snapshot: the examination as JSON, and the lines of its page, each with the word for its style.
#[pyfunction]
pub(crate) fn examine_machine(
    snapshot: &str,
    columns: usize,
) -> PyResult<(String, Vec<(&'static str, String)>)> {
    let examination = airloom_doctor::examine(&Snapshot::parse(snapshot).map_err(failed)?);
    let lines = airloom_doctor::page(&examination, columns);
    let json = serde_json::to_string(&Document::examination(&examination))
        .map_err(|error| failed(error.to_string()))?;
    Ok((json, lines.into_iter().map(|(style, text)| (style.word(), text)).collect()))
}

/// What the checks say of themselves: code, name, what each finds and where that is from.
#[pyfunction]
pub(crate) fn machine_checks() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    CHECKS.iter().map(|check| (check.code, check.name, check.finds, check.source)).collect()
}

/// The JSON Schema of snapshots.
#[pyfunction]
pub(crate) fn machine_schema() -> String {
    airloom_doctor::snapshot_schema()
}

/// Records for a while into a folder that is not there yet, and calls `began` once it does; a signal ends it early, and what was
/// recorded stays. Gives what was recorded as JSON, and in lines for a person.
#[pyfunction]
pub(crate) fn collect(
    py: Python<'_>,
    out: PathBuf,
    seconds: u64,
    interface: Option<String>,
    began: Py<PyAny>,
) -> PyResult<(String, Vec<String>)> {
    let plan = Plan { out, time: Duration::from_secs(seconds), interface, most: MOST_COLLECTED };
    let mut signals = Reporter::new(None);
    // What the callback raises, such as that nobody reads what it says, does not end a recording.
    let call = || drop(Python::attach(|py| began.call0(py)));
    let collected =
        py.detach(|| airloom_doctor::collect(&plan, call, || !signals.report(0.0))).map_err(failed)?;
    let json =
        serde_json::to_string(&Document::collected(&collected)).map_err(|error| failed(error.to_string()))?;
    Ok((json, airloom_doctor::told(&collected)))
}
