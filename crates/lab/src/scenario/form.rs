//! How a value is written in a scenario: one definition that reads it, writes it and describes it to editors.

use airloom_sim::{BitRate, Bytes, Duration};
use serde_json::{Value as Json, json};

use super::emit::Out;
use super::error::{Faults, did_you_mean, listed, shown};
use super::node::{Node, Value};
use super::quantity::{self, Dimension, Flaw};

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
}

/// The last word of a dotted path.
pub(crate) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Says that something else was expected under this key.
pub(crate) fn unexpected(faults: &Faults, path: &str, node: &Node, wanted: &str, hint: Option<String>) {
    faults.fail(
        node.at,
        format!("`{}` must be {wanted}, not {}", last(path), node.kind()),
        hint,
    );
}

// --- quantities -----------------------------------------------------------------------------------------------

/// A type measured in whole base units.
pub(crate) trait Measure: Copy {
    /// Its dimension.
    const DIMENSION: Dimension;
    /// From base units.
    fn from_base(n: u64) -> Option<Self>;
    /// To base units.
    fn to_base(self) -> u64;
    /// As written in a file.
    fn written(self) -> String;
}

impl Measure for Duration {
    const DIMENSION: Dimension = quantity::TIME;
    fn from_base(n: u64) -> Option<Self> {
        Some(Self::from_nanos(n))
    }
    fn to_base(self) -> u64 {
        self.as_nanos()
    }
    fn written(self) -> String {
        match self.as_nanos() {
            0 => "0 s".to_owned(),
            n => quantity::written(quantity::TIMES_WRITTEN, n),
        }
    }
}

impl Measure for BitRate {
    const DIMENSION: Dimension = quantity::RATE;
    fn from_base(n: u64) -> Option<Self> {
        Some(Self::from_bps(n))
    }
    fn to_base(self) -> u64 {
        self.as_bps()
    }
    fn written(self) -> String {
        quantity::written(quantity::RATE.units, self.as_bps())
    }
}

impl Measure for Bytes {
    const DIMENSION: Dimension = quantity::SIZE;
    fn from_base(n: u64) -> Option<Self> {
        Some(Self(n))
    }
    fn to_base(self) -> u64 {
        self.0
    }
    fn written(self) -> String {
        quantity::size_written(self.0)
    }
}

/// A number of packets, for the form alone.
#[derive(Clone, Copy)]
pub(crate) struct Packets(pub(crate) u32);

impl Measure for Packets {
    const DIMENSION: Dimension = quantity::PACKETS;
    fn from_base(n: u64) -> Option<Self> {
        u32::try_from(n).ok().map(Self)
    }
    fn to_base(self) -> u64 {
        self.0.into()
    }
    fn written(self) -> String {
        format!("{} packets", self.0)
    }
}

/// A quantity between two bounds, both allowed.
pub(crate) struct Quantity<T> {
    least: T,
    most: T,
}

/// A time between two bounds, both allowed.
pub(crate) const fn time(least: Duration, most: Duration) -> Quantity<Duration> {
    Quantity { least, most }
}

/// A data rate between two bounds, both allowed.
pub(crate) const fn rate(least: BitRate, most: BitRate) -> Quantity<BitRate> {
    Quantity { least, most }
}

/// A size between two bounds, both allowed.
pub(crate) const fn size(least: Bytes, most: Bytes) -> Quantity<Bytes> {
    Quantity { least, most }
}

