//! The TCP connections of a diagnosis, each direction by itself.

use crate::before_air::{BeforeAirSeen, lost_before_air};
use crate::evidence::Evidence;
use crate::flow::{Flow, flows_everywhere};
use crate::holes::{HolesSeen, holes};
use crate::let_be::outruns;
use crate::overtaken::{OvertakenSeen, overtaken};
use crate::slow_spells::slow_spells;
use crate::slows_down::slows_down;
use crate::standstill::stands_still;
use crate::undelivered::too_big_of;
use airloom_trace::Bins;
use airloom_trace::tcp::{Limit, Pause, Trigger, Vantage};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is outstanding stands at a window if it is larger by no more than this part (as W405's flat window).
const STANDS_WITHIN: f64 = 0.15;
/// A way to the sender and back of which a silence of most of it is none between two PPDUs, in nanoseconds.
const FAR: u64 = 50_000_000;

/// A reset (RST) of a connection.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ResetSeen {
    /// The end that sent it, or in whose name it came: "sender" or "receiver" of the data.
    pub by: &'static str,
    /// When, in seconds since the first record of all captures.
    pub at_s: f64,
    /// Octets that had not been acknowledged then.
    pub outstanding: u64,
    /// Whether that end had closed the connection before (FIN): it resets what still comes.
    pub closed: bool,
    /// Its TTL or hop limit and that of all other packets of that end, where these are of another distance: a device on the way may have sent it.
    pub hops: Option<[u8; 2]>,
    /// Whether that end goes on as if nothing had been, so that another device sent it.
    pub went_on: bool,
}

/// The data of a connection in one direction.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct FlowSeen {
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// Address and port of the end that sends.
    pub from: String,
    /// Address and port of the other.
    pub to: String,
    /// Where on the way the capture was made: "sender", "middle", "receiver" or "unknown".
    pub seen_from: &'static str,
    /// Whether routers lie between the receiver and where the capture was made, by the TTL or hop limit of its packets.
    pub receiver_routed: bool,
    /// Whether it was made so near to the sender that `limits` are those that the sender saw.
    pub near_sender: bool,
    /// The shortest time in ms from where the capture was made to the sender and back; none if that is not known.
    pub to_sender_ms: Option<f64>,
    /// Whether no packet of it lies in the file behind one that is stamped so much later (0.1 ms) that its way to an end looks shorter than it is.
    pub in_order: bool,
    /// Whether of all captures this one tells most of these data.
    pub tells_most: bool,
    /// Whether the handshake was captured.
    pub handshake: bool,
    /// Whether the capture has packets of the receiver, too.
    pub both_ways: bool,
    /// Packets without payload by which the receiver acknowledged something new.
    pub bare_acks: u64,
    /// How long the answer to the SYN took in ms, where something nearer than the receiver acknowledges for it: `rtt_ms` is to that. None elsewhere.
    pub proxied_ms: Option<f64>,
    /// The same where something nearer acknowledges for the sender, which sends from behind it: what keeps that from sending more does not show.
    pub behind_ms: Option<f64>,
    /// When data went, in seconds since the first record of all captures.
    pub span_s: Option<[f64; 2]>,
    /// Whether a router said of its packets that they are too big: what comes by as sent again by a timer may have been sent for that.
    pub too_big: bool,
    /// What ended it by a reset before its sender had ended it (FIN); none if nothing did.
    pub reset: Option<ResetSeen>,
    /// What was counted of it.
    #[serde(flatten)]
    pub data: DataSeen,
    /// Segments that were sent again: all, by what made the sender send them, and those with data that were not needed.
    pub retransmissions: BTreeMap<&'static str, u64>,
    /// The shortest round trip and quantiles in ms, between the place of the capture and the receiver.
    pub rtt_ms: BTreeMap<&'static str, f64>,
    /// What kept the sender from sending more, as shares of its time.
    pub limits: BTreeMap<&'static str, f64>,
    /// Whether it is many times as fast as its losses let a sender be that halves its window for each (Mathis et al. 1997): it does not go by single ones.
    pub heedless: bool,
    /// What the sender usually sends before it waits until all of it is acknowledged; none if it never did.
    pub batches: Option<BatchesSeen>,
    /// How often the data stood still, by reason.
    pub stalls: BTreeMap<&'static str, u64>,
    /// What came to a host's capture behind later packets; none if nothing that matters did.
    pub overtaken: Option<OvertakenSeen>,
    /// What of it was lost on the way to the air: a host's capture has it, and the monitor's has it only as it was sent again. None if nothing that matters was, or if that does not show.
    pub before_air: Option<BeforeAirSeen>,
    /// The spells in which it went slower than it mostly did; none if there are none, or it says nothing of the way.
    pub slow: Option<SlowSeen>,
    /// When it became slower, and stayed so to its end; none where `slow` says it, of one that goes on, and where its program limits it, if a capture near its sender shows that.
    pub slows_down: Option<SlowsDownSeen>,
}

