//! The trait `Form`, and forms that contain others: optional values, words for none, arrays.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::emit::Out;
use crate::error::{Faults, shown};
use crate::toml_tree::{TomlNode, Value};

/// The way a value of one type is written.
pub trait Form {
    /// The type.
    type Of;
    /// Reads the value under the key `path`: the first of `found`, which was laid over the rest.
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Self::Of>;
    /// Writes a value; none if it is written by leaving the key out.
    fn write(&self, value: &Self::Of) -> Option<Out>;
    /// The JSON Schema of the value.
    fn schema(&self) -> Json;
    /// The JSON Schema of a value that is laid over another.
    fn schema_over(&self) -> Json {
        self.schema()
    }
}

/// The last word of a dotted path.
pub fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Reports that something else was expected under this key.
pub fn unexpected(faults: &Faults, path: &str, node: &TomlNode, wanted: &str, hint: Option<String>) {
    faults.fail(node.at, format!("`{}` must be {wanted}, not {}", last(path), node.kind()), hint);
}

/// A value that may be left out.
pub struct Optional<F>(pub F);

impl<F: Form> Form for Optional<F> {
    type Of = Option<F::Of>;
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Self::Of> {
        self.0.read(faults, path, found).map(Some)
    }
    fn write(&self, value: &Self::Of) -> Option<Out> {
        value.as_ref().and_then(|v| self.0.write(v))
    }
    fn schema(&self) -> Json {
        self.0.schema()
    }
}

/// A value, or the word `"off"`.
pub const fn or_off<F>(form: F) -> Or<F> {
    Or("off", form)
}

/// A value, or this word for none.
pub struct Or<F>(pub &'static str, pub F);

impl<F: Form> Form for Or<F> {
    type Of = Option<F::Of>;
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Self::Of> {
        if found.first()?.text() == Some(self.0) {
            return Some(None);
        }
        self.1.read(faults, path, found).map(Some)
    }
    fn write(&self, value: &Self::Of) -> Option<Out> {
        match value {
            Some(v) => self.1.write(v),
            None => Some(Out::Text(self.0.to_owned())),
        }
    }
    fn schema(&self) -> Json {
        json!({ "anyOf": [{ "const": self.0 }, self.1.schema()] })
    }
}

/// A table that a text or a number cannot stand for, and what to write instead of it.
pub struct Short<F>(pub F, pub fn(&str) -> Option<String>);

impl<F: Form> Form for Short<F> {
    type Of = F::Of;
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Self::Of> {
        let node = found.first()?;
        let text = match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Whole(_) | Value::Real(_) => Some(node.to_json().to_string()),
            _ => None,
        };
        if let Some(text) = text {
            unexpected(faults, path, node, "a table", self.1(&text));
            return None;
        }
        self.0.read(faults, path, found)
    }
    fn write(&self, value: &Self::Of) -> Option<Out> {
        self.0.write(value)
    }
    fn schema(&self) -> Json {
        self.0.schema()
    }
    fn schema_over(&self) -> Json {
        self.0.schema_over()
    }
}

/// How an array of tables of this schema is written, with the keys that each needs; none if its values are no tables.
fn array_of_tables(key: &str, schema: &Json) -> Option<String> {
    schema["properties"].as_object()?;
    let needed = schema["required"].as_array()?.iter().filter_map(Json::as_str);
    let keys: Vec<String> = needed.map(|key| format!("{key} = ...")).collect();
    Some(format!("write {key} = [{{ {} }}, ...]", keys.join(", ")))
}

/// The first text or number that stands before it too.
fn repeated(items: &[TomlNode]) -> Option<&TomlNode> {
    let mut seen = BTreeSet::new();
    let mut plain = items.iter().filter(|item| item.table().is_none());
    plain.find(|item| !seen.insert(item.to_json().to_string()))
}

/// An array of at least one value, each of them once.
pub struct List<F>(pub F);

impl<F: Form> Form for List<F> {
    type Of = Vec<F::Of>;
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Self::Of> {
        let node = found.first()?;
        let of_tables = || array_of_tables(last(path), &self.0.schema());
        let Value::List(items) = &node.value else {
            let text = || node.text().map(|text| format!("write {} = [\"{}\"]", last(path), shown(text)));
            unexpected(faults, path, node, "an array", of_tables().or_else(text));
            return None;
        };
        if let (Some(item), Some(hint)) = (items.iter().find(|item| item.table().is_none()), of_tables()) {
            let message = format!("each value of `{}` must be a table, not {}", last(path), item.kind());
            faults.fail(item.at, message, Some(hint));
            return None;
        }
        if items.is_empty() {
            let hint = "leave it out, or write a value into it".to_owned();
            faults.fail(node.at, format!("`{}` is empty", last(path)), Some(hint));
            return None;
        }
        if let Some(again) = repeated(items) {
            let message = format!("`{}` has {} twice", last(path), shown(&again.to_json().to_string()));
            faults.fail(again.at, message, Some("leave one of them out".to_owned()));
        }
        let read: Vec<Option<F::Of>> = items.iter().map(|item| self.0.read(faults, path, &[item])).collect();
        read.into_iter().collect()
    }
    fn write(&self, value: &Self::Of) -> Option<Out> {
        value.iter().map(|v| self.0.write(v)).collect::<Option<Vec<_>>>().map(Out::List)
    }
    fn schema(&self) -> Json {
        json!({ "type": "array", "items": self.0.schema(), "minItems": 1 })
    }
}
