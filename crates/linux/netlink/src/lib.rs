//! What the kernel says of network interfaces, over netlink: scans as they start and end, the signal, what was moved; and of sockets,
//! whether a call is marked.
//!
//! Every request has its answer within 2 s, or is an error. Errors are one line each.

mod attributes;
mod call_marks;
mod counters;
mod events;
mod message;
mod nl80211;
mod protocol;
mod scan_events;
mod wireless;

pub use attributes::{Attribute, Attributes, put};
pub use call_marks::a_call_is_marked;
pub use counters::{Count, Counters, Moved};
pub use events::{Event, Events};
pub use nl80211::Nl80211;
pub use protocol::{Extent, Protocol};
pub use scan_events::{Feed, ScanEvents, ScanNews};
pub use wireless::Wireless;

use std::fmt::Display;
use std::fs;

/// An interface's index, as long as there is such an interface.
pub fn index_of(interface: &str) -> Option<u32> {
    let safe = !interface.contains('/') && !interface.starts_with('.');
    let path = format!("/sys/class/net/{interface}/ifindex");
    fs::read_to_string(path).ok().filter(|_| safe)?.trim().parse().ok()
}

fn say(error: impl Display) -> String {
    format!("netlink: {error}")
}
