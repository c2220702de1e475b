//! Whether more would have gone over a link if it could have: only then has a slow air a cost in Mbit/s.

use crate::capacity::{EQUAL, Share, most_together, room_mbps};
use crate::evidence::Evidence;
use crate::flow::{Flow, views};
use crate::heard::heard_of;
use crate::link::{Key, Link, links};
use crate::ppdus::can_aggregate;
use crate::spare::{IDLE, are_longest, spare, unclear};
use crate::waits::{PRESSED, WAITS, busy, waits};
use airloom_trace::tcp::{Limit, Vantage};
use airloom_trace::{Air, Bin, MacAddr, Traffic};
use std::collections::{BTreeMap, BTreeSet};

/// Where much waits, and may travel together, as many MPDUs do.
const TOGETHER: f64 = 4.0;
/// A link with less than this share of the octets that go the other way carries answers to them.
const ANSWERS: f64 = 0.1;
/// A sender with this share of its PPDUs for one receiver hardly sends to anybody else.
const ONLY: f64 = 0.9;
/// Among those who always have something to send turns are equal, but for chance and for what is sent again: who takes fewer than this share may have no more to send.
pub(crate) const ALL: f64 = 0.8;
/// A flow is as fast as its program if that had nothing to send for this share of the time: what the air could carry more is not what it lacks.
const PROGRAMS: f64 = 0.25;
/// In nanoseconds.
const HALF_SECOND: u64 = 500_000_000;
/// A stream has one and the same rate if this share of its half seconds, of so many at least, differ from their mean by no more than this part: 16 Mbit/s of UDP beside an upload
/// by TCP have 0.8 and more within it, the upload 0.5.
const MOSTLY: f64 = 0.7;
/// See `MOSTLY`.
const LEVEL: f64 = 0.04;
/// See `MOSTLY`.
const MIN_PARTS: usize = 6;

/// The links whose data waits all the time, by what carries a flow: if it carries TCP whose sender waits, or takes every turn that it can where that does not show. Of other
/// data nothing tells how much more there is.
pub(crate) fn waiting(evidence: &Evidence, air: &Air, carrying: &BTreeMap<Key, Flow<'_>>) -> BTreeSet<Key> {
    let turns = Turns::of(air);
    let more = |link: &Link<'_>, flow: &Flow<'_>| {
        // Far from the sender, pauses on the way count as its program's: there it may wait for more than shows.
        let views = views(evidence, flow);
        let at_sender = views.iter().any(|view| view.connection.vantage(view.from) == Vantage::Sender);
        !is_of_program(&views, are_longest(link.traffic))
            && (views.iter().any(|view| waits(view) >= WAITS)
                || (!at_sender && turns.are_its(heard_of(air, link), link)))
    };
    let links = carrying.iter().filter_map(|(&key, flow)| Some((Link::between(air, key)?, flow)));
    links.filter(|(link, flow)| !answers(air, link) && more(link, flow)).map(|(link, _)| link.key()).collect()
}

/// Whether a flow is as fast as its program, as these views of it show: near its sender it had nothing to send for much of the time, or most often it sends as much at a time, and nothing more
/// until all of it is acknowledged. Far from the sender, what comes at a time is what a PPDU holds where PPDUs are as long as they may be.
fn is_of_program(views: &[Flow<'_>], in_longest_ppdus: bool) -> bool {
    let pauses =
        |view: &Flow<'_>| view.is_near_sender() && view.data().limits.share(Limit::Application) >= PROGRAMS;
    let writes =
        |view: &Flow<'_>| view.data().batches.are_alike() && (view.is_near_sender() || !in_longest_ppdus);
    views.iter().any(|view| pauses(view) || writes(view))
}

/// Those of the `waiting` ones that carry a flow, over which more is there to be sent all the time: unless the air has time to spare meanwhile, so that something else
/// limits the flow.
pub(crate) fn greedy(
    evidence: &Evidence,
    air: &Air,
    carrying: &BTreeMap<Key, Flow<'_>>,
    waiting: &BTreeSet<Key>,
) -> BTreeSet<Key> {
    let spares = |key: Key, flow: &Flow<'_>| {
        let link = Link::between(air, key);
        // Where turns alone tell that data waits, what goes at once in a burst looks the same, and the air is idle behind it.
        let is_idle = || {
            let busy = flow.data().span_ns.and_then(|span| busy(air, span));
            waits(flow) < WAITS && busy.is_some_and(|busy| busy < IDLE)
        };
        unclear(air).is_none() && (spare(evidence, air, flow, link.as_ref()).is_some() || is_idle())
    };
    let flows = carrying.iter().filter(|(key, _)| waiting.contains(key));
    flows.filter(|&(&key, flow)| !spares(key, flow)).map(|(&key, _)| key).collect()
}

