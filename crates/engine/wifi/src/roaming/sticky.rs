//! No connection manager that roams: the station stays at its access point until that is gone, then searches.

use super::{Heard, Manager, Wish};
use airloom_sim::{Duration, Time};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sticky {
    /// Time between two searches while it is at no access point: wpa_supplicant's default `scan_interval` is 5 s.
    pub search: Duration,
}

impl Manager for Sticky {
    fn associated(&mut self, _: Time, _: &Heard, _: &mut Vec<Wish>) {}

    fn searches_every(&self) -> Duration {
        self.search
    }
}
