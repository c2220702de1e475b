//! A snapshot with its judgement.

use crate::checks::{judge, unconnected};
use crate::document::SNAPSHOT;
use crate::finding::{Abstention, Finding};
use crate::snapshot::{FORMAT, Interface, Role, Snapshot, Unread};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// What an examination says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examination {
    /// The kernel's release.
    pub kernel: String,
    /// Whether it was read as root.
    pub root: bool,
    /// The interfaces.
    pub interfaces: Vec<Looked>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What could not be judged.
    pub abstained: Vec<Abstention>,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// That no interface carries packets, if so.
    #[serde(skip)]
    pub(crate) unconnected: Option<String>,
}

/// An interface in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Looked {
    /// Its name.
    pub name: String,
    /// What it is and does.
    pub says: String,
}

/// Judges a snapshot.
#[must_use]
pub fn examine(snapshot: &Snapshot) -> Examination {
    let (findings, abstained) = judge(snapshot);
    let looked =
        |interface: &Interface| Looked { name: interface.name.clone(), says: described(snapshot, interface) };
    Examination {
        kernel: snapshot.kernel.clone(),
        root: snapshot.root,
        interfaces: snapshot.interfaces.iter().map(looked).collect(),
        findings,
        abstained,
        unread: snapshot.unread.clone(),
        unconnected: unconnected(snapshot),
    }
}

impl Snapshot {
    /// A snapshot from the JSON that it was kept as.
    ///
    /// # Errors
    ///
    /// In words with the place, the field if there is one, and the remedy, if it is none, or of another format.
    pub fn parse(text: &str) -> Result<Self, String> {
        let none = |why: String| format!("is no snapshot of a machine: {why}; {REMEDY}");
        said_to_be_one(text).map_err(none)?;
        let mut reader = serde_json::Deserializer::from_str(text);
        let read: Result<Self, _> = serde_path_to_error::deserialize(&mut reader);
        let snapshot = read.map_err(|error| match error.path().iter().next() {
            Some(_) => none(format!("{}: {}", error.path(), error.inner())),
            None => none(error.inner().to_string()),
        })?;
        if snapshot.format != FORMAT {
            return Err(format!("has format {}, where {FORMAT} is known; {REMEDY}", snapshot.format));
        }
        if snapshot.interfaces.is_empty() {
            return Err("has no Wi-Fi interface; `--snapshot` takes one of a machine that has".to_owned());
        }
        // Names and addresses become parts of paths, in commands that are copied.
        let names = snapshot.radios.iter().map(|radio| &radio.name);
        let mut names = names.chain(snapshot.interfaces.iter().map(|interface| &interface.name));
        if let Some(name) = names.find(|name| name.contains('/') || name.is_empty()) {
            return Err(format!("has the name {name:?}, which Linux gives to no radio and no interface"));
        }
        let mut peers = snapshot.interfaces.iter().flat_map(|interface| &interface.peers);
        if let Some(peer) = peers.find(|peer| !peer.mac.chars().all(|c| c.is_ascii_hexdigit() || c == ':')) {
            return Err(format!("has the address {:?}, which is none of a station", peer.mac));
        }
        Ok(snapshot)
    }
}

/// What to do about a file that is no snapshot.
const REMEDY: &str = "`--snapshot` takes one, `--schema` says what is in it";

/// Makes sure that a text is a JSON object, and of no other schema.
///
/// # Errors
///
/// In words, with the place.
fn said_to_be_one(text: &str) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Named {
        schema: Option<serde_json::Value>,
    }
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        if error.is_eof() {
            format!("it ends too early, at {place}")
        } else {
            format!("it is not JSON at {place}")
        }
    })?;
    if !text.trim_start().starts_with('{') {
        return Err("it is JSON, but no object".to_owned());
    }
    match serde_json::from_str::<Named>(text).map_err(|error| error.to_string())?.schema {
        Some(schema) if schema != SNAPSHOT => Err(format!("its schema is {schema}, not \"{SNAPSHOT}\"")),
        _ => Ok(()),
    }
}

/// What an interface is and does, in a line.
fn described(snapshot: &Snapshot, interface: &Interface) -> String {
    let radio = snapshot.radio_of(interface);
    let driver = radio.and_then(|radio| radio.driver.clone());
    // Others are of no interest: a platform's, or a simulation's.
    let bus = radio
        .and_then(|radio| radio.bus.clone())
        .filter(|bus| ["usb", "pci", "sdio"].contains(&bus.as_str()));
    let hardware = [radio.map(|radio| radio.name.clone()), driver, bus];
    let mut parts = Vec::new();
    let role = match interface.role {
        Role::Station => "station",
        Role::AccessPoint => "access point",
        Role::Monitor => "monitor",
        Role::Other => "of another kind",
    };
    parts.push(match &interface.ssid {
        Some(ssid) => format!("{role} of \"{}\"", ssid),
        None => role.to_owned(),
    });
    match (interface.frequency_mhz, interface.width_mhz) {
        (Some(frequency), Some(width)) => parts.push(format!("{width} MHz at {frequency} MHz")),
        (Some(frequency), None) => parts.push(format!("at {frequency} MHz")),
        (None, _) => parts.push("on no channel".to_owned()),
    }
    if let (Role::Station, Some(peer)) = (interface.role, interface.peers.first()) {
        parts.extend(peer.signal_dbm.map(|signal| format!("{signal} dBm")));
        parts.extend(peer.sends_at.as_ref().map(|speed| format!("sends at {:.1} Mbit/s", speed.mbps)));
    } else if interface.role == Role::AccessPoint {
        let count = interface.peers.len();
        parts.push(format!("{count} station{}", if count == 1 { "" } else { "s" }));
    }
    parts.push(hardware.into_iter().flatten().collect::<Vec<_>>().join(", "));
    parts.join("; ")
}
