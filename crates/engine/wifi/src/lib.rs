//! IEEE 802.11: rates and airtime, access to the medium, aggregation and BlockAck, power save, scanning.
//!
//! The crate's interface is [`Ether`], all radios with their networks; all else is a part that it routes between, each
//! with its own file and tests.
//!
//! ```
//! use airloom_rate::Rate;
//! use airloom_sim::Duration;
//! use airloom_wifi::Phy;
//! use airloom_wifi::frame_size::{ACK_BYTES, PLAIN_DATA_OVERHEAD};
//!
//! // A packet of 1500 bytes and its ACK at 54 and 24 Mbit/s: preamble and SIGNAL of 20 us, symbols of 4 us.
//! let rate = |mbps| Rate::ofdm(mbps).expect("a rate of 802.11a");
//! let data = rate(54).airtime(1500 + PLAIN_DATA_OVERHEAD);
//! let ack = rate(24).airtime(ACK_BYTES);
//! assert_eq!((data, ack), (Duration::from_micros(20 + 4 * 57), Duration::from_micros(20 + 4 * 2)));
//! assert_eq!(Phy::OFDM_5GHZ.sifs, Duration::from_micros(16), "the silence between them");
//! ```

mod adapter;
pub mod aggregate;
mod airtime_estimate;
pub mod amsdu;
mod aql;
mod basic_rates;
pub mod bitmap;
mod bss;
mod category;
mod contender;
pub mod contention;
mod control_frames;
mod device;
mod dscp;
mod ether;
mod exchange;
pub mod frame_size;
mod id;
mod interferer;
mod joining;
mod link;
mod peer;
mod phy;
mod power;
mod power_save;
mod queued_ppdu;
mod radio;
mod rate_control;
pub mod reorder;
pub mod reordering;
mod roaming;
pub mod scan;
pub mod send_window;
mod spectrum;
mod steering;
mod tid;
mod turns;

pub use adapter::{Adapter, Aggregation, Ahead, Depth, NullFrames, Pull, Reports, Retries, RtsRate};
pub use airtime_estimate::AirtimeEstimate;
pub use amsdu::Amsdu;
pub use aql::Aql;
pub use basic_rates::BasicRates;
pub use bss::{AccessPoint, ChannelSwitch};
pub use category::{Access, Category, Edca, PerCategory, TIDS};
pub use dscp::DscpMap;
pub use ether::{Done, Effects, Ether, Move, RateChange, Station};
pub use exchange::{Exchange, Part};
pub use id::{BssId, DeviceId, RateId, TimerId};
pub use interferer::{Source, Spectrum};
pub use link::{Payload, Room};
pub use phy::{Phy, Protection};
pub use power::is_heard;
pub use power_save::{Fetch, PowerSave};
pub use rate_control::*;
pub use reordering::Reordering;
pub use roaming::{
    Channels, Heard, Iwd, Manager, OWN_MANAGERS, RoamPolicy, Roaming, Sticky, Threshold, Wish, WpaSupplicant,
};
pub use spectrum::Channel;
pub use steering::{Steered, Steering};
pub use turns::{Aired, OWN_SCHEDULERS, Scheduler, Turns, Waiting, register_scheduler};
