//! The JSON Schema of a scenario, for editors.

use serde_json::json;

use crate::model::ScenarioText;
use airloom_config::record::object;

/// The JSON Schema (2020-12) of a scenario file, for editors that complete and check TOML by one.
pub fn json_schema() -> String {
    let mut schema = object::<ScenarioText>(false);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("airloom scenario");
    format!("{schema:#}\n")
}
