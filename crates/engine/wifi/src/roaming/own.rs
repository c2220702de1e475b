//! Connection managers that the caller brings.

use super::Manager;
use airloom_sim::{Brought, Making};
use std::sync::Arc;

/// Makes the manager of a station; beside its making, of the names of all access points in the order of their networks
/// ([`BssId`](crate::BssId)).
type MakeManager = dyn Fn(&Making, Arc<[String]>) -> Box<dyn Manager> + Send + Sync;

/// All that were brought.
pub static OWN_MANAGERS: Brought<MakeManager> = Brought::new();
