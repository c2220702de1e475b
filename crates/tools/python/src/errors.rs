//! Errors of the engine as the exceptions that `airloom.errors` defines.

use airloom_lab::run::Error;
use airloom_lab::scenario::{Mistake, Mistakes};
use pyo3::PyErr;
use std::path::Path;

#[allow(unreachable_pub, missing_docs, reason = "the macro writes them")]
mod python {
    pyo3::import_exception!(airloom.errors, ScenarioError);
    pyo3::import_exception!(airloom.errors, RunError);
    pyo3::import_exception!(airloom.errors, TooLargeError);
    pyo3::import_exception!(airloom.errors, BundleError);
    pyo3::import_exception!(airloom.errors, CaptureError);
    #[cfg(target_os = "linux")]
    pyo3::import_exception!(airloom.errors, MachineError);
}

/// The mistakes in a scenario, each with the place where it stands.
pub(crate) fn scenario(mistakes: Mistakes) -> PyErr {
    let parts = |m: &Mistake| {
        (m.file.clone(), m.line, m.column, m.message.clone(), m.hint.clone(), m.setting.clone())
    };
    let (file, line, column, message, hint, setting) = parts(mistakes.first());
    let rest: Vec<_> = mistakes.all()[1..].iter().map(parts).collect();
    python::ScenarioError::new_err((file, line, column, message, hint, setting, rest))
}

/// A machine that cannot be examined or recorded.
#[cfg(target_os = "linux")]
pub(crate) fn machine(message: String) -> PyErr {
    python::MachineError::new_err(message)
}

/// A run that could not be made or could not be written.
pub(crate) fn run(error: Error) -> PyErr {
    match error {
        Error::TooLarge(message) => too_large(message),
        error => python::RunError::new_err(error.to_string()),
    }
}

/// A run that needs more memory than is left.
pub(crate) fn too_large(message: String) -> PyErr {
    python::TooLargeError::new_err(message)
}

/// A run that makes no sense.
pub(crate) fn refused(message: &str) -> PyErr {
    python::RunError::new_err(message.to_owned())
}

/// A file of a bundle that cannot be read.
pub(crate) fn bundle(path: &Path, message: &str) -> PyErr {
    python::BundleError::new_err(format!("{}: {message}", path.display()))
}

/// A file that is no capture.
pub(crate) fn capture(message: &str) -> PyErr {
    python::CaptureError::new_err(message.to_owned())
}

/// Captures that do not belong together, and what to do then.
pub(crate) fn captures(message: String, hint: &'static str) -> PyErr {
    python::CaptureError::new_err((message, hint))
}
