//! Rate controls that the caller brings: each has a name, and makes a control for every link on which a scenario names it.

use super::{Adaptive, RateControl};
use airloom_rate::Rate;
use airloom_sim::{Brought, BroughtName, Making, NameError, ParameterValue};
use std::sync::Arc;

/// Makes the control of a link that chooses from these rates, slowest first.
type Make = dyn Fn(&Making, &[Rate]) -> Box<dyn RateControl> + Send + Sync;

/// All that were brought.
pub static OWN_RATE_CONTROLS: Brought<Make> = Brought::new();

/// Brings a rate control with these parameters, each with its default: from now on scenarios may name it where they name `"minstrel"`.
/// `make` gets the rates to choose from, slowest first. One of the same name, brought before, is replaced. A control that returns no rate of its list ends the run in a panic.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register_rate_control(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    make: impl Fn(&Making, &[Rate]) -> Box<dyn RateControl> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    OWN_RATE_CONTROLS.bring(name, Adaptive::WORDS, parameters, Arc::new(make))
}
