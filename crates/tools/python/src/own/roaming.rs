//! A roaming policy that is a class in Python: an object of it for every station.

use super::hook::{Argument, Brought, Class, Object, Seam};
use super::refused;
use super::values::{flag, none, real, whole};
use airloom_lab::scenario::register_roaming;
use airloom_sim::{Duration, Index, Time};
use airloom_wifi::{BssId, Channels, Heard, Manager, Wish};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};
use std::sync::Arc;

/// The longest wait in seconds: a day, as long as a run.
const LONGEST_WAIT: f64 = 86_400.0;
/// The shortest: time has to go on.
const SHORTEST_WAIT: f64 = 0.001;
/// Time between two searches while the station is at no access point: wpa_supplicant's default `scan_interval`.
const SEARCH: Duration = Duration::from_secs(5);

/// What is known as a hook is called.
pub(super) struct Facts {
    names: Arc<[String]>,
    now: Time,
    at: Option<Heard>,
    others: Vec<Heard>,
    own: bool,
}

impl Facts {
    fn name(&self, bss: BssId) -> &str {
        &self.names[bss.place()]
    }

    /// Of each access point that is heard beside its own, a number.
    fn of_each<'py>(&self, py: Python<'py>, number: impl Fn(&Heard) -> i64) -> Bound<'py, PyAny> {
        let heard = PyDict::new(py);
        for one in &self.others {
            // Nothing could be done where there is no memory for a few numbers.
            let _ = heard.set_item(self.name(one.bss), PyInt::new(py, number(one)));
        }
        heard.into_any()
    }
}

/// Its hooks.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[
        ("associated", &["now", "ap", "dbm", "mhz"]),
        ("beacon", &["now", "ap", "dbm", "mhz"]),
        ("waited", &["now"]),
        ("scanned", &["now", "ap", "dbm", "mhz", "own", "heard", "channels"]),
    ],
    arguments: &[
        Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
        Argument {
            name: "ap",
            value: |py, facts| {
                facts.at.map_or_else(|| none(py), |at| PyString::new(py, facts.name(at.bss)).into_any())
            },
        },
        Argument {
            name: "dbm",
            value: |py, facts| facts.at.map_or_else(|| none(py), |at| PyInt::new(py, at.dbm).into_any()),
        },
        Argument {
            name: "mhz",
            value: |py, facts| facts.at.map_or_else(|| none(py), |at| whole(py, u64::from(at.mhz))),
        },
        Argument { name: "own", value: |py, facts| flag(py, facts.own) },
        Argument { name: "heard", value: |py, facts| facts.of_each(py, |one| i64::from(one.dbm)) },
        Argument { name: "channels", value: |py, facts| facts.of_each(py, |one| i64::from(one.mhz)) },
    ],
};

/// Brings a roaming policy, an object of the class for a station.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let made = register_roaming(&class.name, &class.parameters(), move |making, names| {
        Box::new(Policy { object: Object::new(&of, making), names, at: None })
    });
    made.map(|_| ()).map_err(refused)
}

/// An object of the class.
struct Policy {
    object: Object<Facts>,
    names: Arc<[String]>,
    /// Where the station is.
    at: Option<BssId>,
}

impl Policy {
    fn ask(
        &mut self,
        hook: &str,
        now: Time,
        about: (Option<&Heard>, &[Heard], bool),
        wishes: &mut Vec<Wish>,
    ) {
        let (at, others, own) = about;
        let names = Arc::clone(&self.names);
        let facts = Facts { names, now, at: at.copied(), others: others.to_vec(), own };
        let (names, here) = (&self.names, self.at);
        let said =
            self.object.call(hook, now, &facts, |said| sensible(wished(said, now, names)?, here, names));
        wishes.extend(said.unwrap_or_default());
    }
}

/// Refuses to go where the station is, and to go to two places.
fn sensible(wishes: Vec<Wish>, here: Option<BssId>, names: &[String]) -> PyResult<Vec<Wish>> {
    let goes: Vec<BssId> =
        wishes.iter().filter_map(|wish| if let Wish::Go(bss) = wish { Some(*bss) } else { None }).collect();
    match goes[..] {
        [there] if Some(there) == here => {
            Err(refused(format!("the station is at `{}` already", names[there.place()])))
        }
        [_, _, ..] => Err(refused("a station goes to one access point at a time")),
        _ => Ok(wishes),
    }
}

/// What a hook answers: nothing, a wish, or a list of them.
fn wished(said: &Bound<'_, PyAny>, now: Time, names: &[String]) -> PyResult<Vec<Wish>> {
    if said.is_none() {
        return Ok(Vec::new());
    }
    match said.cast::<PyList>() {
        Ok(several) => several.iter().map(|one| wish(&one, now, names)).collect(),
        Err(_) => Ok(vec![wish(said, now, names)?]),
    }
}

/// One wish: `"scan"`, `("wait", 30.0)` or `("go", "ap2")`.
fn wish(said: &Bound<'_, PyAny>, now: Time, names: &[String]) -> PyResult<Wish> {
    if said.extract::<String>().is_ok_and(|word| word == "scan") {
        return Ok(Wish::Scan(Channels::Usual));
    }
    let pair = said.cast::<PyTuple>().ok().and_then(|pair| pair.extract::<(String, Bound<'_, PyAny>)>().ok());
    match pair {
        Some((word, seconds)) if word == "wait" => {
            let seconds: f64 = seconds.extract()?;
            if !(SHORTEST_WAIT..=LONGEST_WAIT).contains(&seconds) {
                let said = format!("a wait is from {SHORTEST_WAIT} to {LONGEST_WAIT} s, not {seconds}");
                return Err(refused(said));
            }
            Ok(Wish::Wake(Some(now + Duration::from_nanos((seconds * 1e9).round() as u64))))
        }
        Some((word, name)) if word == "go" => {
            let name: String = name.extract()?;
            let place = names.iter().position(|known| *known == name);
            let there = place.ok_or_else(|| refused(format!("there is no access point `{name}`")))?;
            Ok(Wish::Go(BssId::new(there)))
        }
        _ => Err(refused(format!(
            "a hook returns nothing, \"scan\", (\"wait\", seconds), (\"go\", name) or a list of these, not {}",
            said.repr()?
        ))),
    }
}

impl Manager for Policy {
    fn associated(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        self.at = Some(at.bss);
        wishes.push(Wish::Wake(None));
        self.ask("associated", now, (Some(at), &[], false), wishes);
    }

    fn beacon(&mut self, now: Time, at: &Heard, wishes: &mut Vec<Wish>) {
        self.ask("beacon", now, (Some(at), &[], false), wishes);
    }

    fn timer(&mut self, now: Time, wishes: &mut Vec<Wish>) {
        self.ask("waited", now, (None, &[], false), wishes);
    }

    fn scanned(
        &mut self,
        now: Time,
        own: bool,
        at: Option<&Heard>,
        others: &[Heard],
        wishes: &mut Vec<Wish>,
    ) {
        self.ask("scanned", now, (at, others, own), wishes);
    }

    fn searches_every(&self) -> Duration {
        SEARCH
    }
}
