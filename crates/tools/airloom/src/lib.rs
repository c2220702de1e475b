//! Airloom as a library: TCP over Wi-Fi in simulated time, with algorithms of one's own in it.
//!
//! A [`Scenario`] is what a file says of hosts, air and flows, with every default in its place. [`run`] makes its world, lets its
//! time pass and gives what was measured: the same scenario with the same seed gives the same numbers. What a caller brings has a
//! name, and scenarios use it by that name as they use what is built in: [`congestion_control`], [`queue`], [`rate_control`],
//! [`scheduler`], [`roaming_policy`], [`traffic`]. It may have parameters, to which scenarios give values in `[own.NAME]`, and what is made
//! of it gets these, and a seed of its own ([`Making`]). What is to be seen of a run and no summary has, a [`Probe`](observe::Probe) sees.
//!
//! ```
//! use airloom::congestion_control::{self, CongestionControl, CongestionWindow, Progress};
//! use airloom::time::{Duration, Time};
//!
//! /// Grows by a segment in a round trip, and gives up an eighth where Reno gives up half.
//! struct Mild;
//!
//! impl CongestionControl for Mild {
//!     fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
//!         w.cwnd - w.cwnd / 8
//!     }
//!     fn grow(&mut self, w: &mut CongestionWindow, ack: &Progress) {
//!         let left = if w.in_slow_start() { w.slow_start(ack.segments) } else { ack.segments };
//!         w.avoid(w.cwnd, left);
//!     }
//!     fn acked(&mut self, _: &mut CongestionWindow, _: &Progress, _: Option<Duration>) {}
//!     fn timeout(&mut self, _: Time, _: u64) {}
//! }
//!
//! congestion_control::register("mild", &[], |_| Box::new(Mild))?;
//! let text = std::fs::read_to_string("../../../examples/download.toml")?;
//! let set = airloom::set([("flow.0.tcp.congestion", "mild"), ("duration", "2 s")]);
//! let scenario = airloom::load(&text, "download.toml", &set, None)?;
//! let outcome = airloom::run(&scenario, &mut |_| true)?;
//! assert_eq!(outcome.summary.flows.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use airloom_lab::run::{Error, Options, Outcome, run, run_to_bundle, summarize};
pub use airloom_lab::scenario::{Scenario, load, load_with_warnings};
pub use airloom_lab::summary::{self, Summary};
pub use airloom_lab::world::World;
pub use airloom_sim::{Index, Making, NameError, ParameterValue, Stream};

/// Congestion controls: what grows and shrinks a window, or models the path.
///
/// ```
/// use airloom::congestion_control::{CongestionControl, CongestionWindow, Progress, register};
/// use airloom::time::{Duration, Time};
///
/// /// A window of so many segments.
/// struct Fixed(u32);
///
/// impl CongestionControl for Fixed {
///     fn ssthresh(&mut self, w: &CongestionWindow) -> u32 {
///         w.cwnd
///     }
///     fn grow(&mut self, w: &mut CongestionWindow, _ack: &Progress) {
///         w.cwnd = self.0;
///     }
///     fn acked(&mut self, _w: &mut CongestionWindow, _ack: &Progress, _rtt: Option<Duration>) {}
///     fn timeout(&mut self, _now: Time, _next: u64) {}
/// }
///
/// register("fixed", &[("segments", 40.into())], |making| Box::new(Fixed(making.whole("segments") as u32)))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod congestion_control {
    pub use airloom_tcp::congestion::{
        CaState, CongestionControl, CongestionWindow, LostSegment, Negotiated, PathModel, Progress, Rate,
        Sample, register,
    };
}

/// Queue disciplines: what drops and marks the packets of a queue.
pub mod queue {
    pub use airloom_queue::{Fate, Item, Law, Seen, register_queue as register};
}

/// Rate controls of 802.11: what chooses the rates of PPDUs.
pub mod rate_control {
    pub use airloom_rate::Rate;
    pub use airloom_wifi::{Chain, RateControl, RateId, register_rate_control as register};
}

/// Schedulers: which receiver of an adapter has the next turn.
pub mod scheduler {
    pub use airloom_rate::Rate;
    pub use airloom_wifi::{Aired, Scheduler, Waiting, register_scheduler as register};
}

/// Roaming policies: when a station scans, and to which access point it goes.
pub mod roaming_policy {
    pub use airloom_lab::scenario::register_roaming as register;
    pub use airloom_wifi::{BssId, Channels, Heard, Manager, Wish};
}

/// Scan policies: whether a scan that a station's connection manager asks for takes place.
pub mod scan_policy {
    pub use airloom_lab::scenario::register_scan_policy as register;
    pub use airloom_wifi::scan::{Asked, ScanPolicy};
}

/// Applications that send: when they hand over how many bytes.
pub mod traffic {
    pub use airloom_lab::scenario::{Delivery, HandOver, Socket, Traffic, register_traffic as register};
}

/// What can be observed of a run. A type with [`Probe`](observe::Probe) goes into a [`World`].
pub mod observe {
    pub use airloom_observe::*;
}

/// Simulated time, and the other quantities that have units.
pub mod time {
    pub use airloom_sim::{BitRate, Bytes, Duration, Time};
}

/// Changes of a scenario, each a key and its value as a file has them, for [`load`].
pub fn set<'a>(changes: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    changes.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}
