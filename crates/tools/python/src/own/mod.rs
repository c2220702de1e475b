//! Classes in Python that are congestion controls, rate controls, queue disciplines, schedulers, roaming policies or applications.

mod answer;
mod congestion;
mod congestion_facts;
mod hook;
mod queue;
mod raised;
mod rate;
mod roaming;
mod scheduler;
mod traffic;
mod values;

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
        "scheduler" => Ok(scheduler::SEAM.names()),
        "traffic" => Ok(traffic::SEAM.names()),
        _ => Err(refused(format!("there is no kind `{kind}`"))),
    }
}

/// Brings a class of a kind: `make` gives an object, `hooks` are its methods by name, with their arguments.
#[pyfunction]
pub(crate) fn register(
    kind: &str,
    name: &str,
    make: Py<PyAny>,
    hooks: Vec<(String, Vec<String>)>,
) -> PyResult<()> {
    match kind {
        "congestion_control" => congestion::register(name, make, &hooks),
        "queue" => queue::register(name, make, &hooks),
        "rate_control" => rate::register(name, make, &hooks),
        "roaming_policy" => roaming::register(name, make, &hooks),
        "scheduler" => scheduler::register(name, make, &hooks),
        "traffic" => traffic::register(name, make, &hooks),
        _ => Err(refused(format!("there is no kind `{kind}`"))),
    }
}

/// An error of what a class asks for.
fn refused(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}
