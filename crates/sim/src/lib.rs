//! The ground every simulated layer stands on: time, the event calendar, random streams, a slab.
//!
//! Nothing here knows of networks.

mod calendar;
mod random;
mod slab;
mod units;

pub use calendar::{Calendar, Slot};
pub use random::Stream;
pub use slab::{Handle, Slab};
pub use units::{BitRate, Bytes, Duration, Time};
