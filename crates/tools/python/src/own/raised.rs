//! What a hook raised: it ends the run in whose thread it was called.

use airloom_sim::Time;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// A run is made by one thread from its beginning to its end.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Keeps what a hook raised, the first time, with where and when that was.
pub(super) fn keep(py: Python<'_>, error: PyErr, hook: &str, name: &str, now: Time) {
    let error =
        if error.is_instance_of::<PyException>(py) { told(py, error, hook, name, now) } else { error };
    RAISED.with_borrow_mut(|raised| {
        raised.get_or_insert(error);
    });
}

/// The error with where and when it was raised; what is no exception but an end, such as Ctrl-C, stays what it is.
fn told(py: Python<'_>, error: PyErr, hook: &str, name: &str, now: Time) -> PyErr {
    let kind = py.import("airloom.errors").and_then(|errors| errors.getattr("OwnClassError"));
    let said = kind.and_then(|kind| {
        // An error that was fetched has its traceback beside it.
        let value = error.value(py).call_method1("with_traceback", (error.traceback(py),))?;
        kind.call_method1("raised", (hook, name, now.as_secs_f64(), value))
    });
    said.map_or_else(|lost| lost, PyErr::from_value)
}

/// Whether the run in this thread is to end, since a hook raised something.
pub(crate) fn is_raised() -> bool {
    RAISED.with_borrow(Option::is_some)
}

/// What a hook raised in this thread.
pub(crate) fn take() -> Option<PyErr> {
    RAISED.take()
}

/// A run begins in this thread.
pub(crate) fn forget() {
    RAISED.set(None);
}
