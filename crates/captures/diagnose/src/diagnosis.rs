//! What is printed for programs, in the words that do not change.

use crate::attempts::{self, AttemptSeen};
use crate::capture::CaptureStats;
use crate::carriers::work_out;
use crate::datagrams::{self, StreamSeen};
use crate::evidence::Evidence;
use crate::finding::{Abstained, Finding, Placed, Verdict};
use crate::flow::{Flow, flows_everywhere};
use crate::heard::{never_heard, own_share_of, unheard};
use crate::link::{Link, assumed_noise_dbm, links, network_of};
use crate::openings::{self, OpeningSeen};
use crate::order;
use crate::pings::{self, PingsSeen};
use crate::ppdus::tells_together;
use crate::reason;
use crate::rule::Rule;
use crate::rules::{self, RULES};
use crate::slow_spells::slow_spells;
use crate::standstill::stands_still;
use airloom_trace::tcp::{Direction, Limit, Pause, Trigger};
use airloom_trace::{Air, Direct, MacAddr, Place, RadioHeard, Unanswered};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of addresses of a capture whose passages are told.
const MOST_PASSAGES: usize = 100;
/// A rule that finds more about the connections, the stations or the links of a capture has its findings summed up.
const MOST_ALIKE: usize = 8;
/// The most reasons that are told of a station.
const MOST_REASONS: usize = 3;

/// All that was found.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Diagnosis {
    /// The captures in the files: one for each interface that has records.
    pub captures: Vec<CaptureSeen>,
    /// The place among them of the capture whose clock all times are on.
    pub reference: usize,
    /// Radios that were heard, access points among them, and stations that were deauthenticated or disassociated.
    pub stations: Vec<StationSeen>,
    /// Data between stations and access points.
    pub links: Vec<LinkSeen>,
    /// Data between radios of which none is the other's access point.
    pub direct: Vec<DirectSeen>,
    /// The data of TCP connections, each direction by itself, as each capture shows it.
    pub connections: Vec<FlowSeen>,
    /// Directions between stations and access points of which no data was heard, though answers to it were.
    pub unheard: Vec<UnheardSeen>,
    /// Data to groups; none without a capture of the air, or without such data.
    pub group: Option<GroupSeen>,
    /// Deauthentications and disassociations, by transmitter.
    pub leaves: Vec<LeavesSeen>,
    /// Attempts to open TCP connections that failed, and how many more there are.
    pub attempts: Vec<AttemptSeen>,
    /// See `attempts`.
    pub attempts_left_out: u64,
    /// Connections that opened late, since a SYN or its answer was sent again: the first two hundred; how many more there are.
    pub openings: Vec<OpeningSeen>,
    /// See `openings`.
    pub openings_left_out: u64,
    /// Streams of UDP, each direction by itself, as each capture shows it.
    pub streams: Vec<StreamSeen>,
    /// ICMP echo, each pair of hosts as each capture of a host shows it.
    pub pings: Vec<PingsSeen>,
    /// How long packets took between two captures, where their clocks could be compared.
    pub passages: Vec<PassageSeen>,
    /// What rules found: what concerns the captured hosts first, and of that what costs the greatest part; what follows from a finding right
    /// behind it.
    pub findings: Vec<Placed>,
    /// Which of them stand for findings of many connections, stations or links.
    pub summed_up: Vec<SummedUp>,
    /// Which rules cannot tell.
    pub abstained: Vec<Abstained>,
}

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
    /// Records that were cut to a snap length.
    pub cut: u64,
    /// Those of them that were cut within the header of TCP or UDP, so that this cannot be read.
    pub cut_headers: u64,
    /// A-MSDUs that were cut, so that their later packets cannot be read.
    pub cut_amsdus: u64,
    /// Records stamped more than 10 ms before the one before them.
    pub misplaced: u64,
    /// Records stamped more than 30 days later than the one before them.
    pub leaps: u64,
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
    /// What ended it before its end.
    pub stopped: Option<String>,
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

