//! What a rule says: that it found something, with all that is needed to check it, or that it cannot tell.

use schemars::JsonSchema;
use serde::Serialize;

/// What a rule found, and how it goes with what others found.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "Finding")]
pub struct Placed {
    /// The rule's code.
    pub code: &'static str,
    /// The rule's name.
    pub name: &'static str,
    /// What it means for somebody who uses the network.
    pub means: &'static str,
    /// The finding below which it stands, by its place: it follows from that, or is the reason for it; none if it stands by itself.
    pub below: Option<usize>,
    /// Whether it is the reason for the finding above it, and does not follow from it.
    pub is_reason: bool,
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
    /// What would show that it is wrong.
    pub refuted_by: &'static str,
}

/// A cause that was found.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Finding {
    /// What it concerns: a station, a link, a connection.
    pub subject: String,
    /// When, in seconds since the first record of all captures.
    pub spans: Vec<[f64; 2]>,
    /// The number that decided.
    pub value: f64,
    /// What it was compared with.
    pub threshold: f64,
    /// The unit of both.
    pub unit: &'static str,
    /// How sure the rule is, from 0 to 1.
    pub confidence: f64,
    /// What it cost.
    pub cost: Cost,
    /// The capture, by its place among the captures, and numbers of some of its records that show it.
    pub capture: usize,
    /// See `capture`.
    pub frames: Vec<u32>,
    /// A display filter of Wireshark that shows these and their like.
    pub filter: String,
    /// What was seen, in one or two sentences with the numbers.
    pub says: String,
    /// What helps; a command where there is one.
    pub remedy: String,
}

/// What something cost.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Cost {
    /// How much; 0 if it is nothing that can be counted, or not known.
    pub value: f64,
    /// "Mbit/s", "ms", "s", "% of the time" or "% of the air".
    pub unit: &'static str,
    /// Whose, or how often: words that follow the unit; empty if nothing was counted.
    pub of: &'static str,
    /// The cost as a part (0 to 1) of what there would be without the cause: by this findings are ranked.
    pub share: f64,
    /// Whether it is the least: how much more is lost does not show.
    pub at_least: bool,
    /// Whether it is the most: another limit may come first, which does not show.
    pub at_most: bool,
    /// Whether it is what the air would carry more: a window or a line that would limit the rest does not show.
    pub of_the_air: bool,
    /// Why it is not known; none if it is.
    pub unknown: Option<&'static str>,
}

/// Less is printed as nothing, in any unit; and a smaller part is none.
const LEAST: f64 = 0.05;
const LEAST_SHARE: f64 = 0.005;
/// Of what a cost is counted that is bounded by that of its cause.
const PART: &str = "of what its cause costs";
/// The unit of rates, and those of costs that what follows from a cause has a part of: others are of each time.
const RATE: &str = "Mbit/s";
const BOUNDED: [&str; 3] = [RATE, "% of the time", "% of the air"];

impl Cost {
    /// Nothing that can be counted.
    pub const NOTHING: Self = Self {
        value: 0.0,
        unit: RATE,
        of: "",
        share: 0.0,
        at_least: false,
        at_most: false,
        of_the_air: false,
        unknown: None,
    };

    /// Whether it was counted and rounds to nothing, as a number and as a part: then nothing is wrong.
    pub(crate) fn rounds_to_nothing(&self) -> bool {
        let counted = self.unknown.is_none() && !self.of.is_empty();
        counted && self.value < LEAST && self.share < LEAST_SHARE
    }

    /// So many Mbit/s of what moved so many in spite of it.
    pub fn mbps(value: f64, moved: f64, of: &'static str) -> Self {
        Self { value, of, share: value / (value + moved).max(1e-9), ..Self::NOTHING }
    }

    /// So many Mbit/s at least that the air would carry more of what moved so many.
    pub fn carried(value: f64, moved: f64, of: &'static str) -> Self {
        Self { at_least: true, of_the_air: true, ..Self::mbps(value, moved, of) }
    }

    /// So many ms, with the share of the time or of the round trips that this is.
    pub fn ms(value: f64, share: f64, of: &'static str) -> Self {
        Self { value, unit: "ms", of, share: share.clamp(0.0, 1.0), ..Self::NOTHING }
    }

