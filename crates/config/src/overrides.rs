//! Overrides from the command line: `--set flow.0.tcp.congestion=newreno`.

use crate::error::{At, Faults, Source, did_you_mean, listed, shown};
use crate::toml_tree::{self, Table, TomlNode, Value};

/// The most overrides, the longest of them in bytes, and the deepest path: far beyond any use.
const MOST: usize = 1_000;
const LONGEST: usize = 64 * 1024;
const DEEPEST: usize = 16;

/// An override as one text, in which messages count columns.
pub fn text((path, value): &(String, String)) -> String {
    format!("{path}={value}")
}

/// Applies the overrides in their order. One that cannot be applied is reported and left out.
pub fn apply(faults: &Faults, root: &mut Table, overrides: &[(String, String)]) {
    for (n, (path, value)) in overrides.iter().enumerate() {
        if n >= MOST {
            let top = At { source: Source::Set(n), offset: 0 };
            faults.fail(top, format!("more than {MOST} overrides"), None);
            return;
        }
        apply_one(faults, root, Source::Set(n), path, value);
    }
}

fn apply_one(faults: &Faults, root: &mut Table, source: Source, path: &str, value: &str) -> Option<()> {
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
    let node = toml_tree::parse_value(faults, source, offset, value)
        .unwrap_or_else(|| TomlNode { at: At { source, offset }, value: Value::Text(value.to_owned()) });
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
    set(faults, root, &words, node)
}

/// The full key of a value written in short form, such as the profile's name in `host = "linux-3.13"`.
fn long_form(key: &str) -> Option<&'static str> {
    match key {
        "host" | "adapter" | "by" => Some("profile"),
        "remedy" => Some("policy"),
        _ => None,
    }
}

fn set(faults: &Faults, table: &mut Table, words: &[(&str, At)], value: TomlNode) -> Option<()> {
    let [(word, at), rest @ ..] = words else {
        return Some(());
    };
    let key = word.replace('-', "_");
    if rest.is_empty() {
        // Each of these replaces the other in the file; two overrides still contradict each other.
        let others: &[&str] = match key.as_str() {
            "snr" => &["distance", "walls"],
            "distance" | "walls" => &["snr"],
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
    enter(faults, &key, node, rest, value)
}

/// Descends into the value under `key`.
fn enter(
    faults: &Faults,
    key: &str,
    node: &mut TomlNode,
    words: &[(&str, At)],
    value: TomlNode,
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
        Value::Table(inner) => set(faults, inner, words, value),
        Value::List(items) => {
            let index = index_of(faults, key, items, word, *at)?;
            let item = items.get_mut(index)?;
            match rest {
                [] => {
                    *item = value;
                    Some(())
                }
                _ => enter(faults, "", item, rest, value),
            }
        }
        _ => {
            let message = format!("`{}` is {}, which has no `{}`", shown(key), node.kind(), shown(word));
            faults.fail(*at, message, None);
            None
        }
    }
}

/// The index of the item that a word names, by its number from 0 or by its name.
fn index_of(faults: &Faults, key: &str, items: &[TomlNode], word: &str, at: At) -> Option<usize> {
    let names = || items.iter().filter_map(|n| n.table()?.get("name")?.text());
    let named = items.iter().position(|n| {
        n.table().and_then(|t| t.get("name")).and_then(TomlNode::text).is_some_and(|name| name == word)
    });
    let index = named.or_else(|| word.parse().ok().filter(|n| *n < items.len()));
    if index.is_none() {
        let range = match items.len() {
            0 => "there is none".to_owned(),
            1 => "there is only 0".to_owned(),
            n => format!("there is 0 to {}", n - 1),
        };
        let hint = did_you_mean(word, names()).unwrap_or_else(|| match names().next() {
            Some(_) => format!("{range}; by name {}", listed(names())),
            None => range,
        });
        faults.fail(at, format!("there is no `{}.{}`", shown(key), shown(word)), Some(hint));
    }
    index
}
