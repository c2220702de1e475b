//! W406: a connection has died: the sender repeats itself, and no answer comes.

use super::hopeless::hopeless;
use super::in_flows;
use super::out_of_reach::weak_since;
use crate::across::is_on_the_clock;
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::link::Link;
use crate::lost_on_air::{LostOnAir, lost_on_air};
use crate::rule::Rule;
use crate::standstill::{LONG, answers_beside, cost, frames, given_up, lives};
use airloom_trace::tcp::Stuck;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W406",
    name: "dead connection",
    means: "On a connection nothing is answered any more. The same data is sent again and again, and whatever waits for it hangs.",
    needs: "TCP",
    computes: "For how long a flow's first unacknowledged data had been sent again and again as the capture ended, with nothing from the receiver. \
               Reported from 3 s and four times on, or 10 s and three times; also where an answer came 10 s later or more, only as the sender had given up and ended the \
               connection.",
    traps: "A connection whose SYN nobody answers has no data: it does not count. Where only full packets vanish, it is W307. Where the sender had ended the connection (FIN), it costs nothing. \
            Where another capture has the receiver's answers, the rule cannot tell. Where a monitor hears the receiver's radio while it acknowledges none of the data that goes to it, the air takes that (W105, or the rule cannot tell). Nor where a monitor that hears the sender's station has not heard half of what that repeats: the rule cannot tell. So it does where next to nothing arrives over the station's link, all at one rate for which the signal is hardly enough (W105).",
    refuted_by: "Packets of the receiver at its own interface at that time.",
    judge,
};

/// What another capture has so much later, in seconds, was no answer on its way.
const CLEARLY: f64 = 1.0;

/// The share of what a station repeats that a monitor has to hear on the air before the way behind that is blamed.
const HEARD: f64 = 0.5;

/// What helps where the other computer is heard otherwise, and where it is not.
const FORGOTTEN: &str = "Look for what lets other connections of the two through and this one not: a firewall that blocks or an address translation that has \
                         forgotten it, or a program that was started anew. Where idle connections die, keep them alive more often than that forgets \
                         (`sysctl net.ipv4.tcp_keepalive_time`).";
const CLOSED: &str = "The receiver's program has closed the connection, and its host answers no more, not even by a reset: look at the program at the sender, which \
                      goes on sending, and for a firewall or an address translation that drops a connection as one end closes it.";
const GONE: &str = "Look at the other end and at the way to it: a host that is gone, a firewall or an address translation that has forgotten the \
                    connection, a link that is down. Where idle connections die, keep them alive more often than that forgets (`sysctl \
                    net.ipv4.tcp_keepalive_time`).";

const OUT_OF_REACH: &str = "Look at the radio of the receiver at that time: whether it was out of reach, switched off, asleep, or on another channel (`iw event -t`, \
                            `journalctl -u wpa_supplicant`).";

/// What is said of a computer that answers the same sender on another connection.
const BESIDE: &str = " The same computer acknowledges on another connection of the two what was sent later than this: only this port is silent.";

/// What is said of a computer of which nothing else comes.
const SILENT: &str = " Nothing else of that computer is in the capture meanwhile: whether it slept, was off the network or was cut off does not show, \
                      nor whether a radio link on the way lost all of it.";

/// That the air took all of it, and that there is no sign of the radio that it was sent to.
fn no_radio(evidence: &Evidence, lost: &LostOnAir<'_>) -> String {
    format!(
        " The monitor heard it go to {} ({} MPDUs since {:.1} s), which acknowledged none of it and gave no sign of itself: its radio was not there, and no firewall took this.",
        lost.link.to.mac,
        lost.futile.mpdus,
        evidence.seconds(lost.futile.span_ns.0),
    )
}

fn judge(evidence: &Evidence) -> Verdict {
    let verdict = in_flows(evidence, found);
    if verdict != Verdict::NOTHING {
        return verdict;
    }
    let unclear = |flow: &Flow<'_>| {
        let stuck = given_up(flow)?;
        let by_air =
            || taken_by_air(evidence, flow, &stuck).or_else(|| taken_by_rate(evidence, flow, &stuck));
        answers_elsewhere(evidence, flow, &stuck)
            .or_else(by_air)
            .or_else(|| taken_before_heard(evidence, flow, &stuck))
    };
    Verdict::unless_found_suspects(Vec::new(), flows(evidence, 1).iter().find_map(unclear))
}

