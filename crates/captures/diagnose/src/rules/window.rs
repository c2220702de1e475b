//! W405: the sender's own window does not grow.

use super::{bus, no_tcp, with_enough};
use crate::capacity::{MARGIN, fills_the_air};
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::held_before_air::held_before_air;
use crate::idle_air::{beyond, cost_of_idle_air};
use crate::link::Link;
use crate::no_queue::may_be_dropped_before;
use crate::rule::Rule;
use crate::waits::WAITS;
use airloom_trace::Bins;
use airloom_trace::tcp::{Limit, RoundTrips, Vantage};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W405",
    name: "limited by the sender's window",
    means: "The sending computer or program keeps only so much on its way at a time. The network could carry \
            more.",
    needs: "TCP",
    computes: "How much the most that was outstanding differs from one stretch of time to the next, of 10 ms or of a round trip, behind the first fifth of a flow. Reported where nine \
               in ten stretches lie within a segment and a half or 15 %, or, near the sender, half of the round trips within a segment and a half below the most of all and nineteen in twenty within a third of it, at ten segments or more, or at six if round trips are hardly longer than the shortest, while less than one segment in 200 was sent again, the receiver's \
               window was neither full for most of the time nor nearly so (85 %) in nine of ten round trips, half of the round trips take less than twice the shortest, three fifths of the window arrive in each, and nothing is acknowledged for three tenths \
               of the time, in gaps of half the shortest round trip at least, or the sender's own capture shows that each acknowledgment lets it send: then the way has room, and a window that may grow would. \
               Where the monitor shows that the air would carry less than a twentieth more, it says nothing, nor where three in four packets wait for 1 ms and more between the sender's own capture and air that is free: what is below its TCP takes them no faster.",
    traps: "A queue that is full keeps a window flat too, but round trips are long then, and what is behind it never silent. A program that writes at an even pace has as much outstanding \
            as its round trips last, which jumps with them; one that writes many segments at a time falls silent as well, but half of these silences end within 1 ms of an acknowledgment only by a window: otherwise the rule cannot tell, nor where it shows away from the sender, behind PPDUs that take longer. Round trips to the sender need clock values (RFC 7323) where the capture was made elsewhere. Where hardly a packet waits, but nothing is silent and acknowledgments come too often to tell, a line or the air at the sender's own interface may keep as much on its way, and the rule cannot tell. Without the handshake the receiver's window may be what is flat, and the rule \
            abstains; so it does of a sender that no capture is near to, if it waits and falls silent without losses or a queue.",
    refuted_by: "A socket of the sender with a window that is not full (`ss -tin`: cwnd, unacked, notsent).",
    judge,
};

/// How far stretches may differ, in segments.
const FLAT: f64 = 1.5;
/// How far they may differ as a part of what is outstanding: a send buffer holds the room of segments, and not always as many.
const FLAT_PART: f64 = 0.15;
/// The part of the receiver's window that nearly fills it.
pub(super) const NEARLY: f64 = 1.0 - FLAT_PART;
/// What a send buffer holds less at times: Linux lets its program write once a third of it is free (`sk_stream_min_wspace()`, include/net/sock.h: half of what is queued).
const ROOM: f64 = 1.0 / 3.0;
/// What is outstanding at least, in segments.
const LEAST: f64 = 10.0;
/// What is outstanding at least where hardly any packet waits, in segments: with every second one acknowledged, they make three acknowledgments in a round trip.
const LEAST_SHORT: f64 = 6.0;
/// The first part of a flow, in which a window grows.
const GROWS: f64 = 0.2;
/// Fewer stretches than this say nothing.
const MIN_STRETCHES: usize = 20;
/// The share of the time that the receiver's window may be full.
const FULL: f64 = 0.5;
/// The share of the time in which the program may have nothing to send.
const IDLE: f64 = 0.3;
/// Half of the round trips against the shortest.
const SHORT: f64 = 2.0;
/// What packets wait in a queue at least where only a part of the way shows, in ms: a radio and its retries take less.
const WAITS_MS: f64 = 5.0;
/// Most round trips against the shortest where acknowledgments come evenly: hardly any packet waits.
const SHORTER: f64 = 1.25;
/// The usual round trip against the shortest where no packet waits.
const UNQUEUED: f64 = 1.1;
/// The share of packets that an acknowledgment lets the sender send at once.
const CLOCKED: f64 = 0.9;
/// The least time between acknowledgments with which that is no chance, in nanoseconds.
const APART_NS: f64 = 800_000.0;
/// A sender answers sooner at its own interface, in nanoseconds.
const AT_ONCE_NS: u64 = 200_000;
/// In half of its answers it takes less without a queue before its interface, in ms.
const QUEUED_MS: f64 = 1.0;
/// The share of the time in which nothing is acknowledged, since all that may be on its way has arrived.
const SILENT: f64 = 0.3;
/// The share of segments that may be sent again.
const CLEAN: f64 = 0.005;
/// The part of what a window allows, itself in each round trip, that a flow gets at least.
const KEEPS: f64 = 0.6;
/// Smaller flows say nothing of a sender that is not seen, in octets.
const LARGE: u64 = 100_000;
/// What would tell what holds a sender back.
pub(super) const AT_SENDER: &str = ": a capture at the sender would tell";

