//! Overrides from the command line: `--set flow.0.tcp.congestion=newreno`.

use crate::error::{At, Faults, Source, did_you_mean, listed, shown};
use crate::syntax;
use crate::toml_tree::{self, Table, TomlNode, Value};

/// The most overrides, the longest of them in bytes, and the deepest path: far beyond any use.
const MOST: usize = 1_000;
const LONGEST: usize = 64 * 1024;
const DEEPEST: usize = 16;

/// An override as one text, in which messages count columns.
pub fn text((path, value): &(String, String)) -> String {
    format!("{path}={value}")
}

/// What an item of an array is called.
#[derive(Clone, Debug, Default)]
pub struct Called {
    /// Its name; empty if it has none.
    pub name: String,
    /// Names that it may share with others.
    pub loosely: Vec<String>,
}

/// What the items of the array under a key are called, in their order.
pub type CalledBy = fn(&str, &[TomlNode]) -> Vec<Called>;

/// Items are called by their key `name`.
pub fn by_name(_: &str, items: &[TomlNode]) -> Vec<Called> {
    let name = |item: &TomlNode| Some(item.table()?.get("name")?.text()?.to_owned());
    items.iter().map(|item| Called { name: name(item).unwrap_or_default(), loosely: Vec::new() }).collect()
}

/// Applies the overrides in their order. One that cannot be applied is reported and left out.
pub fn apply(faults: &Faults, root: &mut Table, overrides: &[(String, String)], called: CalledBy) {
    for (n, (path, value)) in overrides.iter().enumerate() {
        if n >= MOST {
            let top = At { source: Source::Set(n), offset: 0 };
            faults.fail(top, format!("more than {MOST} overrides"), None);
            return;
        }
        apply_one(faults, root, Source::Set(n), (path, value), called);
    }
}

fn apply_one(
    faults: &Faults,
    root: &mut Table,
    source: Source,
    (path, value): (&str, &str),
    called: CalledBy,
) -> Option<()> {
    let top = At { source, offset: 0 };
    if path.len() + value.len() > LONGEST {
        faults.fail(top, "an override longer than 64 KiB", None);
        return None;
    }
    if path.split('.').count() > DEEPEST {
        faults.fail(top, format!("a path of more than {DEEPEST} words"), None);
        return None;
    }
    let offset = path.len() + 1;
    // Text without quotes may have any bracket in it.
    let is_list_or_table = value.trim_start().starts_with(['[', '{']);
    if let Some(open) = syntax::never_closed(&format!("x={value}")).filter(|_| is_list_or_table) {
        let at = At { source, offset: offset + open - "x=".len() };
        let bracket = value.get(open - "x=".len()..).and_then(|rest| rest.chars().next()).unwrap_or('{');
        faults.fail(at, format!("this `{bracket}` is never closed"), None);
        return None;
    }
    let read = toml_tree::parse_value(faults, source, offset, value);
    if read.is_none() && is_list_or_table && value.trim_end().ends_with([']', '}']) {
        let message = "this array or table is not TOML".to_owned();
        let hint = "text in it stands in quotes, and all of it too, for the shell: 'station.bob.position=[\"2 m\", \"0 m\"]'";
        faults.fail(At { source, offset }, message, Some(hint.to_owned()));
        return None;
    }
    let node =
        read.unwrap_or_else(|| TomlNode { at: At { source, offset }, value: Value::Text(value.to_owned()) });
    let mut words = Vec::new();
    let mut offset = 0;
    for word in path.split('.') {
        let at = At { source, offset };
        let trimmed = word.trim();
        if trimmed.is_empty() {
            let hint = "write for example flow.0.tcp.congestion=newreno".to_owned();
            faults.fail(at, "the path has an empty word", Some(hint));
            return None;
        }
        words.push((trimmed, at));
        offset += word.len() + 1;
    }
    set(faults, root, &words, node, called)
}

/// The full key of a value written in short form, such as the profile's name in `host = "linux-3.13"`.
fn long_form(key: &str) -> Option<&'static str> {
    match key {
        "host" | "adapter" | "by" => Some("profile"),
        "remedy" => Some("policy"),
        _ => None,
    }
}

fn set(
    faults: &Faults,
    table: &mut Table,
    words: &[(&str, At)],
    value: TomlNode,
    called: CalledBy,
) -> Option<()> {
    let [(word, at), rest @ ..] = words else {
        return Some(());
    };
    let key = word.replace('-', "_");
    if rest.is_empty() {
        // Each of these replaces the other in the file; two overrides still contradict each other.
        let others: &[&str] = match key.as_str() {
            "snr" => &["distance", "walls", "position", "path", "walk"],
            "distance" | "walls" => &["snr", "position", "path", "walk"],
            "position" => &["snr", "distance", "walls", "path", "walk"],
            "path" => &["snr", "distance", "walls", "position", "walk"],
            "walk" => &["snr", "distance", "walls", "position", "path"],
            _ => &[],
        };
        table.entries.retain(|e| !others.contains(&e.key.as_str()) || e.at.source != Source::File);
        table.put(&key, *at, value);
        return Some(());
    }
    if table.get(&key).is_none() {
        // Unknown keys are found when the scenario is read.
        table.put(&key, *at, TomlNode { at: *at, value: Value::Table(Table::default()) });
    }
    let node = table.get_mut(&key)?;
    enter(faults, &key, node, rest, value, called)
}

