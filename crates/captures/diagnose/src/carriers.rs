//! Works out which link carries which flow, and over which links more would go.

use crate::capacity::delivered;
use crate::carried::Carried;
use crate::demand::greedy;
use crate::evidence::Evidence;
use crate::flow::{Flow, flows};
use crate::link::{Key, links};
use std::collections::BTreeMap;

/// Looks at each link and each flow once, if there is a capture of the air, and keeps what that gives.
pub(crate) fn work_out(evidence: &Evidence) {
    let Some((_, air)) = &evidence.air else { return };
    let carried = Carried::over(links(air, 1).iter().map(|link| (link.key(), delivered(air, link))));
    let mut first: BTreeMap<Key, Flow<'_>> = BTreeMap::new();
    for flow in flows(evidence, 1) {
        if let Some(link) = carried.nearest(flow.data().octets) {
            first.entry(link).or_insert(flow);
        }
    }
    let greedy = greedy(evidence, air, &first);
    evidence.keep(carried.with_greedy(greedy));
}