/// Why a flat window is not known to be the sender's.
#[derive(Clone, Copy, Debug)]
enum Doubt {
    /// Round trips do not show, by which a full queue would be told from it.
    NoTrips,
    /// It may be the receiver's.
    Unscaled,
    /// The program may send by a timer.
    ByTimer,
    /// The same, where what lets it send shows only behind the radio: a PPDU is there as it ends, and its packets were sent before it began.
    BehindRadio,
    /// Neither silences nor acknowledgments show what lets it send: a line or the air at its own interface keeps as much outstanding.
    Steady,
    /// The station's bus may take packets no faster: its TCP keeps few of them below itself (Linux: `tcp_small_queue_check`).
    ByBus,
}

impl Doubt {
    const fn says(self) -> &'static str {
        match self {
            Self::NoTrips => {
                "its window is flat, and how long round trips take does not show: no clock values (RFC 7323), or too few"
            }
            Self::Unscaled => {
                "its window is flat, and so may its receiver's be: the handshake is not captured, which alone says how large that is"
            }
            Self::ByTimer => {
                "as much is outstanding all the time, but acknowledgments do not let its sender send at once: its program may send by a timer"
            }
            Self::BehindRadio => {
                "as much is outstanding all the time, round trips are hardly longer than the shortest and next to nothing was lost, but data comes too late behind acknowledgments to show, away from its sender, that they let it \
                 send: its window, its buffer or its program may hold it back, and a capture at the sender would tell"
            }
            Self::Steady => {
                "as much is outstanding all the time, round trips are hardly longer than the shortest and next to nothing was lost, but it never falls silent, and acknowledgments come too often to show that they let it \
                 send: its window, its buffer or its program may hold it back, or what takes its packets at its own interface"
            }
            Self::ByBus => {
                "its window is flat, but its frames keep to a beat of 1 ms, as behind USB 1.1, and its TCP keeps few packets below itself: a capture at its station beside the monitor's would tell"
            }
        }
    }
}

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let (mut findings, mut unclear) = (Vec::new(), None);
    let flows = flows(evidence, 1);
    for flow in &flows {
        match shown(evidence, flow) {
            Ok(found) => findings.extend(found),
            Err(because) => unclear = unclear.or(Some(format!("{}: {}", flow.named(), because.says()))),
        }
        if findings.is_empty() {
            unclear = unclear.or_else(|| afar(evidence, flow));
        }
    }
    let is_long = |flow: &Flow<'_>| largest(&flow.data().limits.flight, 0).len() >= MIN_STRETCHES;
    let enough = flows.iter().flat_map(|flow| views(evidence, flow)).any(|view| is_long(&view));
    with_enough(Verdict::unless_found(findings, unclear), enough, || {
        format!("no flow with data outstanding in {MIN_STRETCHES} stretches of its time")
    })
}