/// Spells in which a flow went much slower than it mostly did, though its sender always waited.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SlowSeen {
    /// How fast it mostly went, in Mbit/s: the median of its seconds.
    pub usual_mbps: f64,
    /// How fast it went in these spells, in Mbit/s.
    pub mbps: f64,
    /// When they were, in seconds since the first record of all captures.
    pub spans_s: Vec<[f64; 2]>,
}

/// A flow that became slower for good.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SlowsDownSeen {
    /// When, in seconds since the first record of all captures.
    pub at_s: f64,
    /// How fast it mostly went before that, and behind it, in Mbit/s: the medians of their seconds.
    pub before_mbps: f64,
    /// See `before_mbps`.
    pub behind_mbps: f64,
}

/// What a sender sends at a time: all of it is acknowledged before it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct BatchesSeen {
    /// How often it did.
    pub all: u64,
    /// The size that came most often, in octets of payload.
    pub octets: u64,
    /// How often that came, with nothing of the receiver in between but acknowledgments.
    pub times: u64,
    /// Whether it went on before all of it was acknowledged, as a window does that acknowledgments move on.
    pub moves: bool,
}

/// What was counted of the data of a connection in one direction.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct DataSeen {
    /// Octets of payload, those that were sent again among them.
    pub bytes: u64,
    /// Octets of payload, each once.
    pub new_bytes: u64,
    /// Octets that the receiver acknowledged, each once, as far as the capture shows.
    pub acknowledged: u64,
    /// The same in Mbit/s between the first payload and the last.
    pub mbps: f64,
    /// Packets with payload.
    pub packets: u64,
    /// Segments with payload, as they went over the wire: a packet of the capture may hold several.
    pub segments: u64,
    /// Those that came with a congestion mark (ECN), as the capture has them or the receiver counts them (RFC 9768), at least; and how often the
    /// sender said that it has reduced its window for one (CWR, RFC 3168).
    pub marked: u64,
    /// See `marked`.
    pub reduced: u64,
    /// Octets that were acknowledged though the capture does not have them, but for those sent before it began.
    pub missing: u64,
    /// The part of all that was acknowledged that the capture does not have, whenever it was sent.
    pub missing_share: f64,
    /// Packets of it that lie in no window of the receiver, and far from all: damaged, injected, or of another connection.
    pub outside: u64,
    /// Segments that reached beyond the receiver's window, whose edge the capture has; and segments that were sent again since they had: zero where
    /// that does not show.
    pub overran: u64,
    /// See `overran`.
    pub thrown_away: u64,
    /// Reports of the receiver that something came twice of which the capture does not have the second time (D-SACK).
    pub twice: u64,
    /// The longest time in seconds for which what the receiver's SACKs report had waited behind a hole, as far as they show.
    pub hole_s: f64,
    /// What came to the receiver behind what was lost, if the capture was made there; none elsewhere, and where nothing was lost.
    pub holes: Option<HolesSeen>,
    /// The longest time in seconds for which data was outstanding, and nothing new was sent or acknowledged.
    pub still_s: f64,
    /// The longest time in seconds for which nothing that passed the capture came through to the sender, which sent again what had been acknowledged, with
    /// the same acknowledgment and echo; zero where that does not show.
    pub cut_off_s: f64,
    /// For how many seconds the receiver's window was closed.
    pub closed_s: f64,
    /// How often a part of a segment went just as an acknowledgment came that was held back for 30 ms or longer, as seen near the sender, and for how many
    /// seconds these were held back in all.
    pub held: u64,
    /// See `held`.
    pub held_s: f64,
    /// The longest time in seconds for which a packet waited between its sender's TCP and the capture in the same host, beyond the quickest, by the sender's clock values (RFC 7323); zero where the capture
    /// was made elsewhere, or that does not show.
    pub waited_s: f64,
}

pub(crate) fn seen(evidence: &Evidence) -> Vec<FlowSeen> {
    let best: BTreeSet<_> = flows_everywhere(evidence).iter().map(Flow::key).collect();
    let connections = evidence.connections.iter().enumerate();
    let all =
        connections.flat_map(|(capture, connections)| connections.iter().map(move |one| (capture, one)));
    all.flat_map(|(capture, connection)| [0, 1].map(|from| Flow { capture, connection, from }))
        .filter(|flow| flow.data().octets > 0)
        .map(|flow| FlowSeen { tells_most: best.contains(&flow.key()), ..one(evidence, &flow) })
        .collect()
}

