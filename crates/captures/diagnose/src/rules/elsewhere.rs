//! W403: something beyond the air holds a flow back.

use super::window::AT_SENDER;
use super::{bus, by_a_line, collisions, interference, lost, no_air, no_tcp, not_beyond, window, with_flows};
use crate::across::goes_between;
use crate::collides::collide_alone;
use crate::cut_short::cut_short;
use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows, views};
use crate::idle_air::{cost_of_idle_air, within_receivers};
use crate::link::{Link, links};
use crate::rule::Rule;
use crate::sides::{Side, side};
use crate::spare::{
    EVEN, IDLE, LineSeen, SHORT_PPDUS, Spare, WAITED_PCT, feeds_another, is_heard, line, loses_in_the_air,
    spare, unclear, waits_for_air, waits_in_silence,
};
use crate::waits::{WAITS, waits};
use airloom_trace::tcp::Limit;
use airloom_trace::{Air, Place};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W403",
    name: "limited beyond the air",
    means: "The air has time to spare: what limits this transfer lies before it or behind it, in the cable, the internet, \
            the other computer, the access point itself, or the device's own port and processor.",
    needs: "TCP",
    computes: "The median over a flow's time of how busy the air is, with what goes before and after each PPDU, where neither the receiver nor the \
               program limits the flow: its sender waits for acknowledgments or recovers from losses for a half of the time at least. \
               Reported where the air is busy for less than half of the time, or where the PPDUs of the flow's link have, by MPDU, less than 40 % of the MPDUs of its longest one \
               and take less time for data than for preamble, gaps and answer, or would carry 15 % more than the flow, and where fewer than one MPDU in ten is sent again: then hardly ever more was waiting for the air (where one MPDU in ten holds several packets, by octets). So it is where less than half of the PPDUs \
               had to wait for the air and would carry so much more. Where packets pass a host at one and the same distance for four fifths of the time, and for less than a twentieth in pauses many times as long, they come through a line that always has one waiting, or a limit of the rate at the sender, and so they do where packets of all connections of its sender, or of its receiver, pass so together and the flow is a quarter of these: that is reported where the air is busy for less than 90 % of the time. Packets wait on that side of the air on which three of four take, from one capture to another or from the monitor's there and back, 5 ms longer than the quickest and three times as much longer as on the other, unless frames wait for the air.",
    traps: "Captures of hosts alone show a line by that distance: that is reported where packets come out of it while round trips to the sender, by clock values (RFC 7323), take twice the shortest and 5 ms more, so that a queue stands before it, and the flow has 95 % of what goes at that distance; else a limit of the rate at the sender, a congestion \
            control that paces or a program that writes evenly may make it, and the rule cannot tell. A monitor on another channel hears nothing of the flow: if the monitor heard no link, of the flow's station where that is known, that carried about as much as the flow, the rule cannot tell, nor if that station goes between channels that were captured. A station that is away or dozes leaves the air idle too: time in which it was does not count. An adapter on a slow bus \
            does as well: that is W305. Where frames go many at once, as where they wait, and yet not as soon as they could, others may use the air unheard, and the rule cannot tell, of no flow in that air; but not where their data had just come, the shortest round trip behind what let it go, by clock values of TCP that can be read. Nor can it where 15 % of the link's MPDUs are sent again, or, of frames that go alone, 5 % in both directions together: so many collide where both sides always have one waiting, so that something holds the air that the monitor does not decode, as an oven does for half of the time, or where data comes in bursts. Where segments were lost on the way to the air of an access point that always has data waiting for another station, its own queue may be what drops them, and the rule cannot tell. Where about as many frames were given up in the air as segments were lost, or in bursts nothing arrived over the link, the rule cannot tell. Nor can it where an access point's segments were lost though they had been heard on the air, where they were lost \
            on the way there while their station was away or just behind, or where nothing of the receiver comes any more. A window that its sender does not let grow is W405, and where nearly as much is outstanding as the receiver's allows, the rule cannot tell; where next to nothing is lost and round trips are hardly longer than \
            the shortest, or do not show without the handshake and clock values (RFC 7323), its window, its program or the line at its sender may hold the flow back, and the rule cannot tell but by such a distance. So it is where as much is outstanding all the time and half of the round trips take less than twice the shortest: frames that go many at once make them so much longer, and a window that a way holds back grows until a queue shows. Away from the sender a program's pauses make round trips seem up to twice as long, and the rule cannot tell; nor can it where the sender's own \
            capture shows that most packets do not go as acknowledgments arrive, without a queue; nor where most often as much is sent at a time, and nothing more until all of it is acknowledged. Where frames were cut before the later packets of their A-MSDUs, much of a flow does not show, and the rule cannot tell. A stream that never loses anything and, seen near its sender, never has more than ten segments \
            outstanding is as fast as its program.",
    refuted_by: "The same rate from a server beside the access point.",
    judge,
};

