//! When a Wi-Fi station may scan: the remedy, as a state machine without I/O.
//!
//! A scan takes the radio off its channel, and whatever moves meanwhile stalls. So scans are held off while a transfer
//! goes on - within bounds that make it fit for daily use: a hold has a longest length, after which a scan is let through;
//! and a link that is down, or weak and getting weaker, needs its scans and keeps them.
//!
//! The simulator's station and the daemon `airloom-guard` run on the same [`Policy`], so that what a report predicts is
//! what the daemon does.

mod policy;
mod signal;
mod transfer;

pub use policy::{Cause, Effect, Input, Policy, State, Terms};
pub use signal::Weak;
