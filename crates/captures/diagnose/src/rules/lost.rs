//! W306: segments are lost.

use super::no_tcp;
use super::window::{round_trip, unqueued};
use crate::beside_air::{Beside, rules_out_the_air};
use crate::capacity::{MARGIN, fills_the_air};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::given_up::taken_by_air;
use crate::holes::{HolesSeen, holes};
use crate::idle_air::cost_of_idle_air;
use crate::kinds::kinds;
use crate::let_be::{LEARNS, LIMITING_PCT, TIMES, let_be, outruns, times_ns};
use crate::losses::{Lost, is_lost, lost_by, sent, share, side_of, unseen};
use crate::no_queue::{lost_out_of_sight, lost_without_queue};
use crate::rule::Rule;
use crate::standstill::stands_still;
use crate::waits::waits;
use airloom_trace::tcp::{Limit, Retransmission, Trigger, Vantage};
use airloom_trace::{Bin, Place};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W306",
    name: "segments lost",
    means: "Data is lost on its way and has to be sent again, which slows most senders down.",
    needs: "TCP",
    computes: "The share of a flow's segments that were sent again, without those of which the packets prove that the first had arrived or had gone beyond the receiver's window, and without \
               probes. Reported from 0.5 % on, if the sender recovers from losses for a tenth of its time at least. From 0.05 % on it is reported where losses limit the flow: they come at more than eight \
               times, round trips are hardly ever longer than the shortest, or mostly and before three of four losses the shortest within 100 ms is no more than 1 to 2.5 ms longer than the shortest of all, so that no queue stands, and the flow is no more than twice as fast as a sender with so many losses is, by its usual round trip and the square root \
               of 1.5 over their share (Mathis et al. 1997). Where the monitor shows about as many MPDUs of the flow's link that were given up after all tries, three for four lost segments at least and no more than twice as many, and no capture of a host beside has them lost before the air or behind it, no queue dropped those: three times are enough then, and it is reported, too, where the air would carry 15 % more. Where no queue stands it is reported of any share, too, if the flow waits for four fifths of its time and is, for twenty round trips since its first loss, \
               no more than three fifths as fast as it was in four round trips before. Left out where another \
               finding about the same station or connection explains it.",
    traps: "A sender that fills a queue loses a packet now and then, which is how it learns of its share: that is less than one in 200, except where the window has few segments. \
            Where a flow is eight times as fast as so many losses let a sender be, it does not go by them, as BBR does not, and the rule cannot tell. \
            Where round trips are usually half as long again as the shortest and no more than twice that is lost, and no more than one in ten, the rule cannot tell. \
            Where their first transmissions did not come to the capture, and how long packets need from their sender to it does not show, as in the sender's own host without clock values (RFC 7323), a queue may \
            have dropped as many, and the rule cannot tell. \
            A connection that ends in repetitions (W307, W406) says nothing of a share. Where a tenth of what was acknowledged is not in the capture, while the receiver's SACKs \
            show holes or data that came twice, the rule cannot tell.",
    refuted_by: "The same share of losses nowhere between two captures, one at each end.",
    judge,
};

/// The share of the segments from which on losses are reported, in percent.
const REPORTED_PCT: f64 = 0.5;
/// At fewer times than this they may be one stretch of bad luck.
const SOME_TIMES: usize = 3;
/// The share of the time in which the sender recovers.
const RECOVERS: f64 = 0.1;
/// One lost segment of few is no share, so more than this are needed.
pub(super) const CHANCE: u64 = 4;
/// Of fewer packets with data than this a share says little.
const MIN_PACKETS: u64 = 20;
/// A flow was slowed if it went at no more than this share of its rate before its first loss.
const SLOWER: f64 = 0.6;
/// That rate is what arrived in so many round trips at a stretch.
const STRETCH: u64 = 4;
/// In two stretches at least about as much arrived, by this part: in slow start a rate grows by half in each round trip at least (RFC 5681 section 3.1, with an
/// acknowledgment for two segments), to five times as much in four.
const HELD: f64 = 0.5;
/// A flow that was slowed went on for so many round trips.
const LASTS: u64 = 20;
/// It waited for acknowledgments for this share of its time.
const WAITED_SHARE: f64 = 0.8;
/// Smaller flows say nothing of a rate, in octets.
const LARGE: u64 = 100_000;
/// Why a cost is not known.
const UNGROWN: &str = "how far the window would have grown without losses does not show";
const FULL: &str = "by its rates and by what else is on the air the link would carry hardly more";
/// Records that are named.
const NAMED: usize = 16;

