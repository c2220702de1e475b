//! Captures of any kind as typed events of the air and of TCP.
//!
//! A [`Capture`] yields the records of a file one by one, whatever its format and link type: frames of the air with what the
//! radio told of them, packets of hosts with their headers. Nothing of a file stays in memory, and nothing in it can make
//! reading panic or loop.

mod air;
mod bins;
mod capped;
mod duplicates;
mod file;
mod frame;
mod handover;
mod heard;
mod identifications;
mod joined;
mod key_message;
mod link;
mod numbers;
mod packet;
mod ping;
mod pings;
mod relayed;
mod rtp;
mod signs;
mod silence;
mod speed;
mod spoken;
mod spread;
mod ssid;
mod stream;
pub mod tcp;
mod trip;
mod undelivered;

pub use air::{
    Air, BEACON_PARTS, Beat, Direct, Doze, Ended, FailedHandshake, Futile, Group, Handshakes, Hole,
    LargePpdus, Leave, Leaves, LetIn, Outage, Outages, OverTime, Ppdu, Presence, RadioHeard, Refusals,
    Refused, Roam, Roaming, Securities, SpeedUse, Stay, Storm, Switch, Switches, Traffic, TurnedAway,
    Unanswered, Unsteady, Wait,
};
pub use airloom_wire::ieee80211::{Joining, Rsn, Security, Subtype};
pub use airloom_wire::{EchoKind, LinkType, MacAddr, Protocol, Stop, TcpFlags};
pub use bins::{Bin, Bins};
pub use capped::Capped;
pub use duplicates::Duplicates;
pub use file::{Capture, Record, Unopened};
pub use frame::{Beacon, BlockAck, Eapol, Frame, PowerBits, Radio, Way};
pub use handover::{Handover, Handovers, HeardBetween, Hush, Moment, Phase, ROAM_AFTER_NS, Signals};
pub use heard::{FrameHeard, frames};
pub use joined::{Beacons, Clock, Encrypted, Lengths, Sample, Shared, Sought};
pub use key_message::KeyMessage;
pub use link::{Place, Seen, place};
pub use packet::{Identity, Packet, Quoted, Segment, Transmission, Transport};
pub use pings::{AllPings, Pings};
pub use rtp::{Late, Missing, OfSource, RtpHeader, RtpHole, Stalled};
pub use silence::{Silence, Silences};
pub use speed::{Phy, Speed};
pub use spoken::Spoken;
pub use spread::Spread;
pub use ssid::Ssid;
pub use stream::{Stream, Streams};
pub use trip::{AllTrips, Trip, Trips};
pub use undelivered::{AllUndelivered, Hindrance, Undelivered};