/// Findings of a rule about many connections, stations or links of a capture, of which one stands for all.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SummedUp {
    /// The rule's code.
    pub code: &'static str,
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// The subject of the finding that stands for them: that of the greatest cost.
    pub subject: String,
    /// How many more there are.
    pub more: u64,
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

/// A radio.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct StationSeen {
    /// Its address.
    pub mac: String,
    /// "ap" or "station".
    pub kind: &'static str,
    /// The network: its access point's address, and its name as beacons say it.
    pub bssid: Option<String>,
    /// See `bssid`.
    pub ssid: Option<String>,
    /// The channel on which most of its frames were heard, in MHz; none if the monitor's radio names none.
    pub channel_mhz: Option<u16>,
    /// Spells between PM=1 and PM=0, in seconds since the first record of all captures; the last one up to the end of the capture if no PM=0 came.
    pub dozes: Vec<[f64; 2]>,
    /// How many spells there were; the first 4096 are listed.
    pub dozes_total: u64,
    /// Times in which it was deauthenticated or disassociated, and in which it was associated; none in frames to groups.
    pub leaves: u64,
    /// See `leaves`.
    pub joins: u64,
    /// Why it was: the reasons of 802.11-2020 table 9-49, at most the three with the lowest numbers.
    pub why_left: Vec<String>,
    /// The most requests for a BlockAck in a row between which there was no sign of it; none if it was asked for none.
    pub unanswered: Option<UnansweredSeen>,
    /// The most PPDUs with data for it in a row between which there was no sign of it; none if there were none.
    pub void: Option<UnansweredSeen>,
    /// Frames of it that were heard.
    pub frames: u64,
    /// Those of them that were retries.
    pub retries: u64,
    /// Air time of its frames in seconds.
    pub airtime_s: f64,
}

/// BlockAck requests, or PPDUs with data, between which their receiver was not heard, nor acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct UnansweredSeen {
    /// How many.
    pub frames: u64,
    /// How many sequence numbers these data had: as many MPDUs, each tried again and again.
    pub mpdus: u64,
    /// Their air time in seconds.
    pub airtime_s: f64,
    /// When the first and the last were sent, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// A reset (RST) of a connection.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ResetSeen {
    /// The end that sent it: "sender" or "receiver" of the data.
    pub by: &'static str,
    /// When, in seconds since the first record of all captures.
    pub at_s: f64,
    /// Octets that had not been acknowledged then.
    pub outstanding: u64,
    /// Whether that end had closed the connection before (FIN): it resets what still comes.
    pub closed: bool,
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
    /// What the sender usually sends before it waits until all of it is acknowledged; none if it never did.
    pub batches: Option<BatchesSeen>,
    /// How often the data stood still, by reason.
    pub stalls: BTreeMap<&'static str, u64>,
    /// The spells in which it went slower than it mostly did; none if there are none, or it says nothing of the way.
    pub slow: Option<SlowSeen>,
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
    /// The same in Mbit/s between the first payload and the last.
    pub mbps: f64,
    /// Packets with payload.
    pub packets: u64,
    /// Those that came with a congestion mark (ECN), as the capture has them or the receiver counts them (RFC 9768), at least; and how often the
    /// sender said that it has reduced its window for one (CWR, RFC 3168).
    pub marked: u64,
    /// See `marked`.
    pub reduced: u64,
    /// Octets that were acknowledged though the capture does not have them, but for those sent before it began.
    pub missing: u64,
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
    /// The longest time in seconds for which data was outstanding, and nothing new was sent or acknowledged.
    pub still_s: f64,
    /// For how many seconds the receiver's window was closed.
    pub closed_s: f64,
    /// How often a part of a segment went just as an acknowledgment came that was held back for 30 ms or longer, as seen near the sender, and for how many
    /// seconds these were held back in all.
    pub held: u64,
    /// See `held`.
    pub held_s: f64,
}

