//! What a hook of a congestion control answers.

use super::refused;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};

/// The most segments that a window may have: more than any path holds, and a safe integer.
const LARGEST_WINDOW: f64 = 1e9;
/// Rates that a sender may be paced at, in Mbit/s: some bytes in a second, and more than any link has.
const RATES_MBPS: [f64; 2] = [0.001, 1e6];

/// Nothing, a number, or two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Answer {
    first: Option<f64>,
    second: Option<f64>,
}

impl Answer {
    pub(super) fn of(said: &Bound<'_, PyAny>) -> PyResult<Self> {
        if said.is_none() {
            return Ok(Self::default());
        }
        if let Ok(pair) = said.cast::<PyTuple>() {
            let (first, second): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            return Ok(Self { first: number(&first)?, second: number(&second)? });
        }
        Ok(Self { first: number(said)?, second: None })
    }

    /// The first number as a window in segments, its fraction kept.
    pub(super) fn window(self) -> PyResult<Option<f64>> {
        self.first.map(|cwnd| in_segments(cwnd, "a window")).transpose()
    }

    /// The only number as a threshold.
    pub(super) fn only_threshold(self) -> PyResult<Option<u32>> {
        if let Some(second) = self.second {
            let said = format!(
                "it returns a threshold and nothing beside it, not {second} too: a loss itself sets no window"
            );
            return Err(refused(said));
        }
        // A loss leaves no threshold open.
        Ok(self
            .first
            .map(|value| in_segments(value, "a threshold"))
            .transpose()?
            .map(|segments| segments as u32))
    }

    /// The second number as a threshold.
    pub(super) fn threshold(self) -> PyResult<Option<u32>> {
        self.second.map(threshold).transpose()
    }

    /// The second number as bytes per second, of Mbit/s.
    pub(super) fn rate(self) -> PyResult<Option<u64>> {
        let bytes = |mbps: f64| {
            let [least, most] = RATES_MBPS;
            let bytes = (least..=most).contains(&mbps).then_some((mbps * 1e6 / 8.0) as u64);
            bytes.ok_or_else(|| refused(format!("a rate is from {least} to {most} Mbit/s, not {mbps}")))
        };
        self.second.map(bytes).transpose()
    }
}

/// A threshold in whole segments; infinity leaves it open.
fn threshold(value: f64) -> PyResult<u32> {
    if value == f64::INFINITY {
        return Ok(u32::MAX);
    }
    in_segments(value, "a threshold").map(|segments| segments as u32)
}

fn in_segments(value: f64, what: &str) -> PyResult<f64> {
    let segments = (1.0..=LARGEST_WINDOW).contains(&value).then_some(value);
    segments.ok_or_else(|| refused(format!("{what} is from 1 to {LARGEST_WINDOW} segments, not {value}")))
}

/// A number, or none.
fn number(said: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if said.is_none() {
        return Ok(None);
    }
    if said.is_instance_of::<PyFloat>() || said.is_instance_of::<PyInt>() || said.hasattr("__float__")? {
        return said.extract().map(Some);
    }
    let kind = said.get_type().name()?.to_string();
    Err(refused(format!("a hook returns nothing, a number or two of them, not {kind}")))
}
