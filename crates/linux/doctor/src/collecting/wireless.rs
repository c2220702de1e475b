//! What nl80211 announces, and how the links are once a second.

use super::Lines;
use super::folder::Folder;
use crate::reading::peers;
use airloom_netlink::{Attributes, Events, Nl80211};
use serde_json::json;
use std::time::{Duration, Instant};

/// `NL80211_ATTR_IFINDEX`, and how many channels a scan has.
const IFINDEX: u16 = 3;
const SCAN_FREQUENCIES: u16 = 44;
/// Links are looked at this often.
const LINKS: Duration = Duration::from_secs(1);
/// More events than this are a storm, of which the rest is not kept.
const MOST: usize = 100_000;

/// Commands of nl80211 that are announced, by their numbers (`enum nl80211_commands`).
const NAMES: [(u8, &str); 16] = [
    (19, "new_station"),
    (20, "del_station"),
    (33, "scan_started"),
    (34, "scan_done"),
    (35, "scan_aborted"),
    (36, "reg_change"),
    (37, "authenticated"),
    (38, "associated"),
    (39, "deauthenticated"),
    (40, "disassociated"),
    (46, "connected"),
    (47, "roamed"),
    (48, "disconnected"),
    (64, "connection_quality"),
    (75, "sched_scan_started"),
    (88, "channel_switched"),
];

/// A recording that goes on, in `events.jsonl`.
pub(super) struct Wireless {
    kernel: Nl80211,
    announced: Events,
    interface: u32,
    lines: Lines,
    events: usize,
    links_at: Option<Instant>,
    failed: Option<String>,
}

impl Wireless {
    /// Begins.
    pub(super) fn begin(folder: &Folder, interface: u32) -> Result<Self, String> {
        Ok(Self {
            kernel: Nl80211::open()?,
            announced: Events::open(&["scan", "mlme", "regulatory"])?,
            interface,
            lines: Lines::create(folder, "events.jsonl")?,
            events: 0,
            links_at: None,
            failed: None,
        })
    }

    /// Takes what has come.
    pub(super) fn look(&mut self) -> Result<(), String> {
        let events = self.announced.take().unwrap_or_else(|because| {
            self.failed = Some(because);
            Vec::new()
        });
        for event in events {
            let told = Attributes(&event.attributes);
            let name = NAMES.iter().find(|(command, _)| *command == event.command).map(|(_, name)| *name);
            let channels = told.get(SCAN_FREQUENCIES).map(|list| list.nested().count());
            self.events += 1;
            if self.events <= MOST {
                self.lines.write(json!({
                    "event": name, "command": event.command, "interface": told.number(IFINDEX), "channels": channels,
                }))?;
            }
        }
        if self.links_at.is_none_or(|at| at.elapsed() >= LINKS) {
            self.links_at = Some(Instant::now());
            for peer in peers(&mut self.kernel, self.interface) {
                self.lines.write(json!({ "event": "link", "interface": self.interface, "peer": peer }))?;
            }
        }
        Ok(())
    }

    /// Announcements that came.
    pub(super) fn events(&self) -> usize {
        self.events
    }

    /// What is missing.
    pub(super) fn missing(&self) -> Option<String> {
        self.failed.as_ref().map(|because| format!("events of nl80211: {because}"))
    }
}
