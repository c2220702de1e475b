//! When a Wi-Fi station may scan: the remedy, as a state machine without I/O.
//!
//! A scan takes the radio off its channel, and all traffic stalls meanwhile. So scans are held off during a transfer
//! or a call, within bounds that suit daily use: after the longest hold a scan is allowed, and a link that is down, or weak and
//! getting weaker, keeps its scans.
//!
//! The simulator's station and the daemon `airloom-guard` run on the same [`Policy`], so that what a report predicts is
//! what the daemon does.
//!
//! ```
//! use airloom_policy::{Cause, Effect, Input, Policy, ScanPolicyConfig};
//! use airloom_sim::{Bytes, Duration, Time};
//!
//! let terms = ScanPolicyConfig {
//!     threshold: Bytes(1000),
//!     look: Duration::from_secs(5),
//!     calls: None,
//!     cap: Some(Duration::from_secs(600)),
//!     opening: Duration::from_secs(20),
//!     weak: None,
//! };
//! let mut policy = Policy::new(terms, true);
//! let mut effects = Vec::new();
//! for (second, moved) in [(0, 0), (1, 900), (2, 1_800)] {
//!     policy.handle(Time::ZERO + Duration::from_secs(second), Input::Moved(moved), &mut effects);
//! }
//! assert_eq!(effects, [Effect::Hold], "more than 1000 bytes moved within 5 s");
//! assert_eq!(policy.cause(), Cause::Transfer);
//!
//! policy.handle(Time::ZERO + Duration::from_secs(3), Input::ScanRequested, &mut effects);
//! assert_eq!(effects, [Effect::Hold, Effect::Refuse]);
//! ```

mod call;
mod policy;
mod signal;
mod transfer;

pub use call::{Calls, Count, Exchange};
pub use policy::{Cause, Effect, Input, Policy, ScanPolicyConfig, State};
pub use signal::Weak;
