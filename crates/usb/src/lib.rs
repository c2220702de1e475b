//! A network adapter on USB 1.1: the host controller's schedule, and what the adapter does to packets at its end.
//!
//! A UHCI controller walks lists of transfer descriptors (TDs) once per frame of 1 ms, or round and round while bandwidth
//! is reclaimed. Each TD is one bulk transaction of up to 64 bytes, so a packet takes many of them, and the driver hears of
//! it only at the end of the frame in which its last TD was done. [`Bus`] is that controller with the adapter's two
//! endpoints behind it, as a state machine: packets of the host go in by [`Bus::submit`] and reach the adapter as
//! [`Effects::arrived`]; packets from the air go in by [`Bus::incoming`] and reach the host as [`Effects::received`].
//!
//! No event is spent on a TD. The walk through the schedule is a pure function of what is queued; the bus looks ahead along
//! it for the next packet that completes, and catches up with it when something happens before.

mod bus;
mod config;
mod effects;
mod endpoint;
mod frame;
mod hold;
mod walk;

pub use bus::Bus;
pub use config::{Config, Holding, Traversal};
pub use effects::Effects;
pub use frame::{FRAME, MAX_PAYLOAD, TRANSACTION_OVERHEAD};
