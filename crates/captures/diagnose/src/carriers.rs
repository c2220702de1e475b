//! Works out which link carries which flow, and over which links more would go.

use crate::capacity::delivered;
use crate::carried::Carried;
use crate::demand::{greedy, waiting};
use crate::evidence::Evidence;
use crate::flow::{Flow, flows};
use crate::link::{Key, links};
use crate::window_bounds::windows_of;
use airloom_trace::Air;
use std::collections::{BTreeMap, BTreeSet};

/// Looks at each link and each flow once, if there is a capture of the air, and keeps what that gives.
pub(crate) fn work_out(evidence: &Evidence) {
    let Some((_, air)) = &evidence.air else { return };
    let carried = Carried::over(links(air, 1).iter().map(|link| (link.key(), delivered(air, link))));
    let (mut first, mut of_flows): (BTreeMap<Key, Flow<'_>>, BTreeMap<_, _>) = Default::default();
    let mut starved: BTreeMap<Key, Flow<'_>> = BTreeMap::new();
    // Flows that are as large as each other go over as many links.
    let mut taken = BTreeSet::new();
    let mut every: BTreeMap<Key, Vec<Flow<'_>>> = BTreeMap::new();
    for flow in flows(evidence, 1) {
        let octets = flow.octets();
        let own = by_address(evidence, air, &flow);
        let link = match own {
            Some(own) => Some(own).filter(|&own| carried.is_of(own, octets)),
            None => carried.nearest_free(octets, &taken),
        };
        // Where much of a flow does not get through, its link carries less.
        if let Some(own) = own.filter(|&own| link.is_none() && carried.is_less(own, octets)) {
            starved.entry(own).or_insert(flow);
        }
        if let Some(key) = own.or(link) {
            every.entry(key).or_default().push(flow);
        }
        of_flows.entry((evidence.network_of(flow.capture), flow.ends())).or_insert(link);
        if let Some(link) = link {
            taken.insert(link);
            first.entry(link).or_insert(flow);
        }
    }
    let carried = carried.with_flows(of_flows);
    starved.extend(first.iter().map(|(&link, &flow)| (link, flow)));
    let waiting = waiting(evidence, air, &starved);
    let greedy = greedy(evidence, air, &first, &waiting);
    let windows = every.iter().filter_map(|(&link, flows)| Some((link, windows_of(evidence, flows)?)));
    let windows = windows.collect();
    evidence.keep(carried.with_demand(waiting, greedy).with_windows(windows));
}

/// The link of a flow's station, where frames tell which one has its address.
fn by_address(evidence: &Evidence, air: &Air, flow: &Flow<'_>) -> Option<Key> {
    let known = |end: usize| {
        let station = air.radio(evidence.station_of(flow.capture, flow.ends()[end].ip())?)?;
        let access_point = station.bssid?;
        Some([(station.mac, access_point), (access_point, station.mac)][end])
    };
    known(0).or_else(|| known(1))
}