/// How many times as long as the shortest round trip the usual one is behind a queue that stands.
const QUEUED: f64 = 1.5;
/// The most that a sender loses as it learns its share of the way, in percent: a queue that drops early drops no more than one in ten (RED's `max_p`, as its authors recommend it).
const LEARNS_MOST_PCT: f64 = 10.0;
/// How many times what that says a flow may lose or carry.
const AWAY: f64 = 2.0;
/// The share of its losses that a queue makes a sender find by the timer, at most.
const LATE: f64 = 0.1;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let (mut findings, mut unclear, mut amiss) = (Vec::new(), None, None);
    for flow in flows(evidence, 1) {
        let (heedless, hides) = (heedless(evidence, &flow), flow.hides_repetitions());
        match found(evidence, &flow).filter(|_| hides.is_none()) {
            Some(_) if heedless.is_some() => unclear = unclear.or(heedless),
            Some(finding)
                if in_the_air(evidence, &flow).is_none() && learns(evidence, &flow, finding.value) =>
            {
                unclear = unclear
                    .or_else(|| out_of_sight(&flow).or_else(|| Some(format!("{}: {DOUBT}", flow.named()))));
            }
            Some(finding) => findings.push(finding),
            None => {
                let slowed = || {
                    let slowed =
                        may_have_slowed(evidence, &flow).or_else(|| waits_at_receiver(evidence, &flow));
                    slowed.filter(|_| hides.is_none())
                };
                amiss = amiss.or_else(slowed);
                let hidden = || out_of_sight(&flow).filter(|_| may_be_limited(evidence, &flow));
                unclear = unclear.or(heedless).or(hides).or_else(hidden);
            }
        }
    }
    match amiss {
        None => Verdict::unless_found(findings, unclear),
        amiss => Verdict::unless_found_suspects(findings, amiss),
    }
}

const DOUBT: &str = "round trips are long, as behind a queue, and no more is lost than what tells a sender its share of the way: a queue may do that \
                     which drops early (CoDel, RED) or is short, and nothing be wrong";

/// Whether a queue may have dropped such a share of the segments, in percent, to tell the sender its share of the way.
fn learns(evidence: &Evidence, flow: &Flow<'_>, share: f64) -> bool {
    let again = &flow.data().retransmissions;
    let late = again.by_trigger(Trigger::Timeout) as f64 > LATE * again.segments() as f64;
    let hidden = lost_out_of_sight(flow);
    // A queue that is not seen makes the true round trips longer than these, and the share smaller that its sender learns by.
    let trips = round_trip(flow).or_else(|| handshake_ms(flow).filter(|_| hidden).map(|ms| (ms, ms)));
    trips.filter(|_| !late && share <= LEARNS_MOST_PCT).is_some_and(|(shortest, usual)| {
        let segment = f64::from(flow.data().segment()).max(1.0);
        let window = (flow.mbps(evidence) * usual * 125.0 / segment).max(1.0);
        (hidden || usual >= QUEUED * shortest) && share / 100.0 <= AWAY * LEARNS / (window * window)
    })
}