/// Mbit/s that a link would carry more in such a share of the air, so many times as fast, with this part of its MPDUs arriving, and as many
/// together as may be; none if nothing more is there to be sent.
pub(crate) fn gain_mbps(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    share: Share,
    faster: f64,
    clean: f64,
) -> Option<f64> {
    evidence
        .is_greedy(link)
        .then(|| room_mbps(evidence, air, link, share, faster, clean, most_together(link.traffic)))?
}

/// Whether a link carries little but answers to what goes the other way.
pub(crate) fn answers(air: &Air, link: &Link<'_>) -> bool {
    let back = air.traffic().get(&(link.to.mac, link.from.mac));
    back.is_some_and(|back| (link.traffic.octets as f64) < ANSWERS * back.octets as f64)
}

/// Whether as many MPDUs go in each half second: what takes its turns against others does not keep one and the same rate. Those that are sent again count as well
/// as they do not: a monitor may not have heard them before, since they were damaged.
fn is_even(traffic: &Traffic) -> bool {
    let (sizes, again) = (&traffic.over_time.sizes, &traffic.over_time.retries);
    let once = |(place, bin): (usize, &Bin)| {
        let from = sizes.begin_ns(place);
        bin.sum - again.sum(from, from + sizes.width_ns())
    };
    let all = sizes.bins().iter().map(|bin| bin.sum).collect::<Vec<_>>();
    let each = HALF_SECOND.div_ceil(sizes.width_ns()).max(1) as usize;
    let new = sizes.bins().iter().enumerate().map(once).collect::<Vec<_>>();
    [all, new].iter().any(|bins| are_level(bins, each))
}

/// Whether most parts of so many bins each have about as much, from the first that has anything on.
fn are_level(bins: &[f64], each: usize) -> bool {
    let first = bins.iter().position(|&sum| sum > 0.0).unwrap_or_default();
    let parts: Vec<f64> = bins[first..].chunks_exact(each).map(|part| part.iter().sum()).collect();
    let mean = parts.iter().sum::<f64>() / parts.len().max(1) as f64;
    let level = parts.iter().filter(|&part| libm::fabs(part - mean) <= LEVEL * mean).count();
    parts.len() >= MIN_PARTS && level as f64 >= MOSTLY * parts.len() as f64
}

/// The PPDUs of each sender.
pub(crate) struct Turns {
    of: BTreeMap<MacAddr, Own>,
    most: u64,
}

/// The PPDUs of a sender in all, and over that of its links which has the most.
#[derive(Clone, Copy, Default)]
struct Own {
    all: u64,
    most: u64,
}

impl Turns {
    pub(crate) fn of(air: &Air) -> Self {
        let mut of: BTreeMap<MacAddr, Own> = BTreeMap::new();
        for link in links(air, 1) {
            let own = of.entry(link.from.mac).or_default();
            own.all += link.traffic.ppdus;
            own.most = own.most.max(link.traffic.ppdus);
        }
        let most = of.values().map(|own| own.all).max().unwrap_or_default();
        Self { of, most }
    }