/// That a sender may hold itself back where no capture was made near it, so that what it has outstanding does not show well enough: it waits, and falls silent, though neither losses nor a
/// queue show on the way.
fn afar(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let data = flow.data();
    let is_seen = views(evidence, flow).iter().any(Flow::is_near_sender);
    let receiver = data.limits.share(Limit::Receiver) >= FULL || nears_receivers(flow);
    if is_seen || receiver || data.octets < LARGE || !is_silent(flow) || crate::waits::waits(flow) < WAITS {
        return None;
    }
    let most = largest(&data.limits.flight, round_ns(flow));
    let window = quantile(&most, 0.5).filter(|_| most.len() >= MIN_STRETCHES)?;
    let is_window = window >= LEAST * f64::from(data.longest.min(data.segment()));
    let rests = is_window && is_clean(flow) && longest_trip_ratio(evidence, flow, window)? < SHORTER;
    let may_hold = rests && !fills_the_air(evidence, flow, MARGIN);
    may_hold.then(|| format!("{}: {}{AT_SENDER}", flow.named(), kept(window)))
}

/// Whether a flat window holds a flow back: the sender's, or perhaps its receiver's or its program.
pub(super) fn holds(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    matches!(shown(evidence, flow), Ok(Some(_)) | Err(Doubt::Unscaled | Doubt::ByTimer | Doubt::BehindRadio))
}

/// Why nothing shows that the way holds a flow back; none if losses or a queue show.
pub(super) fn unhindered(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    if waits_before(flow) {
        return None;
    }
    let clean = is_clean(flow);
    let window = quantile(&largest(&flow.data().limits.flight, round_ns(flow)), 0.5);
    let known = window.and_then(|window| Some((window, longest_trip_ratio(evidence, flow, window)?)));
    let Some((window, longer)) = known else {
        return (clean && !shows_queue(evidence, flow)).then(|| UNTIMED.to_owned());
    };
    if clean && longer < SHORTER {
        return Some(kept(window));
    }
    // Data counts for the round trip to its sender only if the pause before it is shorter than half of that: a program's pauses make none twice as long.
    let unclear = clean && longer < SHORT && flow.connection.vantage(flow.from) != Vantage::Sender;
    if unclear {
        return Some(
            "nothing was lost, and its program may pause for as much as round trips are longer than the shortest: a capture at the sender would tell"
                .to_owned(),
        );
    }
    // The radio sends many packets at once, which makes round trips that much longer without a queue that grows.
    if clean && longer < SHORT && views(evidence, flow).iter().any(|view| flat(view).is_some()) {
        return Some(flat_at(window));
    }
    (longer < SHORT && keeps_time(flow)).then(|| {
        "acknowledgments do not let its sender send at once, and no queue shows: its program may send by a timer, or its TCP".to_owned()
    })
}

/// Why nothing shows that the way holds a flow back whose round trips are not known: without the handshake and clock values they do not show, nor where its sender is.
const UNTIMED: &str = "next to nothing was lost, and how long round trips take does not show without the handshake or clock values (RFC 7323): its window, its buffer or its program may hold it back, and a \
                       capture at the sender that has the handshake would tell";

/// Whether round trips of a part of a flow's way show a queue, though those of all of it are not known.
fn shows_queue(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    views(evidence, flow).iter().any(|view| {
        let trips = &view.data().trips;
        [trips.to_receiver(), &trips.to_sender].into_iter().any(|part| queue_ms(part).is_some())
    })
}

/// The shortest and the usual round trip of a part of a flow's way in ms, if a queue stands in that part.
pub(super) fn queue_ms(trips: &RoundTrips) -> Option<[f64; 2]> {
    let (shortest, usual) = trips_of(trips)?;
    (usual >= SHORT * shortest && usual - shortest >= WAITS_MS).then_some([shortest, usual])
}

/// That a sender may hold itself back, with so many octets outstanding at most.
fn kept(window: f64) -> String {
    format!(
        "its sender has no more than about {:.0} kB outstanding, and neither losses nor a queue show on the way: its window, its buffer, its program or the line at its own interface may hold it back",
        window / 1e3
    )
}

/// That a sender may hold itself back whose window is flat, with so many octets outstanding at most.
fn flat_at(window: f64) -> String {
    format!(
        "as much is outstanding all the time, about {:.0} kB, next to nothing was lost, and half of the round trips take less than twice the shortest, as frames that go many at once make them: \
         its window, its buffer or its program may hold it back, and `ss -tin` at the sender (sndbuf_limited, notsent) would tell",
        window / 1e3
    )
}

