//! Segments that the air took: MPDUs that their sender gave up after all tries.

use crate::evidence::Evidence;
use crate::flow::Flow;
use crate::heard::all_given_up;

/// The air took a flow's lost segments if MPDUs of its link were given up for at least such a part of them: then no queue dropped these.
const LEAST: f64 = 0.75;
/// With more than so many times as many, the capture may have lost them.
const MOST: f64 = 2.0;
/// A flow is all that its link carries if it has this part of the octets, repetitions left out: the rest are headers.
const OWN: f64 = 0.8;

/// How many MPDUs of a flow's link were given up after all tries, if these are about as many as so many segments that it lost; none if they are not, or that does
/// not show.
pub(crate) fn taken_by_air(evidence: &Evidence, flow: &Flow<'_>, lost: u64) -> Option<u64> {
    let (_, air) = evidence.air.as_ref()?;
    let link = flow.link(evidence, air)?;
    let given_up = all_given_up(&link).filter(|&given_up| is_as_many(given_up, lost))?;
    // What was given up may be of other flows of the link.
    let traffic = link.traffic;
    let first = traffic.octets as f64 * (1.0 - traffic.retried as f64 / traffic.mpdus.max(1) as f64);
    let is_all = flow.data().octets as f64 >= OWN * first;
    is_all.then_some(given_up)
}

/// Whether about as many MPDUs were given up as segments were lost.
fn is_as_many(given_up: u64, lost: u64) -> bool {
    (LEAST * lost as f64..=MOST * lost as f64).contains(&(given_up as f64)) && lost > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_air_took_what_is_lost_if_about_as_many_frames_were_given_up() {
        assert!(is_as_many(74, 74) && is_as_many(60, 74) && is_as_many(140, 74));
        assert!(!is_as_many(50, 74), "a queue dropped a third of them");
        assert!(!is_as_many(160, 74), "the capture lost frames");
        assert!(!is_as_many(0, 0), "nothing was lost");
    }
}
