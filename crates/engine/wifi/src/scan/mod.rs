//! Scanning for other access points while associated: the requests, the decision, and the procedure.

mod procedure;
mod remedy;
mod scanner;

pub use procedure::{Action, OffChannel, Procedure, Visit};
pub(crate) use remedy::Judge;
pub use remedy::{Asked, OWN_SCAN_POLICIES, Remedy, ScanPolicy};
pub use scanner::Scanner;
