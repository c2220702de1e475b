//! Records what a diagnosis needs, all at once: packets, the bus of a USB adapter, what nl80211 announces, and TCP's own view.

mod folder;
mod packets;
mod sockets;
mod wireless;

use crate::document::Document;
use crate::reading::{monitors, snapshot, usb_bus};
use crate::snapshot::{Interface, Snapshot};
use folder::{Folder, asking};
use packets::Packets;
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// A folder that is not there yet.
    pub out: PathBuf,
    /// For how long.
    pub time: Duration,
    /// Which interface; without it, the first station that is connected, or else the first access point.
    pub interface: Option<String>,
    /// The most octets that are kept of packets, all files together.
    pub most: u64,
}

/// What was recorded.
#[derive(Clone, Debug, Serialize)]
pub struct Collected {
    /// When it began, in s since the epoch.
    pub began: f64,
    /// How long it took, in s.
    pub took: f64,
    /// The interface.
    pub interface: String,
    /// The captures.
    pub captures: Vec<Recorded>,
    /// Announcements of nl80211.
    pub events: usize,
    /// Looks at TCP's connections.
    pub looks: usize,
    /// What could not be recorded, or only in part.
    pub missing: Vec<String>,
}

/// A capture.
#[derive(Clone, Debug, Serialize)]
pub struct Recorded {
    /// Its file within the folder.
    pub file: String,
    /// What tcpdump saw.
    pub packets: u64,
    /// What the kernel had to drop.
    pub dropped: u64,
    /// The file's octets.
    pub octets: u64,
}

/// The most octets of packets, where nothing else is said: some minutes of a fast link.
pub const MOST_COLLECTED: u64 = 1_000_000_000;

/// What was recorded, in lines for a person.
#[must_use]
pub fn told(collected: &Collected) -> Vec<String> {
    let mut lines = vec![format!("recorded {:.0} s of {}", collected.took, collected.interface)];
    for capture in &collected.captures {
        let dropped = match capture.dropped {
            0 => String::new(),
            n => format!(", {n} more lost by the capture"),
        };
        let (packets, megabytes) = (capture.packets, capture.octets as f64 / 1e6);
        lines.push(format!("  {}: {packets} packets{dropped}, {megabytes:.1} MB", capture.file));
    }
    let (events, looks) = (collected.events, collected.looks);
    lines.push(format!(
        "  events.jsonl: {events} events of the Wi-Fi; sockets.jsonl: {looks} looks at TCP's connections"
    ));
    lines.extend(collected.missing.iter().map(|missing| format!("  not whole: {missing}")));
    lines
}

/// How often TCP is looked at.
const TICK: Duration = Duration::from_millis(100);

/// Records until the time is over, `stop` says so, or there are too many octets. What was recorded stays, however it ends. `began` is
/// called once it records.
///
/// # Errors
///
/// In a sentence, if it cannot begin: then nothing is written.
pub fn collect(
    plan: &Plan,
    began: impl FnOnce(),
    mut stop: impl FnMut() -> bool,
) -> Result<Collected, String> {
    if !rustix::process::geteuid().is_root() {
        return Err("captures need root: run it with sudo".to_owned());
    }
    let snapshot = snapshot()?;
    packets::check()?;
    let interface = chosen(&snapshot, plan.interface.as_deref())?;
    let told = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("{}: exists already; choose another folder", plan.out.display())
        }
        _ => format!("{}: {error}", plan.out.display()),
    };
    let folder = Folder::create(&plan.out).map_err(told)?;
    let first = match Packets::begin(&folder, &interface.name, &interface.name, plan.most) {
        Ok(first) => first,
        Err(because) => {
            let _ = folder.remove();
            return Err(because);
        }
    };
    let collected = record(plan, &snapshot, interface, &folder, first, began, &mut stop);
    if let Some((user, group)) = asking() {
        folder.give(user, group).map_err(told)?;
    }
    collected
}