/// What was lost where no round trip shows whether a queue stood, and what would tell; none of any other flow.
fn out_of_sight(flow: &Flow<'_>) -> Option<String> {
    let (lost, share) = share(flow.data());
    let (place, tells) = if flow.connection.vantage(flow.from) == Vantage::Sender {
        (
            "passed its sender's own capture only as they were sent again: its own host dropped them",
            "`tc -s qdisc` at the sender",
        )
    } else {
        (
            "came to this capture only as they were sent again, and how long packets need from their sender to there does not show without clock values (RFC 7323)",
            "a capture at the sender, and `tc -s qdisc` there,",
        )
    };
    (lost > CHANCE && share >= LIMITING_PCT && lost_out_of_sight(flow)).then(|| {
        format!(
            "{}: {share:.2} % of its segments {place}. A queue may do that which drops early (CoDel, RED) or is short, and nothing be wrong: {tells} would tell",
            flow.named()
        )
    })
}

/// The shortest round trip between the ends, in ms, as the handshake may show it alone.
fn handshake_ms(flow: &Flow<'_>) -> Option<f64> {
    flow.connection.round_trip_ns().map(|ns| ns as f64 / 1e6)
}

/// Whether a flow may be limited by what was lost: it waits, and is about as fast as so many losses let a sender be.
fn may_be_limited(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    let trip_ms = round_trip(flow).map(|(_, usual)| usual).or_else(|| handshake_ms(flow));
    let is_limited = |trip_ms: f64| {
        let (times, limit_mbps) = let_be(flow, trip_ms);
        times > TIMES && flow.mbps(evidence) <= AWAY * limit_mbps
    };
    waits(flow) >= WAITED_SHARE && !stands_still(flow) && trip_ms.is_some_and(is_limited)
}

/// Why losses that come often are no limit that shows: the flow is many times as fast as a sender that halves its window for each could be.
fn heedless(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let (faster, times) = outruns(evidence, flow)?;
    let (_, share) = share(flow.data());
    Some(format!(
        "{}: {share:.2} % of its segments were lost, at {times} times, and it is {faster:.0} times as fast as that lets a sender be that halves its window for each \
         (Mathis et al. 1997): its congestion control does not go by single losses, as BBR does not, and whether these cost anything does not show",
        flow.named()
    ))
}

/// How many MPDUs its link's sender gave up, if the air took what a flow lost, and no capture beside shows that it was lost elsewhere.
fn in_the_air(evidence: &Evidence, flow: &Flow<'_>) -> Option<u64> {
    let (lost, _) = share(flow.data());
    taken_by_air(evidence, flow, lost).filter(|_| !is_lost_elsewhere(evidence, flow))
}

/// Whether a host's capture shows that segments were lost before the air, or behind it.
fn is_lost_elsewhere(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    let at_host = |view: &Flow<'_>| evidence.captures[view.capture].place == Some(Place::Host);
    let rules_out = |view: &Flow<'_>| {
        let vantage = view.connection.vantage(view.from);
        unseen(view.data())
            .is_some_and(|unseen| rules_out_the_air(Beside::of(evidence, view), vantage, unseen))
    };
    views(evidence, flow).iter().any(|view| at_host(view) && !view.has_gaps() && rules_out(view))
}

/// At how many times a flow lost segments, in percent of all, if they may be what limits it: no queue dropped them, and the flow is about as fast as they let a sender be; or the air
/// took them, and would carry more.
fn may_limit(evidence: &Evidence, flow: &Flow<'_>, share: f64) -> Option<usize> {
    let usual = round_trip(flow).map(|(_, usual)| usual);
    let in_the_air = share >= LIMITING_PCT && in_the_air(evidence, flow).is_some();
    let without_queue =
        || usual.filter(|&usual| in_the_air || lost_without_queue(flow, &times_ns(flow, usual)));
    let trip_ms = unqueued(flow).or_else(without_queue).filter(|_| share >= LIMITING_PCT)?;
    let (times, limit_mbps) = let_be(flow, trip_ms);
    let has_room = || waits(flow) >= WAITED_SHARE && !fills_the_air(evidence, flow, MARGIN);
    (flow.mbps(evidence) <= AWAY * limit_mbps || in_the_air && has_room()).then_some(times)
}

