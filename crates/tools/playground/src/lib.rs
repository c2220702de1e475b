//! The engine for a page in a browser: a question goes in, an answer comes out, both a message of JSON and octets.
//!
//! What a question is answered with is the same on every machine, and is tested there. Only `face.rs` is of WebAssembly.

mod answer;
mod captures;
mod check;
mod diagnose;
#[cfg(target_family = "wasm")]
mod face;
mod message;
mod run;
mod scenario;

pub use answer::answer;
