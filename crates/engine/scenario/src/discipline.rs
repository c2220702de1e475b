//! Queues: a discipline as the value of a key, with the parameters that `airloom_queue` declares for it.

use airloom_queue::{Discipline, Limit, OWN_QUEUES, Own};
use serde_json::{Value as Json, json};

use crate::parameters::{self, Task, themselves};
use crate::queue_limit::LimitForm;
use airloom_config::emit::Out;
use airloom_config::error::{Faults, likely, shown};
use airloom_config::form::{Form, Words, unexpected, words};
use airloom_config::record::Property;
use airloom_config::toml_tree::TomlNode;
use airloom_sim::BroughtName;

impl airloom_queue::Walk for Task<'_> {
    fn limit() -> Self::Form<Limit> {
        Box::new(LimitForm)
    }
}

const WORDS: [(&str, &str); Discipline::WORDS.len()] = themselves(Discipline::WORDS);
const WORD: Words<&str> = words(&WORDS, &["pfifo_fast", "cake", "dualpi2"]).hinted(&[
    ("dualpi2", L4S),
    ("l4s", L4S),
    ("dualq", L4S),
    ("noqueue", "mac80211's own queues are queue = { discipline = \"mac80211\" }"),
    ("fq", "a sender that paces does so by itself here; `fq_codel` shares among flows"),
]).otherwise("`airloom schema ap.queue` lists those that are built in; one of your own is a class in a Python module: `--with MODULE` (docs/own-queue.md)");

/// What serves in place of a queue for low latency, low loss and scalable throughput.
const L4S: &str =
    "L4S is not supported yet; `pie` is its relative for all traffic, and `fq_codel` with `ecn` marks early";

/// The word for a discipline before such a device: one that is built in, or the name of one that somebody brings.
struct Word(Queue);

impl Form for Word {
    type Of = &'static str;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<&'static str> {
        let own = found.first()?.text().and_then(|text| faults.own(&OWN_QUEUES, text));
        own.map(BroughtName::text).or_else(|| WORD.read_beside(&words_known(), (faults, path, found)))
    }

    fn write(&self, value: &&'static str) -> Option<Out> {
        Some(Out::Text((*value).to_owned()))
    }

    fn schema(&self) -> Json {
        // Where it is left out Linux's of today is the likeliest in force.
        json!({ "enum": self.0.words(), "examples": [self.0.usual()] })
    }
}

/// All words that a queue may have now.
fn words_known() -> Vec<&'static str> {
    Discipline::WORDS.iter().copied().chain(OWN_QUEUES.names()).collect()
}

/// Visits the parameters of the discipline called `word`, which may be that of somebody's, with their values in `from` if given.
fn walk(
    (word, own): (&str, Option<BroughtName>),
    from: Option<&Discipline>,
    task: &mut Task<'_>,
) -> Option<Discipline> {
    let Some(name) = own else { return Discipline::walk(word, from, task) };
    let from = from.and_then(|from| if let Discipline::Own(own) = from { Some(own) } else { None });
    Own::walk(name, from, task).map(Discipline::Own)
}

/// The parameters of the discipline called `word`.
fn described(word: &str) -> Vec<Property> {
    parameters::described(|task| walk((word, OWN_QUEUES.named(word)), None, task))
}

/// A queue of this discipline, with the parameters that it needs.
fn example(word: &str) -> String {
    let mut entries = vec![format!("discipline = \"{word}\"")];
    for needed in described(word).into_iter().filter(|parameter| parameter.required) {
        let examples = [&needed.schema, &needed.schema["anyOf"][0]].map(|schema| &schema["examples"][0]);
        let good =
            examples.into_iter().find(|example| !example.is_null()).unwrap_or(&needed.schema["minimum"]);
        entries.push(format!("{} = {good}", needed.key));
    }
    format!("{{ {} }}", entries.join(", "))
}

/// The table that is meant by a queue's word or its limit alone.
fn meant(node: &TomlNode) -> String {
    if LimitForm.read(&Faults::default(), "limit", &[node]).is_some()
        && let Some(limit) = node.text()
    {
        return format!("{{ discipline = \"fifo\", limit = \"{}\" }}", shown(limit));
    }
    example(node.text().and_then(|text| likely(text, words_known())).unwrap_or("fq_codel"))
}

/// A queue as the value of a key, by the device that it stands before. A whole queue replaces a whole queue: parameters make no
/// sense without their discipline.
#[derive(Clone, Copy)]
pub(crate) enum Queue {
    /// Of an access point's or a station's radio.
    OfRadio,
    /// Of a wire, which has no mac80211.
    OfWire,
}

impl Queue {
    /// All words that it may have now.
    fn words(self) -> Vec<&'static str> {
        match self {
            Self::OfRadio => words_known(),
            Self::OfWire => Discipline::OF_ANY_DEVICE.iter().copied().chain(OWN_QUEUES.names()).collect(),
        }
    }

    /// What Linux of today has there.
    fn usual(self) -> &'static str {
        match self {
            Self::OfRadio => "mac80211",
            Self::OfWire => Discipline::LINUX.word(),
        }
    }
}

impl Form for Queue {
    type Of = Discipline;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Discipline> {
        let node = found.first()?;
        let Some(table) = node.table() else {
            unexpected(faults, path, node, "a table", Some(format!("write {}", meant(node))));
            return None;
        };
        parameters::read(faults, (path, node, table), ("discipline", &Word(*self)), |word, task| {
            walk((word, faults.own(&OWN_QUEUES, word)), None, task)
        })
    }

    fn write(&self, value: &Discipline) -> Option<Out> {
        let word = ("discipline", Out::Text(value.word().to_owned()));
        let own = if let Discipline::Own(own) = value { Some(own.name) } else { None };
        Some(Out::Inline(parameters::written(word, |task| walk((value.word(), own), Some(value), task))))
    }

    fn schema(&self) -> Json {
        let one = |word: &str| parameters::schema("discipline", word, described(word));
        json!({ "anyOf": self.words().into_iter().map(one).collect::<Vec<_>>() })
    }
}