/// Descends into the value under `key`.
fn enter(
    faults: &Faults,
    key: &str,
    node: &mut TomlNode,
    words: &[(&str, At)],
    value: TomlNode,
    called: CalledBy,
) -> Option<()> {
    let [(word, at), rest @ ..] = words else {
        return Some(());
    };
    if let (Value::Text(_), Some(long)) = (&node.value, long_form(key)) {
        let mut inner = Table::default();
        inner.put(long, node.at, node.clone());
        node.value = Value::Table(inner);
    }
    match &mut node.value {
        Value::Table(inner) => set(faults, inner, words, value, called),
        Value::List(items) => {
            let index = index_of(faults, key, items, word, (*at, called))?;
            let item = items.get_mut(index)?;
            match rest {
                [] => {
                    *item = value;
                    Some(())
                }
                _ => enter(faults, "", item, rest, value, called),
            }
        }
        _ => {
            let message = format!("`{}` is {}, which has no `{}`", shown(key), node.kind(), shown(word));
            let hint = (!key.is_empty()).then(|| format!("set the whole of it: {}=...", shown(key)));
            faults.fail(*at, message, hint);
            None
        }
    }
}

/// The index of the item that a word names: by its number from 0, by its name, or by a looser one that no other has.
fn index_of(
    faults: &Faults,
    key: &str,
    items: &[TomlNode],
    word: &str,
    (at, called): (At, CalledBy),
) -> Option<usize> {
    let called = called(key, items);
    let found = match find(&called, word) {
        Found::One(index) => return Some(index),
        found => found,
    };
    let names = || called.iter().map(|item| item.name.as_str()).filter(|name| !name.is_empty());
    let (item, range) = (format!("`{}.{}`", shown(key), shown(word)), range(items.len()));
    match found {
        Found::Several(these) => {
            let these = these.iter().map(|&n| called[n].name.as_str());
            faults.fail(at, format!("{item} may be several"), Some(format!("name one of {}", listed(these))));
        }
        _ => {
            let is_key = items.iter().any(|item| item.table().is_some_and(|table| table.get(word).is_some()));
            let one = names().next().unwrap_or("0");
            let group = called.iter().zip(items).find(|(one, item)| is_member(&one.name, item, word));
            let of_group = || {
                let (one, _) = group?;
                Some(format!(
                    "{} is one of the group {name}: name that, and all of it is set",
                    shown(word),
                    name = one.name
                ))
            };
            let its = || is_key.then(|| format!("name one of them: {}.{one}.{}", shown(key), shown(word)));
            let hint = its().or_else(of_group).or_else(|| did_you_mean(word, names())).unwrap_or_else(|| {
                let named = names().next().map(|_| format!("; by name {}", listed(names())));
                format!("{range}{}; one more is to be written into the file", named.unwrap_or_default())
            });
            faults.fail(at, format!("there is no {item}"), Some(hint));
        }
    }
    None
}

/// Whether a word is the name of a member of the group that an item of this name stands for, which has a `count`.
fn is_member(name: &str, item: &TomlNode, word: &str) -> bool {
    let number = word.strip_prefix(name).unwrap_or_default();
    let counted = item.table().is_some_and(|table| table.get("count").is_some());
    counted && !name.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a word stands for among items.
enum Found {
    One(usize),
    Several(Vec<usize>),
    None,
}

fn find(called: &[Called], word: &str) -> Found {
    let named = called.iter().position(|item| item.name == word);
    if let Some(index) = named.or_else(|| word.parse().ok().filter(|n| *n < called.len())) {
        return Found::One(index);
    }
    let loosely = |(n, item): (usize, &Called)| item.loosely.iter().any(|name| name == word).then_some(n);
    let these: Vec<usize> = called.iter().enumerate().filter_map(loosely).collect();
    match these[..] {
        [] => Found::None,
        [one] => Found::One(one),
        _ => Found::Several(these),
    }
}

/// The numbers that items have, in words.
fn range(items: usize) -> String {
    match items {
        0 => "there is none".to_owned(),
        1 => "there is only 0".to_owned(),
        n => format!("there are 0 to {}", n - 1),
    }
}

/// A path in which items that have a name are called by their numbers, as far as they can be found.
pub fn numbered(root: &Table, path: &str, called: CalledBy) -> String {
    let mut words = Vec::new();
    let top = Value::Table(root.clone());
    let (mut here, mut list) = (Some(&top), String::new());
    for word in path.split('.').map(str::trim) {
        let key = word.replace('-', "_");
        match here {
            Some(Value::List(items)) => {
                let index = match find(&called(&list, items), word) {
                    Found::One(index) => Some(index),
                    _ => None,
                };
                words.push(index.map_or_else(|| word.to_owned(), |n| n.to_string()));
                here = index.and_then(|n| items.get(n)).map(|item| &item.value);
            }
            Some(Value::Table(table)) => {
                here = table.get(&key).map(|node| &node.value);
                words.push(key.clone());
                list = key;
            }
            _ => {
                here = None;
                words.push(key);
            }
        }
    }
    words.join(".")
}
