//! Power save of a station: it dozes after a time without data (mac80211's dynamic power save: `ieee80211_dynamic_ps_timer`).

use crate::id::TimerId;
use airloom_sim::{Duration, Time, kinds};

/// How a station saves power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerSave {
    /// It announces that it dozes after this long without data either way.
    pub timeout: Duration,
    /// It wakes for every such beacon: those in between it does not hear.
    pub listen_interval: u32,
    /// How it gets what waits for it.
    pub fetch: Fetch,
    /// Its voice category is trigger- and delivery-enabled (U-APSD, 802.11-2020 11.2.3.5): its own voice goes while it dozes, and has what
    /// waits of that category sent to it.
    pub uapsd: bool,
}

kinds! {
    /// How a station that dozes gets what a beacon says that waits for it.
    pub enum Fetch {
        /// It says that it is awake, and gets everything.
        Null = "null",
        /// It asks for one MPDU after the other, and dozes on (802.11-2020 11.2.3.7).
        PsPoll = "ps-poll",
    }
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

/// What a transmitter may send to a receiver that dozes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    /// Nothing.
    None,
    /// One MPDU, for which the receiver has asked.
    Poll,
    /// What waits of its delivery-enabled category: an unscheduled service period.
    Period,
    /// What waits for a group, after a DTIM beacon.
    Dtim,
}
