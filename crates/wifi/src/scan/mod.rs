//! Scanning for other access points while associated: who asks for a scan, whether it happens, and how it is done.

mod procedure;
mod scanner;

pub use procedure::{Action, OffChannel, Procedure, Schedule};
pub use scanner::Scanner;
