//! Congestion controls by kind, and the word for each.

use super::OWN_CONTROLS;
use airloom_sim::BroughtName;

/// A congestion control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Congestion {
    /// NewReno (RFC 5681 and RFC 6582; Linux `tcp_reno`).
    NewReno,
    /// CUBIC (RFC 9438; Linux `tcp_cubic`).
    Cubic,
    /// BBR, version 1 (Linux `tcp_bbr`), which paces.
    Bbr,
    /// BBR, version 3 (draft-ietf-ccwg-bbr), which paces.
    Bbr3,
    /// One that the caller brought.
    Own(BroughtName),
}

impl Congestion {
    /// Every kind that is built in, and the word for it.
    pub const WORDS: &[(&str, Self)] =
        &[("newreno", Self::NewReno), ("cubic", Self::Cubic), ("bbr", Self::Bbr), ("bbr3", Self::Bbr3)];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own(own) => own.text(),
            built_in => Self::WORDS.iter().find(|(_, kind)| *kind == built_in).map_or("", |(word, _)| word),
        }
    }

    /// What this word means, built in or brought by the caller.
    pub fn of(word: &str) -> Option<Self> {
        let built_in = Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
        built_in.or_else(|| OWN_CONTROLS.named(word).map(Self::Own))
    }
}
