//! What must hold of any octets and any text: a function for each kind of input, which panics where it does not.
//!
//! libFuzzer looks for such inputs (`make fuzz`, `targets/`); the tests feed the inputs of `corpus/`, each of which once
//! reached something new, and what lies in the repository anyway.

mod capture;
mod frame;
mod scenario;

pub use capture::capture;
pub use frame::frame;
pub use scenario::scenario;
