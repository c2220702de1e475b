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

/// A good value of a quantity, and the unit in which it is usually given.
struct Good {
    example: String,
    unit: String,
}

impl Good {
    /// Between two bounds: the default unless that is nothing, an ordinary value of the dimension, or else a bound.
    fn of(faults: &Faults, dimension: &Dimension, sound: impl Fn(&str) -> bool, bound: String) -> Self {
        let unit_of =
            |text: &str| quantity::split(text).map_or_else(String::new, |(_, unit)| unit.to_owned());
        let usual = faults.usual().filter(|usual| sound(usual) && !usual.starts_with("0 "));
        match usual {
            Some(usual) => Self { unit: unit_of(&usual), example: usual },
            None if sound(dimension.example) => {
                Self { example: dimension.example.to_owned(), unit: dimension.usual.to_owned() }
            }
            None => Self { unit: unit_of(&bound), example: bound },
        }
    }

    /// What to write in place of a value that is wrong.
    fn hint(&self) -> String {
        format!("write for example \"{}\"", self.example)
    }
}

/// Reports what is wrong with a quantity, and gives a good value.
fn report(
    faults: &Faults,
    path: &str,
    node: &TomlNode,
    (dimension, good): (&Dimension, &Good),
    text: &str,
    flaw: Flaw,
) {
    let key = last(path);
    let write = Some(good.hint());
    let given = shown(text);
    let units = || match dimension.units {
        [(only, _)] => format!("the unit is `{only}`"),
        units => format!("the units are {}", listed(units.iter().map(|(name, _)| *name))),
    };
    let (message, hint) = match flaw {
        Flaw::Comma => (format!("`{key}` has a comma in \"{given}\""), without_comma(text)),
        Flaw::NoNumber => (format!("`{key}` must be {}, not \"{given}\"", dimension.what), write),
        Flaw::NoUnit => (
            format!("`{key}` has no unit"),
            Some(format!("write for example \"{given} {}\"; {}", good.unit, units())),
        ),
        Flaw::OtherDimension(other) => {
            let message = format!("`{key}` must be {}, but \"{given}\" is {other}", dimension.what);
            let is_power = text.ends_with("dBm") && dimension.what == quantity::LEVEL.what;
            let ratio = "a power over the noise is a ratio: -60 dBm over -92 dBm are \"32 dB\"";
            (message, if is_power { Some(ratio.to_owned()) } else { write })
        }
        Flaw::UnknownUnit(meant) => (
            format!("`{key}` has an unknown unit in \"{given}\""),
            Some(match (meant, quantity::converted(dimension, text)) {
                (Some(unit), _) => format!("did you mean `{unit}`?"),
                (None, Some(ours)) => format!("write \"{ours}\"; {}", units()),
                (None, None) => units(),
            }),
        ),
        Flaw::Negative => (format!("`{key}` must not be negative, but is \"{given}\""), write),
        Flaw::TooFine => (
            format!(
                "`{key}` is finer than can be counted: \"{given}\" is not a whole number of {}",
                counted_in(dimension)
            ),
            None,
        ),
        Flaw::TooLarge => (format!("`{key}` is too large: \"{given}\""), write),
    };
    faults.fail(node.at, message, hint);
}

/// A number that has a comma, with a point in its place, and as a whole number where the comma may part thousands.
fn without_comma(text: &str) -> Option<String> {
    let (point, none) = quantity::with_comma(text)?;
    let (_, after) = text.split_once(',').unwrap_or_default();
    let thousands = after.bytes().take_while(u8::is_ascii_digit).count() == 3;
    let or = match thousands {
        true => format!(", or \"{}\" if it parts thousands", shown(&none)),
        false => String::new(),
    };
    Some(format!("write \"{}\", with a point{or}", shown(&point)))
}

/// The unit of which a quantity is a whole number.
fn counted_in(dimension: &Dimension) -> &'static str {
    match dimension.what {
        "a time" => "nanoseconds",
        "a data rate" => "bits per second",
        "an amount of data" => "bytes",
        _ => "packets",
    }
}

/// Reports a quantity that is not text: a bare number, or a value of another type.
fn not_text(faults: &Faults, path: &str, node: &TomlNode, good: (&Dimension, &Good)) {
    match node.value {
        Value::Whole(n) => report(faults, path, node, good, &n.to_string(), Flaw::NoUnit),
        Value::Real(x) if x.is_finite() => {
            report(faults, path, node, good, &x.to_string(), Flaw::NoUnit);
        }
        Value::Real(x) => report(faults, path, node, good, &x.to_string(), Flaw::NoNumber),
        _ => unexpected(faults, path, node, good.0.what, Some(good.1.hint())),
    }
}