/// Tells what is wrong with a quantity.
fn tell(faults: &Faults, path: &str, node: &Node, dimension: &Dimension, text: &str, flaw: Flaw) {
    let key = last(path);
    let write = |example: &str| Some(format!("write for example \"{example}\""));
    let given = shown(text);
    let units = || listed(dimension.units.iter().map(|(name, _)| *name));
    let (message, hint) = match flaw {
        Flaw::NoNumber => (
            format!("`{key}` must be {}, not \"{given}\"", dimension.what),
            write(dimension.example),
        ),
        Flaw::NoUnit => (
            format!("`{key}` has no unit"),
            Some(format!(
                "write for example \"{given} {}\"; the units are {}",
                dimension.usual,
                units()
            )),
        ),
        Flaw::OtherDimension(other) => (
            format!("`{key}` must be {}, but \"{given}\" is {other}", dimension.what),
            write(dimension.example),
        ),
        Flaw::UnknownUnit(meant) => (
            format!("`{key}` has an unknown unit in \"{given}\""),
            Some(match meant {
                Some(unit) => format!("did you mean `{unit}`?"),
                None => format!("the units are {}", units()),
            }),
        ),
        Flaw::Negative => (format!("`{key}` must not be negative, but is \"{given}\""), None),
        Flaw::TooFine => (
            format!(
                "`{key}` is finer than can be counted: \"{given}\" is not a whole number of {}",
                match dimension.what {
                    "a time" => "nanoseconds",
                    "a data rate" => "bits per second",
                    "an amount of data" => "bytes",
                    _ => "packets",
                }
            ),
            None,
        ),
        Flaw::TooLarge => (format!("`{key}` is too large: \"{given}\""), None),
    };
    faults.fail(node.at, message, hint);
}

/// A quantity written as a bare number, or as something else altogether.
fn not_text(faults: &Faults, path: &str, node: &Node, dimension: &Dimension) {
    match node.value {
        Value::Whole(n) => tell(faults, path, node, dimension, &n.to_string(), Flaw::NoUnit),
        Value::Real(x) if x.is_finite() => {
            tell(faults, path, node, dimension, &x.to_string(), Flaw::NoUnit);
        }
        Value::Real(x) => tell(faults, path, node, dimension, &x.to_string(), Flaw::NoNumber),
        _ => unexpected(
            faults,
            path,
            node,
            dimension.what,
            Some(format!("write for example \"{}\"", dimension.example)),
        ),
    }
}

impl<T: Measure> Form for Quantity<T> {
    type Of = T;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<T> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            not_text(faults, path, node, &T::DIMENSION);
            return None;
        };
        match quantity::whole(&T::DIMENSION, text) {
            Ok(n) if (self.least.to_base()..=self.most.to_base()).contains(&n) => T::from_base(n),
            Ok(0) => {
                faults.fail(node.at, format!("`{}` must be above zero", last(path)), None);
                None
            }
            Ok(_) => {
                let (least, most) = (self.least.written(), self.most.written());
                let message = format!(
                    "`{}` must be from {least} to {most}, not \"{}\"",
                    last(path),
                    shown(text)
                );
                faults.fail(node.at, message, None);
                None
            }
            Err(flaw) => {
                tell(faults, path, node, &T::DIMENSION, text, flaw);
                None
            }
        }
    }

    fn write(&self, value: &T) -> Option<Out> {
        Some(Out::Text(value.written()))
    }

    fn schema(&self) -> Json {
        pattern(&T::DIMENSION, "")
    }
}

/// A string of number and unit.
fn pattern(dimension: &Dimension, sign: &str) -> Json {
    let units: Vec<&str> = dimension.units.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "string",
        "pattern": format!("^\\s*{sign}[0-9]+(\\.[0-9]+)?\\s*({})\\s*$", units.join("|")),
        "examples": [dimension.example],
    })
}

/// A number of packets as a plain `u32`.
pub(crate) struct PacketCount(Quantity<Packets>);

/// A number of packets between two bounds, both allowed.
pub(crate) const fn packets(least: u32, most: u32) -> PacketCount {
    PacketCount(Quantity {
        least: Packets(least),
        most: Packets(most),
    })
}

impl Form for PacketCount {
    type Of = u32;
    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<u32> {
        self.0.read(faults, path, found).map(|p| p.0)
    }
    fn write(&self, value: &u32) -> Option<Out> {
        self.0.write(&Packets(*value))
    }
    fn schema(&self) -> Json {
        self.0.schema()
    }
}

/// A size as a plain `u32`.
pub(crate) struct SmallSize(Quantity<Bytes>);

/// A size in bytes between two bounds, both allowed, as a plain `u32`.
pub(crate) const fn small_size(least: u32, most: u32) -> SmallSize {
    SmallSize(Quantity {
        least: Bytes(least as u64),
        most: Bytes(most as u64),
    })
}

