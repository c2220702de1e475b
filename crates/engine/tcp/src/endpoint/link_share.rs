//! A sender that knows the rate of its radio link.

use super::{Endpoint, Phase};
use crate::Effects;
use airloom_observe::Probe;
use airloom_sim::{BitRate, Time};

impl Endpoint {
    /// The link that the endpoint sends over now has the rate `current`; `highest` is the highest that it may have.
    /// Without this call an endpoint uses its whole window.
    pub fn link_rate<P: Probe>(
        &mut self,
        now: Time,
        current: BitRate,
        highest: BitRate,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        if self.control.turn(current, highest, self.phase == Phase::Established) {
            self.push(now, fx, probe);
            self.observe_window(now, probe);
        }
    }
}
