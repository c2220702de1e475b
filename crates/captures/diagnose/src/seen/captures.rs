//! The captures of a diagnosis, and the ways between them.

use crate::capture::CaptureStats;
use crate::evidence::Evidence;
use airloom_trace::Place;
use airloom_trace::tcp::Vantage;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

/// The most pairs of addresses of a capture whose passages are listed.
const MOST_PASSAGES: usize = 100;

/// A file.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct CaptureSeen {
    /// The file.
    pub file: String,
    /// The interface in words, such as "interface 0 (wlan0)"; none where the file has no other.
    pub interface: Option<String>,
    /// "air", "host", or neither.
    pub place: Option<&'static str>,
    /// Records in it.
    pub records: u64,
    /// Records that cannot be read: damaged, cut too short, or of a link that is not known here.
    pub unread: u64,
    /// Frames of a host that are sound but no IP, such as ARP and EAPOL.
    pub not_ip: u64,
    /// Those of the former that were cut before their headers end, and the most that was kept of any of them, in octets.
    pub cut_unread: u64,
    /// See `cut_unread`.
    pub kept_unread: u32,
    /// Records that were cut to a snap length.
    pub cut: u64,
    /// Those of them that were cut within the header of TCP or UDP, so that this cannot be read.
    pub cut_headers: u64,
    /// Packets that were read within those of a tunnel: GRE, or IP in IP.
    pub in_tunnels: u64,
    /// A-MSDUs that were cut, so that their later packets cannot be read.
    pub cut_amsdus: u64,
    /// Records stamped more than 10 ms before the one before them.
    pub misplaced: u64,
    /// Records stamped more than 30 days later than the one before them.
    pub leaps: u64,
    /// Whether its stamps are of no clock, so that they say nothing of time: the file was made or altered, or they leap back and forth by months.
    pub timeless: bool,
    /// Frames of the air, or TCP packets of a host, that are in it more than once: each time after the first.
    pub copies: u64,
    /// Those packets of them that came by with another TTL: a router lies between where they were captured.
    pub copies_elsewhere: u64,
    /// Its small TCP connections, if there are so many that only the larger ones are followed.
    pub left_out: LeftOut,
    /// Packets of its UDP streams that are not followed, if there are so many that only the larger ones are.
    pub datagrams_left_out: u64,
    /// Requests and answers of ICMP echo between hosts that are not followed, if there are so many that only the first are.
    pub pings_left_out: u64,
    /// Whether it is not read, since so many other interfaces come first in the file.
    pub beyond: bool,
    /// The stations whose packets it has, of a host's beside a capture of the air.
    pub stations: Vec<String>,
    /// From when until when it goes, in seconds since the first record of all captures.
    pub span_s: Option<[f64; 2]>,
    /// The channel of a monitor, in MHz; none where its radio names none.
    pub channel_mhz: Option<u16>,
    /// Whether rules about the air leave it aside: an earlier capture is of the same channel, or one of the two does not name its own.
    pub aside: bool,
    /// Of a monitor's capture that rules look at, times in which it heard nothing of anybody, not the beacons that it hears else either, in seconds since the first record of
    /// all captures.
    pub quiet: Vec<[f64; 2]>,
    /// Of a host's capture, times of half a second and more in which no TCP came to that host, in the midst of much that came, in seconds since the first record of all captures; and of three
    /// seconds and more up to its end, as the file says that, where data broke off of which more was to follow.
    pub lulls: Vec<[f64; 2]>,
    /// What ended it before its end.
    pub stopped: Option<String>,
    /// Captures that were given, too, and have the same records, in words: they are left out.
    pub also: Vec<String>,
    /// Its clock against the monitor's, or the first capture's; none for that one itself, and if they share too little.
    pub clock: Option<ClockSeen>,
}

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct LeftOut {
    /// TCP connections; one of which a packet came later counts anew.
    pub connections: u64,
    /// Their packets.
    pub packets: u64,
    /// Octets of their payload.
    pub bytes: u64,
    /// Segments that were sent again.
    pub retransmissions: u64,
}

/// The clock of a capture against the one that all times are of.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ClockSeen {
    /// How far it is ahead in ms, where the two begin to share packets.
    pub ahead_ms: f64,
    /// How much faster it runs, in parts per million.
    pub drift_ppm: f64,
    /// How far the true difference may be from this, either way, in ms.
    pub within_ms: f64,
    /// The station by whose encrypted frames it was found; none if packets could be read.
    pub station: Option<String>,
    /// The capture by way of which it was found; none if it shares packets with the reference.
    pub through: Option<String>,
}

