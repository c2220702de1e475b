//! Rate controls that the caller brings: each has a name, and makes a control for every link on which a scenario names it.

use super::{Adaptive, RateControl, Setup};
use airloom_rate::Rate;
use airloom_sim::{Brought, NameError};
use std::sync::Arc;

/// Makes the control of a link that chooses from these rates, slowest first.
type Make = dyn Fn(&[Rate]) -> Box<dyn RateControl> + Send + Sync;

/// All that were brought.
static BROUGHT: Brought<Make> = Brought::new();

/// A rate control of the caller's own, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnRate(&'static str);

impl OwnRate {
    /// The one of this name, if there is one.
    pub fn of(name: &str) -> Option<Self> {
        BROUGHT.named(name).map(Self)
    }

    /// All that there are, by name.
    pub fn all() -> Vec<Self> {
        BROUGHT.names().into_iter().map(Self).collect()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// The rates that it chooses from, and its control over them.
    pub(super) fn control(self, setup: &Setup<'_>) -> (Vec<Rate>, Box<dyn RateControl>) {
        let rates = setup.steps();
        let control = BROUGHT.make(self.0)(&rates);
        (rates, control)
    }
}

/// Brings a rate control: from now on scenarios may name it where they name `"minstrel"`. One of the same name, brought before,
/// is replaced. A control that returns no rate of its list ends the run in a panic.
///
/// # Errors
///
/// [`NameError`] if the name cannot be used.
pub fn register_rate_control(
    name: &str,
    make: impl Fn(&[Rate]) -> Box<dyn RateControl> + Send + Sync + 'static,
) -> Result<OwnRate, NameError> {
    BROUGHT.bring(name, Adaptive::WORDS, Arc::new(make)).map(OwnRate)
}