    /// Whether frames wait at a link's sender as far as its turns tell, whatever they carry and for any receiver.
    pub(crate) fn are_all_taken(&self, air: &Air, link: &Link<'_>) -> bool {
        !answers(air, link) && self.are_taken(heard_of(air, link), link)
    }

    /// Whether frames wait for a link as far as turns tell: its sender takes as many as anybody, and hardly any for another receiver. Of one that sends to
    /// several, turns do not tell for which of them: what goes to one may be all that there is for it, however often the sender sends to another. Nor do they tell it of a
    /// stream of one and the same rate, which is as fast as its program however long its frames wait.
    pub(crate) fn are_all_for(&self, air: &Air, link: &Link<'_>) -> bool {
        let own = self.own(link);
        self.are_all_taken(air, link)
            && own.all as f64 >= ALL * self.most as f64
            && link.traffic.ppdus as f64 >= ONLY * own.all as f64
            && !is_even(link.traffic)
    }

    /// The same where it is known that TCP goes over the link: of its sender's links it takes about as many turns as any.
    fn are_its(&self, heard: f64, link: &Link<'_>) -> bool {
        self.are_taken(heard, link) && link.traffic.ppdus as f64 >= ALL * self.own(link).most as f64
    }

    fn own(&self, link: &Link<'_>) -> Own {
        self.of.get(&link.from.mac).copied().unwrap_or_default()
    }

    /// Whether frames wait at a link's sender as far as its turns tell: it takes as many as anybody, each as soon as it can, and where
    /// frames may travel together several do.
    fn are_taken(&self, heard: f64, link: &Link<'_>) -> bool {
        let pressed = link.traffic.pressed as f64 / link.traffic.ppdus.max(1) as f64;
        let together = !can_aggregate(link.traffic) || link.traffic.mpdus_per_ppdu() >= TOGETHER;
        self.own(link).all as f64 >= EQUAL * self.most as f64 && pressed >= PRESSED * heard && together
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::packet;
    use airloom_trace::tcp::{Connection, Connections};
    use airloom_wire::TcpFlags;

    const MS: u64 = 1_000_000;

    /// A hundred bursts of so many segments of 1000 octets at their sender, one each so many ms, and their acknowledgments 15 ms later.
    fn bursts(segments: impl Fn(u32) -> u32, every_ms: u64) -> Connection {
        let mut packets = vec![
            (0, packet(0, 40_000, TcpFlags::SYN, 0, 0, 0)),
            (15 * MS, packet(1, 40_000, TcpFlags::SYN | TcpFlags::ACK, 0, 1, 0)),
            (15 * MS + 1, packet(0, 40_000, TcpFlags::ACK, 1, 1, 0)),
        ];
        let mut next = 1;
        for burst in 0..100 {
            let at = 20 * MS + u64::from(burst) * every_ms * MS;
            for segment in 0..segments(burst) {
                let at = at + u64::from(segment) * MS / 100;
                packets.push((at, packet(0, 40_000, TcpFlags::ACK, next, 1, 1000)));
                next += 1000;
                packets.push((at + 15 * MS, packet(1, 40_000, TcpFlags::ACK, 1, next, 0)));
            }
        }
        packets.sort_by_key(|one| one.0);
        let mut all = Connections::default();
        packets.iter().for_each(|(at, packet)| _ = all.see(*at, 1, packet));
        all.finish().remove(0)
    }

    #[test]
    fn a_flow_whose_program_writes_now_and_then_is_as_fast_as_that() {
        let is = |connection: &Connection| is_of_program(&[Flow { capture: 0, connection, from: 0 }], true);
        assert!(is(&bursts(|_| 20, 40)), "as much each time");
        assert!(is(&bursts(|burst| 10 + burst % 7, 40)), "more or less each time");
        assert!(
            !is(&bursts(|burst| 10 + burst % 7, 15)),
            "each burst is let go by the acknowledgments of the last"
        );
    }
}