/// Whether a flow lost nothing, or too little to matter to its window.
fn is_clean(flow: &Flow<'_>) -> bool {
    flow.data().retransmissions.segments() == 0 || flat(flow).is_some()
}

/// Whether packets wait on their sender's side of its own capture: those that wait for its program come behind a pause, and do not count.
fn waits_before(flow: &Flow<'_>) -> bool {
    flow.connection.vantage(flow.from) == Vantage::Sender
        && trips_of(&flow.data().trips.to_sender).is_some_and(|(_, usual)| usual >= QUEUED_MS)
}

/// How many times as long as the shortest round trip the usual one is: at the sender, or as any other capture shows.
fn longest_trip_ratio(evidence: &Evidence, flow: &Flow<'_>, window: f64) -> Option<f64> {
    let own = trip_ratio(flow).filter(|_| flow.connection.vantage(flow.from) == Vantage::Sender);
    // Where round trips do not show, they last as long as what is outstanding takes to arrive (Little's law).
    own.or_else(|| views(evidence, flow).iter().filter_map(trip_ratio).reduce(f64::max)).or_else(|| {
        Some(window * 8e-3 / flow.mbps(evidence) / (flow.connection.round_trip_ns()? as f64 / 1e6))
    })
}

/// Whether most packets of a flow, as its sender's own capture shows them, do not go as acknowledgments arrive. Where it recovers for longer than it waits,
/// acknowledgments that report losses let it send as well.
fn keeps_time(flow: &Flow<'_>) -> bool {
    let data = flow.data();
    flow.connection.vantage(flow.from) == Vantage::Sender
        && 2 * data.clocking.released < data.packets
        && data.limits.share(Limit::Recovery) < data.limits.share(Limit::Congestion)
}

/// Whether half of a flow's round trips take twice the shortest or longer: then more of a window waits than is on its way.
pub(super) fn waits(flow: &Flow<'_>) -> bool {
    round_trip(flow).is_some_and(|(shortest, usual)| usual >= SHORT * shortest)
}

/// What a capture finds about a flow if any does, since what one shows another need not; an error says why none can tell.
fn shown(evidence: &Evidence, flow: &Flow<'_>) -> Result<Option<Finding>, Doubt> {
    let mut unclear = None;
    for view in views(evidence, flow) {
        let flat = flat(&view).filter(|flat| flat.segments >= LEAST_SHORT);
        match flat.map(|flat| found(evidence, &view, &flat)) {
            Some(Ok(Some(finding))) => return Ok(Some(finding)),
            // What holds it back is known less well where it only goes on without a pause.
            Some(Err(Doubt::Steady)) => unclear = unclear.or(Some(Doubt::Steady)),
            Some(Err(because)) => unclear = Some(because),
            Some(Ok(None)) | None => {}
        }
    }
    unclear.map_or(Ok(None), Err)
}

/// A window that does not grow.
struct Flat {
    /// What was outstanding, in octets.
    window: f64,
    /// The same in segments.
    segments: f64,
    /// How far stretches differ, and how far they may, in segments.
    apart: f64,
    /// See `apart`.
    most_apart: f64,
}

/// The window of a flow that is flat, without losses or another end that holds it back; none of any other.
fn flat(flow: &Flow<'_>) -> Option<Flat> {
    let data = flow.data();
    let clean = (data.retransmissions.segments() as f64) < CLEAN * data.packets as f64;
    let receiver = data.limits.share(Limit::Receiver) >= FULL || nears_receivers(flow);
    let others = receiver || data.limits.share(Limit::Application) >= IDLE;
    // A send buffer that lets its program write only once a third of it is free is not full all the time, but once in each round trip.
    let flat = [0, round_ns(flow)].iter().find_map(|&stretch_ns| flat_in(flow, stretch_ns));
    flat.or_else(|| capped(flow)).filter(|_| clean && !others)
}

