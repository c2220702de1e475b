//! Worlds in real time: packets of real hosts travel over simulated air.
//!
//! [`Live`] moves a world along with the clock of its [`Outside`], puts in what hosts send, hands out what arrives, and
//! [`Lateness`] keeps how late that was. [`Devices`] is the outside of network devices, and [`Watch`] asks the hosts' kernels for
//! their sockets, which become flows. [`Control`] takes requests to change the world meanwhile.

mod connections;
mod control;
mod devices;
mod lateness;
mod live;
mod sock_diag;
mod state;
mod watch;

pub use control::{Control, Request, ScenarioSource, Wish};
pub use devices::Devices;
pub use lateness::{Lateness, Timing, TimingVerdict};
pub use live::{Live, Outside};
pub use sock_diag::Socket;
pub use state::{State, state_schema};
pub use watch::Watch;
