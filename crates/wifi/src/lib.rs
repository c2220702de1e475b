//! IEEE 802.11: rates and airtime, access to the medium, aggregation and BlockAck, power save, scanning.
//!
//! The crate's face is [`Cell`], a channel with its radios; everything else is a part that the cell routes between, each
//! with its own file and tests.

pub mod aggregate;
pub mod airtime;
mod bad_fcs;
pub mod bitmap;
mod cell;
mod channel;
pub mod contention;
pub mod error;
mod id;
mod link;
mod phy;
pub mod pseudo_retry_out;
mod radio;
pub mod rate;
mod rate_control;
pub mod receive_script;
pub mod reorder;
pub mod scan;
pub mod send_window;
pub mod smoothed_rate;

pub use cell::{Cell, Done, Effects, Payload, RateChange, Station};
pub use channel::SlowFading;
pub use id::TimerId;
pub use link::Room;
pub use phy::{Phy, Protection};
pub use radio::{Adapter, NullFrames, Pull};
pub use rate_control::*;
