//! Warnings as Python dictionaries.

use airloom_lab::scenario::ScenarioError;
use pyo3::IntoPyObject;

/// A warning: a dictionary with these keys, as a mistake has them.
#[derive(IntoPyObject)]
pub(crate) struct Warning {
    file: String,
    line: usize,
    column: usize,
    message: String,
    hint: Option<String>,
}

impl From<ScenarioError> for Warning {
    fn from(warning: ScenarioError) -> Self {
        let ScenarioError { file, line, column, message, hint } = warning;
        Self { file, line, column, message, hint }
    }
}