    /// The same in seconds.
    pub fn seconds(value: f64, share: f64, of: &'static str) -> Self {
        Self { unit: "s", ..Self::ms(value, share, of) }
    }

    /// A share in percent.
    pub fn percent(value: f64, unit: &'static str, of: &'static str) -> Self {
        Self { value, unit, of, share: (value / 100.0).clamp(0.0, 1.0), ..Self::NOTHING }
    }

    /// Whether it was counted in Mbit/s.
    pub(crate) fn is_rate(&self) -> bool {
        self.unknown.is_none() && !self.of.is_empty() && self.unit == RATE
    }

    /// So many Mbit/s at most of what moved so many, in place of this.
    pub(crate) fn at_most(self, value: f64, moved: f64) -> Self {
        Self { at_most: true, ..Self::mbps(value, moved, self.of) }
    }

    /// The same of what follows from a cause with this cost: no more than that, where both are a rate or a part of the time. What a cause costs at most bounds it from
    /// above; of what a cause costs at least no more is sure.
    pub(crate) fn within(self, cause: &Self) -> Self {
        let is_like = self.unit == cause.unit && BOUNDED.contains(&self.unit);
        let are_counted = [&self, cause].iter().all(|one| one.unknown.is_none() && !one.of.is_empty());
        if !is_like || !are_counted || self.value <= cause.value || (self.at_most && cause.at_least) {
            return self;
        }
        let moved = self.value * (1.0 - self.share) / self.share.max(1e-9);
        let bounded = match self.unit {
            RATE => Self::mbps(cause.value, moved, PART),
            _ => Self::percent(cause.value, self.unit, self.of),
        };
        Self { at_least: cause.at_least, at_most: !cause.at_least, of_the_air: cause.of_the_air, ..bounded }
    }

    /// What cannot be told, for a reason.
    pub const fn unknown(because: &'static str) -> Self {
        Self { unknown: Some(because), ..Self::NOTHING }
    }
}

/// A rule that cannot tell.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Abstained {
    /// The rule's code.
    pub code: &'static str,
    /// Why it cannot.
    pub because: String,
    /// Whether that is something amiss: that nothing is wrong must not be said beside it.
    pub suspects: bool,
}

/// What came of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It found this; nothing if the list is empty.
    Found(Vec<Finding>),
    /// It cannot tell, for this reason.
    CannotTell(String),
    /// The same where something is amiss, and it cannot tell what.
    Suspects(String),
}

impl Verdict {
    /// It looked, and there is nothing.
    pub const NOTHING: Self = Self::Found(Vec::new());

    /// What was found, whatever else does not show; if nothing was, why something does not show.
    pub(crate) fn unless_found(found: Vec<Finding>, because: Option<String>) -> Self {
        match because {
            Some(because) if found.is_empty() => Self::CannotTell(because),
            _ => Self::Found(found),
        }
    }

    /// The same, where what does not show is what is amiss.
    pub(crate) fn unless_found_suspects(found: Vec<Finding>, because: Option<String>) -> Self {
        match Self::unless_found(found, because) {
            Self::CannotTell(because) => Self::Suspects(because),
            verdict => verdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_costs_no_more_than_its_cause() {
        let at_least = |mbps: f64| Cost { at_least: true, ..Cost::mbps(mbps, 40.0, "of this station") };
        let at_most = |mbps: f64| Cost { at_most: true, ..Cost::mbps(mbps, 60.0, "of the others together") };
        let bounded = at_least(120.0).within(&at_most(40.0));
        assert_eq!((bounded.value, bounded.at_least, bounded.at_most), (40.0, false, true));
        assert!((bounded.share - 0.5).abs() < 1e-9, "of what it moves itself: {}", bounded.share);
        let sure = Cost { of: PART, ..at_least(40.0) };
        assert_eq!(at_least(120.0).within(&at_least(40.0)), sure, "no more is sure");
        for (cost, cause) in [
            (at_least(30.0), at_most(40.0)),
            (at_most(50.0), at_least(40.0)),
            (at_least(120.0), Cost::ms(9.0, 0.5, "each time")),
            (at_least(120.0), Cost::unknown("it does not show")),
            (Cost::unknown("it does not show"), at_most(40.0)),
        ] {
            assert_eq!(cost.within(&cause), cost);
        }
    }
}
