//! What daemons have in common: what they say to systemd and to people, and how they read values with units.

pub mod notify;
pub mod print;
pub mod units;
