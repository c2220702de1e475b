//! Station groups: a station with a `count` stands for that many, and a flow from or to it for one with each.

use crate::flow;
use airloom_config::error::{Faults, shown};
use airloom_config::record::MOST_ENTITIES;
use airloom_config::toml_tree::{Table, TomlNode, Value};

const MOST: i128 = MOST_ENTITIES as i128;

/// Several stations of one name, numbered from one.
#[derive(Clone)]
struct StationGroup {
    name: String,
    members: i128,
}

/// Expands groups: `sta` with `count = 3` becomes `sta1`, `sta2` and `sta3` of the group `sta`, and a flow from `sta`
/// becomes three, of a group that has the name that the flow would have. A `count` that is not a number of stations stays;
/// reading the station reports it. None if there are too many.
pub(crate) fn expand(faults: &Faults, root: &mut Table) -> Option<()> {
    let mut groups: Vec<StationGroup> = Vec::new();
    multiply(faults, root, "station", |_, station| {
        let (name, count) = (text(station, "name")?, station.get("count")?);
        let Value::Whole(members @ 1..=MOST) = count.value else { return None };
        no_other_group(faults, station, &name);
        let group = StationGroup { name, members };
        groups.push(group.clone());
        station.entries.retain(|entry| entry.key != "count");
        put(station, "group", group.name.clone());
        Some((group, vec!["name"]))
    })?;
    let names: Vec<String> =
        flow::called("flow", root.items("flow")).into_iter().map(|flow| flow.name).collect();
    multiply(faults, root, "flow", |place, flow| {
        let end = |key: &'static str| {
            let name = text(flow, key)?;
            Some((groups.iter().find(|group| group.name == name)?.clone(), key))
        };
        let (group, key) = end("from").or_else(|| end("to"))?;
        let name = names.get(place)?;
        no_other_group(faults, flow, name);
        put(flow, "group", name.clone());
        Some((group, if flow.get("name").is_some() { vec![key, "name"] } else { vec![key] }))
    })
}

/// Reports a group that the members of a group would have beside their own.
fn no_other_group(faults: &Faults, table: &Table, own: &str) {
    if let Some(node) = table.get("group") {
        let hint = "leave `group` out; a sweep takes several groups for one with commas between them, as in --of spoken,heard"
            .to_owned();
        faults.fail(
            node.at,
            format!("what stands for several is a group by itself, `{}`", shown(own)),
            Some(hint),
        );
    }
}

/// Replaces each item of an array that is a group by its members. `group` returns the group and the keys whose
/// texts get the member's number.
fn multiply(
    faults: &Faults,
    root: &mut Table,
    key: &str,
    mut group: impl FnMut(usize, &mut Table) -> Option<(StationGroup, Vec<&'static str>)>,
) -> Option<()> {
    let Some(Value::List(items)) = root.get_mut(key).map(|node| &mut node.value) else { return Some(()) };
    let mut all = Vec::new();
    for (place, mut item) in std::mem::take(items).into_iter().enumerate() {
        let found = if let Value::Table(table) = &mut item.value { group(place, table) } else { None };
        let Some((group, numbered)) = found else {
            all.push(item);
            continue;
        };
        if group.members > MOST - all.len() as i128 {
            faults.fail(item.at, format!("more than {MOST_ENTITIES} of `{key}`"), None);
            return None;
        }
        all.extend((1..=group.members).map(|number| {
            let mut member = item.clone();
            if let Value::Table(table) = &mut member.value {
                for &key in &numbered {
                    let name = text(table, key).unwrap_or_default();
                    put(table, key, format!("{name}{number}"));
                }
            }
            member
        }));
    }
    *items = all;
    Some(())
}

fn text(table: &Table, key: &str) -> Option<String> {
    table.get(key)?.text().map(str::to_owned)
}

/// Puts a text under `key`, at the position of its old value, or else of the table's name.
fn put(table: &mut Table, key: &str, text: String) {
    if let Some(at) = table.get(key).or(table.get("name")).or(table.get("from")).map(|node| node.at) {
        table.put(key, at, TomlNode { at, value: Value::Text(text) });
    }
}
