//! Scanning for other access points while associated: the requests, the decision, and the procedure.

mod procedure;
mod scanner;

pub use procedure::{Action, OffChannel, Procedure, Visit};
pub use scanner::Scanner;
