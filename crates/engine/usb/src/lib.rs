//! A network adapter on USB 1.1: the host controller's schedule, and the adapter's handling of packets at its end.
//!
//! A UHCI controller walks lists of transfer descriptors (TDs) once per frame of 1 ms, or round and round while bandwidth
//! is reclaimed. Each TD is one bulk transaction of up to 64 bytes, so a packet takes many of them. The driver gets its
//! interrupt only at the end of the frame in which the last TD was done. [`Bus`] is that controller with the adapter's
//! two
//! endpoints behind it, as a state machine: packets of the host go in by [`Bus::submit`] and reach the adapter as
//! [`Effects::arrived`]; packets from the air go in by [`Bus::incoming`] and reach the host as [`Effects::received`].
//!
//! No event is spent on a TD. The walk through the schedule is a pure function of what is queued; the bus looks ahead along
//! it for the next packet that completes, and catches up with it when something happens before.
//!
//! ```
//! use airloom_observe::NodeId;
//! use airloom_sim::{Duration, Handle, Stream, Time};
//! use airloom_usb::{Bus, Config, Effects, Traversal};
//!
//! let config = Config {
//!     traversal: Traversal::Breadth,
//!     reclamation: false,
//!     queue: 1,
//!     descriptor: 0,
//!     drain: Duration::ZERO,
//!     hold: None,
//! };
//! let mut bus = Bus::new(NodeId(1), config, Stream::new(1, "laptop", "bus"));
//! let mut fx = Effects::default();
//! bus.set_room(Time::ZERO, true, &mut fx, &mut ());
//! bus.submit(Time::ZERO, Handle(0), 1500, &mut fx, &mut ());
//! assert!(!bus.accepts(), "a queue of one packet");
//!
//! let mut now = Time::ZERO;
//! while !fx.wake {
//!     now = fx.timer.take().flatten().expect("the bus is at work");
//!     bus.timer(now, &mut fx, &mut ());
//! }
//! assert_eq!(fx.arrived, [Handle(0)]);
//! // 24 transactions, one in each frame of 1 ms, and the interrupt at the end of the last.
//! assert_eq!(now, Time::ZERO + Duration::from_millis(24) + Duration::from_micros(20));
//! ```

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
