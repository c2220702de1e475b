//! W408: a host asks others that had answered it, and nothing comes back from anybody.

use super::at_host;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::rule::Rule;
use airloom_trace::Silence;
use std::collections::BTreeSet;
use std::net::IpAddr;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W408",
    name: "nothing comes back",
    means: "For some time this device was cut off: it kept asking, and not one answer came, from anybody.",
    needs: "a capture of a host",
    computes: "Spells in which a host sends 20 questions and more to three others and more, for 5 s and longer, and not one packet comes to it. \
               A question is a TCP segment that has to be acknowledged, or a datagram to a port below 1024; half of them go to ports that had answered \
               this host before or on connections that are open, and two hosts with such ports wait for 3 s at least.",
    traps: "A capture of one direction has no answers at all: where nothing ever came to a host, the rule cannot tell. What is acknowledged meanwhile \
            did come, though the capture does not have it. A scan asks many that never answered, and one server that is gone takes no other with it: \
            neither counts. Broadcasts and multicasts that are still heard are no answers, since they are for all.",
    refuted_by: "Packets for this host at its own interface in that time.",
    judge,
};

/// So many hosts that had answered before do not.
const KNOWN: usize = 2;
/// From so many seconds on.
const LONG: f64 = 5.0;

fn judge(evidence: &Evidence) -> Verdict {
    if !at_host(evidence) {
        return Verdict::CannotTell("no capture at a host: a monitor may miss what comes to one".to_owned());
    }
    if !any_answer(evidence) {
        return Verdict::CannotTell("nothing in it goes both ways: a capture of one direction looks the same as a host that nobody answers".to_owned());
    }
    let (mut found, mut unclear) = (Vec::new(), None);
    for (capture, silences) in evidence.silences.iter().enumerate() {
        for silence in silences {
            match doubt(evidence, capture, silence) {
                Some(because) => unclear = unclear.or(Some(because)),
                None if silence.mostly_known && silence.known >= KNOWN => {
                    found.push(finding(evidence, capture, silence));
                }
                None => {}
            }
        }
    }
    Verdict::unless_found(found, unclear)
}

/// Whether any packet of TCP, any datagram or any echo has an answer.
fn any_answer(evidence: &Evidence) -> bool {
    let mut connections = evidence.connections.iter().flatten();
    let mut pings = evidence.pings.iter().flatten();
    connections.any(|one| one.packets[0] > 0 && one.packets[1] > 0)
        || pings.any(|pair| pair.answered > 0)
        || evidence.streams.iter().any(|streams| {
            // A call has a stream each way, whose ports need not be each other's.
            let ways: BTreeSet<_> = streams.iter().map(|one| one.ends.map(|end| end.ip())).collect();
            ways.iter().any(|&[from, to]| from != to && ways.contains(&[to, from]))
        })
}

/// Why it does not show whether something came to a host after all; none if nothing did.
fn doubt(evidence: &Evidence, capture: usize, silence: &Silence) -> Option<String> {
    let (host, name) = (silence.host, evidence.captures[capture].named());
    if silence.heard_ns.is_none() {
        return Some(format!(
            "{name} has nothing at all that is for {host}: a capture of one direction looks the same as a host that is cut off"
        ));
    }
    if silence.unread > 0 {
        return Some(format!("{name} has records that cannot be read while nothing else comes to {host}"));
    }
    comes_elsewhere(evidence, capture, silence)
        .then(|| format!("what comes to {host} is at another interface of {name}"))
}

/// Whether another interface of the same file has anything for a host at that time.
fn comes_elsewhere(evidence: &Evidence, capture: usize, silence: &Silence) -> bool {
    let [from, to] = silence.span_ns;
    let at_the_time = |span: (u64, u64)| span.0 <= to && from <= span.1;
    let path = &evidence.captures[capture].path;
    let others = (0..evidence.captures.len())
        .filter(|&other| other != capture && evidence.captures[other].path == *path);
    others.into_iter().any(|other| {
        let connections = evidence.connections[other].iter();
        let mut tcp = connections
            .filter(|one| (0..2).any(|end| one.ends[end].ip() == silence.host && one.packets[1 - end] > 0));
        let mut udp = evidence.streams[other].iter().filter(|one| one.ends[1].ip() == silence.host);
        tcp.any(|one| at_the_time(one.span_ns))
            || udp.any(|one| at_the_time((one.span_ns[0], one.span_ns[1])))
    })
}

fn finding(evidence: &Evidence, capture: usize, silence: &Silence) -> Finding {
    let host = silence.host;
    let [from, to] = silence.span_ns.map(|at| evidence.seconds_in(capture, at));
    let (first, last) = evidence.captures[capture].span_ns.unwrap_or_default();
    let whole = last.saturating_sub(first) as f64 / 1e9;
    let numbers = &silence.numbers;
    let [first, last] = [numbers.first(), numbers.last()].map(|number| number.copied().unwrap_or_default());
    let field = if host.is_ipv4() { "ip" } else { "ipv6" };
    Finding {
        subject: format!("host {host}"),
        spans: vec![[from, to]],
        value: to - from,
        threshold: LONG,
        unit: "s in which nothing comes",
        confidence: 0.9,
        cost: Cost::seconds(to - from, (to - from) / whole.max(1e-3), "in which nothing comes"),
        capture,
        frames: numbers.clone(),
        filter: format!("{field}.addr == {host} && frame.number >= {first} && frame.number <= {last}"),
        says: format!(
            "{} {host} sent {} packets to {} others, {} of which had answered it before{}, and not one packet came to it, until {}. {}",
            since(evidence, capture, silence, from),
            silence.packets,
            silence.asked,
            silence.known,
            silence
                .names
                .filter(|names| *names != host)
                .map_or_else(String::new, |names| format!(", {names} that it asks for names among them")),
            if silence.came_again {
                format!("something did at {to:.1} s")
            } else {
                format!("the capture ends at {to:.1} s")
            },
            others(silence),
        ),
        remedy: remedy(host),
    }
}

/// From when on nothing comes, and when something did last if that is a while ago.
fn since(evidence: &Evidence, capture: usize, silence: &Silence, from: f64) -> String {
    let heard = silence.heard_ns.map_or(from, |at| evidence.seconds_in(capture, at));
    if from - heard < LONG {
        return format!("From {from:.1} s on,");
    }
    format!("From {from:.1} s on, after it was idle since {heard:.1} s,")
}

/// What of others was captured meanwhile.
fn others(silence: &Silence) -> String {
    match silence.others {
        0 => "Nothing of any other host was captured meanwhile.".to_owned(),
        1 => "One packet of another host was captured meanwhile: the capture went on.".to_owned(),
        more => format!("{more} packets of other hosts were captured meanwhile: the capture went on."),
    }
}

fn remedy(host: IpAddr) -> String {
    let lease = if host.is_ipv4() {
        "whether its address is still its own (the DHCP lease)"
    } else {
        "whether its address and its router are still valid"
    };
    format!(
        "Look at the link of {host} at that time: whether it is still associated, {lease}, whether the router answers (`ping` it), and whether a VPN or a \
         firewall takes what comes. `journalctl` of NetworkManager and wpa_supplicant has the times of the link."
    )
}