/// The share of the time from which on it is said that packets of others go between those of a line.
const SEEN: f64 = 0.02;
/// The share of MPDUs that are sent again from which on something may disturb a link: two senders that hear each other collide less often.
const RESENDS: f64 = 0.15;
/// Links of fewer MPDUs say nothing of what disturbs.
const LINKS: u64 = 50;
/// Both ends of a flow.
const BOTH: usize = 2;
/// Shorter round trips say nothing of the way, in ms.
const LEAST_TRIP_MS: f64 = 0.5;
/// Smaller flows say nothing, in octets.
const SMALL: u64 = 100_000;

fn judge(evidence: &Evidence) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    let flows = flows(evidence, SMALL);
    let air = match &evidence.air {
        Some((_, air)) if unclear(air).is_none() => air,
        other => {
            let because = other.as_ref().and_then(|(_, air)| unclear(air));
            let untold = because.map_or_else(no_air, |because| Verdict::CannotTell(because.to_owned()));
            let by_hosts = by_a_line::judged(evidence, &flows);
            return if by_hosts == Verdict::NOTHING { untold } else { by_hosts };
        }
    };
    let (mut findings, mut doubts, mut amiss) = (Vec::new(), None, None);
    let silent = flows.iter().any(|flow| waits_unheard(evidence, air, flow));
    for (flow, finding) in flows.iter().filter_map(|flow| Some((flow, found(evidence, air, flow)?))) {
        match doubt(evidence, air, flow, silent) {
            Some(because) => {
                let said = Some(format!("{}: {because}", flow.named()));
                // What holds it back then is its sender, whose own capture would tell.
                let is_amiss = [UNHEARD, AT_ONCE, COLLIDE].contains(&because.as_str())
                    || unhindered(evidence, flow).as_ref() == Some(&because);
                amiss = amiss.or_else(|| said.clone().filter(|_| is_amiss));
                doubts = doubts.or(said);
            }
            // A small send buffer looks the same, and speaks against it above.
            None if by_a_line::is_of_its_program(flow) => {}
            None => findings.push(finding),
        }
    }
    let doubts = doubts.or_else(|| flows.iter().find_map(|flow| cut_short(evidence, flow)));
    match amiss {
        None => with_flows(Verdict::unless_found(findings, doubts), &flows, SMALL),
        amiss => Verdict::unless_found_suspects(findings, amiss),
    }
}

/// That something keeps a flow's frames waiting which is not heard.
const UNHEARD: &str = "frames go many at once, as where they wait, while nothing is heard: something may use the air that the monitor does not hear, or a program writes, or a window lets go, many at a time";

/// That something may disturb a link.
const RESENT: &str =
    "so many frames of its link are sent again that what disturbs them may be what holds it back";

/// That something may keep frames waiting that have nothing else to wait for.
const AT_ONCE: &str = "frames go as soon as they can, as where they wait, though the air is idle at other times: something may use it then that the monitor does not hear";

/// That frames collide as those do that always wait.
const COLLIDE: &str = "frames collide as often as where both sides always have one waiting, though the air is idle at other times: data may come in bursts, or something may use it then that the monitor does not decode";

/// That a sender sends as much at a time, whatever the way lets it.
const ALIKE: &str = "most often it sends as much at a time, and nothing more until all of it is acknowledged: its program may write so, or its buffer hold no more";