/// Data from a radio to another.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct LinkSeen {
    /// The transmitter.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// PPDUs: each MPDU counts as one where the capture does not tell which went together (`together`).
    pub ppdus: u64,
    /// See `ppdus`.
    pub together: bool,
    /// MPDUs.
    pub mpdus: u64,
    /// Those of them that were retries.
    pub retried: u64,
    /// PPDUs of four MPDUs and more of which all were retries, and of which some were.
    pub all_retried: u64,
    /// See `all_retried`.
    pub some_retried: u64,
    /// PPDUs with retries, and PPDUs behind which more waited.
    pub again: u64,
    /// See `again`.
    pub pressed: u64,
    /// Bursts of retries without any answer, of four PPDUs and 5 ms at least.
    pub storms: u64,
    /// PPDUs whose answer was heard.
    pub answered: u64,
    /// PPDUs with a request to send before them.
    pub requested: u64,
    /// How closely PPDUs begin on a beat of 1 ms, from 0 to 1: of those that neither the air nor data for their sender let go.
    pub beat: Option<f64>,
    /// Octets of frame bodies.
    pub octets: u64,
    /// The mean rate of its MPDUs in Mbit/s.
    pub mbps: Option<f64>,
    /// Air time in seconds, without answers and gaps.
    pub airtime_s: f64,
    /// Signal over noise between the two in dB.
    pub snr_db: Option<f64>,
    /// How that changes, if it does.
    pub change: Option<ChangeSeen>,
    /// The noise that this is over in dBm, where the monitor told none: a usual one.
    pub assumed_noise_dbm: Option<f64>,
    /// The share of its frames that the monitor heard, by the answers to them: all counts here are of those. None if too few answers were heard.
    pub heard: Option<f64>,
    /// Sequence numbers of which no frame was heard, though those around them were.
    pub left_out: u64,
}

/// A signal that differs for some seconds by 10 dB and more from what it is else.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ChangeSeen {
    /// The medians of signal over noise in dB, of the seconds in which it is strong and of those in which it is weak.
    pub strong_db: f64,
    /// See `strong_db`.
    pub weak_db: f64,
    /// When it is weak, in seconds since the first record.
    pub weak_s: Vec<[f64; 2]>,
}

/// Data from a radio to another that no access point passes on: ad hoc, direct, or over a link of four addresses.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct DirectSeen {
    /// The transmitter.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// MPDUs.
    pub mpdus: u64,
    /// Those of them that were retries.
    pub retried: u64,
    /// The mean rate of its MPDUs in Mbit/s.
    pub mbps: Option<f64>,
    /// Air time in seconds, without answers and gaps.
    pub airtime_s: f64,
}

/// A direction of which no data was heard.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct UnheardSeen {
    /// The transmitter.
    pub from: String,
    /// The receiver; none if it is not known.
    pub to: Option<String>,
    /// Its MPDUs whose arrival BlockAcks and ACKs showed. What an ACK answers may be no data.
    pub answers: u64,
}

/// Data to groups: broadcast and multicast.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct GroupSeen {
    /// MPDUs.
    pub mpdus: u64,
    /// Their mean rate in Mbit/s.
    pub mbps: Option<f64>,
    /// Air time in seconds.
    pub airtime_s: f64,
    /// The length of the capture in seconds.
    pub of_s: f64,
}

/// Deauthentications and disassociations that name a transmitter, each once.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct LeavesSeen {
    /// The transmitter that they name, which may be forged.
    pub from: String,
    /// How many, and how many of them were for all stations.
    pub frames: u64,
    /// See `frames`.
    pub to_all: u64,
    /// From when until when, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

