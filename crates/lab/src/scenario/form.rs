//! How a value is written in a scenario: one definition that reads it, writes it and describes it to editors.

use serde_json::{Value as Json, json};

use super::emit::Out;
use super::error::Faults;
use super::node::Node;

pub(crate) use super::form_number::{Flag, count};
pub(crate) use super::form_quantity::{
    Measure, Packets, Quantity, SmallSize, distance, level, packets, rate, size, small_size, time,
};
pub(crate) use super::form_text::{Name, Prose, Words, words};

/// The way a value of one type is written.
pub(crate) trait Form {
    /// The type.
    type Of;
    /// Reads what stands under the key `path`; the first of `found` counts, the others are what it was laid over.
    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Self::Of>;
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
pub(crate) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Says that something else was expected under this key.
pub(crate) fn unexpected(faults: &Faults, path: &str, node: &Node, wanted: &str, hint: Option<String>) {
    faults.fail(node.at, format!("`{}` must be {wanted}, not {}", last(path), node.kind()), hint);
}

/// A value that may be left out.
pub(crate) struct Optional<F>(pub(crate) F);

impl<F: Form> Form for Optional<F> {
    type Of = Option<F::Of>;
    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Self::Of> {
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
pub(crate) struct OrOff<F>(pub(crate) F);

impl<F: Form> Form for OrOff<F> {
    type Of = Option<F::Of>;
    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Self::Of> {
        match found.first()?.text() {
            Some("off") => Some(None),
            _ => self.0.read(faults, path, found).map(Some),
        }
    }
    fn write(&self, value: &Self::Of) -> Option<Out> {
        match value {
            Some(v) => self.0.write(v),
            None => Some(Out::Text("off".to_owned())),
        }
    }
    fn schema(&self) -> Json {
        json!({ "anyOf": [{ "const": "off" }, self.0.schema()] })
    }
}
