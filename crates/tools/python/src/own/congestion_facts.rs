//! What a hook can be told, by the names of its arguments.

use super::hook::Argument;
use super::values::{flag, none, real, time, whole};
use airloom_sim::{Duration, Time};
use airloom_tcp::congestion::{CongestionWindow, Progress, Sample};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// All that may be known as a hook is called; each hook has some of it.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    pub(super) now: Time,
    pub(super) cwnd: f64,
    pub(super) ssthresh: f64,
    pub(super) segments: u64,
    pub(super) rtt: Option<Duration>,
    pub(super) una: u64,
    pub(super) next: u64,
    pub(super) mss: u32,
    pub(super) sample: Option<Sample>,
}

impl Facts {
    /// Of an ACK for new data.
    pub(super) fn of_ack(ack: &Progress, rtt: Option<Duration>) -> Self {
        Self {
            now: ack.now,
            segments: u64::from(ack.segments),
            rtt,
            una: ack.una,
            next: ack.next,
            ..Self::default()
        }
    }

    /// Of a sample of the path.
    pub(super) fn of_sample(sample: &Sample) -> Self {
        Self { now: sample.now, rtt: sample.rtt, mss: sample.mss, sample: Some(*sample), ..Self::default() }
    }

    /// With this window, of which `cwnd` has the fraction that whole segments leave out.
    pub(super) fn with(self, window: &CongestionWindow, cwnd: f64) -> Self {
        let ssthresh = if window.ssthresh == u32::MAX { f64::INFINITY } else { f64::from(window.ssthresh) };
        Self { cwnd, ssthresh, ..self }
    }
}

/// Every argument there is: windows in segments, times in seconds, rates in Mbit/s.
pub(super) const ARGUMENTS: &[Argument<Facts>] = &[
    Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
    Argument { name: "cwnd", value: |py, facts| real(py, facts.cwnd) },
    Argument { name: "ssthresh", value: |py, facts| real(py, facts.ssthresh) },
    Argument { name: "segments", value: |py, facts| whole(py, facts.segments) },
    Argument { name: "rtt", value: |py, facts| time(py, facts.rtt) },
    Argument { name: "snd_una", value: |py, facts| whole(py, facts.una) },
    Argument { name: "snd_nxt", value: |py, facts| whole(py, facts.next) },
    Argument { name: "mss", value: |py, facts| whole(py, u64::from(facts.mss)) },
    Argument {
        name: "srtt",
        value: |py, facts| of_sample(py, facts, |py, s| real(py, s.srtt.as_secs_f64())),
    },
    Argument {
        name: "newly_acked",
        value: |py, facts| of_sample(py, facts, |py, s| whole(py, u64::from(s.acked))),
    },
    Argument {
        name: "newly_lost",
        value: |py, facts| of_sample(py, facts, |py, s| whole(py, u64::from(s.lost))),
    },
    Argument {
        name: "in_flight",
        value: |py, facts| of_sample(py, facts, |py, s| whole(py, u64::from(s.in_flight))),
    },
    Argument {
        name: "prior_in_flight",
        value: |py, facts| of_sample(py, facts, |py, s| whole(py, u64::from(s.prior_in_flight))),
    },
    Argument { name: "delivered", value: |py, facts| of_sample(py, facts, |py, s| whole(py, s.delivered)) },
    Argument { name: "rate_mbps", value: |py, facts| of_sample(py, facts, rate) },
    Argument {
        name: "app_limited",
        value: |py, facts| of_sample(py, facts, |py, s| flag(py, s.rate.is_some_and(|rate| rate.limited))),
    },
    Argument {
        name: "state",
        value: |py, facts| of_sample(py, facts, |py, s| PyString::intern(py, s.state.name()).into_any()),
    },
];

fn of_sample<'py>(
    py: Python<'py>,
    facts: &Facts,
    of: impl FnOnce(Python<'py>, &Sample) -> Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    facts.sample.as_ref().map_or_else(|| none(py), |sample| of(py, sample))
}

/// The delivery rate of a sample in Mbit/s of payload.
fn rate<'py>(py: Python<'py>, sample: &Sample) -> Bound<'py, PyAny> {
    let mbps = sample.rate.filter(|rate| rate.interval.as_nanos() > 0).map(|rate| {
        let bits = rate.delivered as f64 * f64::from(sample.mss) * 8.0;
        bits / rate.interval.as_secs_f64() / 1e6
    });
    mbps.map_or_else(|| none(py), |mbps| real(py, mbps))
}