/// That losses which no queue explains may have slowed a flow, where they came at too few times to tell.
fn may_have_slowed(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let (lost, share) = share(flow.data());
    let times = may_limit(evidence, flow, share).filter(|&times| times >= SOME_TIMES)?;
    let because = if in_the_air(evidence, flow).is_some() {
        "and about as many frames of its link were given up in the air"
    } else {
        "while no queue stood before them"
    };
    (lost > CHANCE && waits(flow) >= WAITED_SHARE && !stands_still(flow)).then(|| {
        format!(
            "{}: {share:.2} % of its segments were lost, at {times} times, {because}: a sender makes its window smaller each time, and the flow is about as fast as that lets it be",
            flow.named()
        )
    })
}

/// That what came to a receiver waited again and again for what had been lost, while no queue stands in the usual round trip: the capture of a receiver does not show what its sender made
/// of the losses.
fn waits_at_receiver(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let holes = holes(flow)?;
    let (lost, share) = share(flow.data());
    let (_, usual) = round_trip(flow).filter(|&(shortest, usual)| usual < QUEUED * shortest)?;
    let (times, limit_mbps) = let_be(flow, usual);
    let may_limit = share >= LIMITING_PCT && times > TIMES && flow.mbps(evidence) <= AWAY * limit_mbps;
    (lost > CHANCE && may_limit && !stands_still(flow)).then(|| {
        format!(
            "{}: {share:.2} % of its segments came only as they were sent again.{} A sender makes its window smaller for each, and the flow is about as fast as that lets it be: whether no queue \
             stood before them shows in a capture at the sender",
            flow.named(),
            says_holes(&holes)
        )
    })
}

/// What a receiver saw of losses, as a sentence.
fn says_holes(holes: &HolesSeen) -> String {
    let &HolesSeen { times, median_s, longest_s, all_s } = holes;
    format!(
        " At the receiver what came behind them waited {times} times until it was filled, {:.0} ms mostly and {:.0} ms at most, {all_s:.1} s in all.",
        1e3 * median_s,
        1e3 * longest_s
    )
}

/// What losses cost whose sender is not seen: at least, what came behind them waited.
fn cost_of_holes(flow: &Flow<'_>) -> Cost {
    let Some(holes) = holes(flow) else { return Cost::unknown(UNGROWN) };
    let (from, to) = flow.data().span_ns.unwrap_or_default();
    let share = 1e9 * holes.all_s / to.saturating_sub(from).max(1) as f64;
    Cost { at_least: true, ..Cost::ms(1e3 * holes.median_s, share, "each time, for what came behind") }
}

/// How fast a flow was before it lost anything.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Before {
    /// What arrived in its fastest stretch, in octets.
    most: f64,
    /// Whether it was about as fast in the stretch before that or behind it: else its rate still grew, and what it would have come to does not show.
    held: bool,
}

impl Before {
    /// The fastest stretch of so many bins among those before the first loss; none if they are fewer.
    fn of(bins: &[Bin], stretch: usize) -> Option<Self> {
        let octets = |bins: &[Bin]| bins.iter().map(|bin| bin.sum).sum::<f64>();
        let sums: Vec<f64> = bins.windows(stretch).map(octets).collect();
        let (place, &most) = sums.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1))?;
        let beside = [place.checked_sub(stretch), place.checked_add(stretch)];
        let held =
            beside.into_iter().flatten().filter_map(|place| sums.get(place)).any(|&sum| sum >= HELD * most);
        Some(Self { most, held })
    }
}

/// How fast a flow was before its first loss, and since, in Mbit/s.
#[derive(Clone, Copy, Debug)]
struct Slowed {
    fast: f64,
    slow: f64,
    /// See [`Before`].
    held: bool,
}

impl Slowed {
    /// What the losses cost, as far as the rate before them shows it.
    fn cost(self) -> Cost {
        if !self.held {
            return Cost::unknown(UNGROWN);
        }
        Cost::mbps(self.fast - self.slow, self.slow, "of this flow, which went so much faster before")
    }

