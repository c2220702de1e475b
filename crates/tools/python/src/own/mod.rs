//! Classes in Python that are congestion controls, rate controls, queue disciplines, schedulers, roaming policies, scan policies or applications.

mod answer;
mod congestion;
mod congestion_facts;
mod hook;
mod queue;
mod raised;
mod rate;
mod roaming;
mod scan;
mod scheduler;
mod traffic;
mod values;

use hook::{Brought, Parameter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) use raised::{forget, is_raised, take};

/// The hooks of a kind of class and what each may be told, for messages and pages.
#[pyfunction]
pub(crate) fn hooks(kind: &str) -> PyResult<Vec<(&'static str, Vec<&'static str>)>> {
    match kind {
        "congestion_control" => Ok(congestion::SEAM.names()),
        "queue" => Ok(queue::SEAM.names()),
        "rate_control" => Ok(rate::SEAM.names()),
        "roaming_policy" => Ok(roaming::SEAM.names()),
        "scan_policy" => Ok(scan::SEAM.names()),
        "scheduler" => Ok(scheduler::SEAM.names()),
        "traffic" => Ok(traffic::SEAM.names()),
        _ => Err(refused(format!("there is no kind `{kind}`"))),
    }
}

/// Brings a class of a kind: `make` gives an object, from a seed and the values of its parameters by name; `hooks` are its methods by
/// name, with their arguments, and `parameters` what scenarios may give values to, with defaults.
#[pyfunction]
pub(crate) fn register(
    kind: &str,
    name: String,
    make: Py<PyAny>,
    hooks: Vec<(String, Vec<String>)>,
    parameters: Vec<(String, Parameter)>,
) -> PyResult<()> {
    let brought = Brought { name, make, hooks, parameters };
    match kind {
        "congestion_control" => congestion::register(brought),
        "queue" => queue::register(brought),
        "rate_control" => rate::register(brought),
        "roaming_policy" => roaming::register(brought),
        "scan_policy" => scan::register(brought),
        "scheduler" => scheduler::register(brought),
        "traffic" => traffic::register(brought),
        _ => Err(refused(format!("there is no kind `{kind}`"))),
    }
}

/// An error of what a class asks for.
fn refused(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}