impl Diagnosis {
    /// Lets every rule look at the evidence, channel by channel.
    pub fn of(evidence: &mut Evidence) -> Self {
        let mut heard = Heard::default();
        let mut judged = Vec::new();
        for _ in 0..evidence.channels() {
            work_out(evidence);
            judged.push((channel(evidence), RULES.map(|rule| rules::judged(rule, evidence))));
            heard.take(evidence);
            evidence.turn();
        }
        let evidence = &*evidence;
        let (findings, abstained) = told(evidence, &judged);
        let mut findings = order::sorted(evidence, findings);
        let own = evidence.own().iter().map(ToString::to_string).collect();
        let summed_up = sum_up(&mut findings, &own);
        let (attempts, attempts_left_out) = attempts::seen(evidence);
        let (openings, openings_left_out) = openings::seen(evidence);
        Self {
            captures: captures(evidence),
            reference: evidence.reference(),
            stations: heard.stations,
            links: heard.links,
            direct: heard.direct,
            unheard: heard.unheard,
            connections: seen_flows(evidence),
            group: heard.group,
            leaves: heard.leaves,
            attempts,
            attempts_left_out,
            openings,
            openings_left_out,
            streams: datagrams::seen(evidence),
            pings: pings::seen(evidence),
            passages: passages(evidence),
            findings,
            summed_up,
            abstained,
        }
    }
}

/// What was heard on all channels.
#[derive(Default)]
struct Heard {
    stations: Vec<StationSeen>,
    links: Vec<LinkSeen>,
    direct: Vec<DirectSeen>,
    unheard: Vec<UnheardSeen>,
    group: Option<GroupSeen>,
    leaves: Vec<LeavesSeen>,
}

impl Heard {
    /// Takes what was heard on the channel that is looked at. A radio that was heard on several counts on the one of most of its frames, data to groups on
    /// the one where it took most of the air.
    fn take(&mut self, evidence: &Evidence) {
        for one in stations(evidence) {
            match self.stations.iter_mut().find(|known| known.mac == one.mac) {
                Some(known) if known.frames < one.frames => *known = one,
                Some(_) => {}
                None => self.stations.push(one),
            }
        }
        self.links.extend(seen_links(evidence));
        self.direct.extend(seen_direct(evidence));
        self.unheard.extend(seen_unheard(evidence));
        self.leaves.extend(seen_leaves(evidence));
        let airtime = |group: &Option<GroupSeen>| group.as_ref().map_or(0.0, |group| group.airtime_s);
        let group = seen_group(evidence);
        if airtime(&group) > airtime(&self.group) {
            self.group = group;
        }
    }
}

/// The channel that is looked at, in words that stand before why a rule cannot tell; none of the first, and of one without data.
fn channel(evidence: &Evidence) -> Option<String> {
    let (capture, air) = evidence.air.as_ref()?;
    let is_other = *capture != evidence.reference() && air.data > 0;
    is_other.then(|| format!("{}: ", evidence.captures[*capture].named()))
}

