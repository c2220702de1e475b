//! Worlds in real time: packets of real hosts travel over simulated air.
//!
//! [`Live`] moves a world along with the clock of its [`Outside`], puts in what hosts send, hands out what arrives, and
//! [`Lateness`] keeps how late that was. [`Devices`] is the outside of network devices, and [`Watch`] asks the hosts' kernels for
//! their sockets, which [`Connections`] makes flows of.

mod connections;
mod devices;
mod lateness;
mod live;
mod sock_diag;
mod watch;

pub use connections::Connections;
pub use devices::Devices;
pub use lateness::{Lateness, Timing, Verdict};
pub use live::{Live, Outside};
pub use sock_diag::Socket;
pub use watch::Watch;
