//! Reports the progress of a run to Python, and stops the run when Python asks for it or a hook of a class raised something.
#![expect(
    clippy::disallowed_types,
    reason = "how often Python is called depends on the clock, what a run gives does not"
)]

use crate::own;
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Wall time between two reports: often enough for a smooth bar and a prompt Ctrl-C, too seldom to cost anything.
const INTERVAL: Duration = Duration::from_millis(50);

/// Passes on the fraction done, at most once per [`INTERVAL`], and keeps what Python raised.
pub(crate) struct Reporter {
    callback: Option<Py<PyAny>>,
    last: Instant,
    error: Option<PyErr>,
}

impl Reporter {
    /// A reporter; without a callback it only looks for signals.
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        own::forget();
        Self { callback, last: Instant::now(), error: None }
    }

    /// Takes the fraction done; false asks the run to stop, and what else reads beside it.
    pub(crate) fn report(&mut self, fraction: f64) -> bool {
        if self.error.is_some() || own::is_raised() {
            return false;
        }
        if self.last.elapsed() < INTERVAL {
            return true;
        }
        self.last = Instant::now();
        let heard = Python::attach(|py| {
            py.check_signals()?;
            if let Some(callback) = &self.callback {
                callback.call1(py, (fraction,))?;
            }
            Ok(())
        });
        match heard {
            Ok(()) => true,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    /// What Python raised, if it did.
    pub(crate) fn into_error(mut self) -> Option<PyErr> {
        self.take_error()
    }

    /// The same, of a reporter that others may hold too.
    pub(crate) fn take_error(&mut self) -> Option<PyErr> {
        self.error.take().or_else(own::take)
    }
}
