//! A share of the window for a slow Wi-Fi link, on Linux: congestion controls in BPF, and what tells them the link's rate.
//!
//! `bpf/` has the controls. Everything here but `control`, which loads them, is plain and always built; that one takes clang and
//! libelf's headers, so it is behind the feature `kernel`, with the daemon `airloom-rate`.

#[cfg(feature = "kernel")]
pub mod control;
pub mod feed;
pub mod highest;
pub mod links;
pub mod options;
pub mod stations;
pub mod teller;