/// The window of a flow, captured near its sender, that is full in half of its round trips and never goes beyond, nor far below: where acknowledgments come many at a time, a program
/// that writes once a third is free fills its buffer in one round trip and not in the next.
fn capped(flow: &Flow<'_>) -> Option<Flat> {
    let most = largest(&flow.data().limits.flight, round_ns(flow));
    let (low, window, high) = (quantile(&most, 0.05)?, quantile(&most, 0.5)?, *most.last()?);
    let segment = f64::from(flow.data().longest.min(flow.data().segment()));
    let is_full = high - window <= FLAT * segment && high - low <= ROOM * high;
    (flow.is_near_sender() && most.len() >= MIN_STRETCHES && is_full).then_some(Flat {
        window,
        segments: window / segment,
        apart: (high - low) / segment,
        most_apart: ROOM * high / segment,
    })
}

/// The window of a flow that is flat from one stretch of so many nanoseconds to the next.
fn flat_in(flow: &Flow<'_>, stretch_ns: u64) -> Option<Flat> {
    let most = largest(&flow.data().limits.flight, stretch_ns);
    let (low, window, high) = (quantile(&most, 0.05)?, quantile(&most, 0.5)?, quantile(&most, 0.95)?);
    let segment = f64::from(flow.data().longest.min(flow.data().segment()));
    let apart = (high - low) / segment;
    let most_apart = FLAT.max(FLAT_PART * window / segment);
    let is_flat = most.len() >= MIN_STRETCHES && apart <= most_apart;
    is_flat.then_some(Flat { window, segments: window / segment, apart, most_apart })
}

/// The octets that a flow has outstanding where its receiver's window is full for most of the time; none of any other. Its own window may be flat for a while and grow on (CUBIC's does, RFC 9438).
pub(crate) fn held_octets(flow: &Flow<'_>) -> Option<f64> {
    let limits = &flow.data().limits;
    let is_full = limits.share(Limit::Receiver) >= FULL;
    is_full.then(|| quantile(&largest(&limits.flight, 0), 0.95))?
}

/// The shortest round trip between the ends, or of the longest part of the way that shows; zero if none does.
fn round_ns(flow: &Flow<'_>) -> u64 {
    let trips = &flow.data().trips;
    let of_part = || trips.to_receiver().least_ns().max(trips.to_sender.least_ns());
    flow.connection.round_trip_ns().or_else(of_part).unwrap_or(0)
}

/// Whether nearly as much is outstanding in nine of ten round trips as the receiver's window allows, which then may be what holds the sender back: away from it,
/// data that a queue behind it delays seems to be sent late.
pub(super) fn nears_receivers(flow: &Flow<'_>) -> bool {
    let is_far = flow.connection.vantage(flow.from) != Vantage::Sender;
    is_far && used_of_receivers(flow).is_some_and(|part| part >= NEARLY)
}

/// The part of the receiver's window that is outstanding in nine of ten round trips, or more; none of few of them.
fn used_of_receivers(flow: &Flow<'_>) -> Option<f64> {
    let parts = largest(&flow.data().limits.used, round_ns(flow));
    quantile(&parts, 0.1).filter(|_| parts.len() >= MIN_STRETCHES)
}

/// Whether the receiver's window holds a flow back that was captured away from its sender: what is outstanding nears it, and arrives in the shortest round trip between the
/// ends, so that no queue fills it (Little's law), as any capture shows: what one shows another need not. None if it does not near it, false if it arrives in a longer time or
/// that does not show.
pub(super) fn fills_receivers(evidence: &Evidence, flow: &Flow<'_>) -> Option<bool> {
    if flow.connection.vantage(flow.from) == Vantage::Sender {
        return None;
    }
    views(evidence, flow).iter().filter_map(|view| fills(evidence, view)).reduce(|one, other| one || other)
}

/// The part of the receiver's window that is outstanding in nine of ten round trips as the capture shows that shows most of it.
pub(super) fn most_of_receivers(evidence: &Evidence, flow: &Flow<'_>) -> f64 {
    views(evidence, flow).iter().filter_map(used_of_receivers).fold(0.0, f64::max)
}

/// The same as one capture shows it.
fn fills(evidence: &Evidence, flow: &Flow<'_>) -> Option<bool> {
    if !nears_receivers(flow) {
        return None;
    }
    let round_ms = flow.connection.round_trip_ns()? as f64 / 1e6;
    let window = quantile(&largest(&flow.data().limits.flight, round_ns(flow)), 0.5)?;
    let trip_ms = window * 8e-3 / flow.mbps(evidence).max(1e-9);
    Some(round_ms > 0.0 && trip_ms * NEARLY <= round_ms)
}

