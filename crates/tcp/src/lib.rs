//! One TCP endpoint as a state machine without I/O, faithful to the Linux of the time of its configuration.
//!
//! The caller owns time, the queues below and the application above. It hands segments, timer expiries, writes and
//! transmit completions to an [`Endpoint`] and carries out the [`Effects`] that come back. Sequence numbers are 64 bits
//! wide inside (see `seq`) and cut to 32 on the wire, windows are counted in segments as Linux counts them, and every
//! quantity that decides anything is an integer, so that a run repeats exactly on every machine.

mod config;
mod congestion;
mod delayed_ack;
mod delivery;
mod ecn;
mod effects;
mod endpoint;
mod handshake;
mod kinds;
mod link_share;
mod loss_probe;
mod pacing;
mod rack;
mod receive_window;
mod receiver;
mod recovery;
mod rtt;
mod scoreboard;
mod segment;
mod send_buffer;
mod seq;
mod small_queue;
mod timers;
mod undo;
mod validation;

pub use config::{Config, LossRecovery};
pub use effects::{Effects, Outgoing, Timer, TimerChange};
pub use endpoint::{Endpoint, Phase, Role};
pub use kinds::{Congestion, Detection, Reduction, SlowStart, Validation};
pub use segment::Segment;
