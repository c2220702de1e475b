//! The laboratory: a scenario becomes a world, a world is run, a run leaves a bundle.

pub mod scenario;
