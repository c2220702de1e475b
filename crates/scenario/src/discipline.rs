//! Queues: a discipline as the value of a key, with the parameters that `airloom_queue` declares for it.

use airloom_queue::{Discipline, Key, Limit, Walk};
use airloom_sim::{BitRate, Bytes, Duration};
use serde_json::{Value as Json, json};

use crate::limit::LimitForm;
use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{
    Flag, Form, Words, count, or_off, packets, rate, size, small_size, time, unexpected, words,
};
use airloom_config::node::Node;
use airloom_config::record::{Layers, Property, field, known, table};

/// What is done to each parameter of a discipline.
enum Task<'a> {
    /// It is read.
    Read(&'a Faults, &'a Layers<'a>),
    /// It is written here.
    Write(Vec<(&'static str, Out)>),
    /// It is described here.
    Describe(Vec<Property>),
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
    fn limit() -> Self::Form<Limit> {
        Box::new(LimitForm)
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
                properties.push(Property { key: key.name, doc: key.doc, schema, required });
                key.default
            }
        }
    }
}

/// The words for disciplines, each of which stands for itself.
const WORDS: [(&str, &str); Discipline::WORDS.len()] = {
    let mut words = [("", ""); Discipline::WORDS.len()];
    let mut n = 0;
    while n < words.len() {
        words[n] = (Discipline::WORDS[n], Discipline::WORDS[n]);
        n += 1;
    }
    words
};

const WORD: Words<&str> = words(&WORDS, &["pfifo_fast", "red", "cake"]);

/// The parameters of the discipline called `word`.
fn described(word: &str) -> Vec<Property> {
    let mut task = Task::Describe(Vec::new());
    Discipline::walk(word, None, &mut task);
    if let Task::Describe(properties) = task { properties } else { Vec::new() }
}

/// A queue as the value of a key. A whole queue replaces a whole queue: parameters make no sense without their
/// discipline.
pub(crate) struct Queue;

impl Form for Queue {
    type Of = Discipline;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Discipline> {
        let node = found.first()?;
        let Some(table) = node.table() else {
            let hint = "write { discipline = \"fifo\", limit = \"1000 packets\" }";
            unexpected(faults, path, node, "a table", Some(hint.to_owned()));
            return None;
        };
        let mut layers = Layers { at: node.at, path, tables: vec![table], strict: true };
        let word = field(faults, &layers, "discipline", &WORD, None)?;
        let keys: Vec<_> = described(word).iter().map(|property| property.key).collect();
        layers.strict = known(faults, path, table, &[vec!["discipline"], keys].concat(), |_| None);
        Discipline::walk(word, None, &mut Task::Read(faults, &layers))
    }

    fn write(&self, value: &Discipline) -> Option<Out> {
        let mut task = Task::Write(vec![("discipline", Out::Text(value.word().to_owned()))]);
        Discipline::walk(value.word(), Some(value), &mut task);
        if let Task::Write(entries) = task { Some(Out::Inline(entries)) } else { None }
    }

    fn schema(&self) -> Json {
        let one = |word: &&str| {
            let mut schema = table(described(word), false);
            schema["properties"]["discipline"] = json!({ "const": word });
            if let Some(required) = schema["required"].as_array_mut() {
                required.insert(0, json!("discipline"));
            }
            schema
        };
        json!({ "anyOf": Discipline::WORDS.iter().map(one).collect::<Vec<_>>() })
    }
}
