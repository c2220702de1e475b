//! Values that a file gives and others take the place of: no mistakes, but a reader may take them for what holds.

use airloom_config::error::{Fault, Source, shown};
use airloom_config::toml_tree::{Table, TomlNode};

/// The keys of which one says how a station receives its access point, so that setting it from outside removes the file's others.
const SIGNALS: [&str; 6] = ["snr", "distance", "walls", "position", "path", "walk"];

/// What does not hold though it is written: in the file with its overrides, and in the file alone.
pub(crate) fn notes(root: &Table, file: &Table) -> Vec<Fault> {
    let mut notes = Vec::new();
    for flow in root.items("flow").iter().filter_map(TomlNode::table) {
        own_tcp(root, flow, &mut notes);
    }
    for station in root.items("station").iter().filter_map(TomlNode::table) {
        own_rate(station, &mut notes);
    }
    for (now, before) in root.items("station").iter().zip(file.items("station")) {
        replaced(now, before, &mut notes);
    }
    walls_of_nobody(root, &mut notes);
    notes.sort_by_key(|note| note.at);
    notes.dedup_by(|next, last| next.at == last.at && next.message == last.message);
    notes
}

fn name(table: &Table, key: &str) -> String {
    shown(table.get(key).and_then(TomlNode::text).unwrap_or_default())
}

/// What a flow has of its own beside what the host that sends it is given.
fn own_tcp(root: &Table, flow: &Table, notes: &mut Vec<Fault>) {
    let Some(tcp) = flow.get("tcp").and_then(TomlNode::table) else { return };
    let from = name(flow, "from");
    let hosts = ["station", "server"].into_iter().flat_map(|list| root.items(list));
    let sender = hosts.filter_map(TomlNode::table).find(|host| name(host, "name") == from);
    let Some(host) = sender.and_then(|sender| sender.get("host")?.table()) else { return };
    for entry in &tcp.entries {
        let Some(given) = host.get(&entry.key) else { continue };
        let flow = match name(flow, "name") {
            own if own.is_empty() => format!("the flow from `{from}` to `{}`", name(flow, "to")),
            own => format!("flow `{own}`"),
        };
        let key = &entry.key;
        let message = format!("`{key}` of host `{from}` does not hold for {flow}, whose `tcp` has its own");
        notes.push(Fault { at: given.at, message, hint: None, first: None });
    }
}

/// A rate beside the rate control of the adapter.
fn own_rate(station: &Table, notes: &mut Vec<Fault>) {
    let control = station.get("adapter").and_then(|adapter| adapter.table()?.get("rate_control"));
    if let (Some(control), true) = (control, station.get("rate").is_some()) {
        let message =
            format!("`rate_control` chooses nothing: station `{}` has a `rate`", name(station, "name"));
        notes.push(Fault { at: control.at, message, hint: None, first: None });
    }
}

/// What an override has taken the place of, besides the key that it sets.
fn replaced(now: &TomlNode, before: &TomlNode, notes: &mut Vec<Fault>) {
    let (Some(now), Some(before)) = (now.table(), before.table()) else { return };
    let set = now
        .entries
        .iter()
        .find(|entry| SIGNALS.contains(&entry.key.as_str()) && matches!(entry.at.source, Source::Set(_)));
    let Some(set) = set else { return };
    let gone = |key: &&&str| before.get(key).is_some() && now.get(key).is_none();
    let gone: Vec<String> = SIGNALS.iter().filter(gone).map(|key| format!("`{key}`")).collect();
    if !gone.is_empty() {
        let message = format!("`{}` takes the place of the file's {}", set.key, gone.join(" and "));
        notes.push(Fault { at: set.at, message, hint: None, first: None });
    }
}

/// What a wall takes where no station counts walls.
fn walls_of_nobody(root: &Table, notes: &mut Vec<Fault>) {
    let table = |node: &TomlNode, key: &str| node.table()?.get(key).cloned();
    let Some(wall) = root.get("air").and_then(|air| table(&table(air, "path_loss")?, "wall")) else { return };
    if root.items("station").iter().all(|station| table(station, "walls").is_none()) {
        let message = "`wall` of `path_loss` takes nothing: no station has `walls`".to_owned();
        let hint =
            (!root.items("wall").is_empty()).then(|| "a [[wall]] takes what its `material` does".to_owned());
        notes.push(Fault { at: wall.at, message, hint, first: None });
    }
}
