//! Writing a resolved scenario back as TOML, in the order of the model.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

/// A value to be written.
#[derive(Clone, Debug)]
pub enum Out {
    /// A string.
    Text(String),
    /// An integer, of those of 64 bits, with or without a sign.
    Whole(i128),
    /// A number with a fraction.
    Real(f64),
    /// A boolean.
    Flag(bool),
    /// An array of plain values.
    List(Vec<Out>),
    /// A table written within its line.
    Inline(Vec<(&'static str, Out)>),
    /// A table with its own heading.
    Table(Vec<(&'static str, Out)>),
    /// An array of tables.
    Tables(Vec<Vec<(&'static str, Out)>>),
}

impl Out {
    /// The value as JSON.
    pub fn to_json(&self) -> Json {
        let object = |entries: &[(&'static str, Self)]| {
            entries.iter().map(|(key, out)| ((*key).to_owned(), out.to_json())).collect::<Map<_, _>>()
        };
        match self {
            Self::Text(text) => json!(text),
            Self::Whole(n) => json!(n),
            Self::Real(x) => json!(x),
            Self::Flag(b) => json!(b),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Inline(entries) | Self::Table(entries) => Json::Object(object(entries)),
            Self::Tables(items) => items.iter().map(|entries| Json::Object(object(entries))).collect(),
        }
    }
}

/// The document with these top-level entries.
pub fn document(entries: &[(&'static str, Out)]) -> String {
    let mut text = String::new();
    section(&mut text, "", entries);
    text
}

fn section(text: &mut String, path: &str, entries: &[(&'static str, Out)]) {
    for (key, value) in entries {
        if !matches!(value, Out::Table(_) | Out::Tables(_)) {
            let _ = writeln!(text, "{} = {}", bare(key), plain(value));
        }
    }
    for (key, value) in entries {
        let key = bare(key);
        let full = if path.is_empty() { key } else { format!("{path}.{key}") };
        match value {
            Out::Table(inner) => {
                // What has only tables in it needs no heading of its own.
                if inner.is_empty() || inner.iter().any(|(_, one)| !matches!(one, Out::Table(_))) {
                    let _ = writeln!(text, "\n[{full}]");
                }
                section(text, &full, inner);
            }
            Out::Tables(items) => {
                for inner in items {
                    let _ = writeln!(text, "\n[[{full}]]");
                    section(text, &full, inner);
                }
            }
            _ => {}
        }
    }
}

/// A value in one line.
pub fn inline(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::Bool(b) => b.to_string(),
        Json::Number(n) => n.to_string(),
        Json::String(text) => format!("\"{}\"", escaped(text, false)),
        Json::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Json::Object(entries) => {
            let inner: Vec<String> =
                entries.iter().map(|(key, value)| format!("{key} = {}", inline(value))).collect();
            if inner.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", inner.join(", ")) }
        }
    }
}

/// A key, in quotes if it needs them.
fn bare(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if key.chars().all(is_bare) { key.to_owned() } else { format!("\"{}\"", escaped(key, false)) }
}

/// A value as it stands behind a key.
pub fn plain(value: &Out) -> String {
    match value {
        Out::Text(t) if t.contains('\n') => format!("\"\"\"\n{}\"\"\"", escaped(t, true)),
        Out::Text(t) => format!("\"{}\"", escaped(t, false)),
        Out::Whole(n) => n.to_string(),
        Out::Real(x) => format!("{x:?}"),
        Out::Flag(b) => b.to_string(),
        Out::List(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Out::Inline(entries) | Out::Table(entries) => {
            let inner: Vec<String> = entries.iter().map(|(k, v)| format!("{k} = {}", plain(v))).collect();
            format!("{{ {} }}", inner.join(", "))
        }
        Out::Tables(items) => {
            let items: Vec<String> = items.iter().map(|t| plain(&Out::Inline(t.clone()))).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

/// The inside of a TOML basic string, in one line or several.
fn escaped(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' if lines => out.push('\n'),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
