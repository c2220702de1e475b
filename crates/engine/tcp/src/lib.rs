//! One TCP endpoint as a state machine without I/O, faithful to the Linux of the time of its configuration.
//!
//! The caller owns time, the queues below and the application above. It hands segments, timer expiries, writes and
//! transmit completions to an [`Endpoint`] and carries out the [`Effects`] that come back. Sequence numbers are 64 bits
//! wide inside (see `seq`) and cut to 32 on the wire, windows are counted in segments as Linux counts them, and every
//! quantity that decides anything is an integer, so that a run repeats exactly on every machine.
//!
//! ```
//! use airloom_observe::{Direction, FlowId};
//! use airloom_sim::{Duration, Time};
//! use airloom_tcp::{Config, Effects, Endpoint, Role};
//!
//! let mut client = Endpoint::new(Config::PLAIN, Role::Active, FlowId(0), Direction::Forward, 1);
//! let mut server = Endpoint::new(Config::PLAIN, Role::Passive, FlowId(0), Direction::Backward, 7);
//! let (mut fx, probe) = (Effects::default(), &mut ());
//!
//! client.open(Time::ZERO, &mut fx, probe);
//! // SYN, SYN-ACK and ACK take 10 ms each.
//! for (ms, end) in [(10, &mut server), (20, &mut client)] {
//!     for out in std::mem::take(&mut fx).segments {
//!         end.receive(Time::ZERO + Duration::from_millis(ms), &out.segment, &mut fx, probe);
//!     }
//! }
//! assert!(fx.established, "for the client, as it sends its ACK");
//!
//! // The application writes 100 kB; the initial window allows ten segments.
//! fx.clear();
//! client.write(Time::ZERO + Duration::from_millis(20), 100_000, &mut fx, probe);
//! assert_eq!(fx.segments.len(), 10);
//! assert_eq!(fx.segments[0].segment.payload, 1448);
//! ```

mod ack_compression;
mod bursts;
mod config;
pub mod congestion;
mod cwnd_validation;
mod delayed_ack;
mod delivery;
mod ecn;
mod effects;
mod endpoint;
mod handshake;
mod inbound;
mod jiffies;
mod kinds;
mod link_share;
mod loss_probe;
mod observer;
mod outbound;
mod pacing;
mod pushes;
mod rack;
mod receive_window;
mod receiver;
mod recovery;
mod reordering;
mod retries;
mod rtt;
mod scoreboard;
mod segment;
mod send_buffer;
mod seq;
mod small_queue;
mod timers;
mod timestamps;
mod undo;
mod window_control;

pub use bursts::Burst;
pub use config::{
    Acks, Clocks, Config, Growth, HeldSacks, HyStartLimits, LossRecovery, Offer, ReceiveSpace, SendSpace,
    SmallQueueLimits, Truesize, UnusedWindow,
};
pub use congestion::Congestion;
pub use effects::{Effects, Outgoing, Timer, TimerChange};
pub use endpoint::{Endpoint, Figures, Phase, Role};
pub use kinds::{Detection, Reduction, RightSizing, SlowStart, Validation};
pub use link_share::LinkShare;
pub use segment::Segment;
