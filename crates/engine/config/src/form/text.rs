//! Words, names and prose as values of keys.

use serde_json::{Value as Json, json};

use super::shape::{Form, last, unexpected};
use crate::emit::Out;
use crate::error::{Faults, did_you_mean, shown, there_are};
use crate::toml_tree::{TomlNode, Value};

/// A number or a truth value as the text that may be meant.
fn quoted(path: &str, node: &TomlNode) -> Option<String> {
    let plain = matches!(node.value, Value::Whole(_) | Value::Real(_) | Value::Flag(_));
    plain.then(|| format!("write {} = \"{}\"", last(path), node.to_json()))
}

/// Free text for human readers.
pub struct Prose;

/// The longest title or description, in bytes.
const LONGEST_PROSE: usize = 64 * 1024;

impl Form for Prose {
    type Of = String;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<String> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            unexpected(faults, path, node, "text in quotes", quoted(path, node));
            return None;
        };
        if text.len() > LONGEST_PROSE {
            faults.fail(node.at, format!("`{}` is longer than 64 KiB", last(path)), None);
            return None;
        }
        Some(text.to_owned())
    }

    fn write(&self, value: &String) -> Option<Out> {
        Some(Out::Text(value.clone()))
    }

    fn schema(&self) -> Json {
        json!({ "type": "string" })
    }
}

/// The name of a host or a flow: it becomes part of file names, so it is kept plain.
pub struct Name;

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

impl Form for Name {
    type Of = String;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<String> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            unexpected(faults, path, node, "a name in quotes", quoted(path, node));
            return None;
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let key = last(path);
        let message = if text.is_empty() {
            format!("`{key}` is empty")
        } else if text.len() > LONGEST_NAME {
            format!("`{key}` is longer than {LONGEST_NAME} characters")
        } else if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) || !text.chars().all(plain) {
            format!("`{key}` is \"{}\", which could not be part of a file's name", shown(text))
        } else {
            return Some(text.to_owned());
        };
        let hint = "a name begins with a letter or digit and goes on with letters, digits, `-`, `_` and `.`";
        faults.fail(node.at, message, Some(hint.to_owned()));
        None
    }

    /// A name that was left out is left out.
    fn write(&self, value: &String) -> Option<Out> {
        (!value.is_empty()).then(|| Out::Text(value.clone()))
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$", "maxLength": LONGEST_NAME })
    }
}

/// One of a few words, and words that are recognised but not supported yet.
pub struct Words<T: 'static> {
    words: &'static [(&'static str, T)],
    later: &'static [&'static str],
    hints: &'static [(&'static str, &'static str)],
    other: Option<&'static str>,
}

/// One of a few words.
pub const fn words<T>(words: &'static [(&'static str, T)], later: &'static [&'static str]) -> Words<T> {
    Words { words, later, hints: &[], other: None }
}

impl<T: Copy> Words<T> {
    /// Whether something can be said to this word.
    pub fn knows(&self, text: &str) -> bool {
        let hinted = self.hints.iter().any(|(word, _)| *word == text);
        hinted || self.later.contains(&text) || self.words.iter().any(|(word, _)| *word == text)
    }

    /// The same, with what to write instead of words that are used elsewhere.
    pub const fn hinted(self, hints: &'static [(&'static str, &'static str)]) -> Self {
        Self { words: self.words, later: self.later, hints, other: self.other }
    }

    /// The same, with what to do about any word that is not known.
    pub const fn otherwise(self, other: &'static str) -> Self {
        Self { words: self.words, later: self.later, hints: self.hints, other: Some(other) }
    }
}

impl<T: Copy> Words<T> {
    /// Reads one of the words; of another it says which of them, or of the names `beside` them, may be meant.
    pub fn read_beside(
        &self,
        beside: &[&'static str],
        (faults, path, found): (&Faults, &str, &[&TomlNode]),
    ) -> Option<T> {
        let node = found.first()?;
        let names = || self.words.iter().map(|(word, _)| *word);
        let there_is = || there_are(names());
        let Some(text) = node.text() else {
            unexpected(faults, path, node, "a word in quotes", Some(there_is()));
            return None;
        };
        if let Some((_, value)) = self.words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let otherwise = || self.other.map_or_else(there_is, str::to_owned);
        let (key, given) = (last(path), shown(text));
        let hint = self
            .hints
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(text))
            .map(|(_, hint)| (*hint).to_owned());
        if self.later.contains(&text) {
            let hint = hint.unwrap_or_else(otherwise);
            faults.fail(node.at, format!("`{key} = \"{given}\"` is not supported yet"), Some(hint));
        } else {
            let hint = hint
                .or_else(|| did_you_mean(text, names().chain(beside.iter().copied())))
                .unwrap_or_else(otherwise);
            faults.fail(node.at, format!("`{key}` cannot be \"{given}\""), Some(hint));
        }
        None
    }
}

impl<T: Copy + PartialEq> Form for Words<T> {
    type Of = T;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<T> {
        self.read_beside(&[], (faults, path, found))
    }

    fn write(&self, value: &T) -> Option<Out> {
        self.words.iter().find(|(_, v)| v == value).map(|(word, _)| Out::Text((*word).to_owned()))
    }

    fn schema(&self) -> Json {
        json!({ "enum": self.words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
    }
}
