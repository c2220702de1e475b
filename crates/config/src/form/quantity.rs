//! Quantities as values of keys, within bounds.

use airloom_sim::{BitRate, Bytes, Duration};
use serde_json::{Value as Json, json};

use super::shape::{Form, last, unexpected};
use crate::emit::Out;
use crate::error::{Faults, listed, shown};
use crate::quantity::{self, Dimension, Flaw};
use crate::toml_tree::{TomlNode, Value};

/// A type measured in whole base units.
pub trait Measure: Copy {
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

/// A number of packets, only used by the form.
#[derive(Clone, Copy)]
pub struct Packets(pub u32);

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
pub struct Quantity<T> {
    least: T,
    most: T,
}

/// A time between two bounds, both allowed.
pub const fn time(least: Duration, most: Duration) -> Quantity<Duration> {
    Quantity { least, most }
}

/// A data rate between two bounds, both allowed.
pub const fn rate(least: BitRate, most: BitRate) -> Quantity<BitRate> {
    Quantity { least, most }
}

/// A size between two bounds, both allowed.
pub const fn size(least: Bytes, most: Bytes) -> Quantity<Bytes> {
    Quantity { least, most }
}

/// Reports what is wrong with a quantity.
fn report(faults: &Faults, path: &str, node: &TomlNode, dimension: &Dimension, text: &str, flaw: Flaw) {
    let key = last(path);
    let write = |example: &str| Some(format!("write for example \"{example}\""));
    let given = shown(text);
    let units = || match dimension.units {
        [(only, _)] => format!("the unit is `{only}`"),
        units => format!("the units are {}", listed(units.iter().map(|(name, _)| *name))),
    };
    let (message, hint) = match flaw {
        Flaw::NoNumber => {
            (format!("`{key}` must be {}, not \"{given}\"", dimension.what), write(dimension.example))
        }
        Flaw::NoUnit => (
            format!("`{key}` has no unit"),
            Some(format!("write for example \"{given} {}\"; {}", dimension.usual, units())),
        ),
        Flaw::OtherDimension(other) => (
            format!("`{key}` must be {}, but \"{given}\" is {other}", dimension.what),
            write(dimension.example),
        ),
        Flaw::UnknownUnit(meant) => (
            format!("`{key}` has an unknown unit in \"{given}\""),
            Some(match meant {
                Some(unit) => format!("did you mean `{unit}`?"),
                None => units(),
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

/// Reports a quantity that is not text: a bare number, or a value of another type.
fn not_text(faults: &Faults, path: &str, node: &TomlNode, dimension: &Dimension) {
    match node.value {
        Value::Whole(n) => report(faults, path, node, dimension, &n.to_string(), Flaw::NoUnit),
        Value::Real(x) if x.is_finite() => {
            report(faults, path, node, dimension, &x.to_string(), Flaw::NoUnit);
        }
        Value::Real(x) => report(faults, path, node, dimension, &x.to_string(), Flaw::NoNumber),
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

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<T> {
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
                let message =
                    format!("`{}` must be from {least} to {most}, not \"{}\"", last(path), shown(text));
                faults.fail(node.at, message, None);
                None
            }
            Err(flaw) => {
                report(faults, path, node, &T::DIMENSION, text, flaw);
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
pub struct PacketCount(Quantity<Packets>);

/// A number of packets between two bounds, both allowed.
pub const fn packets(least: u32, most: u32) -> PacketCount {
    PacketCount(Quantity { least: Packets(least), most: Packets(most) })
}

impl Form for PacketCount {
    type Of = u32;
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<u32> {
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
pub struct SmallSize(Quantity<Bytes>);

/// A size in bytes between two bounds, both allowed, as a plain `u32`.
pub const fn small_size(least: u32, most: u32) -> SmallSize {
    SmallSize(Quantity { least: Bytes(least as u64), most: Bytes(most as u64) })
}

impl Form for SmallSize {
    type Of = u32;
    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<u32> {
        self.0.read(faults, path, found).and_then(|b| u32::try_from(b.0).ok())
    }
    fn write(&self, value: &u32) -> Option<Out> {
        self.0.write(&Bytes((*value).into()))
    }
    fn schema(&self) -> Json {
        self.0.schema()
    }
}

/// A real quantity of a dimension with one unit.
pub struct RealQuantity {
    dimension: Dimension,
    least: f64,
    most: f64,
}

/// A ratio in dB between two bounds, both allowed.
pub const fn level(least: f64, most: f64) -> RealQuantity {
    RealQuantity { dimension: quantity::LEVEL, least, most }
}

/// A distance in metres between two bounds, both allowed.
pub const fn distance(least: f64, most: f64) -> RealQuantity {
    RealQuantity { dimension: quantity::LENGTH, least, most }
}

impl Form for RealQuantity {
    type Of = f64;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<f64> {
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
                report(faults, path, node, &self.dimension, text, flaw);
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
