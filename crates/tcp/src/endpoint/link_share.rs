//! A sender that is told the rate of its radio link.

use super::Endpoint;
use crate::Effects;
use crate::link_share::LinkShare;
use airloom_observe::Probe;
use airloom_sim::{BitRate, Time};

impl Endpoint {
    /// The link that the endpoint's segments leave by is now at the rate `current`, and `highest` is the highest it may
    /// come to. An endpoint that is never told uses its whole window.
    pub fn link_rate<P: Probe>(
        &mut self,
        now: Time,
        current: BitRate,
        highest: BitRate,
        fx: &mut Effects,
        probe: &mut P,
    ) {
        let share = LinkShare::of(current, highest);
        if std::mem::replace(&mut self.share, share) != share {
            self.push(now, fx, probe);
            self.observe_window(now, probe);
        }
    }
}
