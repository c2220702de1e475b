//! Warnings as Python dictionaries.

use airloom_lab::scenario::Mistake;
use pyo3::IntoPyObject;

/// A warning: a dictionary with these keys, as a mistake has them.
#[derive(IntoPyObject)]
pub(crate) struct Warning {
    file: String,
    line: usize,
    column: usize,
    message: String,
    hint: Option<String>,
    setting: Option<String>,
}

impl From<Mistake> for Warning {
    fn from(warning: Mistake) -> Self {
        let Mistake { file, line, column, setting, message, hint } = warning;
        Self { file, line, column, message, hint, setting }
    }
}
