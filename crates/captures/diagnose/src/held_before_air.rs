//! Packets that wait between their sender's own capture and the air, though the air does not keep them.

use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::join::{Join, Passage};
use crate::link::Link;
use airloom_trace::tcp::Vantage;

/// The share of frames that neither the air nor an acknowledgment let go: behind a bus of one packet in each 2 ms, half of the acknowledgments may come just before one.
pub(crate) const HELD_UP: f64 = 0.3;
/// The share of packets that may take less time: fewer than those that no air keeps waiting, so that a sender whose packets go at once never has as many that do not.
const MAY_GO: f64 = 0.25;
/// How long the others take at least, in ms: as a frame of USB 1.1 lasts, which has no room for a packet of full length (19 transactions of 64 octets, USB 1.1 clause 5.8.4).
const WAIT_MS: f64 = 1.0;

/// Whether packets of a flow wait between its sender's own capture and the air though frames of its link find the air free; none without such a capture.
pub(crate) fn held_before_air(evidence: &Evidence, flow: &Flow<'_>, link: &Link<'_>) -> Option<bool> {
    let passes = views(evidence, flow).into_iter().find_map(|view| wait_ms(evidence, &view))?;
    Some(passes >= WAIT_MS && finds_it_free(link))
}

/// Whether so many PPDUs of a link begin later than as soon as they could that what waits does not wait for the air.
fn finds_it_free(link: &Link<'_>) -> bool {
    link.traffic.pressed as f64 <= (1.0 - HELD_UP) * link.traffic.ppdus as f64
}

/// What most of a flow's packets take at least from its sender's own capture to the air, in ms; none of a view that is not its sender's, or is not on the monitor's clock.
fn wait_ms(evidence: &Evidence, view: &Flow<'_>) -> Option<f64> {
    if view.connection.vantage(view.from) != Vantage::Sender {
        return None;
    }
    // What is known by way of another capture passes that, and not the air.
    let join = evidence.joins.get(view.capture).filter(|join| join.through.is_none())?;
    let ends = view.ends().map(|end| end.ip());
    let passage = Join::passages(join).iter().find(|one| one.ends == ends && !one.there)?;
    Some(least_of_most(passage))
}

/// What all but a few packets need at least, in ms.
fn least_of_most(passage: &Passage) -> f64 {
    passage.delays_ms[(MAY_GO * passage.delays_ms.len() as f64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[test]
    fn a_few_that_go_at_once_are_no_sign_that_all_do() {
        let [from, to] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let passage = |at_once: usize| {
            let delays_ms = [vec![0.1; at_once], vec![1.5; 100 - at_once]].concat();
            least_of_most(&Passage { ends: [from, to], there: false, delays_ms })
        };
        assert!(passage(24) >= WAIT_MS && passage(30) < WAIT_MS);
    }
}
