//! The rules, one file each, in the order of their codes: 1xx about one station's radio, 2xx about the air that all share, 3xx
//! about queues and order, 4xx about what is not the Wi-Fi.

mod aggregation;
mod anomaly;
mod application;
mod at_once;
mod beacon_waits;
mod beside;
mod bus;
mod by_a_line;
mod by_size;
mod closed_window;
mod collided;
mod collisions;
mod contention;
mod cut_apart;
mod dead;
mod delayed_ack;
mod doubt;
mod elsewhere;
mod first_tries;
mod held_down;
mod hole;
mod hopeless;
mod in_step;
mod interference;
mod interruptions;
mod lost;
mod mtu_hole;
mod needless;
mod not_beyond;
mod nothing_back;
mod out_of_reach;
mod overhead;
mod own_queue;
mod power_save;
mod receiver;
mod roam_causes;
mod roaming;
mod scan;
mod slow_rate;
mod standing_queue;
mod stood_still;
mod tries;
mod untrusted;
mod weak;
mod weak_signal;
mod weak_spell;
mod window;

pub(crate) use held_down::lets;
pub(crate) use window::{held_octets, round_trip};

use crate::evidence::Evidence;
use crate::finding::{Finding, Verdict};
use crate::flow::{Flow, flows};
use crate::link::links;
use crate::rule::Rule;
use airloom_trace::{Air, Place};

/// All rules.
pub const RULES: [&Rule; 28] = [
    &untrusted::RULE,
    &scan::RULE,
    &power_save::RULE,
    &roaming::RULE,
    &slow_rate::RULE,
    &weak_signal::RULE,
    &collisions::RULE,
    &interference::RULE,
    &interruptions::RULE,
    &beacon_waits::RULE,
    &contention::RULE,
    &anomaly::RULE,
    &overhead::RULE,
    &standing_queue::RULE,
    &hole::RULE,
    &needless::RULE,
    &aggregation::RULE,
    &bus::RULE,
    &lost::RULE,
    &mtu_hole::RULE,
    &receiver::RULE,
    &application::RULE,
    &elsewhere::RULE,
    &delayed_ack::RULE,
    &window::RULE,
    &dead::RULE,
    &closed_window::RULE,
    &nothing_back::RULE,
];

/// What a rule says; or that it cannot tell, where there is none of the data that it looks at.
pub(crate) fn judged(rule: &Rule, evidence: &Evidence) -> Verdict {
    let of_data =
        |air: &Air| (rule.needs == "air" && !WITHOUT_DATA.contains(&rule.code)).then(|| no_data(air))?;
    let silent = evidence.air.as_ref().and_then(|(_, air)| of_data(air));
    silent.or_else(|| no_tcp_data(rule, evidence)).unwrap_or_else(|| (rule.judge)(evidence))
}

/// Rules about the air that look at more than data.
const WITHOUT_DATA: [&str; 2] = ["W001", "W203"];

/// None of the connections that were captured carried data: there was nothing that a rule about TCP looks at.
fn no_tcp_data(rule: &Rule, evidence: &Evidence) -> Option<Verdict> {
    let mut all = evidence.connections.iter().flatten().peekable();
    let is_without = rule.needs.ends_with("TCP") && all.peek().is_some() && all.all(|one| one.octets() == 0);
    is_without.then(|| Verdict::CannotTell("no connection of TCP carried data".to_owned()))
}

/// There is no capture of the air, which alone shows what this looks at.
fn no_air() -> Verdict {
    Verdict::CannotTell("no capture of the air by a monitor".to_owned())
}

/// The monitor heard no data of any station, or of keys alone: whether one was away does not show.
fn no_data(air: &Air) -> Option<Verdict> {
    let because =
        "no data between a station and its access point was heard, beside that which sets up its keys";
    (air.data == air.keys).then(|| Verdict::CannotTell(because.to_owned()))
}

/// No capture shows TCP.
fn no_tcp(evidence: &Evidence) -> Verdict {
    if let Some(one) = evidence.captures.iter().find(|one| one.cut_tcp > 0) {
        return Verdict::CannotTell(format!(
            "{} was cut to {} octets in {} {}, which is less than the headers of TCP: capture more of them (`tcpdump -s 128`)",
            one.named(),
            one.snap_length,
            one.cut_tcp,
            if one.cut_tcp == 1 { "record" } else { "records" }
        ));
    }
    if let Some(one) = evidence.captures.iter().find(|one| one.tunnelled > 0) {
        return Verdict::CannotTell(format!(
            "no TCP outside of tunnels: what is within {} packets of {} cannot be read (GRE, or IP in IP): take a capture at an end of the tunnel, on the interface of \
             what goes through it",
            one.tunnelled,
            one.named()
        ));
    }
    if reads_packets(evidence) {
        return Verdict::CannotTell("no TCP that can be read among the packets of the captures".to_owned());
    }
    Verdict::CannotTell("no TCP that can be read: take a capture at a host, or of an open network".to_owned())
}

/// Whether a capture was made at a host.
fn at_host(evidence: &Evidence) -> bool {
    evidence.captures.iter().any(|one| one.place == Some(Place::Host))
}

/// Whether packets can be read, of whatever protocol: another capture at a host has no other.
fn reads_packets(evidence: &Evidence) -> bool {
    at_host(evidence) || evidence.streams.iter().any(|streams| !streams.is_empty())
}

/// A rule that found nothing has looked only if there was `enough` to find something; else it cannot tell, for what it `lacks`.
fn with_enough(verdict: Verdict, enough: bool, lacks: impl FnOnce() -> String) -> Verdict {
    if enough || verdict != Verdict::NOTHING {
        return verdict;
    }
    Verdict::CannotTell(format!("too little data: {}", lacks()))
}

/// The same of a rule that looks at flows with so many octets or more: whether there are any.
fn with_flows(verdict: Verdict, flows: &[Flow<'_>], octets: u64) -> Verdict {
    with_enough(verdict, !flows.is_empty(), || format!("no flow of {} kB or more", octets / 1000))
}

/// The same of a rule that looks at links with so many MPDUs or more.
fn with_links(verdict: Verdict, air: &Air, few: u64) -> Verdict {
    with_enough(verdict, !links(air, few).is_empty(), || {
        format!("no link of which {few} MPDUs were heard, either way")
    })
}

/// What is found in each flow that has data.
fn in_flows(evidence: &Evidence, found: impl Fn(&Evidence, &Flow<'_>) -> Option<Finding>) -> Verdict {
    if evidence.connections.iter().all(Vec::is_empty) {
        return no_tcp(evidence);
    }
    Verdict::Found(flows(evidence, 1).iter().filter_map(|flow| found(evidence, flow)).collect())
}
