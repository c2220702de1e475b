//! What goes wrong in the engine, as the exceptions that `airloom.errors` defines.

use crate::lab;
use pyo3::PyErr;

// The generated wrappers are public in a private module.
#[allow(unreachable_pub, missing_docs)]
mod python {
    pyo3::import_exception!(airloom.errors, ScenarioError);
    pyo3::import_exception!(airloom.errors, RunError);
}

/// A mistake in a scenario, with the place where it stands.
pub(crate) fn scenario(error: lab::scenario::ScenarioError) -> PyErr {
    python::ScenarioError::new_err((error.file, error.line, error.column, error.message, error.hint))
}

/// A run that could not be made or could not be written.
pub(crate) fn run(error: lab::run::Error) -> PyErr {
    python::RunError::new_err(error.to_string())
}
