//! Profiles as Python dictionaries.

use airloom_lab::scenario;
use pyo3::IntoPyObject;

/// A profile: a dictionary with these keys.
#[derive(IntoPyObject)]
pub(crate) struct Profile {
    kind: &'static str,
    name: &'static str,
    description: String,
    path: &'static str,
    chips: Vec<String>,
    values: Vec<ProfileValue>,
}

/// One of its values.
#[derive(IntoPyObject)]
struct ProfileValue {
    key: String,
    value: String,
    source: String,
    calibrated: Option<String>,
}

impl From<scenario::Profile> for Profile {
    fn from(profile: scenario::Profile) -> Self {
        Self {
            kind: profile.kind.name(),
            name: profile.name,
            description: profile.description,
            path: profile.path,
            chips: profile.chips,
            values: profile.values.into_iter().map(ProfileValue::from).collect(),
        }
    }
}

impl From<scenario::ProfileValue> for ProfileValue {
    fn from(value: scenario::ProfileValue) -> Self {
        Self { key: value.key, value: value.value, source: value.source, calibrated: value.calibrated }
    }
}
