//! Power save of a station: it dozes after a time without data (mac80211's dynamic power save: `ieee80211_dynamic_ps_timer`).

use crate::id::TimerId;
use airloom_sim::{Duration, Time};

/// How a station saves power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerSave {
    /// It announces that it dozes after this long without data either way.
    pub timeout: Duration,
    /// It wakes for every such beacon: those in between it does not hear.
    pub listen_interval: u32,
}

/// A station that saves power.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saving {
    /// How.
    pub(crate) how: PowerSave,
    /// Ends the time without data.
    pub(crate) timer: TimerId,
    /// When data last went either way.
    pub(crate) active: Time,
    /// It has announced that it dozes.
    pub(crate) dozes: bool,
}
