//! Captures of the same time joined: which packets they share, and how their clocks differ.

mod clock;
mod hull;
mod sample;

pub use clock::Clock;
pub use sample::{Sample, Shared};
