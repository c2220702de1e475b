//! Congestion controls that are classes in Python.

mod congestion;
mod facts;
mod hook;
mod raised;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub(crate) use congestion::{hooks, register};
pub(crate) use raised::{forget, is_raised, take};

/// An error of what a class asks for.
fn refused(message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}
