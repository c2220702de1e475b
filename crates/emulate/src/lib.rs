//! Worlds in real time: packets of real hosts travel over simulated air.
//!
//! [`Live`] moves a world along with the clock of its [`Outside`], puts in what hosts send, hands out what arrives, and
//! [`Lateness`] keeps how late that was. [`Devices`] is the outside of network devices.

mod devices;
mod lateness;
mod live;

pub use devices::Devices;
pub use lateness::{Lateness, Timing, Verdict};
pub use live::{Live, Outside};