    /// What the sender made of them.
    fn says(self) -> String {
        let Self { fast, slow, held } = self;
        let grew = if held { "" } else { " while its rate still grew" };
        format!(
            " Before the first of them it went at {fast:.2} Mbit/s{grew}, and since at {slow:.2} Mbit/s: each makes its window smaller, and that grows slowly."
        )
    }
}

/// How a flow was slowed where hardly any packet waits and its losses alone made it so much slower: a sender that learns its share of the way goes at three
/// quarters of it.
fn slowed(flow: &Flow<'_>) -> Option<Slowed> {
    let data = flow.data();
    let round_ns = (unqueued(flow).filter(|_| data.octets >= LARGE)? * 1e6) as u64;
    let first_ns = data.retransmissions.list().iter().find(|one| is_lost(data, one))?.at_ns;
    let (begin_ns, end_ns) = (data.delivered.origin_ns()?, data.span_ns?.1);
    let bins = data.delivered.bins();
    let before = first_ns.saturating_sub(begin_ns) / data.delivered.width_ns();
    let stretch = (STRETCH * round_ns).div_ceil(data.delivered.width_ns()).max(1) as usize;
    let Before { most, held } = Before::of(&bins[..bins.len().min(before as usize)], stretch)?;
    let lasted_ns = end_ns.saturating_sub(first_ns);
    let fast = most * 8e3 / (stretch as u64 * data.delivered.width_ns()) as f64;
    let slow = data.delivered.sum(first_ns, end_ns) * 8e3 / lasted_ns.max(1) as f64;
    (lasted_ns >= LASTS * round_ns && waits(flow) >= WAITED_SHARE && slow <= SLOWER * fast)
        .then_some(Slowed { fast, slow, held })
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let data = flow.data();
    let again = &data.retransmissions;
    let of = |trigger| lost_by(data, trigger);
    let ((lost, share), sent) = (share(data), sent(data));
    let recovers = data.limits.share(Limit::Recovery);
    let much = share >= REPORTED_PCT && recovers >= RECOVERS;
    let slowed = slowed(flow);
    let given_up = in_the_air(evidence, flow);
    // What the frames show is no bad luck in a queue.
    let enough = if given_up.is_some() { SOME_TIMES } else { TIMES + 1 };
    let limits = || may_limit(evidence, flow, share).is_some_and(|times| times >= enough);
    if !(much || slowed.is_some() || limits()) || lost <= CHANCE || stands_still(flow) {
        return None;
    }
    let listed = || again.list().iter().filter(|one| is_lost(data, one));
    let share_of = if data.packets < MIN_PACKETS {
        String::new()
    } else {
        format!(", {share:.digits$} %", digits = if much { 1 } else { 2 })
    };
    let opening = if of(Trigger::Handshake) > 0 { " with data or SYN" } else { " with data" };
    let besides = match again.segments() - lost - again.by_trigger(Trigger::TooBig) {
        0 => String::new(),
        1 => " One more was sent again as a probe, or though the first had arrived.".to_owned(),
        others => format!(" {others} more were sent again as probes, or though the first had arrived."),
    };
    let at = |one: &Retransmission| [evidence.seconds_in(flow.capture, one.at_ns); 2];
    Some(Finding {
        subject: flow.named(),
        spans: listed().map(at).collect(),
        value: share,
        threshold: if much { REPORTED_PCT } else { LIMITING_PCT },
        unit: "% of the segments",
        confidence: 0.8,
        cost: match (slowed, given_up) {
            (Some(slowed), _) => slowed.cost(),
            (None, Some(_)) if fills_the_air(evidence, flow, MARGIN) => Cost::unknown(FULL),
            (None, Some(_)) => cost_of_idle_air(evidence, flow),
            (None, None) => cost_of_holes(flow),
        },
        capture: flow.capture,
        frames: listed().map(|one| one.number).take(NAMED).collect(),
        // Wireshark takes what was never captured before for data out of order.
        filter: format!("{} && (tcp.analysis.retransmission || tcp.analysis.out_of_order)", flow.filter()),
        says: format!(
            "Of {sent} segments{opening} {lost} repeated what had been lost{share_of} ({}).{besides} The sender recovered for {:.0} % of its \
             time. {}{}{}",
            kinds(of),
            100.0 * recovers,
            lost_where(evidence, flow, given_up),
            holes(flow).as_ref().map_or_else(String::new, says_holes),
            slowed.map_or_else(String::new, Slowed::says)
        ),
        remedy: remedy(evidence, flow, given_up.is_some()),
    })
}

