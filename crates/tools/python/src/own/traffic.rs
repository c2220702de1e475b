//! Traffic that is a class in Python: an object of it for the sending end of every flow.

use super::hook::{Argument, Brought, Class, Object, Seam};
use super::refused;
use super::values::{none, real, whole};
use airloom_lab::scenario::{Delivery, HandOver, Socket, Traffic, register_traffic};
use airloom_sim::{Duration, Time};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// The longest wait in seconds: a day, as long as a run.
const LONGEST_WAIT: f64 = 86_400.0;
/// The most bytes at a time: of a write, as `write` of a flow has it, and of datagrams, more than any buffer holds.
const MOST_WRITTEN: u64 = 1 << 40;
const MOST_IN_DATAGRAMS: u64 = 1 << 24;
/// How often a class may hand something over at one instant: time has to go on.
const MOST_AT_ONCE: u32 = 10_000;

/// What is known as a hook is called.
pub(super) struct Facts {
    now: Time,
    /// As its flow starts, its seed, and what takes its bytes.
    start: Option<(u64, Socket)>,
}

/// Its hooks.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[("started", &["now", "seed", "payload"]), ("next", &["now"]), ("delivered", &["now"])],
    arguments: &[
        Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
        Argument {
            name: "seed",
            value: |py, facts| facts.start.map_or_else(|| none(py), |(seed, _)| whole(py, seed)),
        },
        Argument {
            name: "payload",
            value: |py, facts| {
                let payload = facts.start.and_then(|(_, socket)| socket.payload);
                payload.map_or_else(|| none(py), |payload| whole(py, u64::from(payload)))
            },
        },
    ],
};

/// Brings traffic, an object of the class for a flow.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let delivery = if class.has("delivered") { Delivery::Awaited } else { Delivery::Unseen };
    let made = register_traffic(&class.name, &class.parameters(), delivery, move |making| {
        Box::new(Source::new(Object::new(&of, making), making.seed))
    });
    made.map(|_| ()).map_err(refused)
}

/// An object of the class.
struct Source {
    object: Object<Facts>,
    seed: u64,
    most: u64,
    /// When it was asked last, and how often at that time.
    asked: (Time, u32),
}

impl Source {
    fn new(object: Object<Facts>, seed: u64) -> Self {
        Self { object, seed, most: MOST_WRITTEN, asked: (Time::ZERO, 0) }
    }

    fn ask(&mut self, hook: &str, now: Time, start: Option<(u64, Socket)>) -> Option<HandOver> {
        let (last, times) = self.asked;
        self.asked = (now, if last == now { times + 1 } else { 1 });
        let (most, often) = (self.most, self.asked.1);
        let heard = |said: &Bound<'_, PyAny>| hand_over(said, most).and_then(|found| in_time(found, often));
        self.object.call(hook, now, &Facts { now, start }, heard).flatten()
    }
}

/// Refuses what would hand over without end while no time goes by.
fn in_time(found: Option<HandOver>, often: u32) -> PyResult<Option<HandOver>> {
    if often > MOST_AT_ONCE {
        return Err(refused(format!(
            "it was asked {MOST_AT_ONCE} times at one instant: a wait has to take time"
        )));
    }
    Ok(found)
}

/// What is handed over next: nothing, or a wait in seconds and a number of bytes.
fn hand_over(said: &Bound<'_, PyAny>, most: u64) -> PyResult<Option<HandOver>> {
    if said.is_none() {
        return Ok(None);
    }
    let pair = said.cast::<PyTuple>().ok().and_then(|pair| pair.extract::<(f64, f64)>().ok());
    let Some((wait, bytes)) = pair else {
        let kind = said.get_type().name()?.to_string();
        return Err(refused(format!("a hook returns nothing, or (seconds to wait, bytes), not {kind}")));
    };
    if !(0.0..=LONGEST_WAIT).contains(&wait) {
        return Err(refused(format!("a wait is from 0 to {LONGEST_WAIT} s, not {wait}")));
    }
    if !(1.0..=most as f64).contains(&bytes) {
        return Err(refused(format!("what is handed over is from 1 to {most} bytes, not {bytes}")));
    }
    let wait = Duration::from_nanos((wait * 1e9).round() as u64);
    Ok(Some(HandOver { wait, bytes: bytes.round() as u64 }))
}

impl Traffic for Source {
    fn started(&mut self, now: Time, socket: &Socket) -> Option<HandOver> {
        self.most = socket.payload.map_or(MOST_WRITTEN, |_| MOST_IN_DATAGRAMS);
        self.ask("started", now, Some((self.seed, *socket)))
    }

    fn next(&mut self, now: Time) -> Option<HandOver> {
        self.ask("next", now, None)
    }

    fn delivered(&mut self, now: Time) -> Option<HandOver> {
        self.ask("delivered", now, None)
    }
}