impl<T: Measure> Quantity<T> {
    fn good(&self, faults: &Faults) -> Good {
        let within = |n: u64| (self.least.to_base()..=self.most.to_base()).contains(&n);
        let sound = |text: &str| quantity::whole(&T::DIMENSION, text).is_ok_and(within);
        Good::of(faults, &T::DIMENSION, sound, self.most.written())
    }
}

impl<T: Measure> Form for Quantity<T> {
    type Of = T;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<T> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            not_text(faults, path, node, (&T::DIMENSION, &self.good(faults)));
            return None;
        };
        match quantity::whole(&T::DIMENSION, text) {
            Ok(n) if (self.least.to_base()..=self.most.to_base()).contains(&n) => T::from_base(n),
            Ok(0) => {
                let hint = self.good(faults).hint();
                faults.fail(node.at, format!("`{}` must be above zero", last(path)), Some(hint));
                None
            }
            Ok(_) => {
                let bound = |one: T| quantity::written(T::DIMENSION.units, one.to_base());
                let (least, most) = match T::DIMENSION.what {
                    "a time" => (bound(self.least), bound(self.most)),
                    _ => (self.least.written(), self.most.written()),
                };
                let message =
                    format!("`{}` must be from {least} to {most}, not \"{}\"", last(path), shown(text));
                faults.fail(node.at, message, Some(self.good(faults).hint()));
                None
            }
            Err(flaw) => {
                report(faults, path, node, (&T::DIMENSION, &self.good(faults)), text, flaw);
                None
            }
        }
    }

    fn write(&self, value: &T) -> Option<Out> {
        Some(Out::Text(value.written()))
    }

    fn schema(&self) -> Json {
        let example = self.good(&Faults::default()).example;
        pattern(&T::DIMENSION, "", (self.least.written(), self.most.written()), &example)
    }
}

/// A string of number and unit. What JSON Schema has no word for is an annotation: what it measures, and the bounds.
fn pattern(dimension: &Dimension, sign: &str, (least, most): (String, String), example: &str) -> Json {
    let units: Vec<&str> = dimension.units.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "string",
        "pattern": format!("^\\s*{sign}[0-9]+(\\.[0-9]+)?\\s*({})\\s*$", units.join("|")),
        "examples": [example],
        "x-what": dimension.what,
        "x-units": units,
        "x-least": least,
        "x-most": most,
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

/// A power in dBm between two bounds, both allowed.
pub const fn power(least: f64, most: f64) -> RealQuantity {
    RealQuantity { dimension: quantity::POWER, least, most }
}

/// A distance in metres between two bounds, both allowed.
pub const fn distance(least: f64, most: f64) -> RealQuantity {
    RealQuantity { dimension: quantity::LENGTH, least, most }
}

/// A speed in metres per second between two bounds, both allowed.
pub const fn speed(least: f64, most: f64) -> RealQuantity {
    RealQuantity { dimension: quantity::SPEED, least, most }
}

impl RealQuantity {
    fn good(&self, faults: &Faults) -> Good {
        let within = |x: f64| (self.least..=self.most).contains(&x);
        let sound = |text: &str| quantity::real(&self.dimension, text).is_ok_and(within);
        Good::of(faults, &self.dimension, sound, format!("{} {}", self.most, self.dimension.usual))
    }
}

impl Form for RealQuantity {
    type Of = f64;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<f64> {
        let node = found.first()?;
        let Some(text) = node.text() else {
            not_text(faults, path, node, (&self.dimension, &self.good(faults)));
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
                faults.fail(node.at, message, Some(self.good(faults).hint()));
                None
            }
            Err(flaw) => {
                report(faults, path, node, (&self.dimension, &self.good(faults)), text, flaw);
                None
            }
        }
    }

    fn write(&self, value: &f64) -> Option<Out> {
        Some(Out::Text(format!("{value} {}", self.dimension.usual)))
    }

    fn schema(&self) -> Json {
        let unit = self.dimension.usual;
        let bounds = (format!("{} {unit}", self.least), format!("{} {unit}", self.most));
        pattern(&self.dimension, "-?", bounds, &self.good(&Faults::default()).example)
    }
}
