//! What the daemon decides.

mod daily;
mod promises;
mod requests;
