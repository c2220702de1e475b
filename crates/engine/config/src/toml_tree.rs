//! A TOML text as a tree in which every key and value has its position.

use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{At, Faults, Source};
use crate::syntax;

/// A value and its position.
#[derive(Clone, Debug)]
pub struct TomlNode {
    /// Where the value begins.
    pub at: At,
    /// The value.
    pub value: Value,
}

/// Any TOML value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer; beyond 128 bits it saturates.
    Whole(i128),
    /// A float.
    Real(f64),
    /// A boolean.
    Flag(bool),
    /// A date or a time.
    Date,
    /// An array.
    List(Vec<TomlNode>),
    /// A table.
    Table(Table),
}

/// A table, in the order of its keys' positions.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key, with `_` for any `-`.
    pub key: String,
    /// Where the key begins.
    pub at: At,
    /// The value.
    pub node: TomlNode,
}

impl TomlNode {
    /// The kind of value, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "text",
            Value::Whole(_) => "a number",
            Value::Real(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "an array",
            Value::Table(_) => "a table",
        }
    }

    /// The value as JSON; a date is nothing there.
    pub fn to_json(&self) -> Json {
        match &self.value {
            Value::Text(text) => json!(text),
            Value::Whole(n) => i64::try_from(*n).map_or_else(|_| json!(*n as f64), |n| json!(n)),
            Value::Real(x) => json!(x),
            Value::Flag(b) => json!(b),
            Value::Date => Json::Null,
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Table(table) => {
                table.entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json())).collect()
            }
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(t) => Some(t),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(t) => Some(t),
            _ => None,
        }
    }

    /// The place of the value under `key` of a table, or its own if there is none.
    pub fn place_of(&self, key: &str) -> At {
        self.table().and_then(|table| table.get(key)).map_or(self.at, |value| value.at)
    }
}

impl Table {
    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&TomlNode> {
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// The values of the array under `key`; none if there is no array.
    pub fn items(&self, key: &str) -> &[TomlNode] {
        match self.get(key).map(|n| &n.value) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// The value under `key`, mutable.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut TomlNode> {
        self.entries.iter_mut().find(|e| e.key == key).map(|e| &mut e.node)
    }

    /// Puts a value under `key`, replacing any earlier one.
    pub fn put(&mut self, key: &str, at: At, node: TomlNode) {
        match self.entries.iter_mut().find(|e| e.key == key) {
            Some(entry) => {
                entry.at = at;
                entry.node = node;
            }
            None => self.entries.push(Entry { key: key.to_owned(), at, node }),
        }
    }
}

/// Reads a whole TOML document. Of one that is not TOML every line that is wrong is reported, once.
pub fn parse(faults: &Faults, source: Source, text: &str) -> Option<Table> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Some(table_of(faults, source, 0, table.into_inner()));
    }
    syntax::report(faults, source, text, errors);
    None
}

/// Reads one TOML value, such as the right side of an override; none if the text is not one.
pub fn parse_value(faults: &Faults, source: Source, offset: usize, text: &str) -> Option<TomlNode> {
    let value = DeValue::parse(text).ok()?;
    Some(node_of(faults, source, offset, value))
}

// Recursion below is bounded: the parser refuses anything nested deeper than 80.

fn table_of(faults: &Faults, source: Source, base: usize, table: DeTable<'_>) -> Table {
    let mut entries: Vec<Entry> = table
        .into_iter()
        .map(|(key, value)| Entry {
            at: At { source, offset: base + key.span().start },
            key: key.into_inner().replace('-', "_"),
            node: node_of(faults, source, base, value),
        })
        .collect();
    // Two spellings of a key, with `-` or `_`, are the same key.
    entries.sort_by(|a, b| (&a.key, a.at).cmp(&(&b.key, b.at)));
    for pair in entries.windows(2) {
        if pair[0].key == pair[1].key {
            faults.fail(pair[1].at, format!("`{}` is given twice", crate::error::shown(&pair[1].key)), None);
        }
    }
    entries.sort_by_key(|e| e.at);
    Table { entries }
}

fn node_of(faults: &Faults, source: Source, base: usize, value: Spanned<DeValue<'_>>) -> TomlNode {
    let at = At { source, offset: base + value.span().start };
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(n) => {
            let overflow = if n.as_str().starts_with('-') { i128::MIN } else { i128::MAX };
            Value::Whole(i128::from_str_radix(n.as_str(), n.radix()).unwrap_or(overflow))
        }
        DeValue::Float(x) => Value::Real(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Flag(b),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => {
            Value::List(items.into_iter().map(|v| node_of(faults, source, base, v)).collect())
        }
        DeValue::Table(table) => Value::Table(table_of(faults, source, base, table)),
    };
    TomlNode { at, value }
}
