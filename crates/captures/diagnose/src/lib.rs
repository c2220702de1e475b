//! From captures to causes.
//!
//! [`Evidence`] is read once from all files; then every rule of [`RULES`] looks at it and finds something, finds nothing, or says
//! why it cannot tell. A finding brings all that is needed to check it.

mod across;
mod attempts;
mod beacon_grid;
mod beside_air;
mod between;
mod bianchi;
mod capacity;
mod capture;
mod carried;
mod carriers;
mod datagrams;
mod demand;
mod diagnosis;
mod evidence;
mod excerpt;
mod fall;
mod finding;
mod floods;
mod flow;
mod gaps;
mod given_up;
mod grid;
mod heard;
mod idle_air;
mod join;
mod kinds;
mod layers;
mod line;
mod link;
mod no_queue;
mod openings;
mod order;
mod outages;
mod pings;
mod ppdus;
mod rate;
mod reach;
mod reason;
mod roams;
mod row;
mod rule;
mod rules;
mod schema;
mod security;
mod seen;
#[cfg(test)]
mod segments;
mod sides;
mod slow_scan;
mod slow_spells;
mod slowed;
mod snr;
mod spare;
mod spells;
mod standstill;
mod status;
mod steps;
mod strangers;
mod summing_up;
mod timers;
mod together;
mod undelivered;
mod under_way;
mod waits;
mod wasted;

pub use attempts::AttemptSeen;
pub use between::LostSeen;
pub use capture::CaptureStats;
pub use datagrams::{RtpSeen, StreamLayers, StreamSeen};
pub use diagnosis::Diagnosis;
pub use evidence::{Evidence, Unreadable};
pub use excerpt::{Excerpt, excerpts, gather};
pub use finding::{Abstained, Cost, Finding, Placed, Verdict};
pub use floods::FloodSeen;
pub use join::Join;
pub use layers::{AirLayers, FlowLayers, Layers, LinkLayers, StationLayers};
pub use line::Line;
pub use openings::OpeningSeen;
pub use pings::{PingLayers, PingsSeen};
pub use roams::{JoiningSeen, PhaseSeen, RoamCapture, RoamSeen, RoamTcp, Roams};
pub use row::ExcerptRow;
pub use rule::Rule;
pub use rules::RULES;
pub use schema::schema;
pub use seen::captures::{CaptureSeen, ClockSeen, LeftOut, PassageSeen};
pub use seen::flows::{DataSeen, FlowSeen, ResetSeen};
pub use seen::links::{ChangeSeen, GroupSeen, LinkSeen};
pub use seen::stations::{
    FailedKeys, LeavesSeen, LetInSeen, RefusedSeen, StationSeen, SwitchSeen, TurnedAwaySeen,
};
pub use strangers::Strangers;
pub use summing_up::SummedUp;
pub use undelivered::{TooBigSeen, UnreachableSeen};