/// What every rule says of all channels, and which cannot tell: what a rule says of two alike is said once.
fn told(
    evidence: &Evidence,
    judged: &[(Option<String>, [Verdict; RULES.len()])],
) -> (Vec<(&'static Rule, Finding)>, Vec<Abstained>) {
    let (mut findings, mut abstained) = (Vec::new(), Vec::new());
    let disorder: Vec<_> = evidence.captures.iter().map(CaptureStats::disorder).collect();
    for (place, rule) in RULES.into_iter().enumerate() {
        if let Some(Some(because)) = disorder.first().filter(|_| disorder.iter().all(Option::is_some)) {
            abstained.push(Abstained { code: rule.code, because: because.clone() });
            continue;
        }
        let mut known = Vec::new();
        for (turn, (channel, verdicts)) in judged.iter().enumerate() {
            match &verdicts[place] {
                verdict if known.contains(&verdict) => {}
                Verdict::Found(found) => {
                    let mut found = found.clone();
                    found.iter_mut().for_each(|one| clip(evidence, one));
                    found.retain(|one| {
                        !one.cost.rounds_to_nothing() && !findings.iter().any(|(_, other)| other == one)
                    });
                    let (trusted, not): (Vec<_>, Vec<_>) =
                        found.into_iter().partition(|one| disorder[one.capture].is_none());
                    findings.extend(trusted.into_iter().map(|one| (rule, one)));
                    let because = not.first().and_then(|one| disorder[one.capture].clone());
                    abstained.extend(because.map(|because| Abstained { code: rule.code, because }));
                }
                Verdict::CannotTell(because) if turn == 0 => {
                    abstained.push(Abstained { code: rule.code, because: because.clone() });
                }
                Verdict::CannotTell(because) => abstained.extend(
                    channel
                        .as_ref()
                        .map(|channel| Abstained { code: rule.code, because: format!("{channel}{because}") }),
                ),
            }
            known.push(&verdicts[place]);
        }
    }
    (findings, abstained)
}

/// Leaves one finding, that of the greatest cost, of each rule that found something about many connections, stations or links of a capture. What
/// stands below different findings is not alike; what others stand below stays, and so does what is about a station whose host was captured.
fn sum_up(findings: &mut Vec<Placed>, own: &BTreeSet<String>) -> Vec<SummedUp> {
    let above: BTreeSet<usize> = findings.iter().filter_map(|one| one.below).collect();
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, one) in findings.iter().enumerate() {
        let stays = above.contains(&place) || own.iter().any(|mac| one.finding.subject.contains(mac));
        if !stays {
            let key = (one.code, one.finding.capture, one.below, things(&one.finding));
            groups.entry(key).or_default().push(place);
        }
    }
    let mut kept = vec![true; findings.len()];
    let mut summed_up = Vec::new();
    for ((.., things), places) in groups.into_iter().filter(|(_, places)| places.len() > MOST_ALIKE) {
        let cost = |place: usize| order::weight(&findings[place].finding);
        let most =
            places.iter().copied().reduce(|one, other| if cost(other) > cost(one) { other } else { one });
        let Some(most) = most else { continue };
        places.iter().for_each(|&place| kept[place] = place == most);
        let one = &mut findings[most];
        let more = places.len() as u64 - 1;
        one.finding
            .says
            .push_str(&format!(" The same was found of {more} more {things}, at no greater cost each."));
        let subject = one.finding.subject.clone();
        summed_up.push(SummedUp { code: one.code, capture: one.finding.capture, subject, more });
    }
    // Those that stay move up, and with them the places below which others stand.
    let places: Vec<usize> = kept
        .iter()
        .scan(0, |next, &kept| {
            let place = *next;
            *next += usize::from(kept);
            Some(place)
        })
        .collect();
    let mut kept = kept.into_iter();
    findings.retain(|_| kept.next().unwrap_or_default());
    findings.iter_mut().for_each(|one| one.below = one.below.map(|old| places[old]));
    summed_up
}

/// What a finding is about, in the plural.
fn things(finding: &Finding) -> &'static str {
    match order::ends(finding).is_empty() {
        false => "connections",
        true if finding.subject.starts_with("station ") => "stations",
        true if finding.subject.starts_with("host ") => "hosts",
        true => "links",
    }
}

/// Ends the spans of a finding where its capture ends: bins go beyond.
fn clip(evidence: &Evidence, finding: &mut Finding) {
    let Some((_, last)) = evidence.captures[finding.capture].span_ns else { return };
    let last = evidence.seconds_in(finding.capture, last);
    finding.spans.iter_mut().flatten().for_each(|at| *at = at.min(last));
}

