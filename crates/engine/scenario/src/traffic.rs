//! Applications that the caller brings: when one hands how many bytes to its socket.

use airloom_sim::{Brought, BroughtName, Duration, Making, NameError, ParameterValue, Time};
use std::sync::Arc;

/// What an application hands to its socket next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// How long from now.
    pub wait: Duration,
    /// How many bytes, one at least.
    pub bytes: u64,
}

/// What takes the bytes of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Socket {
    /// The most payload of a datagram in bytes; none of a flow of TCP.
    pub payload: Option<u32>,
}

/// An application that sends.
pub trait Traffic {
    /// Its flow starts: what it hands over first; none if it is to be asked as after a hand-over.
    fn started(&mut self, _now: Time, _socket: &Socket) -> Option<HandOver> {
        None
    }

    /// It has handed over what it last said: what it hands over next, or none if it has no more, or none until that is delivered.
    fn next(&mut self, _now: Time) -> Option<HandOver> {
        None
    }

    /// All that it handed over is acknowledged: what it hands over next, or none if it has no more.
    fn delivered(&mut self, _now: Time) -> Option<HandOver> {
        None
    }
}

/// Whether an application of a kind is told as all that it handed over is acknowledged ([`Traffic::delivered`]), which only TCP knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It goes on without.
    Unseen,
    /// It waits for that.
    Awaited,
}

/// Makes the application of a flow.
type Make = dyn Fn(&Making) -> Box<dyn Traffic> + Send + Sync;

/// A kind of application.
pub struct Applications {
    /// Makes that of a flow.
    pub make: Box<Make>,
    /// What those of this kind are told.
    pub delivery: Delivery,
}

/// All that were brought.
pub static OWN_TRAFFIC: Brought<Applications> = Brought::new();

/// Brings a kind of application with these parameters, each with its default: from now on the `traffic` of flows may name it. One of the
/// same name, brought before, is replaced.
///
/// # Errors
///
/// [`NameError`] if the name or a parameter's cannot be used.
pub fn register_traffic(
    name: &str,
    parameters: &[(&str, ParameterValue)],
    delivery: Delivery,
    make: impl Fn(&Making) -> Box<dyn Traffic> + Send + Sync + 'static,
) -> Result<BroughtName, NameError> {
    OWN_TRAFFIC.bring(name, &[], parameters, Arc::new(Applications { make: Box::new(make), delivery }))
}
