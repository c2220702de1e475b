//! Crowds: a station with a `count` stands for that many, and a flow from or to it for one with each.

use airloom_config::error::Faults;
use airloom_config::record::MOST_ENTITIES;
use airloom_config::toml_tree::{Table, TomlNode, Value};

/// So many stations, numbered from one, of this name.
#[derive(Clone)]
struct Crowd {
    name: String,
    members: i128,
}

/// Writes crowds out: `sta` with `count = 3` becomes `sta1`, `sta2` and `sta3` of the group `sta`, and a flow from `sta`
/// becomes three. A `count` that is no number of stations is left for whoever reads it.
pub(crate) fn expand(faults: &Faults, root: &mut Table) {
    let mut crowds: Vec<Crowd> = Vec::new();
    multiply(faults, root, "station", |station| {
        let (name, count) = (text(station, "name")?, station.get("count")?);
        let Value::Whole(members @ 1..) = count.value else { return None };
        let crowd = Crowd { name, members };
        crowds.push(crowd.clone());
        station.entries.retain(|entry| entry.key != "count");
        put(station, "group", crowd.name.clone());
        Some((crowd, vec!["name"]))
    });
    multiply(faults, root, "flow", |flow| {
        let end = |key: &'static str| {
            let name = text(flow, key)?;
            Some((crowds.iter().find(|crowd| crowd.name == name)?.clone(), key))
        };
        let (crowd, key) = end("from").or_else(|| end("to"))?;
        Some((crowd, if flow.get("name").is_some() { vec![key, "name"] } else { vec![key] }))
    });
}

/// Puts in the place of each item of an array that is a crowd its members. `crowd` gives the crowd and the keys whose
/// texts are numbered in its members.
fn multiply(
    faults: &Faults,
    root: &mut Table,
    key: &str,
    mut crowd: impl FnMut(&mut Table) -> Option<(Crowd, Vec<&'static str>)>,
) {
    let Some(Value::List(items)) = root.get_mut(key).map(|node| &mut node.value) else { return };
    let mut all = Vec::new();
    for mut item in std::mem::take(items) {
        let found = if let Value::Table(table) = &mut item.value { crowd(table) } else { None };
        let Some((crowd, numbered)) = found else {
            all.push(item);
            continue;
        };
        if crowd.members > MOST_ENTITIES as i128 - all.len() as i128 {
            faults.fail(item.at, format!("more than {MOST_ENTITIES} of `{key}`"), None);
            return;
        }
        all.extend((1..=crowd.members).map(|number| {
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
}

fn text(table: &Table, key: &str) -> Option<String> {
    table.get(key)?.text().map(str::to_owned)
}

/// Puts a text where the table had one, or where it has a name.
fn put(table: &mut Table, key: &str, text: String) {
    if let Some(at) = table.get(key).or(table.get("name")).or(table.get("from")).map(|node| node.at) {
        table.put(key, at, TomlNode { at, value: Value::Text(text) });
    }
}