/// That an access point which is never out of data may have lost a flow's segments itself.
const DROPPED: &str = "segments were lost on the way to the air, and its access point always has data waiting, for another station: the access point's own queue may be what drops them";

/// Why it cannot be told that the way holds a flow back, and not the air or something else; none if nothing speaks against it.
/// Where data is known to wait in `silent` air, that holds for every flow.
fn doubt(evidence: &Evidence, air: &Air, flow: &Flow<'_>, silent: bool) -> Option<String> {
    if !is_heard(evidence, air, flow) {
        return Some(
            "the monitor has heard no link that carried as much: this flow's station may be on another channel or at another access point, and the air there may be what limits it".to_owned(),
        );
    }
    if goes_away(evidence, flow) {
        return Some("its station goes from one captured channel to another, and the air of each is idle while it is on the other".to_owned());
    }
    if let Some(because) = disturbed(evidence, air, flow) {
        return Some(because.to_owned());
    }
    if line(evidence, flow).is_some() {
        return None;
    }
    let link = flow.link(evidence, air);
    if let Some(because) = not_beyond::because(evidence, flow, link.as_ref()) {
        return Some(because);
    }
    let same = views(evidence, flow);
    if same.iter().any(|view| view.data().batches.are_alike()) {
        let is_near = same.iter().any(Flow::is_near_sender);
        return Some(if is_near { ALIKE.to_owned() } else { ALIKE.to_owned() + AT_SENDER });
    }
    if silent || link.as_ref().is_some_and(|link| waits_in_silence(air, link).is_some()) {
        return Some(UNHEARD.to_owned());
    }
    let may_carry = || link.map_or_else(|| links(air, LINKS), |link| vec![link]);
    if let Some(because) = may_carry().iter().find_map(|link| interrupted(air, link)) {
        return Some(because.to_owned());
    }
    if lost_segments(flow) > 0 && link.is_some_and(|link| feeds_another(air, &link)) {
        return Some(DROPPED.to_owned());
    }
    if window::nears_receivers(flow) {
        return Some(
            "nearly as much is outstanding as its receiver takes, whose window may be what holds it back: a capture at the sender would tell".to_owned(),
        );
    }
    unhindered(evidence, flow)
}

/// Why nothing shows that the way holds a flow back, and what would tell what does; none if losses or a queue show.
fn unhindered(evidence: &Evidence, flow: &Flow<'_>) -> Option<String> {
    let because = window::unhindered(evidence, flow)?;
    let at_sender = views(evidence, flow).iter().any(|view| view.is_near_sender());
    Some(if at_sender || because.ends_with(TELLS) { because } else { because + AT_SENDER })
}

/// How a reason ends that names what would tell.
const TELLS: &str = "would tell";

/// Whether a station of a flow leaves the channel that is looked at for another one that was captured.
fn goes_away(evidence: &Evidence, flow: &Flow<'_>) -> bool {
    let known =
        flow.connection.ends.into_iter().filter_map(|end| evidence.station_of(flow.capture, end.ip()));
    known.chain(evidence.joins[flow.capture].station).any(|mac| goes_between(evidence, mac))
}

