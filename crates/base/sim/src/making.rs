//! What one is made of whose kind a caller brings: a seed of its own, and the values of its kind's parameters.

use crate::Stream;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// What one is made of whose kind a caller brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    /// A number of its own, drawn from the run's seed and the name of what it belongs to: the same in each such run.
    pub seed: u64,
    pub(crate) values: Values,
}

impl Making {
    /// Random numbers of its own, which [`seed`](Self::seed) begins.
    pub fn stream(&self) -> Stream {
        Stream::new(self.seed, "one's own", "chance")
    }

    /// A parameter whose default has a fraction.
    ///
    /// # Panics
    ///
    /// If the kind was brought without such a parameter.
    pub fn real(&self, name: &str) -> f64 {
        if let ParameterValue::Real(value) = self.get(name) { *value } else { self.not(name, "a fraction") }
    }

    /// A parameter whose default is whole.
    ///
    /// # Panics
    ///
    /// If the kind was brought without such a parameter.
    pub fn whole(&self, name: &str) -> i64 {
        if let ParameterValue::Whole(value) = self.get(name) {
            *value
        } else {
            self.not(name, "a whole number")
        }
    }

    /// A parameter that is true or false.
    ///
    /// # Panics
    ///
    /// If the kind was brought without such a parameter.
    pub fn flag(&self, name: &str) -> bool {
        if let ParameterValue::Flag(value) = self.get(name) { *value } else { self.not(name, "a flag") }
    }

    /// A parameter that is a text.
    ///
    /// # Panics
    ///
    /// If the kind was brought without such a parameter.
    pub fn text(&self, name: &str) -> &'static str {
        if let ParameterValue::Text(value) = self.get(name) { value } else { self.not(name, "a text") }
    }

    /// All values, in the order of their parameters' names.
    pub const fn values(&self) -> &'static [(&'static str, ParameterValue)] {
        self.values.0
    }

    fn get(&self, name: &str) -> &'static ParameterValue {
        let found = self.values.0.iter().find(|(key, _)| *key == name);
        found.map_or_else(|| self.not(name, "a parameter"), |(_, value)| value)
    }

    fn not(&self, name: &str, what: &str) -> ! {
        panic!("`{name}` is not {what} of this kind, whose parameters are {:?}", self.values.0)
    }
}

/// The seed of something that belongs to an entity of a run, by what it is.
pub fn seed_of(run: u64, entity: &str, purpose: &str) -> u64 {
    Stream::new(run, entity, purpose).up_to(u32::MAX).into()
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Real(f64),
    /// A text.
    Text(String),
}

impl ParameterValue {
    /// The same as a value of the type that another one has; none if it cannot be one: what has a fraction may be whole, not the
    /// other way round.
    pub fn like(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (Self::Whole(value), Self::Real(_)) => Some(Self::Real(*value as f64)),
            (Self::Flag(_), Self::Flag(_))
            | (Self::Whole(_), Self::Whole(_))
            | (Self::Real(_), Self::Real(_))
            | (Self::Text(_), Self::Text(_)) => Some(self.clone()),
            _ => None,
        }
    }

    /// Whether it is something, which not a number is not.
    pub(crate) const fn is_sound(&self) -> bool {
        !matches!(self, Self::Real(value) if value.is_nan())
    }
}

impl From<bool> for ParameterValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<i64> for ParameterValue {
    fn from(value: i64) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for ParameterValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for ParameterValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// The values of a kind's parameters. The same ones are stored once, for as long as the program lives: names of kinds are copied about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values(&'static [(&'static str, ParameterValue)]);

/// The same ones have one place.
impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Values {}

impl Values {
    /// These.
    pub(crate) fn of<'a>(each: impl Iterator<Item = (&'a str, ParameterValue)>) -> Self {
        static KNOWN: Mutex<BTreeMap<String, Values>> = Mutex::new(BTreeMap::new());
        let sorted: BTreeMap<&str, ParameterValue> = each.collect();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // A number is written so that it can be read back: the same text are the same values.
        *known.entry(format!("{sorted:?}")).or_insert_with(|| {
            let all: Vec<_> = sorted.into_iter().map(|(name, value)| (kept(name), value)).collect();
            Self(all.leak())
        })
    }

    /// Each with its name.
    pub(crate) const fn all(self) -> &'static [(&'static str, ParameterValue)] {
        self.0
    }
}

/// A name for as long as the program lives.
pub(crate) fn kept(name: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(name) {
        return same;
    }
    let new: &'static str = Box::leak(name.into());
    known.insert(new);
    new
}
