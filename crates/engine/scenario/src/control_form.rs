//! How a rate control that chooses is written: `"minstrel"` or `{ control = "arf", successes = 5 }`.

use airloom_wifi::Adaptive;
use serde_json::{Value as Json, json};

use crate::parameters::{self, Task, themselves};
use airloom_config::emit::Out;
use airloom_config::error::{Faults, likely, listed, shown};
use airloom_config::form::{Form, Words, words};
use airloom_config::record::Property;
use airloom_config::toml_tree::{Entry, Table, TomlNode, Value};

const WORDS: [(&str, &str); Adaptive::WORDS.len()] = themselves(Adaptive::WORDS);
/// The word for a rate control.
pub(crate) const CONTROL: Words<&str> = words(&WORDS, &["samplerate", "ideal"]).hinted(&[
    ("minstrel_ht", "did you mean `minstrel`?"),
    ("minstrel-ht", "did you mean `minstrel`?"),
    ("auto", "did you mean `minstrel`, as Linux does?"),
    ("adaptive", "did you mean `minstrel`, as Linux does?"),
    ("default", "did you mean `minstrel`, as Linux does?"),
]);

/// Whether a text is rather a word for a rate control than a rate.
pub(crate) fn is_control(text: &str) -> bool {
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic());
    is_word && (CONTROL.knows(text) || likely(text, Adaptive::WORDS.iter().copied()).is_some())
}

/// Reports a table with a word for a rate control under another key, or with parameters of one that does not say of which.
pub(crate) fn needs_control(faults: &Faults, path: &str, node: &TomlNode, table: &Table) -> bool {
    let is_word = |entry: &&Entry| entry.node.text().is_some_and(|text| CONTROL.knows(text));
    if let Some(Entry { key, at, .. }) = table.entries.iter().find(is_word) {
        let message = format!("unknown key `{}` in `{path}`", shown(key));
        faults.fail(*at, message, Some("did you mean `control`?".to_owned()));
        return true;
    }
    let keys = |word: &str| parameters::named(|task| Adaptive::walk(word, None, task));
    let has = |word: &&&str| keys(word).iter().any(|key| table.get(key).is_some());
    let controls: Vec<&str> = Adaptive::WORDS.iter().filter(has).copied().collect();
    let needs = table.get("mcs").is_none() && !controls.is_empty();
    if needs {
        let hint = format!(
            "write control = \"{}\"; such parameters belong to {}",
            controls[0],
            listed(controls.iter().copied())
        );
        faults.lack(node.at, "`rate` needs `control`", Some(hint));
    }
    needs
}

/// The parameters of the rate control called `word`.
fn described(word: &str) -> Vec<Property> {
    parameters::described(|task| Adaptive::walk(word, None, task))
}

/// A rate control that chooses: its word, or a table with its parameters.
pub(crate) struct ControlForm;

impl Form for ControlForm {
    type Of = Adaptive;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Adaptive> {
        let node = found.first()?;
        let Value::Table(table) = &node.value else {
            return CONTROL.read(faults, path, found).and_then(Adaptive::plain);
        };
        parameters::read(faults, (path, node, table), ("control", &CONTROL), |word, task| {
            Adaptive::walk(word, None, task)
        })
    }

    fn write(&self, control: &Adaptive) -> Option<Out> {
        let word = Out::Text(control.word().to_owned());
        if Adaptive::plain(control.word()).as_ref() == Some(control) {
            return Some(word);
        }
        let walk = |task: &mut Task<'_>| Adaptive::walk(control.word(), Some(control), task);
        Some(Out::Inline(parameters::written(("control", word), walk)))
    }

    fn schema(&self) -> Json {
        let tables = Adaptive::WORDS.iter().map(|word| parameters::schema("control", word, described(word)));
        let words = json!({ "enum": Adaptive::WORDS });
        json!({ "anyOf": std::iter::once(words).chain(tables).collect::<Vec<_>>() })
    }
}
