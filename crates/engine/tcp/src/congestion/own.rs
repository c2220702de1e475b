//! Congestion controls that the caller brings: each has a name, and makes a control for every connection.

use super::{Congestion, CongestionControl};
use airloom_sim::{Brought, BroughtName, Making, NameError, ParameterValue};
use std::sync::Arc;

/// Makes the control of one end of a connection.
type Make = dyn Fn(&Making) -> Box<dyn CongestionControl> + Send + Sync;

/// All that were brought.
pub static OWN_CONTROLS: Brought<Make> = Brought::new();

/// Brings a congestion control with these parameters, each with its default: from now on scenarios may name it. One of the same name,
/// brought before, is replaced. A control that sets a window of no segment ends the run in a panic.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    make: impl Fn(&Making) -> Box<dyn CongestionControl> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    let built_in: Vec<&str> = Congestion::WORDS.iter().map(|(word, _)| *word).collect();
    OWN_CONTROLS.bring(name, &built_in, parameters, Arc::new(make))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::newreno::NewReno;
    use crate::congestion::slow_start::standard;

    fn reno(_: &Making) -> Box<dyn CongestionControl> {
        Box::new(NewReno::new(standard(), true))
    }

    #[test]
    fn a_name_is_known_once_it_is_brought() {
        assert_eq!(Congestion::of("mine"), None);
        let own = register("mine", &[], reno).expect("a name");
        assert_eq!(Congestion::of("mine"), Some(Congestion::Own(own)));
        assert_eq!(Congestion::Own(own).name(), "mine");
        assert_eq!(register("cubic", &[], reno), Err(NameError::BuiltIn("cubic".to_owned())));
    }
}
