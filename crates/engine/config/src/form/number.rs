//! Bare numbers and truth values as values of keys.

use serde_json::{Value as Json, json};

use super::shape::{Form, last, unexpected};
use crate::emit::Out;
use crate::error::Faults;
use crate::toml_tree::{TomlNode, Value};

/// A type that an integer can become.
pub trait Integer: Copy + TryFrom<i128> + Into<u64> {}
impl<T: Copy + TryFrom<i128> + Into<u64>> Integer for T {}

/// A count without a unit, between two bounds, both allowed.
pub struct Count<T> {
    least: T,
    most: T,
}

/// A count between two bounds, both allowed.
pub const fn count<T: Integer>(least: T, most: T) -> Count<T> {
    Count { least, most }
}

impl<T: Integer> Count<T> {
    /// What may be written.
    fn bounds(&self) -> Option<String> {
        Some(match (self.least.into(), self.most.into()) {
            (least, u64::MAX) => format!("write a whole number from {least} on"),
            (least, most) => format!("write a whole number from {least} to {most}"),
        })
    }
}

impl<T: Integer> Form for Count<T> {
    type Of = T;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<T> {
        let node = found.first()?;
        let (least, most) = (self.least.into(), self.most.into());
        let Value::Whole(n) = node.value else {
            let wanted = "a whole number";
            match &node.value {
                Value::Real(_) => {
                    let message = format!("`{}` must be {wanted}, not {}", last(path), node.to_json());
                    faults.fail(node.at, message, self.bounds());
                }
                Value::Text(t) if !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()) => {
                    unexpected(faults, path, node, wanted, Some("write it without the quotes".to_owned()));
                }
                _ => unexpected(faults, path, node, wanted, self.bounds()),
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
            let said = message.contains(" to ");
            faults.fail(node.at, message, self.bounds().filter(|_| !said));
            return None;
        }
        T::try_from(n).ok()
    }

    fn write(&self, value: &T) -> Option<Out> {
        let whole: u64 = (*value).into();
        Some(Out::Whole(whole.into()))
    }

    fn schema(&self) -> Json {
        let (least, most): (u64, u64) = (self.least.into(), self.most.into());
        json!({ "type": "integer", "minimum": least, "maximum": most })
    }
}

/// A number without a unit, between two bounds, both allowed.
pub struct Real {
    least: f64,
    most: f64,
}

/// A number between two bounds, both allowed.
pub const fn real(least: f64, most: f64) -> Real {
    Real { least, most }
}

impl Real {
    /// What to write for so many percent, if this is a share.
    fn of_hundred(&self, percent: &str) -> Option<String> {
        let percent: f64 = percent.trim().parse().ok()?;
        let share = (percent * 1e4).round() / 1e6;
        let sound = self.most <= 1.0 && (self.least..=self.most).contains(&share);
        sound.then(|| format!("write {share} for {percent} %"))
    }
}

impl Form for Real {
    type Of = f64;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<f64> {
        let node = found.first()?;
        let value = match node.value {
            Value::Whole(n) => n as f64,
            Value::Real(x) => x,
            _ => {
                let share = node.text().and_then(|text| self.of_hundred(text.trim().strip_suffix('%')?));
                let hint = share.unwrap_or_else(|| {
                    format!("write a number from {} to {}, without a unit", self.least, self.most)
                });
                unexpected(faults, path, node, "a number", Some(hint));
                return None;
            }
        };
        let (least, most) = (self.least, self.most);
        if !(least..=most).contains(&value) {
            let hint = self.of_hundred(&value.to_string()).filter(|_| value > most);
            faults.fail(node.at, format!("`{}` must be from {least} to {most}", last(path)), hint);
            return None;
        }
        Some(value)
    }

    fn write(&self, value: &f64) -> Option<Out> {
        Some(Out::Real(*value))
    }

    fn schema(&self) -> Json {
        json!({ "type": "number", "minimum": self.least, "maximum": self.most })
    }
}

/// `true` or `false`.
pub struct Flag;

impl Form for Flag {
    type Of = bool;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<bool> {
        let node = found.first()?;
        match node.value {
            Value::Flag(b) => Some(b),
            _ => {
                let hint = node.text().is_some().then(|| "write true or false without quotes".to_owned());
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
