//! JSON documents that say what they are.

use serde::Serialize;

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
        Self { schema: "airloom-snapshot/1", content }
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
