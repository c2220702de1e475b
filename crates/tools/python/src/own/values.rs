//! Values for Python.

use airloom_sim::Duration;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyNone};

pub(super) fn real(py: Python<'_>, value: f64) -> Bound<'_, PyAny> {
    PyFloat::new(py, value).into_any()
}

pub(super) fn whole(py: Python<'_>, value: u64) -> Bound<'_, PyAny> {
    PyInt::new(py, value).into_any()
}

pub(super) fn flag(py: Python<'_>, value: bool) -> Bound<'_, PyAny> {
    PyBool::new(py, value).to_owned().into_any()
}

pub(super) fn none(py: Python<'_>) -> Bound<'_, PyAny> {
    PyNone::get(py).to_owned().into_any()
}

/// In seconds.
pub(super) fn time(py: Python<'_>, value: Option<Duration>) -> Bound<'_, PyAny> {
    value.map_or_else(|| none(py), |value| real(py, value.as_secs_f64()))
}
