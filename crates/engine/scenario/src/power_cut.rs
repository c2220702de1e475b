//! When an access point has no power.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, List, last, time};
use airloom_config::record;
use airloom_config::record::nested;
use airloom_config::toml_tree::{TomlNode, Value};
use airloom_sim::Duration;
use serde_json::Value as Json;

use crate::day::DAY;

record! {
    /// A time without power.
    pub struct PowerCut {
        /// When it begins, from the beginning of the run.
        from: Duration = time(Duration::ZERO, DAY);
        /// When the access point is there again, from the beginning of the run: the time in which it boots is before that.
        to: Duration = time(Duration::ZERO, DAY);
    }
}

/// Such times as an array of tables, one after the other.
pub(crate) struct PowerCuts;

impl PowerCuts {
    fn list() -> List<record::Nested<PowerCut>> {
        List(nested::<PowerCut>())
    }
}

impl Form for PowerCuts {
    type Of = Vec<PowerCut>;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Vec<PowerCut>> {
        let read = Self::list().read(faults, path, found)?;
        let Some(Value::List(items)) = found.first().map(|node| &node.value) else { return None };
        let mut before = None;
        for (PowerCut { from, to }, node) in read.iter().zip(items) {
            let (key, message) = if from >= to {
                ("to", format!("a time of `{}` ends before it has begun", last(path)))
            } else if before.is_some_and(|before| *from <= before) {
                ("from", format!("the times of `{}` do not follow each other", last(path)))
            } else {
                before = Some(*to);
                continue;
            };
            let hint = "write for example off = [{ from = \"10 s\", to = \"20 s\" }]".to_owned();
            faults.fail(node.place_of(key), message, Some(hint));
            return None;
        }
        Some(read)
    }

    fn write(&self, value: &Vec<PowerCut>) -> Option<Out> {
        Self::list().write(value)
    }

    fn schema(&self) -> Json {
        Self::list().schema()
    }
}