/// The most of what was noted in each stretch of so many nanoseconds at least, behind the first part of a flow; the least first.
fn largest(noted: &Bins, stretch_ns: u64) -> Vec<f64> {
    let bins = noted.bins();
    let behind = &bins[(GROWS * bins.len() as f64) as usize..];
    let stretches = behind.chunks(stretch_ns.div_ceil(noted.width_ns()).max(1) as usize);
    let noted = stretches.filter(|stretch| stretch.iter().any(|bin| bin.count > 0));
    let mut most: Vec<f64> =
        noted.map(|stretch| stretch.iter().map(|bin| bin.most).fold(0.0, f64::max)).collect();
    most.sort_by(f64::total_cmp);
    most
}

/// The value below which a share of sorted values lies.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    sorted.get((share * sorted.len().saturating_sub(1) as f64) as usize).copied()
}

/// A flow with a flat window on a way that has room; an error says why that does not show.
fn found(evidence: &Evidence, flow: &Flow<'_>, flat: &Flat) -> Result<Option<Finding>, Doubt> {
    let data = flow.data();
    let (shortest, usual) = round_trip(flow).ok_or(Doubt::NoTrips)?;
    let is_short = trip_ratio(flow).is_some_and(|longer| longer < SHORTER);
    if usual >= SHORT * shortest || flat.segments < if is_short { LEAST_SHORT } else { LEAST } {
        return Ok(None);
    }
    // What is outstanding arrives within a round trip: a flow that is slower by much waits for something else as well.
    let [from, to] = flow.span(evidence);
    let mbps = data.new_octets as f64 * 8e-6 / (to - from).max(1e-3);
    if mbps < KEEPS * flat.window * 8e-3 / usual {
        return Ok(None);
    }
    let clocked = is_short && is_clocked(flow);
    if fills_the_air(evidence, flow, MARGIN) {
        return Ok(None);
    }
    if !is_silent(flow) && !clocked {
        let program =
            views(evidence, flow).iter().any(|view| view.data().limits.share(Limit::Application) >= IDLE);
        return if is_short && !program { Err(Doubt::Steady) } else { Ok(None) };
    }
    match is_held_below(evidence, flow) {
        Some(true) => return Ok(None),
        None if bus::may_hold(evidence, flow) => return Err(Doubt::ByBus),
        _ => {}
    }
    if !flow.connection.handshake_seen() {
        return Err(Doubt::Unscaled);
    }
    if !clocked && !is_woken(flow) {
        let at_sender = flow.connection.vantage(flow.from) == Vantage::Sender;
        return Err(if at_sender { Doubt::ByTimer } else { Doubt::BehindRadio });
    }
    // A buffer holds the kernel's room for packets (`sk_wmem_queued` counts `truesize`), and SO_SNDBUF is doubled (`sk_setsockopt`, Linux 6.12).
    let cost = cost_of_idle_air(evidence, flow);
    Ok(Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value: flat.apart,
        threshold: flat.most_apart,
        unit: "segments between the 5th and the 95th percentile of what was outstanding",
        confidence: 0.75,
        cost,
        capture: flow.capture,
        frames: data.limits.shown(Limit::Congestion).to_vec(),
        filter: flow.filter(),
        says: format!(
            "The sender has no more than about {:.0} kB outstanding, flat after the first fifth of the flow, though round trips of {usual:.0} ms are hardly longer \
             than the shortest and next to nothing was lost.{}{}",
            flat.window / 1e3,
            if evidence.air.is_some() { " It is not the Wi-Fi." } else { "" },
            beyond(evidence, flow, &cost)
        ),
        remedy: "A larger send buffer at the sender (`sysctl net.ipv4.tcp_wmem`, no SO_SNDBUF in the program; Linux counts a packet's room in the kernel as well, so that the buffer is larger than what is outstanding, and makes of SO_SNDBUF twice as much), no clamp of the window (`ip route`: cwnd \
                 lock), or a program that keeps more on its way."
            .to_owned(),
    }))
}

