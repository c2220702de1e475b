//! The ground every simulated layer stands on: time, the event calendar, random streams, a slab, typed indices,
//! kinds with their words, parameters with their bounds.
//!
//! Nothing here knows of networks.

mod calendar;
mod index;
mod kinds;
mod parameters;
mod random;
mod slab;
mod units;

pub use calendar::{Calendar, Slot};
pub use index::{Index, IndexVec};
pub use parameters::{Defaults, Key, Walk};
pub use random::Stream;
pub use slab::{Handle, Slab};
pub use units::{BitRate, Bytes, Duration, Time};