/// What kept a sender from sending more, as shares of its time. A dead connection recovers from nothing: what is repeated as it ends does not count.
fn limits(flow: &Flow<'_>) -> BTreeMap<&'static str, f64> {
    let limits = &flow.data().limits;
    let dead_ns = if stands_still(flow) { limits.repeated_ns() } else { 0 };
    let share = |limit: Limit| {
        let dead_ns = if limit == Limit::Recovery { dead_ns } else { 0 };
        (limits.lasted_ns(limit) - dead_ns) as f64
    };
    let all = limits.active_ns().saturating_sub(dead_ns).max(1) as f64;
    Limit::ALL.into_iter().map(|limit| (limit.name(), share(limit) / all)).collect()
}

/// The longest time in nanoseconds for which data was outstanding and nothing went on, of the stalls that are listed. Behind the last data nothing may have been left
/// to send, nor to wait for; and where neither an answer nor a repetition follows, to the end, it is but the time between two segments.
fn longest_silence_ns(flow: &Flow<'_>) -> u64 {
    let data = flow.data();
    let last_ns = data.span_ns.map_or(0, |span| span.1);
    let heard_ns = flow.connection.last_ns[1 - flow.from];
    let again = &data.retransmissions;
    let repeats = |since_ns: u64| {
        let listed = again.list();
        again.segments() > listed.len() as u64 || listed.iter().any(|one| one.at_ns > since_ns)
    };
    let goes_on = |since_ns: u64| heard_ns > Some(since_ns) || repeats(since_ns);
    let stalls = data.stalls.list.kept().iter();
    let silent = stalls
        .filter(|stall| stall.pause == Pause::Silence && stall.from_ns < last_ns && goes_on(stall.from_ns));
    silent.map(|stall| stall.to_ns.saturating_sub(stall.from_ns)).max().unwrap_or_default()
}

/// The reset of a connection of which a flow had not ended.
fn reset(evidence: &Evidence, flow: &Flow<'_>) -> Option<ResetSeen> {
    let &Flow { capture, connection, from } = flow;
    connection.reset.filter(|reset| !reset.finished[from]).map(|reset| ResetSeen {
        by: if reset.by == from { "sender" } else { "receiver" },
        at_s: evidence.seconds_in(capture, reset.at_ns),
        outstanding: reset.outstanding[from],
        closed: reset.finished[reset.by],
        hops: reset.hops,
        went_on: reset.went_on,
    })
}

/// How much of a flow's data passed, and what became of it.
fn data_of(evidence: &Evidence, flow: &Flow<'_>) -> DataSeen {
    let data = flow.data();
    let clear = data.overrun.is_clear();
    DataSeen {
        bytes: data.octets,
        new_bytes: data.new_octets,
        acknowledged: data.acknowledged,
        mbps: flow.mbps(evidence),
        packets: data.packets,
        segments: data.segments(),
        marked: data.marks.known(),
        reduced: data.marks.reduced,
        missing: data.uncaptured.octets.saturating_sub(data.uncaptured.before),
        missing_share: flow.missing_share(),
        outside: data.outside,
        overran: if clear { data.overrun.segments } else { 0 },
        thrown_away: if clear { data.overrun.again } else { 0 },
        twice: data.sacks.twice,
        hole_s: data.sacks.longest_hole_ns as f64 / 1e9,
        holes: holes(flow),
        still_s: longest_silence_ns(flow) as f64 / 1e9,
        cut_off_s: flow.connection.cut_off[flow.from].longest_ns as f64 / 1e9,
        closed_s: data.stalls.lasted_ns(Pause::ZeroWindow) as f64 / 1e9,
        held: data.held.times,
        held_s: data.held.lasted_ns as f64 / 1e9,
        waited_s: waited_s(flow),
    }
}

/// See [`DataSeen::waited_s`].
fn waited_s(flow: &Flow<'_>) -> f64 {
    let is_own = flow.connection.vantage(flow.from) == Vantage::Sender;
    let waited = flow.data().trips.waited.as_deref().filter(|_| is_own);
    let longest_ms = waited.and_then(|waited| waited.quantile_ms(1.0));
    longest_ms.unwrap_or(0.0) / 1e3
}

/// What a sender usually sends before it waits. Near the receiver what came in one PPDU of the air is acknowledged before the next comes, and looks so too, however much is underway: what is sent at
/// a time is only what is all that is outstanding, as the capture shows it and as its rate and its round trips do (Little's law); without these nothing tells it away from the sender, but for
/// one that is farther away than PPDUs are from each other.
fn batches(evidence: &Evidence, flow: &Flow<'_>) -> Option<BatchesSeen> {
    let data = flow.data();
    let ((octets, times), moves) = (data.batches.usual()?, data.batches.moves());
    let far_ms =
        flow.connection.way_ns(flow.from).filter(|&way_ns| way_ns >= FAR).map(|way_ns| way_ns as f64 / 1e6);
    let to_sender_ms = data.trips.to_sender.quantile_ms(0.5).or(far_ms);
    let usual_ms = data.trips.to_receiver().quantile_ms(0.5).unwrap_or(0.0) + to_sender_ms.unwrap_or(0.0);
    let underway = flow.mbps(evidence) * usual_ms * 125.0;
    let is_known = flow.is_near_sender() || to_sender_ms.is_some();
    let is_so =
        is_known && is_all(&data.limits.flight, octets) && underway <= (1.0 + STANDS_WITHIN) * octets as f64;
    is_so.then_some(BatchesSeen { all: data.batches.all, octets, times, moves })
}

/// Whether no more than so many octets, but for a part of these, are mostly outstanding.
fn is_all(flight: &Bins, octets: u64) -> bool {
    let mut most: Vec<f64> = flight.bins().iter().filter(|bin| bin.count > 0).map(|bin| bin.most).collect();
    most.sort_by(f64::total_cmp);
    most.get(most.len() / 2).is_some_and(|&usual| usual <= (1.0 + STANDS_WITHIN) * octets as f64)
}

fn one(evidence: &Evidence, flow: &Flow<'_>) -> FlowSeen {
    let &Flow { capture, connection, from } = flow;
    let data = flow.data();
    let again = &data.retransmissions;
    let by_trigger = Trigger::ALL.map(|trigger| (trigger.name(), again.by_trigger(trigger)));
    let quantiles = [("p5", 0.05), ("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)];
    let slow = slow_spells(flow);
    let slows_down = slows_down(flow).filter(|_| slow.is_none());
    let far_ms = |of| connection.proxied_ns().filter(|_| from == of).map(|far_ns| far_ns as f64 / 1e6);
    FlowSeen {
        capture,
        from: connection.ends[from].to_string(),
        to: connection.ends[1 - from].to_string(),
        seen_from: connection.vantage(from).name(),
        receiver_routed: connection.routed[1 - from],
        near_sender: flow.is_near_sender(),
        to_sender_ms: connection.way_ns(from).map(|way_ns| way_ns as f64 / 1e6),
        in_order: connection.is_in_order(),
        tells_most: false,
        handshake: connection.handshake_seen(),
        both_ways: connection.packets[1 - from] > 0,
        bare_acks: data.acks.bare,
        proxied_ms: far_ms(0),
        behind_ms: far_ms(1),
        span_s: data.span_ns.map(|_| flow.span(evidence)),
        too_big: too_big_of(evidence, flow).is_some(),
        reset: reset(evidence, flow),
        data: data_of(evidence, flow),
        retransmissions: [
            ("all", again.segments()),
            ("needless", again.needless() - again.needless_by(Trigger::Handshake)),
            ("fins", data.fins_again),
        ]
        .into_iter()
        .chain(by_trigger)
        .collect(),
        rtt_ms: data.trips.to_receiver().by_name_ms(quantiles),
        limits: limits(flow),
        heedless: outruns(evidence, flow).is_some(),
        batches: batches(evidence, flow),
        stalls: Pause::ALL.into_iter().map(|pause| (pause.name(), data.stalls.count(pause))).collect(),
        overtaken: overtaken(evidence, flow),
        before_air: lost_before_air(evidence, flow),
        slows_down: slows_down.map(|one| SlowsDownSeen {
            at_s: evidence.seconds_in(capture, one.at_ns),
            before_mbps: one.before_mbps,
            behind_mbps: one.behind_mbps,
        }),
        slow: slow.map(|slow| SlowSeen {
            usual_mbps: slow.usual_mbps,
            mbps: slow.mbps,
            spans_s: slow
                .spans_ns
                .iter()
                .map(|span| span.map(|at| evidence.seconds_in(capture, at)))
                .collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_ppdu_brings_is_no_window_where_more_is_outstanding() {
        let is_window = |outstanding: f64| {
            let mut flight = Bins::from(0);
            (0..100).for_each(|n| flight.note(n * 10_000_000, outstanding));
            is_all(&flight, 46_336)
        };
        assert!(is_window(46_336.0) && is_window(47_784.0));
        assert!(!is_window(1_081_656.0));
        assert!(!is_all(&Bins::default(), 46_336), "nothing is known of it");
    }
}
