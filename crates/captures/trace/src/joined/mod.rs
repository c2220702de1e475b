//! Captures of the same time joined: which packets they share, and how their clocks differ.

mod beacons;
mod clock;
mod hull;
mod order;
mod sample;

pub use beacons::Beacons;
pub use clock::Clock;
pub use order::{Encrypted, Lengths};
pub use sample::{Sample, Shared, Sought};