/// Where segments were lost, in a sentence; how many MPDUs were given up, if the air took them.
fn lost_where(evidence: &Evidence, flow: &Flow<'_>, given_up: Option<u64>) -> String {
    if let Some(given_up) = given_up {
        return format!(
            "The air took them: of the frames of its link {given_up} were given up after all tries, about as many as segments were lost, so that hardly a queue dropped these."
        );
    }
    place(evidence, flow)
        .unwrap_or_else(|| "Whether the air, a queue or the wire lost them does not show.".to_owned())
}

/// What helps, or would tell where they are lost.
fn remedy(evidence: &Evidence, flow: &Flow<'_>, in_the_air: bool) -> String {
    if in_the_air {
        return "More tries for each frame at the radio that sends (`iw phy phy0 set retry`; a driver may have a limit of its own), or slower rates for the last of them, and what \
                takes the frames: collisions, noise, a weak signal."
            .to_owned();
    }
    format!(
        "{}: what the one has and the other has not was lost in between. Losses on the air show as retries there, losses of a queue follow long \
         round trips.",
        if is_seen_twice(evidence, flow) {
            "Look for these segments in each of the captures"
        } else {
            "Capture at both ends, or beside a monitor"
        }
    )
}

/// On which side of the captures segments were lost, if that holds for nearly all of them: those whose first transmission is not in one did not come so far.
pub(super) fn place(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for view in views(evidence, flow) {
        match side_of(&view) {
            Some(Lost::Before) => before.push(evidence.called(view.capture)),
            Some(Lost::Behind) => behind.push(evidence.called(view.capture)),
            None => {}
        }
    }
    let has = |names: &[String]| if names.len() == 1 { "has" } else { "have" };
    let lost_before = (!before.is_empty()).then(|| {
        let (to, has) = (before.join(" and to "), has(&before));
        format!("They were lost on the way to {to}, which {has} them only as they were sent again.")
    });
    let lost_behind = (!behind.is_empty()).then(|| {
        let (name, has) = (behind.join(" and "), has(&behind));
        format!("They were lost behind {name}, which {has} them before they were sent again.")
    });
    let said: Vec<_> = [lost_before, lost_behind].into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// Whether captures of two places have a flow.
fn is_seen_twice(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    views(evidence, flow).iter().any(|view| view.capture != flow.capture)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What arrives in each bin before the first loss, in stretches of two.
    fn before(sums: &[f64]) -> Option<Before> {
        let bins: Vec<_> = sums.iter().map(|&sum| Bin { sum, count: 1, least: sum, most: sum }).collect();
        Before::of(&bins, 2)
    }

    #[test]
    fn a_rate_that_still_grows_is_none_that_a_flow_had() {
        assert_eq!(before(&[1.0]), None);
        assert_eq!(before(&[1.0, 2.0]), Some(Before { most: 3.0, held: false }));
        assert_eq!(before(&[1.0, 1.5, 2.2, 3.4, 5.0, 7.6]), Some(Before { most: 12.6, held: false }));
        assert_eq!(before(&[1.0, 4.0, 9.0, 9.0, 8.0, 9.0]), Some(Before { most: 18.0, held: true }));
        assert_eq!(before(&[0.0, 0.0, 9.0, 9.0, 1.0, 1.0]), Some(Before { most: 18.0, held: false }));
    }
}
