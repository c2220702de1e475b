//! Losses and silences that are no limit beyond the air, though the air is idle meanwhile: what makes a sender slow down lies in the
//! radio link or with its station.

use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::link::Link;
use crate::losses::{Lost, side_of};
use crate::standstill::given_up;
use airloom_trace::Place;

/// The share of the lost segments that were lost while their station was away, or soon after, from which on its absences lose them.
const NEARLY: f64 = 0.9;
/// The share of the time from which on absences, and what follows them, are most of it: then everything is near one.
const MOST: f64 = 0.75;
/// For so long after a station is back what had waited for it fills the queue of its access point, in nanoseconds.
const FOLLOWS: u64 = 300_000_000;

/// Why what holds a flow back is not shown to lie beyond the air; none if nothing speaks against that.
pub(super) fn because(evidence: &Evidence, flow: &Flow<'_>, link: Option<&Link<'_>>) -> Option<String> {
    if let Some(stuck) = given_up(flow) {
        let from = evidence.seconds_in(flow.capture, stuck.span_ns.0);
        return Some(format!(
            "it stands still from {from:.1} s on, and what takes what is sent again then may be the air: W406 looks at that"
        ));
    }
    let link = link.filter(|link| link.from.is_ap)?;
    let of_air = views(evidence, flow)
        .into_iter()
        .find(|view| evidence.captures[view.capture].place == Some(Place::Air))?;
    match side_of(&of_air)? {
        Lost::Behind => Some(
            "its lost segments had been heard on the air before they were sent again: the radio link or the station has lost them".to_owned(),
        ),
        Lost::Before => is_absence(&of_air, link).then(|| {
            "its segments were lost while its station was away, or just behind: what waits for it then may be more than its access point's queue holds".to_owned()
        }),
    }
}

/// Whether a flow's segments were lost while their station was away, or soon after.
fn is_absence(view: &Flow<'_>, link: &Link<'_>) -> bool {
    let absences: Vec<_> = link
        .to
        .presence
        .dozes()
        .kept()
        .iter()
        .map(|doze| (doze.from_ns, doze.to_ns.saturating_add(FOLLOWS)))
        .collect();
    let near = |at_ns: u64| absences.iter().any(|&(from, to)| (from..=to).contains(&at_ns));
    let Some((begin, end)) = view.data().span_ns else { return false };
    if share(&absences, (begin, end)) > MOST {
        return false;
    }
    let lost = view.data().retransmissions.list().iter().filter(|one| one.needless.is_none());
    let (hit, all) = lost.fold((0_u64, 0_u64), |(hit, all), one| {
        let at_ns = one.at_ns.saturating_sub(one.hole_ns.unwrap_or(0));
        (hit + if near(at_ns) { u64::from(one.segments) } else { 0 }, all + u64::from(one.segments))
    });
    all > 0 && hit as f64 >= NEARLY * all as f64
}

/// The part of a span that spells cover, which begin one after the other and may overlap.
fn share(spells: &[(u64, u64)], (begin, end): (u64, u64)) -> f64 {
    let (mut covered, mut until) = (0_u64, begin);
    for &(from, to) in spells {
        let (from, to) = (from.max(until), to.min(end));
        covered += to.saturating_sub(from);
        until = until.max(to);
    }
    covered as f64 / end.saturating_sub(begin).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_that_overlap_count_once() {
        assert!((share(&[(0, 10), (5, 20), (30, 50)], (0, 100)) - 0.4).abs() < 1e-9);
        assert!((share(&[(0, 1000)], (100, 200)) - 1.0).abs() < 1e-9);
        assert!(share(&[], (5, 5)).abs() < 1e-9);
    }
}