fn captures(evidence: &Evidence) -> Vec<CaptureSeen> {
    let seen = |(at, one): (usize, &CaptureStats)| CaptureSeen {
        file: one.path.display().to_string(),
        interface: one.name.clone(),
        place: one.place.map(Place::name),
        records: one.records,
        unread: one.unread,
        not_ip: one.not_ip,
        cut: one.cut,
        cut_headers: one.cut_headers,
        cut_amsdus: one.cut_amsdus,
        misplaced: one.backwards,
        leaps: one.leaps,
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
        stopped: one.stop.map(|stop| stop.to_string()),
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

fn passages(evidence: &Evidence) -> Vec<PassageSeen> {
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

fn stations(evidence: &Evidence) -> Vec<StationSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    air.radios()
        .iter()
        .filter(|radio| radio.frames > 0 || radio.roaming.leaves > 0)
        .map(|radio| {
            let (dozes, dozes_total) = dozes(evidence, air, radio);
            StationSeen {
                mac: radio.mac.to_string(),
                kind: if radio.is_ap { "ap" } else { "station" },
                bssid: network_of(radio).map(|mac| mac.to_string()),
                channel_mhz: air.channel_mhz,
                ssid: network_of(radio).and_then(|mac| Some(air.radio(mac)?.ssid?.to_string())),
                dozes,
                dozes_total,
                leaves: radio.roaming.leaves,
                joins: radio.roaming.joins,
                why_left: radio
                    .roaming
                    .reasons
                    .iter()
                    .take(MOST_REASONS)
                    .map(|&one| reason::named(one))
                    .collect(),
                unanswered: radio.unanswered().map(|one| unanswered_seen(evidence, one)),
                void: radio.void().map(|one| unanswered_seen(evidence, one)),
                frames: radio.frames,
                retries: radio.retries,
                airtime_s: (radio.airtime_ns + radio.management_ns + radio.control_ns) as f64 / 1e9,
            }
        })
        .collect()
}

/// The spells of a radio with PM=1 that are listed, and how many there are: the last one may go on as the capture ends.
fn dozes(evidence: &Evidence, air: &Air, radio: &RadioHeard) -> (Vec<[f64; 2]>, u64) {
    let ended = radio.presence.dozes();
    let open = radio.presence.asleep_since().zip(air.span_ns).map(|(since, (_, end))| (since, end));
    let is_listed = ended.kept().len() as u64 == ended.total();
    let spells = ended.kept().iter().map(|doze| (doze.from_ns, doze.to_ns)).chain(open.filter(|_| is_listed));
    let listed = spells.map(|(from, to)| [from, to].map(|at| evidence.seconds(at))).collect();
    (listed, ended.total() + u64::from(open.is_some()))
}

fn unanswered_seen(evidence: &Evidence, one: Unanswered) -> UnansweredSeen {
    let (from, to) = one.span_ns;
    UnansweredSeen {
        frames: one.frames,
        mpdus: one.mpdus,
        airtime_s: one.airtime_ns as f64 / 1e9,
        span_s: [from, to].map(|at| evidence.seconds(at)),
    }
}

fn seen_links(evidence: &Evidence) -> Vec<LinkSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    let seen = |link: &Link<'_>| LinkSeen {
        from: link.from.mac.to_string(),
        to: link.to.mac.to_string(),
        ppdus: link.traffic.ppdus,
        together: tells_together(air, link.traffic),
        mpdus: link.traffic.mpdus,
        retried: link.traffic.retried,
        all_retried: link.traffic.large.all_retried,
        some_retried: link.traffic.large.some_retried,
        again: link.traffic.again,
        pressed: link.traffic.pressed,
        storms: link.traffic.storms.total(),
        answered: link.traffic.answered,
        requested: link.traffic.requested,
        beat: link.traffic.beat.closeness(),
        octets: link.traffic.octets,
        mbps: link.traffic.mean_mbps(),
        airtime_s: link.traffic.airtime_ns as f64 / 1e9,
        snr_db: link.snr(air),
        change: link.change(air).map(|change| ChangeSeen {
            strong_db: change.strong,
            weak_db: change.weak,
            weak_s: change
                .spells
                .iter()
                .map(|&(from, to)| [from, to].map(|at| evidence.seconds(at)))
                .collect(),
        }),
        assumed_noise_dbm: assumed_noise_dbm(air),
        heard: own_share_of(air, link),
        left_out: never_heard(link),
    };
    links(air, 1).iter().map(seen).collect()
}

