//! A laboratory with algorithms of one's own: what is registered here, scenarios may name.

use airloom::congestion_control::{self, CongestionControl, CongestionWindow, Progress};
use airloom::time::{Duration, Time};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Grows by a segment in a round trip, and gives up an eighth where Reno gives up half.
struct Mine;

impl CongestionControl for Mine {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        (w.cwnd - w.cwnd / 8).max(2)
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
        let left = if w.in_slow_start() { w.slow_start(ack.segments) } else { ack.segments };
        w.avoid(w.cwnd, left);
    }

    fn acked(&mut self, _: &mut CongestionWindow, _: &Progress, _: Option<Duration>) {}

    fn timeout(&mut self, _: Time, _: u64) {}
}

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    congestion_control::register("mine", || Box::new(Mine)).map_err(|error| PyValueError::new_err(error.to_string()))?;
    airloom_python::fill(module)
}
