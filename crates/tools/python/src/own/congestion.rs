//! A congestion control that is a class in Python: an object of it for every connection.

use super::facts::{Argument, Facts, argument};
use super::hook::{Answer, Hook, threshold};
use super::{raised, refused};
use airloom_sim::{Duration, Time};
use airloom_tcp::congestion::{self, CongestionControl, CongestionWindow, Negotiated, Progress, Sample};
use pyo3::prelude::*;
use std::sync::Arc;

/// Each hook, and what it may be told.
const HOOKS: &[(&str, &[&str])] = &[
    ("started", &["now", "cwnd", "ssthresh", "rtt", "mss"]),
    ("acked", &["now", "segments", "rtt", "cwnd", "ssthresh", "una", "next"]),
    ("round", &["now", "segments", "rtt", "cwnd", "ssthresh"]),
    ("grow", &["now", "segments", "cwnd", "ssthresh", "una", "next"]),
    ("lost", &["cwnd", "ssthresh"]),
    ("timeout", &["now", "next"]),
    ("undone", &[]),
    (
        "sampled",
        &[
            "now",
            "cwnd",
            "rtt",
            "srtt",
            "mss",
            "acked",
            "lost",
            "in_flight",
            "prior_in_flight",
            "delivered",
            "rate_mbps",
            "app_limited",
            "state",
        ],
    ),
];

/// What Python calls to make an object, and which of its methods are hooks, with the arguments that each wants.
struct Class {
    name: String,
    make: Py<PyAny>,
    hooks: Vec<(&'static str, Vec<&'static Argument>)>,
}

impl Class {
    /// A new object's hooks.
    fn object(&self, py: Python<'_>) -> PyResult<Vec<Hook>> {
        let object = self.make.call0(py)?;
        let hook = |(name, wants): &(&'static str, Vec<&'static Argument>)| {
            Ok(Hook::new(py, name, object.getattr(py, *name)?, wants))
        };
        self.hooks.iter().map(hook).collect()
    }
}

/// The names of hooks and what each may be told, for messages and pages.
#[pyfunction]
pub(crate) fn hooks() -> Vec<(&'static str, Vec<&'static str>)> {
    HOOKS.iter().map(|(name, may)| (*name, may.to_vec())).collect()
}

/// Brings a congestion control: `make` gives an object for a connection, `hooks` are its methods by name, with their arguments.
#[pyfunction]
pub(crate) fn register(name: &str, make: Py<PyAny>, hooks: Vec<(String, Vec<String>)>) -> PyResult<()> {
    let hooks = hooks.iter().map(|(hook, wants)| known(hook, wants)).collect::<PyResult<_>>()?;
    let class = Arc::new(Class { name: name.to_owned(), make, hooks });
    congestion::register(name, move || Box::new(Control::new(Arc::clone(&class)))).map_err(refused)?;
    Ok(())
}

/// A hook and its arguments, as the engine knows them.
fn known(hook: &str, wants: &[String]) -> PyResult<(&'static str, Vec<&'static Argument>)> {
    let Some((name, may)) = HOOKS.iter().find(|(name, _)| *name == hook) else {
        return Err(refused(format!("there is no hook `{hook}`")));
    };
    let found = wants.iter().map(|want| {
        may.iter().find(|one| *one == want).and_then(|one| argument(one)).ok_or_else(|| {
            refused(format!("`{hook}` has no argument `{want}`; there are {}", may.join(", ")))
        })
    });
    Ok((name, found.collect::<PyResult<_>>()?))
}

/// An object, and what the engine keeps for it.
struct Control {
    class: Arc<Class>,
    /// None once something was raised: the run is about to end.
    hooks: Option<Vec<Hook>>,
    /// The window as the class last said it, with its fraction.
    exact: f64,
    /// The rate at which segments leave, in bytes per second, if the class has said one.
    rate: Option<u64>,
    /// The round trip under way.
    round: Round,
}

/// A round trip: it ends when what was sent next at its beginning is acknowledged.
#[derive(Default)]
struct Round {
    ends: u64,
    segments: u64,
    least: Option<Duration>,
}