/// Why something that is not heard may be what holds a link's frames back: an oven leaves the air to Wi-Fi for a half of each period of the mains, so that frames go one right behind the
/// other then, and wait else. None if it is not.
fn interrupted(air: &Air, link: &Link<'_>) -> Option<&'static str> {
    let traffic = link.traffic;
    let resends = traffic.retried as f64 >= RESENDS * traffic.mpdus as f64;
    let collide = collide_alone(air, link).is_some();
    match (resends, waits_for_air(air, link)) {
        (true, true) => Some(UNHEARD),
        (true, false) => Some(RESENT),
        (false, true) if collide => Some(AT_ONCE),
        (false, false) if collide => Some(COLLIDE),
        (false, _) => None,
    }
}

/// Whether a flow's data is seen to wait in air in which nothing is heard, and nothing else holds it back that would leave such gaps.
fn waits_unheard(evidence: &Evidence, air: &Air, flow: &Flow<'_>) -> bool {
    let held = || {
        line(evidence, flow).is_some()
            || bus::may_hold(evidence, flow)
            || window::holds(evidence, flow)
            || window::fills_receivers(evidence, flow) == Some(true)
    };
    let link = flow.link(evidence, air).filter(|_| waits(flow) >= WAITS);
    link.is_some_and(|link| waits_in_silence(air, &link).is_some()) && !held()
}

/// Segments of a flow that were lost.
fn lost_segments(flow: &Flow<'_>) -> u64 {
    let again = &flow.data().retransmissions;
    again.segments().saturating_sub(again.needless())
}

/// Why the air itself may be what makes a flow's sender slow down, though it is idle then.
fn disturbed(evidence: &Evidence, air: &Air, flow: &Flow<'_>) -> Option<&'static str> {
    let link = flow.link(evidence, air)?;
    if loses_in_the_air(flow, &link) {
        return Some(
            "of its link about as many frames were given up after all tries as segments were lost: the air may be what takes them, and its sender slows down",
        );
    }
    let ways = [link.key(), (link.to.mac, link.from.mac)];
    let ways: Vec<_> = ways.into_iter().filter_map(|key| Link::between(air, key)).collect();
    if ways.iter().any(|way| collisions::strikes(air, way)) {
        return Some("what goes over its link collides, which is not heard and makes the air look idle");
    }
    let is_struck = ways.iter().any(|way| interference::strikes(air, way));
    is_struck.then_some("in bursts nothing arrives over its link, and its sender may slow down for these")
}

fn found(evidence: &Evidence, air: &Air, flow: &Flow<'_>) -> Option<Finding> {
    let data = flow.data();
    let link = flow.link(evidence, air);
    let spare = spare(evidence, air, flow, link.as_ref())?;
    let at_receiver = window::fills_receivers(evidence, flow) == Some(true);
    if bus::may_hold(evidence, flow) || window::holds(evidence, flow) || at_receiver {
        return None;
    }
    let lost = lost_segments(flow);
    let share = 100.0 * lost as f64 / data.packets.max(1) as f64;
    let trips = flow.data().trips.to_receiver();
    let trip = trips.quantile_ms(0.5).filter(|&median| median >= LEAST_TRIP_MS).map(|median| {
        let from = evidence.called(flow.capture);
        format!(" Half of the round trips from {from} to the receiver take more than {median:.0} ms.")
    });
    let place = link.as_ref().and_then(|link| side(evidence, air, flow, link));
    let where_lost = lost_where(evidence, flow, lost);
    let waits = waits_where(place, evidence, !where_lost.is_empty());
    let (value, threshold, unit, shown) = measured(spare);
    Some(Finding {
        subject: flow.named(),
        spans: vec![flow.span(evidence)],
        value,
        threshold,
        unit,
        confidence: 0.8,
        cost: within_receivers(evidence, flow, cost_of_idle_air(evidence, flow)),
        capture: flow.capture,
        frames: data.limits.shown(Limit::Congestion).to_vec(),
        filter: flow.filter(),
        says: format!(
            "{shown}, while the sender waits for acknowledgments for {:.0} % of the time{}.{}{}{} The air is not what limits it.{}",
            100.0 * data.limits.share(Limit::Congestion),
            losses(share, 100.0 * data.limits.share(Limit::Recovery)),
            where_lost,
            trip.unwrap_or_default(),
            even_pace(evidence, flow),
            waits
        ),
        remedy: remedy(place),
    })
}

/// On which side of the air packets wait, or what remains where that does not show, nor where segments were lost (`is_told`): sentences.
fn waits_where(place: Option<Side>, evidence: &Evidence, is_told: bool) -> String {
    let hosts = evidence.captures.iter().filter(|one| one.place == Some(Place::Host)).count();
    match place {
        Some(Side::Station) => {
            " Packets wait on the station's side of it: at its adapter, the bus to that, its driver or its processor.".to_owned()
        }
        Some(Side::AccessPoint) => {
            " Packets wait on the access point's side of it: at its processor, on the line, or at the other end. A capture at the access point's port to the wire would tell these apart.".to_owned()
        }
        None if is_told => String::new(),
        None => format!(
            " On which side of it does not show: the line, the other end, the access point's processor, and the station's own bus or processor remain.{}",
            if hosts < BOTH {
                " Captures at both hosts beside the monitor's would tell."
            } else {
                " Captures at both hosts do not show it: one at the access point's port to the wire would tell."
            }
        ),
    }
}

/// What to look at.
fn remedy(place: Option<Side>) -> String {
    match place {
        Some(Side::Station) => {
            "Look at the station: the speed of its adapter's port (`lsusb -t` says 12M for USB 1.1), its driver, and how busy its processor is (`top`); or try another adapter or port.".to_owned()
        }
        Some(Side::AccessPoint) => format!("{LINE}. {CONTROL}"),
        None => format!("{LINE}; and at the station: its adapter's port (`lsusb -t`), and its processor. {CONTROL}"),
    }
}

/// What helps where the line or the access point may be narrow.
const LINE: &str = "Measure the way between access point and server by wire: its rate, its losses (a cable, a shaper, a policer), its delay. If it is sound there, look at the \
                    access point: its processor, and the length of its queue";
/// What helps on a line that is lossy or long.
const CONTROL: &str = "On a lossy or long way another congestion control may help (`sysctl net.ipv4.tcp_congestion_control=bbr`).";

/// What shows that the air would carry more: the value, its threshold, their unit, and a clause.
fn measured(spare: Spare) -> (f64, f64, &'static str, String) {
    match spare {
        Spare::Idle(busy) => (
            busy,
            IDLE,
            "% of the time in which the air is busy",
            format!("The air is busy for {busy:.0} % of the time"),
        ),
        Spare::Short(share) => (
            share,
            SHORT_PPDUS,
            "% of the MPDUs of the longest PPDU",
            format!(
                "No queue stands before the air: averaged over MPDUs, a PPDU has only {share:.0} % of the MPDUs of the longest one"
            ),
        ),
        Spare::Free(waited) => (
            waited,
            WAITED_PCT,
            "% of the PPDUs that waited for the air",
            format!("Only {waited:.0} % of the PPDUs had to wait for the air"),
        ),
        Spare::Line(share) => (
            share,
            EVEN,
            "% of the time in which packets pass at one and the same distance",
            "The air would carry more".to_owned(),
        ),
    }
}

/// At which pace packets pass, if they pass at one and the same distance: a sentence.
fn even_pace(evidence: &Evidence, flow: &Flow<'_>) -> String {
    let said = |LineSeen { capture, pace, is_shared }: LineSeen| {
        let others = pace.share_with_others() > pace.share() + SEEN;
        let together = "with those of its host's other connections together";
        format!(
            " For {:.0} % of the time packets{} pass {} at one and the same distance{}, as a line of {:.1} Mbit/s of data lets them go, or a limit of the rate at the sender.",
            100.0 * pace.share_with_others(),
            if is_shared { format!(", {together},") } else { String::new() },
            evidence.captures[capture].named(),
            if others { " but for others between them" } else { "" },
            pace.mbps()
        )
    };
    line(evidence, flow).map_or_else(String::new, said)
}

/// What was lost, in percent of the segments, and for how much of its time the sender recovered, in percent; what rounds to nothing is not said.
fn losses(share: f64, recovers: f64) -> String {
    let recovers = if recovers >= 0.5 {
        format!(" and recovers from losses for {recovers:.0} %")
    } else {
        String::new()
    };
    match share {
        0.0 => format!("{recovers}; no segment was lost"),
        ..0.05 => format!("{recovers}; fewer than 0.1 % of the segments were lost"),
        _ => format!("{recovers}; {share:.1} % of the segments were lost"),
    }
}

/// On which side of the captures so many segments were lost, in a sentence; nothing of few, which may be chance, and where that does not show.
fn lost_where(evidence: &Evidence, flow: &Flow<'_>, lost: u64) -> String {
    let place = (lost > lost::CHANCE).then(|| lost::place(evidence, flow)).flatten();
    place.map_or_else(String::new, |place| format!(" {place}"))
}
