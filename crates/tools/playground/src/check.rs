//! What is wrong with a scenario, and what it probably does not mean.

use crate::message::Message;
use crate::scenario::{Asked, placed};
use serde_json::json;

/// Checks a scenario: its mistakes, or its warnings and what it says with every default.
pub(crate) fn check(asked: &Asked) -> Message {
    Message::of(match asked.load() {
        Err(mistakes) => json!({ "ok": false, "mistakes": placed(mistakes.all()) }),
        Ok((scenario, warnings)) => json!({
            "ok": true,
            "mistakes": [],
            "warnings": placed(&warnings),
            "notes": placed(&asked.overridden()),
            "title": scenario.title,
            "duration_s": scenario.duration.as_secs_f64(),
            "resolved": scenario.to_toml(),
        }),
    })
}