impl Form for SmallSize {
    type Of = u32;
    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<u32> {
        self.0
            .read(faults, path, found)
            .and_then(|b| u32::try_from(b.0).ok())
    }
    fn write(&self, value: &u32) -> Option<Out> {
        self.0.write(&Bytes((*value).into()))
    }
    fn schema(&self) -> Json {
        self.0.schema()
    }
}

/// A real quantity of a dimension with one unit.
pub(crate) struct RealQuantity {
    dimension: Dimension,
    least: f64,
    most: f64,
}

/// A ratio in dB between two bounds, both allowed.
pub(crate) const fn level(least: f64, most: f64) -> RealQuantity {
    RealQuantity {
        dimension: quantity::LEVEL,
        least,
        most,
    }
}

/// A distance in metres between two bounds, both allowed.
pub(crate) const fn distance(least: f64, most: f64) -> RealQuantity {
    RealQuantity {
        dimension: quantity::LENGTH,
        least,
        most,
    }
}

impl Form for RealQuantity {
    type Of = f64;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<f64> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            not_text(faults, path, node, &self.dimension);
            return None;
        };
        let unit = self.dimension.usual;
        match quantity::real(&self.dimension, text) {
            Ok(x) if (self.least..=self.most).contains(&x) => Some(x),
            Ok(_) => {
                let (key, given) = (last(path), shown(text));
                let message = format!(
                    "`{key}` must be from {} {unit} to {} {unit}, not \"{given}\"",
                    self.least, self.most
                );
                faults.fail(node.at, message, None);
                None
            }
            Err(flaw) => {
                tell(faults, path, node, &self.dimension, text, flaw);
                None
            }
        }
    }

    fn write(&self, value: &f64) -> Option<Out> {
        Some(Out::Text(format!("{value} {}", self.dimension.usual)))
    }

    fn schema(&self) -> Json {
        pattern(&self.dimension, "-?")
    }
}

// --- plain values ---------------------------------------------------------------------------------------------

/// A type that an integer can become.
pub(crate) trait Integer: Copy + TryFrom<i128> + Into<u64> {}
impl<T: Copy + TryFrom<i128> + Into<u64>> Integer for T {}

/// A count without a unit, between two bounds, both allowed.
pub(crate) struct Count<T> {
    least: T,
    most: T,
}

/// A count between two bounds, both allowed.
pub(crate) const fn count<T: Integer>(least: T, most: T) -> Count<T> {
    Count { least, most }
}

impl<T: Integer> Form for Count<T> {
    type Of = T;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<T> {
        let node = found.first()?;
        let (least, most) = (self.least.into(), self.most.into());
        let Value::Whole(n) = node.value else {
            let wanted = "a whole number";
            match &node.value {
                Value::Real(_) => {
                    faults.fail(node.at, format!("`{}` must be {wanted}", last(path)), None);
                }
                Value::Text(t) if !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()) => {
                    unexpected(
                        faults,
                        path,
                        node,
                        wanted,
                        Some("write it without the quotes".to_owned()),
                    );
                }
                _ => unexpected(faults, path, node, wanted, None),
            }
            return None;
        };
        if n < i128::from(least) || n > i128::from(most) {
            let key = last(path);
            let message = match (n, least) {
                (0, 1) => format!("`{key}` must be above zero"),
                _ if n < 0 => format!("`{key}` must not be negative"),
                _ => format!("`{key}` must be from {least} to {most}"),
            };
            faults.fail(node.at, message, None);
            return None;
        }
        T::try_from(n).ok()
    }

    fn write(&self, value: &T) -> Option<Out> {
        Some(Out::Whole((*value).into()))
    }

    fn schema(&self) -> Json {
        let (least, most): (u64, u64) = (self.least.into(), self.most.into());
        json!({ "type": "integer", "minimum": least, "maximum": most })
    }
}

/// A probability.
pub(crate) struct Fraction;

