//! How a flow's `traffic` is written: the name of a class of one's own, or an array of what is handed over, each with its time.

use std::sync::Arc;

use airloom_config::emit::Out;
use airloom_config::error::{Faults, did_you_mean, shown};
use airloom_config::form::{Form, count, last, time, unexpected};
use airloom_config::record;
use airloom_config::record::{Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};
use airloom_sim::{BroughtName, Duration};
use serde_json::{Value as Json, json};

use crate::day::DAY;
use crate::script;
use crate::traffic::OWN_TRAFFIC;

/// The most bytes of a step: of a write, as `write` of a flow has it.
const MOST_BYTES: u64 = 1 << 40;

record! {
    /// What an application hands to its socket at once.
    pub struct HandedOver {
        /// When, from the start of its flow.
        at: Duration = time(Duration::ZERO, DAY);
        /// How many bytes.
        bytes: u64 = count(1, MOST_BYTES);
    }
}

/// What says when an application hands over how many bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum TrafficSource {
    /// A class that somebody brings.
    Own(BroughtName),
    /// A script, in the order of its times; several steps may be at one.
    Script(Arc<[HandedOver]>),
}

const STEP: Nested<HandedOver> = nested();
const MODULE: &str =
    "traffic of your own is a class in a Python module: `--with MODULE` (docs/own-traffic.md)";
const HINT: &str =
    "write the name of a class of your own (docs/own-traffic.md), or [{ at = \"0 s\", bytes = 120 }, ...]";

/// A class of one's own, or a script.
pub(crate) struct TrafficForm;

impl TrafficForm {
    fn own(faults: &Faults, path: &str, node: &TomlNode, text: &str) -> Option<TrafficSource> {
        let own = faults.own(&OWN_TRAFFIC, text);
        if own.is_none() {
            let hint = did_you_mean(text, OWN_TRAFFIC.names()).unwrap_or_else(|| MODULE.to_owned());
            faults.fail(node.at, format!("`{}` cannot be \"{}\"", last(path), shown(text)), Some(hint));
        }
        own.map(TrafficSource::Own)
    }

    fn script(faults: &Faults, path: &str, node: &TomlNode, items: &[TomlNode]) -> Option<TrafficSource> {
        if !script::has_good_length(faults, node, ("traffic", items), HINT) {
            return None;
        }
        let read: Vec<Option<HandedOver>> =
            items.iter().map(|item| STEP.read(faults, path, &[item])).collect();
        let steps: Arc<[HandedOver]> = read.into_iter().collect::<Option<_>>()?;
        for (item, pair) in items[1..].iter().zip(steps.windows(2)) {
            if pair[1].at < pair[0].at {
                script::out_of_order(faults, item, [pair[0].at, pair[1].at]);
            }
        }
        Some(TrafficSource::Script(steps))
    }
}

impl Form for TrafficForm {
    type Of = TrafficSource;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<TrafficSource> {
        let node = found.first()?;
        match &node.value {
            Value::Text(text) => Self::own(faults, path, node, text),
            Value::List(items) => Self::script(faults, path, node, items),
            Value::Table(table) if table.get("trace").is_some() => {
                script::unread(faults, node, "traffic", "game.csv");
                None
            }
            _ => {
                unexpected(faults, path, node, "a name in quotes or an array", Some(HINT.to_owned()));
                None
            }
        }
    }

    fn write(&self, value: &TrafficSource) -> Option<Out> {
        Some(match value {
            TrafficSource::Own(own) => Out::Text(own.text().to_owned()),
            TrafficSource::Script(steps) => {
                Out::List(steps.iter().map(|step| Out::Inline(HandedOver::write(step))).collect())
            }
        })
    }

    fn schema(&self) -> Json {
        let names = OWN_TRAFFIC.names();
        // An editor that knows of no module takes any name.
        let own = if names.is_empty() { json!({ "type": "string" }) } else { json!({ "enum": names }) };
        let trace = script::trace_schema("the columns time_s and bytes, or frames of ns-3's UdpTraceClient");
        json!({ "anyOf": [own, script::schema(&STEP.schema()), trace] })
    }
}
