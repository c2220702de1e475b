//! What the driver of a station's adapter sets of its host: how much TCP's small queues hold.

use crate::profiles::{ProfileKind, find};
use airloom_config::error::Faults;
use airloom_config::toml_tree::{Table, TomlNode, Value};

const SHIFT: &str = "small_queue_shift";

/// Fills in the `small_queue_shift` that a station's adapter asks for, where its host has one and the file leaves it out. A
/// server's device asks for nothing.
pub(crate) fn fill(root: &mut Table) {
    let Some(Value::List(stations)) = root.get_mut("station").map(|node| &mut node.value) else { return };
    for station in stations {
        let Value::Table(station) = &mut station.value else { continue };
        let Some(shift) = asked(station) else { continue };
        let Some(host) = station.get_mut("host") else { continue };
        if let Value::Text(_) = host.value {
            let mut table = Table::default();
            table.put("profile", host.at, host.clone());
            host.value = Value::Table(table);
        }
        if let Value::Table(host) = &mut host.value {
            host.put(SHIFT, shift.at, shift);
        }
    }
}

/// What the driver asks for, if the host lets it choose.
fn asked(station: &Table) -> Option<TomlNode> {
    let (written, host) = layers(station, "host", ProfileKind::Host)?;
    let by_pacing_rate = matches!(host.iter().find_map(|t| t.get(SHIFT))?.value, Value::Whole(_));
    if !by_pacing_rate || written.is_some_and(|host| host.get(SHIFT).is_some()) {
        return None;
    }
    let (written, adapter) = layers(station, "adapter", ProfileKind::Adapter)?;
    written.into_iter().chain(adapter).find_map(|t| t.get(SHIFT)).cloned()
}

/// The table under a key of a station, if there is one, and those of the profile that it is laid over.
fn layers<'a>(
    station: &'a Table,
    key: &str,
    kind: ProfileKind,
) -> Option<(Option<&'a Table>, Vec<&'a Table>)> {
    let node = station.get(key)?;
    let name = node.table().map_or(Some(node), |table| table.get("profile"));
    // One that does not exist is reported when the station is read.
    let profile = name.and_then(|name| find(&Faults::default(), kind, name));
    Some((node.table(), profile.unwrap_or_default()))
}
