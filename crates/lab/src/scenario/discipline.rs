//! Queues: a discipline and its limit.

use airloom_sim::Bytes;
use serde_json::{Value as Json, json};

use super::emit::Out;
use super::error::{At, Faults, did_you_mean, shown};
use super::form::{Form, Measure, Packets, packets, size, unexpected, words};
use super::node::{Node, Value};
use super::quantity;
use super::record::{Layers, Nested, Property, Record, field, nested};

/// How a queue orders and drops packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// First in, first out; what does not fit any more is dropped.
    Fifo {
        /// The most packets it holds.
        packets: Option<u32>,
        /// The most bytes it holds.
        bytes: Option<Bytes>,
    },
}

impl Discipline {
    /// pfifo_fast on an Ethernet-like device: 1000 packets (Linux net/ethernet/eth.c, `ether_setup()`:
    /// `tx_queue_len = 1000`).
    pub const LINUX: Self = Self::Fifo { packets: Some(1000), bytes: None };
}

/// The kinds of queue there are, without their limits.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fifo,
}

const KIND: super::form::Words<Kind> =
    words(&[("fifo", Kind::Fifo)], &["codel", "sfq", "fq_codel", "pfifo_fast", "red"]);

/// The most a queue can be said to hold.
const MOST_PACKETS: u32 = 1_000_000;
const MOST_BYTES: Bytes = Bytes(1 << 30);

impl Record for Discipline {
    fn keys() -> Vec<&'static str> {
        vec!["discipline", "limit"]
    }

    fn read(faults: &Faults, layers: &Layers<'_>) -> Option<Self> {
        let kind = field(faults, layers, "discipline", &KIND, None);
        let limit = field(faults, layers, "limit", &LimitForm, None);
        let (Kind::Fifo, limit) = (kind?, limit?);
        Some(Self::Fifo { packets: limit.packets, bytes: limit.bytes })
    }

    fn write(&self) -> Vec<(&'static str, Out)> {
        let Self::Fifo { packets, bytes } = *self;
        let limit = LimitForm.write(&Limit { packets, bytes });
        let mut entries = vec![("discipline", Out::Text("fifo".to_owned()))];
        entries.extend(limit.map(|l| ("limit", l)));
        entries
    }

    fn properties(_: bool) -> Vec<Property> {
        vec![
            Property {
                key: "discipline",
                doc: "How packets are ordered and dropped.",
                schema: KIND.schema(),
                required: true,
            },
            Property {
                key: "limit",
                doc: "The most it holds, \"1000 packets\" or \"128 KiB\", or both in an array.",
                schema: LimitForm.schema(),
                required: true,
            },
        ]
    }
}

/// A queue as the value of a key. A whole queue replaces a whole queue: a limit makes no sense without its
/// discipline.
pub(crate) struct Queue;

const TABLE: Nested<Discipline> = nested();

impl Form for Queue {
    type Of = Discipline;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Discipline> {
        let node = found.first()?;
        if node.table().is_none() {
            let hint = "write { discipline = \"fifo\", limit = \"1000 packets\" }";
            unexpected(faults, path, node, "a table", Some(hint.to_owned()));
            return None;
        }
        TABLE.read(faults, path, &[node])
    }

    fn write(&self, value: &Discipline) -> Option<Out> {
        Some(Out::Inline(value.write()))
    }

    fn schema(&self) -> Json {
        TABLE.schema()
    }
}

/// What a queue holds at most.
#[derive(Clone, Copy)]
struct Limit {
    packets: Option<u32>,
    bytes: Option<Bytes>,
}

struct LimitForm;

impl LimitForm {
    fn one(faults: &Faults, path: &str, node: &Node) -> Option<Limit> {
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
            Some("packets") => {
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

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<Limit> {
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
