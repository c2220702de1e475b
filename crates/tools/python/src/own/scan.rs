//! A scan policy that is a class in Python: an object of it for every station that scans.

use super::hook::{Argument, Brought, Class, Object, Seam};
use super::refused;
use super::values::{real, time, whole};
use airloom_lab::scenario::register_scan_policy;
use airloom_sim::Time;
use airloom_wifi::scan::{Asked, ScanPolicy};
use pyo3::prelude::*;
use std::sync::Arc;

/// What is known as a scan is asked for.
pub(super) struct Facts {
    now: Time,
    asked: Asked,
}

/// Its hook.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[("asked", &["now", "moved", "waiting", "skipped", "since"])],
    arguments: &[
        Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
        Argument { name: "moved", value: |py, facts| whole(py, facts.asked.moved) },
        Argument { name: "waiting", value: |py, facts| whole(py, u64::from(facts.asked.waiting)) },
        Argument { name: "skipped", value: |py, facts| whole(py, u64::from(facts.asked.skipped)) },
        Argument { name: "since", value: |py, facts| time(py, facts.asked.since) },
    ],
};

/// Brings a scan policy, an object of the class for a station.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let made = register_scan_policy(&class.name, &class.parameters(), move |making| {
        Box::new(Judge(Object::new(&of, making)))
    });
    made.map(|_| ()).map_err(refused)
}

/// An object of the class.
struct Judge(Object<Facts>);

impl ScanPolicy for Judge {
    fn allows(&mut self, now: Time, asked: &Asked) -> bool {
        self.0.call("asked", now, &Facts { now, asked: *asked }, takes_place).unwrap_or(true)
    }
}

/// Whether the scan takes place: nothing or true, it does; false, it is skipped.
fn takes_place(said: &Bound<'_, PyAny>) -> PyResult<bool> {
    if said.is_none() {
        return Ok(true);
    }
    said.extract().or_else(|_| {
        let said = said.repr()?;
        Err(refused(format!("it returns None or True (the scan takes place), or False, not {said}")))
    })
}