fn seen_direct(evidence: &Evidence) -> Vec<DirectSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    let seen = |(&(from, to), one): (&(MacAddr, MacAddr), &Direct)| DirectSeen {
        from: from.to_string(),
        to: to.to_string(),
        mpdus: one.mpdus,
        retried: one.retried,
        mbps: one.mean_mbps(),
        airtime_s: one.airtime_ns as f64 / 1e9,
    };
    air.direct().iter().map(seen).collect()
}

fn seen_unheard(evidence: &Evidence) -> Vec<UnheardSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    let seen = |(from, to, answers): (MacAddr, Option<MacAddr>, u64)| UnheardSeen {
        from: from.to_string(),
        to: to.map(|mac| mac.to_string()),
        answers,
    };
    unheard(air).into_iter().map(seen).collect()
}

fn seen_group(evidence: &Evidence) -> Option<GroupSeen> {
    let (_, air) = evidence.air.as_ref()?;
    let (from, to) = air.span_ns?;
    (air.group.mpdus > 0).then(|| GroupSeen {
        mpdus: air.group.mpdus,
        mbps: air.group.mean_mbps(),
        airtime_s: air.group.airtime_ns as f64 / 1e9,
        of_s: to.saturating_sub(from) as f64 / 1e9,
    })
}

fn seen_leaves(evidence: &Evidence) -> Vec<LeavesSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    let seen = |radio: &RadioHeard| {
        let (from, to) = radio.leaves.span_ns?;
        Some(LeavesSeen {
            from: radio.mac.to_string(),
            frames: radio.leaves.frames,
            to_all: radio.leaves.to_all,
            span_s: [from, to].map(|at| evidence.seconds(at)),
        })
    };
    air.radios().iter().filter_map(seen).collect()
}

