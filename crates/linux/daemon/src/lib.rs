//! What daemons have in common: their `main`, what they say to systemd and to people, ask of wpa_supplicant, and how they read values
//! with units.

pub mod control;
pub mod notify;
pub mod print;
pub mod program;
pub mod units;
