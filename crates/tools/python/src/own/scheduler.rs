//! A scheduler that is a class in Python: an object of it for every access category of a radio.

use super::hook::{Argument, Brought, Class, Object, Seam};
use super::refused;
use super::values::{flag, none, real, whole};
use airloom_sim::Time;
use airloom_wifi::{Aired, Scheduler, Waiting, register_scheduler};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::sync::Arc;

/// What is known as a hook is called.
#[derive(Default)]
pub(super) struct Facts {
    now: Time,
    stations: Vec<String>,
    tids: Vec<u8>,
    /// In Mbit/s.
    rates: Vec<f64>,
    /// In seconds.
    airtime: f64,
    up: bool,
}

/// Its hooks.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[
        ("next", &["now", "stations", "tids", "rates"]),
        ("aired", &["now", "station", "tid", "airtime", "up"]),
    ],
    arguments: &[
        Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
        Argument { name: "stations", value: |py, facts| listed(PyList::new(py, &facts.stations), py) },
        Argument {
            name: "tids",
            value: |py, facts| listed(PyList::new(py, facts.tids.iter().map(|&tid| u64::from(tid))), py),
        },
        Argument { name: "rates", value: |py, facts| listed(PyList::new(py, &facts.rates), py) },
        Argument {
            name: "station",
            value: |py, facts| {
                facts.stations.first().map_or_else(|| none(py), |name| PyString::new(py, name).into_any())
            },
        },
        Argument {
            name: "tid",
            value: |py, facts| facts.tids.first().map_or_else(|| none(py), |&tid| whole(py, u64::from(tid))),
        },
        Argument { name: "airtime", value: |py, facts| real(py, facts.airtime) },
        Argument { name: "up", value: |py, facts| flag(py, facts.up) },
    ],
};

fn listed<'py>(list: PyResult<Bound<'py, PyList>>, py: Python<'py>) -> Bound<'py, PyAny> {
    // None if there is no memory for a few values: nothing could be done then.
    list.map_or_else(|_| none(py), Bound::into_any)
}

/// Brings a scheduler, an object of the class for a category of a radio.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let made = register_scheduler(&class.name, &class.parameters(), move |making| {
        Box::new(Chooser { object: Object::new(&of, making), told: of.has("aired") })
    });
    made.map(|_| ()).map_err(refused)
}

/// An object of the class.
struct Chooser {
    object: Object<Facts>,
    /// It has the hook `aired`.
    told: bool,
}

/// The place of the one that has its turn; of nothing, the first.
fn place(said: &Bound<'_, PyAny>, most: usize) -> PyResult<usize> {
    if said.is_none() {
        return Ok(0);
    }
    let place = said.extract::<usize>().ok().filter(|&place| place < most);
    match place {
        Some(place) => Ok(place),
        None => Err(refused(format!(
            "a turn is a place in the list, from 0 to {}, or nothing for the first, not {}",
            most.saturating_sub(1),
            said.repr()?
        ))),
    }
}

impl Scheduler for Chooser {
    fn next(&mut self, now: Time, waiting: &[Waiting<'_>]) -> usize {
        let facts = Facts {
            now,
            stations: waiting.iter().map(|one| one.receiver.to_owned()).collect(),
            tids: waiting.iter().map(|one| one.tid).collect(),
            rates: waiting.iter().map(|one| one.rate.bit_rate().as_bps() as f64 / 1e6).collect(),
            ..Facts::default()
        };
        self.object.call("next", now, &facts, |said| place(said, waiting.len())).unwrap_or_default()
    }

    fn aired(&mut self, now: Time, aired: &Aired<'_>) {
        if !self.told {
            return;
        }
        let facts = Facts {
            now,
            stations: vec![aired.peer.to_owned()],
            tids: vec![aired.tid],
            airtime: aired.time.as_secs_f64(),
            up: aired.up,
            ..Facts::default()
        };
        self.object.tell("aired", now, &facts);
    }
}
