//! Scenarios of one source, each read once: an agent comes back to few of them, and to read one takes longer than a step of its run.

use crate::errors;
use airloom_lab::scenario::{self, Scenario};
use pyo3::PyResult;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// So many of the last ones are kept.
const MOST_KEPT: usize = 64;

type Overrides = Vec<(String, String)>;

/// A scenario's text, its file's name and its seed, with what was read of it.
pub(crate) struct KeptScenarios {
    text: String,
    file: String,
    seed: Option<u64>,
    kept: Mutex<VecDeque<(Overrides, Scenario)>>,
}

impl KeptScenarios {
    /// Those of this source, none of which was read yet.
    pub(crate) fn of(text: String, file: String, seed: Option<u64>) -> Self {
        Self { text, file, seed, kept: Mutex::default() }
    }

    /// The scenario with these values over its own.
    ///
    /// # Errors
    /// If there is a mistake in it.
    pub(crate) fn with(&self, overrides: Overrides) -> PyResult<Scenario> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept.iter().find(|(of, _)| *of == overrides) {
            return Ok(known.clone());
        }
        let read = scenario::load(&self.text, &self.file, &overrides, self.seed).map_err(errors::scenario)?;
        if kept.len() == MOST_KEPT {
            kept.pop_front();
        }
        kept.push_back((overrides, read.clone()));
        Ok(read)
    }
}