fn seen_flows(evidence: &Evidence) -> Vec<FlowSeen> {
    let best: BTreeSet<_> = flows_everywhere(evidence).iter().map(Flow::key).collect();
    let connections = evidence.connections.iter().enumerate();
    let all =
        connections.flat_map(|(capture, connections)| connections.iter().map(move |one| (capture, one)));
    all.flat_map(|(capture, connection)| [0, 1].map(|from| Flow { capture, connection, from }))
        .filter(|flow| flow.data().octets > 0)
        .map(|flow| FlowSeen { tells_most: best.contains(&flow.key()), ..seen_flow(evidence, &flow) })
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

/// The longest time in nanoseconds for which data was outstanding and nothing went on, of the stalls that are listed.
fn longest_silence_ns(data: &Direction) -> u64 {
    let silent = data.stalls.list.kept().iter().filter(|stall| stall.pause == Pause::Silence);
    silent.map(|stall| stall.to_ns.saturating_sub(stall.from_ns)).max().unwrap_or_default()
}

/// The reset of a connection of which a flow had not ended.
fn seen_reset(evidence: &Evidence, flow: &Flow<'_>) -> Option<ResetSeen> {
    let &Flow { capture, connection, from } = flow;
    connection.reset.filter(|_| !connection.finished[from]).map(|reset| ResetSeen {
        by: if reset.by == from { "sender" } else { "receiver" },
        at_s: evidence.seconds_in(capture, reset.at_ns),
        outstanding: reset.outstanding[from],
        closed: connection.finished[reset.by],
    })
}

/// How much of a flow's data passed, and what became of it.
fn seen_data(evidence: &Evidence, flow: &Flow<'_>) -> DataSeen {
    let data = flow.data();
    let clear = data.overrun.is_clear();
    DataSeen {
        bytes: data.octets,
        new_bytes: data.new_octets,
        mbps: flow.mbps(evidence),
        packets: data.packets,
        marked: data.marks.known(),
        reduced: data.marks.reduced,
        missing: data.uncaptured.octets.saturating_sub(data.uncaptured.before),
        outside: data.outside,
        overran: if clear { data.overrun.segments } else { 0 },
        thrown_away: if clear { data.overrun.again } else { 0 },
        twice: data.sacks.twice,
        hole_s: data.sacks.longest_hole_ns as f64 / 1e9,
        still_s: longest_silence_ns(data) as f64 / 1e9,
        closed_s: data.stalls.lasted_ns(Pause::ZeroWindow) as f64 / 1e9,
        held: data.held.times,
        held_s: data.held.lasted_ns as f64 / 1e9,
    }
}

fn seen_flow(evidence: &Evidence, flow: &Flow<'_>) -> FlowSeen {
    let &Flow { capture, connection, from } = flow;
    let data = flow.data();
    let again = &data.retransmissions;
    let by_trigger = Trigger::ALL.map(|trigger| (trigger.name(), again.by_trigger(trigger)));
    let quantiles = [("p5", 0.05), ("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)];
    let far_ms = |of| connection.proxied_ns().filter(|_| from == of).map(|far_ns| far_ns as f64 / 1e6);
    FlowSeen {
        capture,
        from: connection.ends[from].to_string(),
        to: connection.ends[1 - from].to_string(),
        seen_from: connection.vantage(from).name(),
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
        reset: seen_reset(evidence, flow),
        data: seen_data(evidence, flow),
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
        batches: data.batches.usual().map(|(octets, times)| BatchesSeen {
            all: data.batches.all,
            octets,
            times,
            moves: data.batches.moves(),
        }),
        stalls: Pause::ALL.into_iter().map(|pause| (pause.name(), data.stalls.count(pause))).collect(),
        slow: slow_spells(flow).map(|slow| SlowSeen {
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
    use crate::finding::Cost;

    /// A finding about a station that costs so many Mbit/s of 100.
    fn about(number: u8, mbps: f64) -> Placed {
        Placed {
            code: "W201",
            name: "contention",
            means: "",
            below: None,
            is_reason: false,
            finding: Finding {
                subject: format!("station 02:00:00:00:00:{number:02x}"),
                spans: Vec::new(),
                value: 90.0,
                threshold: 50.0,
                unit: "% of the time",
                confidence: 0.9,
                cost: Cost::mbps(mbps, 100.0 - mbps, "of this station"),
                capture: 0,
                frames: Vec::new(),
                filter: String::new(),
                says: "Others take the air.".to_owned(),
                remedy: String::new(),
            },
            refuted_by: "",
        }
    }

    #[test]
    fn what_is_found_of_many_stations_is_told_once_but_for_that_of_the_captured_host() {
        let mut findings: Vec<_> = (1..=20).map(|number| about(number, f64::from(number))).collect();
        let own = BTreeSet::from([String::from("02:00:00:00:00:03")]);
        let summed_up = sum_up(&mut findings, &own);
        let subjects: Vec<_> = findings.iter().map(|one| one.finding.subject.as_str()).collect();
        assert_eq!(subjects, ["station 02:00:00:00:00:03", "station 02:00:00:00:00:14"]);
        assert_eq!(summed_up.iter().map(|one| one.more).collect::<Vec<_>>(), [18]);
        assert!(findings[1].finding.says.contains("18 more stations"));
    }

    #[test]
    fn what_is_found_of_few_stations_is_told_of_each() {
        let mut findings: Vec<_> = (1..=8).map(|number| about(number, 10.0)).collect();
        assert_eq!((sum_up(&mut findings, &BTreeSet::new()), findings.len()), (vec![], 8));
    }
}
