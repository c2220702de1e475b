//! Whether more would have gone over a link if it could have: only then has a slow air a cost in Mbit/s.

use crate::capacity::{can_aggregate, link_of, room_mbps};
use crate::evidence::Evidence;
use crate::flow::{flows, views};
use crate::heard::heard;
use crate::link::{Link, links};
use crate::waits::waits;
use airloom_trace::tcp::Vantage;
use airloom_trace::{Air, MacAddr};
use std::collections::BTreeMap;

/// A sender with at least this share of the turns of the one with the most has something to send all the time: among those who
/// always have, turns are equal.
const EQUAL: f64 = 0.5;
/// The share of its PPDUs that began as soon as they could.
const PRESSED: f64 = 0.8;
/// Where much waits, and may travel together, as many MPDUs do.
const TOGETHER: f64 = 4.0;
/// The share of its time in which the sender of a flow waits or recovers, if the network is what holds it back.
const WAITS: f64 = 0.5;
/// A link with less than this share of the octets that go the other way carries answers to them.
const ANSWERS: f64 = 0.1;

/// Whether more is there to be sent over a link all the time: if it carries TCP whose sender waits, or takes every turn that it can
/// where that does not show. Of other data nothing tells how much more there is.
pub(crate) fn is_greedy(evidence: &Evidence, air: &Air, link: &Link<'_>) -> bool {
    if answers(air, link) {
        return false;
    }
    let all = flows(evidence, 1);
    let carried = all.iter().find(|flow| {
        let carrying = link_of(air, flow);
        carrying.is_some_and(|one| (one.from.mac, one.to.mac) == (link.from.mac, link.to.mac))
    });
    carried.is_some_and(|flow| {
        // Far from the sender, pauses on the way count as its program's: there it may wait for more than shows.
        let views = views(evidence, flow);
        let at_sender = views.iter().any(|view| view.connection.vantage(view.from) == Vantage::Sender);
        views.iter().any(|view| waits(view) >= WAITS) || (!at_sender && is_pressed(air, link))
    })
}

/// Mbit/s that a link would carry more, so many times as fast, with this share of its MPDUs arriving, and as many
/// together as may be, in the share of the air that its station has; none if nothing more is there to be sent.
pub(crate) fn gain_mbps(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    faster: f64,
    clean: f64,
) -> Option<f64> {
    is_greedy(evidence, air, link).then(|| room_mbps(air, link, faster, clean))?
}

/// Whether a link carries little but answers to what goes the other way.
pub(crate) fn answers(air: &Air, link: &Link<'_>) -> bool {
    let back = air.traffic().get(&(link.to.mac, link.from.mac));
    back.is_some_and(|back| (link.traffic.octets as f64) < ANSWERS * back.octets as f64)
}

/// Whether frames wait at a link's sender as far as its turns tell: it takes as many as anybody, each as soon as it can, and where
/// frames may travel together several do.
fn is_pressed(air: &Air, link: &Link<'_>) -> bool {
    let mut turns: BTreeMap<MacAddr, u64> = BTreeMap::new();
    for other in links(air, 1) {
        *turns.entry(other.from.mac).or_default() += other.traffic.ppdus;
    }
    let most = turns.values().max().copied().unwrap_or_default() as f64;
    let own = turns.get(&link.from.mac).copied().unwrap_or_default() as f64;
    let pressed = link.traffic.pressed as f64 / link.traffic.ppdus.max(1) as f64;
    let together = !can_aggregate(link.traffic) || link.traffic.mpdus_per_ppdu() >= TOGETHER;
    own >= EQUAL * most && pressed >= PRESSED * heard(air) && together
}
