//! On which side of the air a host's capture has a flow, and what its segments that never came there say of the air.

use crate::evidence::Evidence;
use crate::flow::Flow;
use crate::join::Passage;
use airloom_trace::tcp::Vantage;
use std::net::IpAddr;

/// A share of the lost segments that is nearly all of them.
pub(crate) const NEARLY: f64 = 0.9;

/// A side of the air, on the way from a flow's sender to its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    /// Packets pass the capture, and then the air.
    Before,
    /// Packets pass the air, and then the capture.
    Behind,
}

impl Beside {
    /// The side of a view of a flow, by which way packets take between it and the monitor; none if the clocks of the two do not show it.
    pub(crate) fn of(evidence: &Evidence, view: &Flow<'_>) -> Option<Self> {
        let join = evidence.joins.get(view.capture).filter(|join| join.through.is_none())?;
        Self::by(join.passages(), view.ends().map(|end| end.ip()))
    }

    fn by(passages: &[Passage], [from, to]: [IpAddr; 2]) -> Option<Self> {
        let of = |ends| passages.iter().find(|one| one.ends == ends).map(|one| one.there);
        let is_behind = of([from, to]).or_else(|| of([to, from]).map(|there| !there))?;
        Some(if is_behind { Self::Behind } else { Self::Before })
    }
}

/// Whether a capture on a side of the air shows that the air did not take what was lost, by the share of it of which the capture has only the repetition: it never came so far as the air,
/// or passed it. One that stands in between on a side that is not known rules it out too, if nothing came so far: then it may have been lost before the air.
pub(crate) fn rules_out_the_air(side: Option<Beside>, vantage: Vantage, unseen: f64) -> bool {
    let never_came = unseen >= NEARLY;
    match side {
        Some(Beside::Before) => never_came && vantage != Vantage::Sender,
        Some(Beside::Behind) => unseen <= 1.0 - NEARLY,
        None => never_came && vantage == Vantage::Middle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_came_to_the_air_or_passed_it_was_not_taken_by_it() {
        use Beside::{Before, Behind};
        let rules_out = |side, unseen| rules_out_the_air(side, Vantage::Middle, unseen);
        assert!(rules_out(Some(Before), 0.95) && rules_out(Some(Behind), 0.05) && rules_out(None, 0.95));
        assert!(!rules_out(Some(Before), 0.05) && !rules_out(Some(Behind), 0.95) && !rules_out(None, 0.05));
        assert!(!rules_out(Some(Before), 0.5) && !rules_out(Some(Behind), 0.5), "some here, some there");
        assert!(
            !rules_out_the_air(Some(Before), Vantage::Sender, 0.95),
            "a sender's own capture dropped them"
        );
    }

    #[test]
    fn the_way_of_packets_or_of_answers_shows_the_side() {
        let [from, to] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let side = |ends, there| Beside::by(&[Passage { ends, there, delays_ms: vec![1.0] }], [from, to]);
        assert_eq!(side([from, to], false), Some(Beside::Before));
        assert_eq!(side([from, to], true), Some(Beside::Behind));
        assert_eq!(side([to, from], true), Some(Beside::Before), "answers come from the air");
        assert_eq!(side([to, to], true), None);
    }
}
