//! Versions of Linux, from which follows what lies above a driver.

use airloom_config::emit::Out;
use airloom_config::error::Faults;
use airloom_config::form::{Form, unexpected};
use airloom_config::toml_tree::TomlNode;
use serde_json::{Value as Json, json};
use std::fmt;

/// A version of Linux, such as 6.18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kernel {
    /// Its first number.
    pub major: u16,
    /// Its second number.
    pub minor: u16,
}

/// As files write it.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Linux {}.{}", self.major, self.minor)
    }
}

impl Kernel {
    /// The version that a text says, if it says one.
    pub(crate) fn parsed(text: &str) -> Option<Self> {
        let number = |digits: &str| {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
        };
        let (major, minor) = text.strip_prefix("Linux ")?.split_once('.')?;
        Some(Self { major: number(major)?, minor: number(minor)? })
    }
}

/// A version of Linux: `"Linux 6.18"`.
pub(crate) struct KernelForm;

impl Form for KernelForm {
    type Of = Kernel;

    fn read(&self, faults: &Faults, path: &str, found: &[&TomlNode]) -> Option<Kernel> {
        let node = found.first()?;
        let version = node.text().and_then(Kernel::parsed);
        if version.is_none() {
            let hint = "write for example \"Linux 6.18\"".to_owned();
            unexpected(faults, path, node, "a version of Linux", Some(hint));
        }
        version
    }

    fn write(&self, value: &Kernel) -> Option<Out> {
        Some(Out::Text(value.to_string()))
    }

    fn schema(&self) -> Json {
        json!({ "type": "string", "pattern": "^Linux [0-9]+\\.[0-9]+$", "examples": ["Linux 6.18"] })
    }
}