impl Form for Fraction {
    type Of = f64;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<f64> {
        let node = found.first()?;
        let x = match node.value {
            Value::Real(x) => x,
            Value::Whole(n) => n as f64,
            _ => {
                unexpected(faults, path, node, "a number from 0 to 1", None);
                return None;
            }
        };
        if !(0.0..=1.0).contains(&x) {
            faults.fail(node.at, format!("`{}` must be from 0 to 1", last(path)), None);
            return None;
        }
        // No negative zero: it would not compare equal as text.
        Some(x.abs())
    }

    fn write(&self, value: &f64) -> Option<Out> {
        Some(Out::Real(*value))
    }

    fn schema(&self) -> Json {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

/// `true` or `false`.
pub(crate) struct Flag;

impl Form for Flag {
    type Of = bool;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<bool> {
        let node = found.first()?;
        match node.value {
            Value::Flag(b) => Some(b),
            _ => {
                let hint = node
                    .text()
                    .is_some()
                    .then(|| "write true or false without quotes".to_owned());
                unexpected(faults, path, node, "true or false", hint);
                None
            }
        }
    }

    fn write(&self, value: &bool) -> Option<Out> {
        Some(Out::Flag(*value))
    }

    fn schema(&self) -> Json {
        json!({ "type": "boolean" })
    }
}

/// Free text, for people.
pub(crate) struct Prose;

/// The longest title or description, in bytes.
const LONGEST_PROSE: usize = 64 * 1024;

impl Form for Prose {
    type Of = String;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<String> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            unexpected(faults, path, node, "text in quotes", None);
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
pub(crate) struct Name;

/// The longest name, in characters.
pub(crate) const LONGEST_NAME: usize = 64;

impl Form for Name {
    type Of = String;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<String> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            unexpected(faults, path, node, "a name in quotes", None);
            return None;
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let key = last(path);
        let message = if text.is_empty() {
            format!("`{key}` is empty")
        } else if text.len() > LONGEST_NAME {
            format!("`{key}` is longer than {LONGEST_NAME} characters")
        } else if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) || !text.chars().all(plain) {
            format!(
                "`{key}` is \"{}\", which could not be part of a file's name",
                shown(text)
            )
        } else {
            return Some(text.to_owned());
        };
        let hint = "a name begins with a letter or digit and goes on with letters, digits, `-`, `_` and `.`";
        faults.fail(node.at, message, Some(hint.to_owned()));
        None
    }

    fn write(&self, value: &String) -> Option<Out> {
        Some(Out::Text(value.clone()))
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$", "maxLength": LONGEST_NAME })
    }
}

/// One of a few words, and those that are understood but not supported yet.
pub(crate) struct Words<T: 'static> {
    words: &'static [(&'static str, T)],
    later: &'static [&'static str],
}

/// One of a few words.
pub(crate) const fn words<T>(
    words: &'static [(&'static str, T)],
    later: &'static [&'static str],
) -> Words<T> {
    Words { words, later }
}

impl<T: Copy + PartialEq> Form for Words<T> {
    type Of = T;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<T> {
        let node = found.first()?;
        let names = || self.words.iter().map(|(word, _)| *word);
        let there_is = || format!("there is {}", listed(names()));
        let Some(text) = node.text() else {
            unexpected(faults, path, node, "a word in quotes", Some(there_is()));
            return None;
        };
        if let Some((_, value)) = self.words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let (key, given) = (last(path), shown(text));
        if self.later.contains(&text) {
            faults.fail(
                node.at,
                format!("`{key} = \"{given}\"` is not supported yet"),
                Some(there_is()),
            );
        } else {
            let hint = did_you_mean(text, names()).unwrap_or_else(there_is);
            faults.fail(node.at, format!("`{key}` cannot be \"{given}\""), Some(hint));
        }
        None
    }

    fn write(&self, value: &T) -> Option<Out> {
        self.words
            .iter()
            .find(|(_, v)| v == value)
            .map(|(word, _)| Out::Text((*word).to_owned()))
    }

    fn schema(&self) -> Json {
        json!({ "enum": self.words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
    }
}

// --- combinations ---------------------------------------------------------------------------------------------

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