/// That a flow stands still while the receiver's radio answers and none of its data arrives there: what the air takes says nothing of the connection.
fn taken_by_air(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> Option<String> {
    let lost = lost_on_air(evidence, flow, stuck)?;
    let (_, air) = evidence.air.as_ref()?;
    let sign_ns = lost.sign_ns.filter(|_| weak_since(air, &lost).is_none())?;
    Some(format!(
        "{} stands still for {:.1} s, but {} is on the air, last at {:.1} s, and acknowledged none of the {} MPDUs that went to it since {:.1} s: the air takes what is sent again, and \
         why does not show",
        flow.named(),
        stuck.unheard_ns() as f64 / 1e9,
        lost.link.to.mac,
        evidence.seconds(sign_ns),
        lost.futile.mpdus,
        evidence.seconds(lost.futile.span_ns.0),
    ))
}

/// That a flow stands still while next to nothing arrives over the link of its station, at a rate that does not change: the receiver gets none of what it would answer.
fn taken_by_rate(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> Option<String> {
    let link = hopeless_link(evidence, flow)?;
    Some(format!(
        "{} stands still for {:.1} s, but of {} MPDUs from {} no more than {} arrived, all at one rate for which the signal is hardly enough (W105): whether the receiver would answer does not show",
        flow.named(),
        stuck.unheard_ns() as f64 / 1e9,
        link.traffic.first_tries(),
        link.named(),
        link.traffic.arrived(),
    ))
}

/// That a monitor which hears the radio of what stands still, and can read what goes there, has hardly any of what its station repeats: frames that collide are not heard, and the receiver
/// never got what it would answer.
fn taken_before_heard(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> Option<String> {
    let (place, air) = evidence.air.as_ref()?;
    let station = evidence.station_of(flow.capture, flow.sender().ip())?;
    let is_read = *place != flow.capture && !evidence.connections[*place].is_empty();
    air.radio(station).filter(|radio| is_read && !radio.is_ap)?;
    let of_air = views(evidence, flow).into_iter().find(|view| view.capture == *place);
    let heard = of_air.and_then(|view| view.data().stuck).map_or(0, |stuck| stuck.times);
    (f64::from(heard) < HEARD * f64::from(stuck.times)).then(|| {
        format!(
            "{} stands still for {:.1} s, but of the {} times that it was sent the monitor has {heard} on the air, though it hears {station}: what is lost on the radio link, as by collisions, \
             the receiver has never got, and whether it would answer does not show",
            flow.named(),
            stuck.unheard_ns() as f64 / 1e9,
            stuck.times,
        )
    })
}

/// The link to or from a station at either end of a flow over which next to nothing arrives.
fn hopeless_link<'a>(evidence: &'a Evidence, flow: &Flow<'_>) -> Option<Link<'a>> {
    let (_, air) = evidence.air.as_ref()?;
    let of_ends = flow.connection.ends.iter().filter_map(|end| evidence.station_of(flow.capture, end.ip()));
    let stations: Vec<_> = of_ends.chain(evidence.joins[flow.capture].station).collect();
    hopeless(air).find(|link| stations.contains(&link.station().mac))
}

/// That another capture has packets of the receiver on the same connection, a second and more after this one has any: they are lost on their way.
fn answers_elsewhere(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> Option<String> {
    let since = evidence.seconds_in(flow.capture, stuck.span_ns.0.max(stuck.heard_ns)) + CLEARLY;
    let last = |view: &Flow<'_>| {
        let last_ns = view.connection.last_ns[1 - view.from]?;
        let is_timed = is_on_the_clock(evidence, view.capture) && is_on_the_clock(evidence, flow.capture);
        Some(evidence.seconds_in(view.capture, last_ns)).filter(|&last| is_timed && last >= since)
    };
    let views = views(evidence, flow);
    // What came in its own capture in the end is known.
    let mut others = views.iter().filter(|view| view.capture != flow.capture);
    let (view, last) = others.find_map(|view| Some((view, last(view)?)))?;
    Some(format!(
        "{} stands still for {:.1} s in {}, but {} has packets of the receiver until {last:.1} s: it answers, and what lies between the two captures loses that",
        flow.named(),
        stuck.unheard_ns() as f64 / 1e9,
        evidence.called(flow.capture),
        evidence.called(view.capture),
    ))
}

/// How it goes on after the last time that it is sent, where no FIN tells: by a reset, or not as far as the capture goes.
fn how_it_ends(evidence: &Evidence, flow: &Flow<'_>, stuck: &Stuck) -> String {
    let (first, last) = stuck.span_ns;
    if stuck.answered_ns.is_some() || flow.connection.finished[flow.from] {
        return String::new();
    }
    if let Some(reset) = flow.connection.reset.filter(|reset| reset.at_ns >= last) {
        let by = if reset.by == flow.from { "sender" } else { "receiver" };
        let later_s = (reset.at_ns - last) as f64 / 1e9;
        if reset.may_be_of_another() {
            return format!(
                " A reset in the name of the {by} came {later_s:.1} s later, perhaps of another device on the way."
            );
        }
        return format!(" The {by} reset the connection {later_s:.1} s later.");
    }
    let Some((_, end)) = evidence.captures[flow.capture].span_ns else { return String::new() };
    let later = end.saturating_sub(last);
    // Each wait is twice the one before it (RFC 6298 section 5.5), so about as long as all of them.
    let goes_on = if later < last - first {
        "the next may not be due by then"
    } else {
        "it is sent no more until then"
    };
    format!(" The capture ends {:.1} s after the last: {goes_on}.", later as f64 / 1e9)
}

/// Which sides have ended the connection, in sentences.
fn finished(flow: &Flow<'_>, stuck: &Stuck) -> String {
    let [sender, receiver] = [flow.from, 1 - flow.from].map(|end| flow.connection.finished[end]);
    let is_answered = stuck.answered_ns.is_some();
    let all = [
        (is_answered, " Only as the sender gave up and ended the connection (FIN) did an answer come."),
        (receiver && !is_answered, " The receiver had ended its side of the connection (FIN)."),
        (sender && !is_answered, " The sender has ended the connection (FIN)."),
    ];
    all.into_iter().filter_map(|(has, says)| has.then_some(says)).collect()
}

fn found(evidence: &Evidence, flow: &Flow<'_>) -> Option<Finding> {
    let stuck = given_up(flow)?;
    let on_air = lost_on_air(evidence, flow, &stuck);
    // A radio that answers is no dead host: the air takes what is sent to it. Nor is a receiver whose answers are lost.
    let is_there = on_air.as_ref().is_some_and(|lost| lost.sign_ns.is_some());
    let is_unreached = is_there
        || hopeless_link(evidence, flow).is_some()
        || taken_before_heard(evidence, flow, &stuck).is_some();
    if is_unreached || answers_elsewhere(evidence, flow, &stuck).is_some() {
        return None;
    }
    let [from, to] = [stuck.span_ns.0, stuck.until_ns()].map(|at| evidence.seconds_in(flow.capture, at));
    let unheard = stuck.unheard_ns() as f64 / 1e9;
    let lives = lives(evidence, flow, &stuck);
    let answers_beside = lives != Some(true) && answers_beside(evidence, flow, &stuck);
    let was_closed = flow.connection.finished[1 - flow.from];
    let remedy = if on_air.is_some() {
        OUT_OF_REACH
    } else if lives != Some(true) && !answers_beside {
        GONE
    } else if was_closed {
        CLOSED
    } else {
        FORGOTTEN
    };
    Some(Finding {
        subject: flow.named(),
        spans: vec![[from, to]],
        value: unheard,
        threshold: LONG,
        unit: "s without an answer",
        confidence: 0.85,
        cost: cost(flow, &stuck),
        capture: flow.capture,
        frames: frames(flow, &stuck),
        filter: format!("{} && tcp.analysis.retransmission", flow.filter()),
        says: format!(
            "The same {} octets were sent {} times in {:.1} s, and nothing came from the receiver for {unheard:.1} s{}.{}{}{}{}",
            stuck.octets,
            stuck.times,
            (stuck.span_ns.1 - stuck.span_ns.0) as f64 / 1e9,
            if stuck.answered_ns.is_none() { " of these" } else { "" },
            match lives {
                _ if answers_beside => BESIDE,
                Some(true) =>
                    " Meanwhile the same computer sends other packets: only this connection is dead.",
                Some(false) if on_air.is_none() => SILENT,
                _ => "",
            },
            on_air.as_ref().map_or_else(String::new, |lost| no_radio(evidence, lost)),
            finished(flow, &stuck),
            how_it_ends(evidence, flow, &stuck),
        ),
        remedy: remedy.to_owned(),
    })
}
