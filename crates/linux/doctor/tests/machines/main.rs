//! Machines that were read: what is found on them, and what mends it.

mod checks;
mod kept;
mod mends;
