//! Algorithms with their parameters, as their crates declare them (`airloom_sim::Walk`): a table with the word for the
//! algorithm and a key for each parameter.

use airloom_sim::{BitRate, Bytes, Duration, Key, Walk};
use serde_json::{Value as Json, json};

use airloom_config::emit::Out;
use airloom_config::error::{At, Faults, Source, likely};
use airloom_config::form::{Flag, Form, count, or_off, packets, rate, size, small_size, time};
use airloom_config::record::{Layers, Property, Unknown, default_of, field, known, naming, table};
use airloom_config::toml_tree::{Table, TomlNode};

/// What is done to each parameter of an algorithm.
pub(crate) enum Task<'a> {
    /// It is read.
    Read(&'a Faults, &'a Layers<'a>),
    /// It is written here.
    Write(Vec<(&'static str, Out)>),
    /// It is described here.
    Describe(Vec<Property>),
    /// Its key is kept here.
    Name(Vec<&'static str>),
}

impl Walk for Task<'_> {
    type Form<T: 'static> = Box<dyn Form<Of = T>>;

    fn packets(least: u32, most: u32) -> Self::Form<u32> {
        Box::new(packets(least, most))
    }
    fn count(least: u32, most: u32) -> Self::Form<u32> {
        Box::new(count(least, most))
    }
    fn small_size(least: u32, most: u32) -> Self::Form<u32> {
        Box::new(small_size(least, most))
    }
    fn size(least: Bytes, most: Bytes) -> Self::Form<Bytes> {
        Box::new(size(least, most))
    }
    fn time(least: Duration, most: Duration) -> Self::Form<Duration> {
        Box::new(time(least, most))
    }
    fn time_or_off(least: Duration, most: Duration) -> Self::Form<Option<Duration>> {
        Box::new(or_off(time(least, most)))
    }
    fn flag() -> Self::Form<bool> {
        Box::new(Flag)
    }
    fn rate(least: BitRate, most: BitRate) -> Self::Form<BitRate> {
        Box::new(rate(least, most))
    }

    fn visit<T: Clone + 'static>(&mut self, key: Key<'_, T>, form: Self::Form<T>) -> Option<T> {
        match self {
            Self::Read(faults, layers) => field(faults, layers, key.name, &*form, key.default),
            Self::Write(entries) => {
                entries.extend(key.value.and_then(|value| form.write(value)).map(|out| (key.name, out)));
                key.value.cloned()
            }
            Self::Describe(properties) => {
                let (schema, required) = (form.schema(), key.default.is_none());
                let default = default_of(&*form, key.default.clone());
                properties.push(Property { key: key.name, doc: key.doc, schema, required, default });
                key.default
            }
            Self::Name(keys) => {
                keys.push(key.name);
                key.default
            }
        }
    }

    fn refuse(&mut self, name: &'static str, why: &str) {
        if let Self::Read(faults, layers) = self {
            faults.fail(layers.place(name), format!("`{name}` {why}"), None);
        }
    }
}

/// Words that stand for themselves.
pub(crate) const fn themselves<const N: usize>(all: &[&'static str]) -> [(&'static str, &'static str); N] {
    let mut words = [("", ""); N];
    let mut n = 0;
    while n < N {
        words[n] = (all[n], all[n]);
        n += 1;
    }
    words
}

/// Reads an algorithm from its table: the word that `choice` knows under `key`, and the parameters that `walk` visits for
/// that word, of which no other key may stand there.
pub(crate) fn read<T>(
    faults: &Faults,
    (path, node, table): (&str, &TomlNode, &Table),
    (key, choice): (&'static str, &impl Form<Of = &'static str>),
    walk: impl Fn(&str, &mut Task<'_>) -> Option<T>,
) -> Option<T> {
    let mut layers = Layers { at: node.at, path, tables: vec![table], unknown: Unknown::default() };
    if table.get(key).is_none() {
        layers.unknown = misspelled(faults, path, table, key);
    }
    let word = field(faults, &layers, key, choice, None)?;
    let keys = named(|task| walk(word, task));
    let own = own(table, (key, &keys), |task| _ = walk(word, task));
    let table = &own;
    layers.tables = vec![table];
    layers.unknown = known(faults, path, table, &[vec![key], keys].concat(), |_| None);
    walk(word, &mut Task::Read(faults, &layers))
}

/// Reports the keys of a table that may stand for the one that names its algorithm: of the others nothing is known without it.
fn misspelled(faults: &Faults, path: &str, table: &Table, key: &'static str) -> Unknown {
    let near = table
        .entries
        .iter()
        .filter(|entry| likely(&entry.key, [key]).is_some() || naming(table, &[key], entry).is_some());
    known(faults, path, &Table { entries: near.cloned().collect() }, &[key], |_| None)
}

/// An algorithm's table without what was meant for another one: if an override has chosen the algorithm under `key`, the
/// file's parameters go that this one does not have among its `keys`, and those whose values it cannot take.
fn own(table: &Table, (key, keys): (&str, &[&str]), walk: impl Fn(&mut Task<'_>)) -> Table {
    let overridden = |at: At| at.source != Source::File;
    let mut own = table.clone();
    if table.get(key).is_some_and(|word| overridden(word.at)) {
        own.entries.retain(|entry| {
            let takes = || {
                let faults = Faults::default();
                let alone = Table { entries: vec![entry.clone()] };
                let layers = Layers { at: entry.at, path: "", tables: vec![&alone], unknown: Unknown::ANY };
                walk(&mut Task::Read(&faults, &layers));
                faults.none()
            };
            entry.key == key || overridden(entry.at) || (keys.contains(&entry.key.as_str()) && takes())
        });
    }
    own
}

/// The parameters that `walk` visits.
pub(crate) fn described<T>(walk: impl FnOnce(&mut Task<'_>) -> Option<T>) -> Vec<Property> {
    let mut task = Task::Describe(Vec::new());
    walk(&mut task);
    if let Task::Describe(properties) = task { properties } else { Vec::new() }
}

/// The keys of the parameters that `walk` visits.
pub(crate) fn named<T>(walk: impl FnOnce(&mut Task<'_>) -> Option<T>) -> Vec<&'static str> {
    let mut task = Task::Name(Vec::new());
    walk(&mut task);
    if let Task::Name(keys) = task { keys } else { Vec::new() }
}

/// The values that `walk` visits, as the keys of a table after `first`.
pub(crate) fn written<T>(
    first: (&'static str, Out),
    walk: impl FnOnce(&mut Task<'_>) -> Option<T>,
) -> Vec<(&'static str, Out)> {
    let mut task = Task::Write(vec![first]);
    walk(&mut task);
    if let Task::Write(entries) = task { entries } else { Vec::new() }
}

/// The JSON Schema of the algorithm that is called `word` under `key` of its table.
pub(crate) fn schema(key: &str, word: &str, parameters: Vec<Property>) -> Json {
    let mut schema = table(parameters, false);
    schema["properties"][key] = json!({ "const": word });
    if let Some(required) = schema["required"].as_array_mut() {
        required.insert(0, json!(key));
    }
    schema
}
