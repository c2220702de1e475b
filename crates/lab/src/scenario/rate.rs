//! How a station chooses its rate.

use serde_json::{Value as Json, json};

use super::adapter::Adapter;
use super::emit::Out;
use super::error::{At, Faults, shown};
use super::form::{Form, Optional, count, unexpected, words};
use super::node::{Node, Value};
use super::record::{Nested, Record, nested, record};

/// How a station, and the access point towards it, chooses the rate of data frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateControl {
    /// Always the same.
    Fixed {
        /// The modulation and coding scheme, 0 to 15 (IEEE 802.11-2012 section 20.6).
        mcs: u8,
        /// Whether the guard interval is the short one, 400 ns.
        short_gi: bool,
    },
    /// Whichever has proved best, as Minstrel-HT finds it.
    Minstrel,
}

impl RateControl {
    /// The highest rate that an adapter allows.
    pub fn highest(adapter: &Adapter) -> Self {
        Self::Fixed { mcs: top(adapter), short_gi: adapter.short_gi }
    }
}

/// The highest scheme of an adapter: eight to a stream.
fn top(adapter: &Adapter) -> u8 {
    adapter.streams.saturating_mul(8).saturating_sub(1)
}

/// A rate control as written, before it is held against the adapter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RateText {
    /// Minstrel-HT.
    Minstrel,
    /// A fixed rate.
    Fixed(FixedText),
}

/// A fixed rate as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FixedText {
    /// Where it stands.
    pub(crate) at: At,
    /// The scheme.
    pub(crate) mcs: u8,
    /// The guard interval, if it was said.
    pub(crate) short_gi: Option<bool>,
}

impl RateText {
    /// For writing.
    pub(crate) fn of(rate: RateControl) -> Self {
        match rate {
            RateControl::Minstrel => Self::Minstrel,
            RateControl::Fixed { mcs, short_gi } => {
                Self::Fixed(FixedText { at: At::TOP, mcs, short_gi: Some(short_gi) })
            }
        }
    }

    /// What it is on this adapter.
    pub(crate) fn on(self, faults: &Faults, adapter: &Adapter) -> RateControl {
        match self {
            Self::Minstrel => RateControl::Minstrel,
            Self::Fixed(fixed) => fixed.on(faults, adapter),
        }
    }
}

impl FixedText {
    /// What it is on this adapter; an unsaid guard interval is the shortest that the adapter has.
    fn on(self, faults: &Faults, adapter: &Adapter) -> RateControl {
        if self.mcs > top(adapter) {
            let streams = match adapter.streams {
                1 => "1 stream".to_owned(),
                n => format!("{n} streams"),
            };
            let message = format!("MCS {} is beyond the adapter's {streams}", self.mcs);
            faults.fail(self.at, message, Some(format!("its highest is MCS {}", top(adapter))));
        }
        if self.short_gi == Some(true) && !adapter.short_gi {
            let hint = "the adapter has `short_gi = false`".to_owned();
            faults.fail(self.at, "the adapter cannot send with the short guard interval", Some(hint));
        }
        RateControl::Fixed { mcs: self.mcs, short_gi: self.short_gi.unwrap_or(adapter.short_gi) }
    }
}

record! {
    /// A fixed rate as a table.
    struct Fixed {
        /// The modulation and coding scheme.
        mcs: u8 = count(0, 15);
        /// The guard interval, "short" (400 ns) or "long" (800 ns).
        guard_interval: Option<bool> = Optional(words(&[("short", true), ("long", false)], &[])), default None;
    }
}

const TABLE: Nested<Fixed> = nested();

/// A rate: `"minstrel"`, `"MCS 15"`, or `{ mcs = 15, guard_interval = "short" }`.
pub(crate) struct RateForm;

impl Form for RateForm {
    type Of = RateText;

    fn read(&self, faults: &Faults, path: &str, found: &[&Node]) -> Option<RateText> {
        let node = found.first()?;
        let hint =
            || Some("write \"minstrel\", \"MCS 15\" or { mcs = 15, guard_interval = \"short\" }".to_owned());
        match &node.value {
            Value::Text(text) if text == "minstrel" => Some(RateText::Minstrel),
            Value::Text(text) => {
                let mcs = text
                    .strip_prefix("MCS ")
                    .filter(|n| n.bytes().all(|b| b.is_ascii_digit()))
                    .and_then(|n| n.parse().ok())
                    .filter(|n: &u8| *n <= 15);
                if mcs.is_none() {
                    let message = format!("`rate` must be from MCS 0 to MCS 15, not \"{}\"", shown(text));
                    faults.fail(node.at, message, hint());
                }
                Some(RateText::Fixed(FixedText { at: node.at, mcs: mcs?, short_gi: None }))
            }
            Value::Table(_) => {
                let fixed = TABLE.read(faults, path, &[node])?;
                let (mcs, short_gi) = (fixed.mcs, fixed.guard_interval);
                Some(RateText::Fixed(FixedText { at: node.at, mcs, short_gi }))
            }
            _ => {
                unexpected(faults, path, node, "text in quotes or a table", hint());
                None
            }
        }
    }

    fn write(&self, value: &RateText) -> Option<Out> {
        Some(match value {
            RateText::Minstrel => Out::Text("minstrel".to_owned()),
            RateText::Fixed(fixed) => {
                Out::Inline(Fixed { mcs: fixed.mcs, guard_interval: fixed.short_gi }.write())
            }
        })
    }

    fn schema(&self) -> Json {
        json!({ "anyOf": [{ "type": "string", "pattern": "^(minstrel|MCS ([0-9]|1[0-5]))$" }, TABLE.schema()] })
    }
}
