//! A rule: what it looks for, what it needs, and how it judges.

use crate::evidence::Evidence;
use crate::finding::Verdict;
use schemars::JsonSchema;
use serde::Serialize;

/// A rule. Its texts are its page in the docs.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Rule {
    /// Its code, which stays what it is.
    pub code: &'static str,
    /// Its name: what is wrong.
    pub name: &'static str,
    /// What a finding of it means for somebody who uses the network, in a sentence or two without a word of the trade.
    pub means: &'static str,
    /// What it needs: "air" for a capture of a monitor, "TCP" for one in which TCP can be read, or other packets in words.
    pub needs: &'static str,
    /// What it computes, and with what it compares it.
    pub computes: &'static str,
    /// What looks alike and is not taken for it, and what tells the two apart.
    pub traps: &'static str,
    /// What would show that a finding is wrong.
    pub refuted_by: &'static str,
    /// Looks at the evidence.
    #[serde(skip)]
    pub judge: fn(&Evidence) -> Verdict,
}
