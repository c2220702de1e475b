//! Checks that every flow has two ends that there are.

use airloom_config::error::{At, Faults, choose, shown, there_are};
use airloom_config::form::{Form, Name};
use airloom_config::record::Unknown;
use airloom_config::toml_tree::{Table, TomlNode, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Reports flows from or to hosts that do not exist, or between hosts that cannot have one.
pub(super) fn check(faults: &Faults, root: &Table, unknown: &Unknown) {
    let names = |key| named(root, key).map(|(name, _)| name).collect::<BTreeSet<&str>>();
    let (aps, stations, servers) = (names("ap"), names("station"), names("server"));
    // A name that nothing has may be that of a host whose own name cannot be read.
    let different =
        named(root, "station").chain(named(root, "server")).count() == stations.union(&servers).count();
    let all_named = different && ["station", "server"].iter().all(|key| all_named(root, key, unknown));
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for station in root.items("station").iter().filter_map(TomlNode::table) {
        if let [Some(name), Some(group)] = ["name", "group"].map(|key| station.get(key)?.text()) {
            groups.entry(group).or_default().push(name);
        }
    }
    let hosts = || stations.iter().chain(&servers).copied();
    for flow in root.items("flow") {
        let Some(table) = flow.table() else { continue };
        let [from, to] =
            ["from", "to"].map(|key| table.get(key).and_then(|node| Some((node.text()?, node.at))));
        let mut sound = true;
        for (key, end) in [("from", from), ("to", to)] {
            let Some((name, at)) = end else {
                sound = false;
                continue;
            };
            if stations.contains(name) || servers.contains(name) {
                continue;
            }
            sound = false;
            if aps.contains(name) {
                let message = format!("`{key}` is the access point `{name}`, which is no host");
                faults.fail(at, message, Some(there_are(hosts())));
            } else if let Some(members) = groups.get(name) {
                let message = format!("`{key}` is `{name}`, a group of {} stations", members.len());
                let hint = "a flow has a group at one of its ends; name one station at the other, such as";
                faults.fail(at, message, Some(format!("{hint} `{}`", members[0])));
            } else if all_named {
                let message = format!("`{key}` is `{}`, but no station or server has this name", shown(name));
                faults.fail(at, message, Some(choose(name, hosts())));
            }
        }
        if let (Some((from, _)), Some((to, at)), true) = (from, to, sound) {
            let link_rate = table.get("tcp").and_then(|tcp| Some(tcp.table()?.get("link_rate")?.at));
            match_ends(faults, (from, to, at), stations.contains(from), link_rate);
            let publishes = table.get("kind").and_then(TomlNode::text) == Some("publish");
            if publishes && !stations.contains(to) {
                let message = format!("`to` of a flow of kind `publish` is the server `{to}`");
                faults.fail(at, message, Some("only stations are in a group".to_owned()));
            }
        }
    }
}

/// Reports two ends that do not go together.
fn match_ends(faults: &Faults, (from, to, at): (&str, &str, At), from_station: bool, link_rate: Option<At>) {
    if from == to {
        let hint = "let it run to another host".to_owned();
        faults.fail(at, format!("the flow goes from `{from}` to itself"), Some(hint));
    } else if let (false, Some(place)) = (from_station, link_rate) {
        let hint = "let it run from a station, or leave it out".to_owned();
        let message = "`link_rate` is that of the sender's radio, but a server has none";
        faults.fail(place, message, Some(hint));
    }
}

/// Whether every entity of a kind is there and has a name.
fn all_named(root: &Table, key: &str, unknown: &Unknown) -> bool {
    match root.get(key).map(|node| &node.value) {
        None => !unknown.may_be(key),
        Some(Value::List(items)) => !unknown.seems(key) && items.iter().all(is_named),
        Some(_) => false,
    }
}

fn is_named(item: &TomlNode) -> bool {
    let name = item.table().and_then(|table| table.get("name"));
    name.is_some_and(|name| Name.read(&Faults::default(), "name", &[name]).is_some())
}

/// Every name of these entities with its place.
pub(crate) fn named<'a>(root: &'a Table, key: &str) -> impl Iterator<Item = (&'a str, At)> {
    root.items(key).iter().filter_map(|n| n.table()?.get("name")).filter_map(|n| Some((n.text()?, n.at)))
}