impl Control {
    fn new(class: Arc<Class>) -> Self {
        let hooks = Python::attach(|py| {
            let made = class.object(py);
            made.map_err(|error| raised::keep(py, error, "__init__", &class.name, Time::ZERO)).ok()
        });
        Self { hooks, class, exact: 0.0, rate: None, round: Round::default() }
    }

    /// Calls a hook, if the class has it; what `heard` makes of its answer may be wrong, too.
    fn call(&mut self, name: &str, facts: &Facts, heard: impl FnOnce(&mut Self, Answer) -> PyResult<()>) {
        let Some(hooks) = self.hooks.take() else { return };
        let Some(hook) = hooks.iter().find(|hook| hook.name == name) else {
            self.hooks = Some(hooks);
            return;
        };
        let done = Python::attach(|py| {
            let said = hook.call(py, facts).and_then(|answer| heard(self, answer));
            said.map_err(|error| raised::keep(py, error, name, &self.class.name, facts.now))
        });
        self.hooks = done.ok().map(|()| hooks);
    }

    fn has(&self, name: &str) -> bool {
        self.class.hooks.iter().any(|(hook, _)| *hook == name)
    }

    /// The window with the fraction that the class last gave it, unless the sender has set another one since.
    fn exact(&self, window: &CongestionWindow) -> f64 {
        if self.exact as u32 == window.cwnd { self.exact } else { f64::from(window.cwnd) }
    }

    /// Calls a hook that may answer with a window, or with a window and a threshold.
    fn ask(&mut self, name: &str, window: &mut CongestionWindow, facts: Facts) {
        let facts = facts.with(window, self.exact(window));
        self.call(name, &facts, |control, answer| {
            control.set(window, answer.window()?);
            window.ssthresh = answer.threshold()?.unwrap_or(window.ssthresh);
            Ok(())
        });
    }

    fn set(&mut self, window: &mut CongestionWindow, cwnd: Option<f64>) {
        if let Some(cwnd) = cwnd {
            self.exact = cwnd;
            window.cwnd = cwnd as u32;
        }
    }

    /// Counts what an ACK covers; the last one of a round trip ends it.
    fn count(&mut self, window: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        self.round.segments += u64::from(ack.segments);
        self.round.least = self.round.least.into_iter().chain(rtt).min();
        if ack.una < self.round.ends {
            return;
        }
        let over = std::mem::replace(&mut self.round, Round { ends: ack.next, ..Round::default() });
        let facts = Facts { segments: over.segments, ..Facts::of_ack(ack, over.least) };
        self.ask("round", window, facts);
    }
}

impl CongestionControl for Control {
    fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
        let mut found = (w.cwnd / 2).max(2);
        let facts = Facts::default().with(w, self.exact(w));
        self.call("lost", &facts, |_, answer| {
            found = answer.first.map_or(Ok(found), threshold)?;
            Ok(())
        });
        found
    }

    fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
        self.ask("grow", w, Facts::of_ack(ack, None));
    }

    fn acked(&mut self, w: &mut CongestionWindow, ack: &Progress, rtt: Option<Duration>) {
        self.ask("acked", w, Facts::of_ack(ack, rtt));
        if self.has("round") {
            self.count(w, ack, rtt);
        }
    }

    fn timeout(&mut self, now: Time, next: u64) {
        self.call("timeout", &Facts { now, next, ..Facts::default() }, |_, _| Ok(()));
    }

    fn models_path(&self) -> bool {
        self.has("sampled")
    }

    fn established(&mut self, w: &CongestionWindow, now: Time, rtt: Option<Duration>, agreed: &Negotiated) {
        let facts = Facts { now, rtt, mss: agreed.mss, ..Facts::default() };
        self.call("started", &facts.with(w, f64::from(w.cwnd)), |_, _| Ok(()));
    }

    fn sampled(&mut self, w: &mut CongestionWindow, s: &Sample) {
        let facts = Facts::of_sample(s).with(w, self.exact(w));
        self.call("sampled", &facts, |control, answer| {
            control.set(w, answer.window()?);
            control.rate = answer.rate()?.or(control.rate);
            Ok(())
        });
    }

    fn pacing_rate(&self) -> Option<u64> {
        self.rate
    }

    fn undone(&mut self) {
        self.call("undone", &Facts::default(), |_, _| Ok(()));
    }
}
