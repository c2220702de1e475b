//! Scripts: arrays of steps, each with the time from which it holds.

use airloom_config::error::Faults;
use airloom_config::form::Measure;
use airloom_config::toml_tree::TomlNode;
use airloom_sim::Duration;
use serde_json::{Value as Json, json};

/// The most steps of a script that a file may be.
const MOST_STEPS: usize = 100_000;

/// Whether a script of `key` has steps and not too many; reports it if not.
pub(crate) fn has_good_length(
    faults: &Faults,
    node: &TomlNode,
    (key, items): (&str, &[TomlNode]),
    hint: &str,
) -> bool {
    let message = match items.len() {
        0 => "is empty",
        1..=MOST_STEPS => return true,
        _ => "has more than 100,000 steps",
    };
    faults.fail(node.at, format!("`{key}` {message}"), Some(hint.to_owned()));
    false
}

/// Reports that a `trace` is left that should have become a script before the text came here.
pub(crate) fn unread(faults: &Faults, node: &TomlNode, key: &str, file: &str) {
    let hint = format!("a file is read where its name stands in one line: {key} = {{ trace = \"{file}\" }}");
    faults.fail(node.at, format!("`{key}` has no trace that was read"), Some(hint));
}

/// The JSON Schema of a script of such steps.
pub(crate) fn schema(step: &Json) -> Json {
    json!({ "type": "array", "items": step, "minItems": 1, "maxItems": MOST_STEPS })
}

/// That of the file that may stand for one, which has these columns.
pub(crate) fn trace_schema(columns: &str) -> Json {
    let description = format!("A file with {columns}, beside the scenario");
    json!({
        "type": "object",
        "properties": { "trace": { "type": "string", "description": description } },
        "required": ["trace"],
        "additionalProperties": false,
    })
}

/// Reports a step that is before the one in front of it.
pub(crate) fn out_of_order(faults: &Faults, item: &TomlNode, [before, at]: [Duration; 2]) {
    let message = format!("a step at {} after one at {}", at.written(), before.written());
    faults.fail(item.at, message, Some("the steps of a script are in order of time".to_owned()));
}

/// Reports a script of `key` that does not begin at zero, or whose steps are not in order. `items` are its steps as written, at these `times`, and `begins` is how
/// messages call the first of them.
pub(crate) fn check_order(
    faults: &Faults,
    (key, begins): (&str, &str),
    items: &[TomlNode],
    times: impl Iterator<Item = Duration>,
) {
    let times: Vec<Duration> = times.collect();
    if times[0] > Duration::ZERO {
        let hint = format!("begin with {{ at = \"0 s\", {key} = ... }}");
        faults.fail(items[0].at, format!("nothing says {begins}"), Some(hint));
    }
    for (item, pair) in items[1..].iter().zip(times.windows(2)) {
        if pair[1] <= pair[0] {
            out_of_order(faults, item, [pair[0], pair[1]]);
        }
    }
}
