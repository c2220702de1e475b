//! Connection managers that the caller brings.

use super::Manager;
use airloom_sim::Brought;
use std::sync::Arc;

/// Makes the manager of a station, of the names of all access points in the order of their networks ([`BssId`](crate::BssId)).
pub type MakeManager = dyn Fn(Arc<[String]>) -> Box<dyn Manager> + Send + Sync;

/// All that were brought.
pub static OWN_MANAGERS: Brought<MakeManager> = Brought::new();