/// Records into a folder, to which the first capture goes already.
fn record(
    plan: &Plan,
    snapshot: &Snapshot,
    interface: &Interface,
    folder: &Folder,
    first: Packets,
    began: impl FnOnce(),
    stop: &mut impl FnMut() -> bool,
) -> Result<Collected, String> {
    let mut missing = Vec::new();
    let captures = begin(plan, snapshot, interface, folder, first, &mut missing)?;
    let mut air = wireless::Wireless::begin(folder, interface.index)?;
    let mut tcp = sockets::Sockets::begin(folder)?;
    write_json(folder, "machine.json", &Document::snapshot(snapshot))?;
    began();
    let (began, clock) = (epoch(), Instant::now());
    while clock.elapsed() < plan.time && !stop() {
        sleep(TICK.min(plan.time.saturating_sub(clock.elapsed())));
        air.look()?;
        tcp.look()?;
        let octets: u64 = captures.iter().map(Packets::octets).sum();
        if octets >= plan.most {
            missing.push(format!("it ended early: there were {} MB of packets", plan.most / 1_000_000));
            break;
        }
        if captures.iter().any(Packets::ended) {
            missing.push("it ended early: tcpdump did".to_owned());
            break;
        }
    }
    let took = clock.elapsed().as_secs_f64();
    let captures = captures.into_iter().map(Packets::end).collect();
    missing.extend(air.missing());
    missing.extend(tcp.missing());
    let collected = Collected {
        began,
        took,
        interface: interface.name.clone(),
        captures,
        events: air.events(),
        looks: tcp.looks(),
        missing,
    };
    write_json(folder, "collected.json", &Document::collected(&collected))?;
    Ok(collected)
}

/// Starts the captures beside the first one: of monitors, and of the bus of a USB adapter.
fn begin(
    plan: &Plan,
    snapshot: &Snapshot,
    interface: &Interface,
    folder: &Folder,
    first: Packets,
    missing: &mut Vec<String>,
) -> Result<Vec<Packets>, String> {
    let mut captures = vec![first];
    for monitor in monitors() {
        match Packets::begin(folder, &monitor, &format!("air-{monitor}"), plan.most) {
            Ok(capture) => captures.push(capture),
            Err(because) => missing.push(because),
        }
    }
    let radio = snapshot.radio_of(interface);
    if let Some(bus) = radio.filter(|radio| radio.bus.as_deref() == Some("usb")).and_then(usb_bus) {
        let usb = folder.folder("usb").map_err(|error| error.to_string())?;
        match Packets::begin(&usb, &format!("usbmon{bus}"), &format!("bus{bus}"), plan.most) {
            Ok(capture) => captures.push(capture),
            Err(because) => missing.push(format!("{because}; `sudo modprobe usbmon` makes the bus visible")),
        }
    }
    Ok(captures)
}

/// The interface whose packets are recorded.
fn chosen<'a>(snapshot: &'a Snapshot, name: Option<&str>) -> Result<&'a Interface, String> {
    if let Some(name) = name {
        let known =
            || snapshot.interfaces.iter().map(|other| other.name.as_str()).collect::<Vec<_>>().join(", ");
        let found = snapshot.interfaces.iter().find(|other| other.name == name);
        return found.ok_or_else(|| format!("no Wi-Fi interface {name:?}; there are {}", known()));
    }
    let connected = snapshot.stations().map(|(interface, _)| interface).next();
    connected
        .or_else(|| snapshot.carriers().next())
        .ok_or_else(|| "no Wi-Fi interface is connected".to_owned())
}

fn epoch() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn write_json(folder: &Folder, name: &str, value: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    let written = folder.file(name).and_then(|mut file| file.write_all((text + "\n").as_bytes()));
    written.map_err(|error| format!("{name}: {error}"))
}

/// A file of JSON objects, one a line, with the time of each in `at`.
struct Lines(File);

impl Lines {
    fn create(folder: &Folder, name: &str) -> Result<Self, String> {
        folder.file(name).map(Self).map_err(|error| format!("{name}: {error}"))
    }

    fn write(&mut self, mut object: serde_json::Value) -> Result<(), String> {
        object["at"] = epoch().into();
        writeln!(self.0, "{object}").map_err(|error| format!("events could not be written: {error}"))
    }
}
