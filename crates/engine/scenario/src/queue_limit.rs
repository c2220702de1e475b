//! The limit of a queue, in packets, bytes or both.

use airloom_queue::{Limit, MOST_BYTES, MOST_PACKETS};
use airloom_sim::Bytes;
use serde_json::{Value as Json, json};

use airloom_config::emit::Out;
use airloom_config::error::{At, Faults, did_you_mean, shown};
use airloom_config::form::{Form, Measure, Packets, packets, size};
use airloom_config::quantity;
use airloom_config::toml_tree::{TomlNode, Value};

/// A limit: `"1000 packets"`, `"128 KiB"`, both in an array, or `"none"`.
pub(crate) struct LimitForm;

impl LimitForm {
    fn one(faults: &Faults, path: &str, node: &TomlNode) -> Option<Limit> {
        let hint = || Some("write \"1000 packets\" or \"128 KiB\"".to_owned());
        let Some(text) = node.text() else {
            let message = match node.value {
                Value::Whole(_) | Value::Real(_) => "`limit` has no unit",
                _ => "`limit` must be a number of packets or an amount of data",
            };
            faults.fail(node.at, message, hint());
            return None;
        };
        let none = Limit { packets: None, bytes: None };
        if text == "none" {
            return Some(none);
        }
        let unit = quantity::split(text).map(|(_, unit)| unit);
        let is_size = quantity::SIZE.units.iter().any(|(name, _)| unit == Some(*name));
        match unit {
            Some(_) if is_size => {
                let bytes = size(Bytes(1), MOST_BYTES).read(faults, path, &[node])?;
                Some(Limit { bytes: Some(bytes), ..none })
            }
            Some("packets" | "packet") => {
                let packets = packets(1, MOST_PACKETS).read(faults, path, &[node])?;
                Some(Limit { packets: Some(packets), ..none })
            }
            Some("") => {
                faults.fail(node.at, "`limit` has no unit", hint());
                None
            }
            _ => {
                let message = format!("`limit` cannot be \"{}\"", shown(text));
                let units = quantity::SIZE.units.iter().map(|(name, _)| *name).chain(["packets"]);
                let likely = unit.and_then(|unit| did_you_mean(unit, units));
                faults.fail(node.at, message, likely.or_else(hint));
                None
            }
        }
    }
}

impl Form for LimitForm {
    type Of = Limit;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Limit> {
        let node = found.first()?;
        let Value::List(items) = &node.value else {
            return Self::one(faults, path, node);
        };
        let fail = |at: At| {
            let hint = "write [\"1000 packets\", \"128 KiB\"]".to_owned();
            faults.fail(
                at,
                "an array `limit` holds one number of packets and one amount of data",
                Some(hint),
            );
            None
        };
        let [first, second] = items.as_slice() else {
            return fail(node.at);
        };
        let (first, other) = (Self::one(faults, path, first)?, Self::one(faults, path, second)?);
        match (first.packets.or(other.packets), first.bytes.or(other.bytes)) {
            (Some(packets), Some(bytes)) => Some(Limit { packets: Some(packets), bytes: Some(bytes) }),
            _ => fail(second.at),
        }
    }

    fn write(&self, value: &Limit) -> Option<Out> {
        let packets = value.packets.map(|n| Out::Text(Packets(n).written()));
        let bytes = value.bytes.map(|n| Out::Text(n.written()));
        Some(match (packets, bytes) {
            (None, None) => Out::Text("none".to_owned()),
            (Some(one), None) | (None, Some(one)) => one,
            (Some(packets), Some(bytes)) => Out::List(vec![packets, bytes]),
        })
    }

    fn schema(&self) -> Json {
        let one = json!({ "anyOf": [
            packets(1, MOST_PACKETS).schema(),
            size(Bytes(1), MOST_BYTES).schema(),
        ] });
        json!({ "anyOf": [
            one["anyOf"][0], one["anyOf"][1], { "const": "none" },
            { "type": "array", "items": one, "minItems": 2, "maxItems": 2 },
        ] })
    }
}