/// Whether packets wait between a flow's sender and the air though the air is free: a sender with few packets below itself keeps what is outstanding flat, and its window is not full.
fn is_held_below(evidence: &Evidence, flow: &Flow<'_>) -> Option<bool> {
    let (_, air) = evidence.air.as_ref()?;
    held_before_air(evidence, flow, &flow.link(evidence, air).filter(Link::is_up)?)
}

/// Whether nothing is acknowledged for much of the time, as where all that may be on its way has arrived.
fn is_silent(flow: &Flow<'_>) -> bool {
    let acks = &flow.data().acks;
    acks.quiet_ns as f64 >= SILENT * acks.span_ns.max(1) as f64
}

/// Whether each acknowledgment lets the sender send, and none comes so often that chance would make it look so.
pub(super) fn is_clocked(flow: &Flow<'_>) -> bool {
    let data = flow.data();
    let gap_ns = data.acks.span_ns as f64 / data.acks.packets.max(1) as f64;
    let released = data.clocking.released as f64 / data.packets.max(1) as f64;
    // Where it answers late, its packets wait in a queue of its own before they are captured.
    let at_once = data.trips.to_sender.least_ns().is_none_or(|late_ns| late_ns < AT_ONCE_NS);
    at_once
        && flow.connection.vantage(flow.from) == Vantage::Sender
        && gap_ns >= APART_NS
        && released >= CLOCKED
}

/// Whether acknowledgments end most of a sender's silences, as where they make room in a window; a program with a timer ends them whenever its time comes.
const fn is_woken(flow: &Flow<'_>) -> bool {
    let data = flow.data();
    2 * data.clocking.resumed_at_once > data.clocking.resumed
}

/// The shortest and the usual of round trips in ms.
fn trips_of(trips: &RoundTrips) -> Option<(f64, f64)> {
    Some((trips.least_ns()? as f64 / 1e6, trips.quantile_ms(0.5)?))
}

/// The shortest and the usual round trip between the ends in ms; none if a part of the way does not show.
pub(crate) fn round_trip(flow: &Flow<'_>) -> Option<(f64, f64)> {
    let there = trips_of(flow.data().trips.to_receiver());
    let back = trips_of(&flow.data().trips.to_sender);
    match flow.connection.vantage(flow.from) {
        Vantage::Sender => there,
        Vantage::Receiver => back,
        Vantage::Middle | Vantage::Unknown => {
            let (there, back) = (there?, back.or_else(|| next_to_sender(flow))?);
            Some((there.0 + back.0, there.1 + back.1))
        }
    }
}

/// The usual round trip between the ends in ms, if hardly one is longer than the shortest: packets wait in no queue that may have dropped what was lost.
pub(super) fn unqueued(flow: &Flow<'_>) -> Option<f64> {
    let trips = match flow.connection.vantage(flow.from) {
        Vantage::Sender | Vantage::Middle if may_be_dropped_before(flow) => return None,
        Vantage::Sender => flow.data().trips.to_receiver(),
        Vantage::Receiver => &flow.data().trips.to_sender,
        Vantage::Middle if flow.is_near_sender() => flow.data().trips.to_receiver(),
        Vantage::Middle | Vantage::Unknown => return None,
    };
    let (shortest, usual) = trips_of(trips)?;
    let long = trips.quantile_ms(0.95)?;
    (usual <= UNQUEUED * shortest && long <= SHORTER * shortest).then_some(usual)
}

/// How many times as long as the shortest round trip the usual one is. The handshake's counts too: no full segments are in it, which take
/// long on a slow way.
fn trip_ratio(flow: &Flow<'_>) -> Option<f64> {
    let (shortest, usual) = round_trip(flow)?;
    let ends = flow.connection.round_trip_ns().map_or(shortest, |trip| trip as f64 / 1e6);
    Some(usual / shortest.min(ends))
}

/// The round trip to a sender next to the place of the capture, which is short without any sample but the handshake's.
fn next_to_sender(flow: &Flow<'_>) -> Option<(f64, f64)> {
    let way = flow.connection.distance_ns[flow.from].filter(|_| flow.is_near_sender())? as f64 / 1e6;
    Some((way, way))
}
