//! What checks say: findings, and what they cannot judge.

use serde::Serialize;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The check's code.
    pub code: &'static str,
    /// The check's name.
    pub name: &'static str,
    /// What it is about: an interface, a radio, TCP.
    pub subject: String,
    /// What was read, each with where.
    pub evidence: Vec<Evidence>,
    /// Why that matters, in plain words.
    pub why: String,
    /// The command that mends it, mostly until the next start, or that finds out more.
    pub command: String,
    /// Whether the command finds out more, and mends nothing.
    pub only_looks: bool,
    /// The command that keeps it so.
    pub keep: Option<String>,
    /// What else helps, in words.
    pub advice: Option<String>,
    /// Where the knowledge is from.
    pub source: &'static str,
}

/// Something that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// What.
    pub read: String,
    /// Where.
    pub from: String,
}

/// A check that cannot judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Abstention {
    /// The check's code.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Why it cannot.
    pub because: String,
}

/// What is wrong by one check, before it has the check's name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wrong {
    pub(crate) subject: String,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) why: String,
    pub(crate) command: String,
    pub(crate) only_looks: bool,
    pub(crate) keep: Option<String>,
    pub(crate) advice: Option<String>,
}

/// Evidence in a line.
pub(crate) fn evidence(read: impl Into<String>, from: impl Into<String>) -> Evidence {
    Evidence { read: read.into(), from: from.into() }
}