/// The way of packets from one capture to another.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct PassageSeen {
    /// The captures that they pass, by their places among the captures, in this order.
    pub captures: [usize; 2],
    /// Their source and destination.
    pub ends: [String; 2],
    /// Packets of the sample that both captures have.
    pub packets: u64,
    /// The shortest time between the two and quantiles in ms.
    pub delay_ms: BTreeMap<&'static str, f64>,
}

/// The times in which a monitor's capture heard nothing.
fn quiet(evidence: &Evidence, capture: usize) -> Vec<[f64; 2]> {
    let air = evidence.air.as_ref().filter(|(of, _)| *of == capture);
    let spells = air.map(|(_, air)| air.quiet()).unwrap_or_default();
    spells.into_iter().map(|(from, to)| [from, to].map(|at| evidence.seconds(at))).collect()
}

/// The lulls of the host at which a capture was made, as its TCP shows that; of one with several addresses others may go on.
fn lulls(evidence: &Evidence, at: usize, capture: &CaptureStats) -> Vec<[f64; 2]> {
    let connections = evidence.connections[at].iter();
    let ends = connections.flat_map(|one| [0, 1].map(|end| (one, end)));
    let own = ends.filter(|(one, end)| one.vantage(*end) == Vantage::Sender);
    let hosts: BTreeSet<IpAddr> = own.map(|(one, end)| one.ends[end].ip()).collect();
    let Some(&host) = hosts.first().filter(|_| hosts.len() == 1 && !capture.is_timeless()) else {
        return Vec::new();
    };
    let end_ns = capture.ended_ns.max(capture.span_ns.map(|(_, last)| last)).unwrap_or_default();
    let lulls = capture.lulls.at(host).into_iter().chain(capture.lulls.at_end(host, end_ns));
    lulls.map(|(from, to)| [from, to].map(|at_ns| evidence.seconds_in(at, at_ns))).collect()
}

pub(crate) fn seen(evidence: &Evidence) -> Vec<CaptureSeen> {
    let seen = |(at, one): (usize, &CaptureStats)| CaptureSeen {
        file: one.path.display().to_string(),
        interface: one.name.clone(),
        place: one.place.map(Place::name),
        records: one.records,
        unread: one.unread,
        not_ip: one.not_ip,
        cut_unread: one.cut_unread,
        kept_unread: one.kept_unread,
        cut: one.cut,
        cut_headers: one.cut_headers,
        in_tunnels: one.in_tunnels,
        cut_amsdus: one.cut_amsdus,
        misplaced: one.backwards,
        leaps: one.leaps,
        timeless: one.is_timeless(),
        copies: one.copies,
        copies_elsewhere: one.copies_elsewhere,
        beyond: one.beyond,
        datagrams_left_out: one.datagrams_left_out,
        pings_left_out: one.pings_left_out,
        left_out: LeftOut {
            connections: one.left_out.connections,
            packets: one.left_out.packets,
            bytes: one.left_out.octets,
            retransmissions: one.left_out.retransmissions,
        },
        stations: evidence.stations(at).iter().map(ToString::to_string).collect(),
        span_s: one.span_ns.map(|(from, to)| [from, to].map(|stamp| evidence.seconds_in(at, stamp))),
        channel_mhz: one.channel_mhz,
        aside: one.beside,
        quiet: quiet(evidence, at),
        lulls: lulls(evidence, at, one),
        stopped: one.stop.map(|stop| stop.to_string()),
        also: one.also.clone(),
        clock: evidence.joins[at].clock.map(|clock| ClockSeen {
            ahead_ms: clock.ahead_ns() / 1e6,
            drift_ppm: clock.drift_ppm(),
            within_ms: clock.within_ns() / 1e6,
            station: evidence.joins[at].station.map(|station| station.to_string()),
            through: evidence.joins[at].through.map(|other| evidence.captures[other].named()),
        }),
    };
    evidence.captures.iter().enumerate().map(seen).collect()
}

pub(crate) fn passages(evidence: &Evidence) -> Vec<PassageSeen> {
    let mut passages = Vec::new();
    for (capture, join) in evidence.joins.iter().enumerate() {
        let reference = join.through.unwrap_or_else(|| evidence.reference());
        for passage in join.passages().iter().take(MOST_PASSAGES) {
            let at = |share: f64| passage.delays_ms[(share * (passage.delays_ms.len() - 1) as f64) as usize];
            passages.push(PassageSeen {
                captures: if passage.there { [reference, capture] } else { [capture, reference] },
                ends: passage.ends.map(|end| end.to_string()),
                packets: passage.delays_ms.len() as u64,
                delay_ms: [("min", at(0.0)), ("p50", at(0.5)), ("p95", at(0.95)), ("p99", at(0.99))].into(),
            });
        }
    }
    passages
}
