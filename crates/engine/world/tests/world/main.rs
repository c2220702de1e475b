//! Worlds that are fed from outside, and changed while they run.

mod changes;
mod fed;
