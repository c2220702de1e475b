//! The scenario that a question is about.

use airloom_lab::scenario::{self, Mistake, Mistakes, Scenario};
use serde::Deserialize;
use serde_json::{Value, json};

/// A scenario as the page has it.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    /// The text of the file.
    text: String,
    /// Keys with values over its own.
    #[serde(default)]
    set: Vec<(String, String)>,
    /// The seed in place of its own.
    seed: Option<u64>,
}

/// What the page calls the file.
const FILE: &str = "scenario.toml";

impl Asked {
    /// The scenario with its warnings.
    pub(crate) fn load(&self) -> Result<(Scenario, Vec<Mistake>), Mistakes> {
        scenario::load_with_warnings(&self.text, FILE, &self.set, self.seed)
    }

    /// What is written and does not hold.
    pub(crate) fn overridden(&self) -> Vec<Mistake> {
        scenario::overridden(&self.text, FILE, &self.set)
    }
}

/// Mistakes or warnings as the page shows them.
pub(crate) fn placed(mistakes: &[Mistake]) -> Value {
    let placed = |one: &Mistake| {
        json!({
            "file": one.file, "line": one.line, "column": one.column, "setting": one.setting, "message": one.message, "hint": one.hint,
        })
    };
    mistakes.iter().map(placed).collect()
}
