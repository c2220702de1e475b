//! The JSON Schema of a scenario, for editors.

use serde_json::json;

use crate::model::ScenarioText;
use airloom_config::record::object;

/// The JSON Schema (2020-12) of a scenario file, for editors that complete and check TOML by one.
///
/// Each key has its meaning (`description`), its `default` if it is written when it is left out, and `examples` within
/// its bounds. Bounds of numbers are `minimum` and `maximum`. A quantity is a string; annotations say what it measures
/// (`x-what`), its units (`x-units`) and its bounds (`x-least`, `x-most`). A table laid over a profile, whose keys have
/// the profile's values when they are left out, says of which kind that is (`x-profile`).
pub fn json_schema() -> String {
    let mut schema = object::<ScenarioText>(false);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("airloom scenario");
    format!("{schema:#}\n")
}
