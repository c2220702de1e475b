//! From a distance, or from places on a plan, to the frames that survive: path loss, walls and shadowing give a signal-to-noise ratio,
//! fading, outages and what overlaps move it, and bit errors follow from it. Nothing here knows stations or when they send.
//!
//! ```
//! use airloom_propagation::{PathLoss, error, snr_at};
//! use airloom_rate::{Rate, Width};
//!
//! let survives = |metres: f64, mbps: u64| {
//!     let snr_db = snr_at(metres, 0, &PathLoss::INDOORS, 5.18e9, Width::Mhz20);
//!     error::survival(error::bit_error(Rate::ofdm(mbps).expect("a rate"), snr_db), 1536)
//! };
//! assert!(survives(20.0, 54) > 0.99);
//! assert!(survives(60.0, 54) < 0.01 && survives(60.0, 6) > 0.99);
//! ```

pub mod error;
mod interference;
mod outage;
mod path;
mod path_loss;
mod plan;
mod shadowing;
mod track;

pub use interference::{Hardiness, Interference, Signal};
pub use outage::{Obstacle, Outages};
pub use path::{Curve, Fade, Path, SlowFading, Survival};
pub use path_loss::{NOISE_FIGURE_DB, PathLoss, TRANSMIT_POWER_DBM, noise_dbm, snr_at, snr_of};
pub use plan::{Material, Plan, Wall};
pub use shadowing::Shadowing;
pub use track::{Point, Track, Waypoint};
