//! JSON documents that say what they are.

use schemars::generate::SchemaSettings;

use serde::Serialize;
use serde_json::json;

/// The name and version of the format of snapshots.
pub(crate) const SNAPSHOT: &str = "airloom-snapshot/1";

/// The JSON Schema of snapshots, with the meaning of each key. A snapshot may leave its `schema` out.
#[must_use]
pub fn snapshot_schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema = settings.into_generator().into_root_schema_for::<crate::Snapshot>();
    if let Some(properties) = schema.get_mut("properties").and_then(|properties| properties.as_object_mut()) {
        properties.insert(
            "schema".to_owned(),
            json!({ "const": SNAPSHOT, "description": "The format's name and version." }),
        );
    }
    format!("{:#}", schema.to_value())
}

/// Content with the name and the version of its schema first. The version rises when a key goes away or comes to mean something
/// else, not when one is added.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Document<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

impl<'a> Document<'a, crate::Snapshot> {
    /// A machine that was read.
    pub const fn snapshot(content: &'a crate::Snapshot) -> Self {
        Self { schema: SNAPSHOT, content }
    }
}

impl<'a> Document<'a, crate::Examination> {
    /// What an examination says.
    pub const fn examination(content: &'a crate::Examination) -> Self {
        Self { schema: "airloom-doctor/1", content }
    }
}

impl<'a> Document<'a, crate::Collected> {
    /// What was recorded.
    pub const fn collected(content: &'a crate::Collected) -> Self {
        Self { schema: "airloom-collect/1", content }
    }
}
