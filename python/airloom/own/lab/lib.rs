//! A laboratory with algorithms of one's own: what is registered here, scenarios may name.

use airloom::Making;
use airloom::congestion_control::{self, CongestionControl, CongestionWindow, Progress};
use airloom::time::{Duration, Time};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Grows by a segment in a round trip, and gives up a part, an eighth if nothing is said, where Reno gives up half.
struct Mine {
    part: f64,
}

impl Mine {
    /// `[own.mine]` of a scenario sets `part`; `making.stream()` has random numbers for this connection alone.
    fn new(making: &Making) -> Self {
        Self { part: making.real("part") }
    }
}

impl CongestionControl for Mine {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        ((f64::from(w.cwnd) * (1.0 - self.part)) as u32).max(2)
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
    let parameters = [("part", 0.125.into())];
    let made = congestion_control::register("mine", &parameters, |making| Box::new(Mine::new(making)));
    made.map_err(|error| PyValueError::new_err(error.to_string()))?;
    airloom_python::fill(module)
}
