//! Whether and how a sender's TCP learns the rate of its own radio link.

use airloom_sim::Duration;
use serde_json::{Value as Json, json};

use airloom_config::emit::Out;
use airloom_config::error::{Faults, did_you_mean, shown};
use airloom_config::form::{Form, time, unexpected};
use airloom_config::record;
use airloom_config::record::{Nested, Record, nested};
use airloom_config::toml_tree::{TomlNode, Value};

/// How a sender's TCP learns the rate of its own radio link. Below the highest rate it then uses only a share of its
/// window in proportion to the rate, and the window does not grow beyond what it was at the fall. The receiver's TCP, and
/// that of a server, have no such link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRate {
    /// Not at all.
    Ignored,
    /// The driver reports every change at once.
    Pushed,
    /// It asks at intervals.
    Polled(Duration),
}

record! {
    /// Asking for the rate.
    struct Poll {
        /// The time between two questions.
        poll: Duration = time(Duration::from_millis(1), Duration::from_secs(3600));
    }
}

const POLL: Nested<Poll> = nested();

/// `"ignore"`, `"told"` or `{ poll = "100 ms" }`.
pub(crate) struct LinkRateForm;

impl Form for LinkRateForm {
    type Of = LinkRate;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<LinkRate> {
        const HINT: &str = "write \"ignore\", \"told\" or { poll = \"100 ms\" }";
        let node = found.first()?;
        match &node.value {
            Value::Text(text) => match text.as_str() {
                "ignore" => Some(LinkRate::Ignored),
                "told" => Some(LinkRate::Pushed),
                other => {
                    let hint = did_you_mean(other, ["ignore", "told"]).unwrap_or_else(|| HINT.to_owned());
                    faults.fail(node.at, format!("`link_rate` cannot be \"{}\"", shown(other)), Some(hint));
                    None
                }
            },
            Value::Table(_) => POLL.read(faults, path, &[node]).map(|p| LinkRate::Polled(p.poll)),
            _ => {
                unexpected(faults, path, node, "text in quotes or a table", Some(HINT.to_owned()));
                None
            }
        }
    }

    fn write(&self, value: &LinkRate) -> Option<Out> {
        Some(match *value {
            LinkRate::Ignored => Out::Text("ignore".to_owned()),
            LinkRate::Pushed => Out::Text("told".to_owned()),
            LinkRate::Polled(poll) => Out::Inline(Poll::write(&Poll { poll })),
        })
    }

    fn schema(&self) -> Json {
        json!({ "anyOf": [{ "enum": ["ignore", "told"] }, POLL.schema()] })
    }
}
