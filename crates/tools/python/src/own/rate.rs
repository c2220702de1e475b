//! A rate control that is a class in Python: an object of it for every link.

use super::hook::{Argument, Brought, Class, Object, Seam};
use super::refused;
use super::values::{none, real, whole};
use airloom_rate::Rate;
use airloom_sim::{Index, Time};
use airloom_wifi::{Chain, RateControl, RateId, register_rate_control};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;

/// What is known as a hook is called.
pub(super) struct Facts {
    /// The rates to choose from in Mbit/s, slowest first.
    rates: Arc<[f64]>,
    now: Time,
    /// The place of the first rate of the PPDU that is done.
    rate: usize,
    attempts: u32,
    mpdus: u32,
    succeeded: u32,
}

/// Its hooks.
pub(super) const SEAM: Seam<Facts> = Seam {
    hooks: &[
        ("started", &["rates"]),
        ("completed", &["now", "place", "attempts", "mpdus", "succeeded", "rates"]),
    ],
    arguments: &[
        Argument { name: "rates", value: |py, facts| list(py, &facts.rates) },
        Argument { name: "now", value: |py, facts| real(py, facts.now.as_secs_f64()) },
        Argument { name: "place", value: |py, facts| whole(py, facts.rate as u64) },
        Argument { name: "attempts", value: |py, facts| whole(py, u64::from(facts.attempts)) },
        Argument { name: "mpdus", value: |py, facts| whole(py, u64::from(facts.mpdus)) },
        Argument { name: "succeeded", value: |py, facts| whole(py, u64::from(facts.succeeded)) },
    ],
};

fn list<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyAny> {
    // None if there is no memory for a few numbers: nothing could be done then.
    PyList::new(py, values).map_or_else(|_| none(py), Bound::into_any)
}

/// Brings a rate control, an object of the class for a link.
pub(super) fn register(brought: Brought) -> PyResult<()> {
    let class = Class::new(&SEAM, brought)?;
    let of = Arc::clone(&class);
    let made = register_rate_control(&class.name, &class.parameters(), move |making, rates| {
        Box::new(Control::new(Object::new(&of, making), rates))
    });
    made.map(|_| ()).map_err(refused)
}

/// An object, and what it has chosen.
struct Control {
    object: Object<Facts>,
    rates: Arc<[f64]>,
    chain: Chain,
}

impl Control {
    /// Over these rates, of which it begins with the highest unless `started` says otherwise.
    fn new(object: Object<Facts>, rates: &[Rate]) -> Self {
        let rates: Arc<[f64]> = rates.iter().map(|rate| rate.bit_rate().as_bps() as f64 / 1e6).collect();
        let chain = Chain::always(RateId::new(rates.len().saturating_sub(1)));
        let mut control = Self { object, rates, chain };
        control.ask("started", Time::ZERO, 0, [0; 3]);
        control
    }

    /// Calls a hook that may answer with another choice.
    fn ask(&mut self, hook: &str, now: Time, rate: usize, [attempts, mpdus, succeeded]: [u32; 3]) {
        let rates = Arc::clone(&self.rates);
        let most = rates.len();
        let facts = Facts { rates, now, rate, attempts, mpdus, succeeded };
        let chosen = self.object.call(hook, now, &facts, |said| chosen(said, most)).flatten();
        self.chain = chosen.unwrap_or(self.chain);
    }
}

/// The rates of the next PPDUs: a place in the list, or up to four of them with attempts.
fn chosen(said: &Bound<'_, PyAny>, most: usize) -> PyResult<Option<Chain>> {
    let place = |place: usize| {
        let known = (place < most).then(|| RateId::new(place));
        known.ok_or_else(|| {
            refused(format!(
                "a rate is a place in the list, from 0 to {}, not {place}",
                most.saturating_sub(1)
            ))
        })
    };
    if said.is_none() {
        return Ok(None);
    }
    if let Ok(one) = said.extract::<usize>() {
        return place(one).map(|rate| Some(Chain::always(rate)));
    }
    let wrong = || {
        refused(
            "a choice is a place in the list of rates, or up to four pairs of a place and attempts"
                .to_owned(),
        )
    };
    let stages: Vec<(usize, u16)> = said.extract().map_err(|_| wrong())?;
    let stages = stages.into_iter().map(|(one, attempts)| Ok((place(one)?, attempts)));
    Chain::of(&stages.collect::<PyResult<Vec<_>>>()?).map(Some).ok_or_else(wrong)
}

impl RateControl for Control {
    fn preferred(&self) -> RateId {
        self.chain.rate(0)
    }

    fn choose(&self, _sample: Option<RateId>) -> Chain {
        self.chain
    }

    fn is_in_hardware(&self) -> bool {
        false
    }

    fn completed(&mut self, now: Time, chain: &Chain, attempts: u32, mpdus: u32, succeeded: u32) {
        self.ask("completed", now, chain.rate(0).place(), [attempts, mpdus, succeeded]);
    }
}
