//! A queue discipline whose law is a class in Python: an object of it for every queue.

use super::hook::{Argument, Brought, Class, Object, Seam};
use super::refused;
use super::values::{flag, real, time, whole};
use airloom_observe::Ecn;
use airloom_queue::{Fate, Law, Seen, register_queue};
use airloom_sim::{Duration, Time};
use pyo3::prelude::*;
use std::sync::Arc;

/// What is known as a hook is called.
pub(super) struct Facts {
    now: Time,
    seen: Seen,
    sojourn: Option<Duration>,
}

const ABOUT_ALL: [&str; 7] = ["now", "size", "flow", "ect", "packets", "bytes", "chance"];

/// Its hooks.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[
        ("enqueue", &ABOUT_ALL),
        ("dequeue", &["now", "sojourn", "size", "flow", "ect", "packets", "bytes", "chance"]),
    ],
    arguments: &[
        Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
        Argument { name: "sojourn", value: |py, facts| time(py, facts.sojourn) },
        Argument { name: "size", value: |py, facts| whole(py, u64::from(facts.seen.item.bytes)) },
        Argument { name: "flow", value: |py, facts| whole(py, u64::from(facts.seen.item.flow)) },
        Argument { name: "ect", value: |py, facts| flag(py, facts.seen.item.ecn != Ecn::NotEct) },
        Argument { name: "packets", value: |py, facts| whole(py, u64::from(facts.seen.packets)) },
        Argument { name: "bytes", value: |py, facts| whole(py, facts.seen.bytes) },
        Argument { name: "chance", value: |py, facts| real(py, facts.seen.chance) },
    ],
};

/// Brings a discipline, an object of the class for a queue.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let made = register_queue(&class.name, &class.parameters(), move |making| {
        Box::new(Judge(Object::new(&of, making)))
    });
    made.map(|_| ()).map_err(refused)
}

/// An object of the class.
struct Judge(Object<Facts>);

impl Judge {
    fn ask(&mut self, hook: &str, facts: &Facts) -> Fate {
        self.0.call(hook, facts.now, facts, fate).unwrap_or_default()
    }
}

/// What becomes of a packet: nothing or true, it goes on; `"mark"`; false, or `"drop"`.
fn fate(said: &Bound<'_, PyAny>) -> PyResult<Fate> {
    if said.is_none() {
        return Ok(Fate::Pass);
    }
    if let Ok(goes_on) = said.extract::<bool>() {
        return Ok(if goes_on { Fate::Pass } else { Fate::Drop });
    }
    match said.extract::<String>().as_deref() {
        Ok("mark") => Ok(Fate::Mark),
        Ok("drop") => Ok(Fate::Drop),
        _ => Err(refused(format!(
            "a hook returns None or True (the packet goes on), \"mark\", or False or \"drop\" (it is dropped), not {}",
            said.repr()?
        ))),
    }
}

impl Law for Judge {
    fn arrives(&mut self, now: Time, seen: &Seen) -> Fate {
        self.ask("enqueue", &Facts { now, seen: *seen, sojourn: None })
    }

    fn leaves(&mut self, now: Time, seen: &Seen, sojourn: Duration) -> Fate {
        self.ask("dequeue", &Facts { now, seen: *seen, sojourn: Some(sojourn) })
    }
}
