//! When flows over some links were under way: only then can anything that holds up the links cost them a rate.

use crate::evidence::Evidence;
use crate::flow::{Flow, flows};
use crate::link::Link;
use airloom_trace::{Air, Bins};

/// A flow without new data for longer than this, in seconds, has nothing under way, unless it stands still with data outstanding: trips of a scan are at most 2 s apart, and a sender's
/// first timer ends after 1 s (RFC 6298 section 2).
const NEAR: f64 = 3.0;

/// Times from one to another, in seconds since the first record of all captures; none if no flow is known.
#[derive(Debug)]
pub(crate) struct UnderWay(Option<Vec<[f64; 2]>>);

impl UnderWay {
    /// When flows that these links carry were under way.
    pub(crate) fn of(evidence: &Evidence, air: &Air, over: &[Link<'_>]) -> Self {
        let is_over = |flow: &Flow<'_>| {
            let link = flow.link(evidence, air);
            link.is_some_and(|link| over.iter().any(|one| one.key() == link.key()))
        };
        let known: Vec<_> = flows(evidence, 1).into_iter().filter(is_over).collect();
        let times = known.iter().flat_map(|flow| {
            let data = flow.data();
            let stalls = data.stalls.list.kept().iter().filter(|stall| stall.outstanding > 0);
            let waits = stalls.map(|stall| [stall.from_ns, stall.to_ns]);
            waits
                .chain(moving(&data.delivered))
                .map(|span| span.map(|at| evidence.seconds_in(flow.capture, at)))
        });
        let times = together(times.collect());
        Self((!known.is_empty()).then_some(times))
    }

    /// Whether a flow is under way at a time, or none is known.
    pub(crate) fn holds(&self, at: f64) -> bool {
        self.0.as_ref().is_none_or(|times| times.iter().any(|[from, to]| (*from..*to).contains(&at)))
    }
}

/// When a link carried data, in seconds since the first record of all captures: a finding about it is of no other time of the capture.
pub(crate) fn carrying(evidence: &Evidence, air: &Air, link: &Link<'_>) -> Vec<[f64; 2]> {
    let (first, last) = air.span_ns.unwrap_or_default();
    let within = moving(&link.traffic.over_time.sizes).map(|span| span.map(|at| at.clamp(first, last)));
    together(within.map(|span| span.map(|at| evidence.seconds(at))).collect())
}

/// When something was noted, such as new data that was acknowledged, bin by bin, in nanoseconds.
fn moving(delivered: &Bins) -> impl Iterator<Item = [u64; 2]> {
    let bins = delivered.bins().iter().enumerate().filter(|(_, bin)| bin.count > 0);
    bins.map(|(place, _)| [delivered.begin_ns(place), delivered.begin_ns(place + 1)])
}

/// Times that are near each other, as one each.
fn together(mut times: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    times.sort_by(|one, other| one[0].total_cmp(&other[0]));
    let mut all: Vec<[f64; 2]> = Vec::new();
    for [from, to] in times {
        match all.last_mut() {
            Some(last) if from - last[1] <= NEAR => last[1] = last[1].max(to),
            _ => all.push([from, to]),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_under_way_from_data_to_data_that_is_near() {
        let mut delivered = Bins::from(0);
        let second = 1_000_000_000;
        for at in [0, 1, 3, 5, 12, 13] {
            delivered.note(at * second, 1e5);
        }
        let seconds = moving(&delivered).map(|span| span.map(|at| at as f64 / 1e9));
        let times = UnderWay(Some(together(seconds.collect())));
        let is_held = [0.5, 4.0, 5.5, 9.0, 12.5, 13.5].map(|at| times.holds(at));
        assert_eq!(is_held, [true, true, false, false, true, false], "{times:?}");
        assert!(UnderWay(None).holds(9.0), "no flow is known");
    }
}
