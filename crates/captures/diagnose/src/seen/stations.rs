//! The radios of a diagnosis.

use crate::evidence::Evidence;
use crate::link::network_of;
use crate::outages::outages;
use crate::reason;
use crate::security;
use airloom_trace::{Air, FailedHandshake, LetIn, RadioHeard, Refusals, Switch, TurnedAway, Unanswered};
use schemars::JsonSchema;
use serde::Serialize;

/// The most reasons that are told of a station.
const MOST_REASONS: usize = 3;

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
    /// Whether the last spell goes on as the capture ends.
    pub asleep: bool,
    /// Times in which it was deauthenticated or disassociated, but for frames to groups.
    pub leaves: u64,
    /// Associations that were granted, each answer once.
    pub joins: u64,
    /// Reassociations with the access point that it had, without authentication before them: a request that was said again, as in a replay, or other settings.
    pub rejoins: u64,
    /// When it was last heard within its network, and when it joined that anew, a second later at least, without a word that it had left: the first time, in seconds since the first
    /// record of all captures.
    pub anew: Option<[f64; 2]>,
    /// Times in which no frame of it was heard, after it had dismissed all its stations or while it answered none of many frames of theirs, in seconds since the first record of all captures.
    pub outages: Vec<[f64; 2]>,
    /// Its announcements that it goes to another channel, the first 16.
    pub switches: Vec<SwitchSeen>,
    /// Its requests to associate that were refused; none if it was ever let in.
    pub refused: Option<RefusedSeen>,
    /// Its requests that were refused before one was granted, of which that took longest; none if none were.
    pub let_in: Option<LetInSeen>,
    /// What told it that an access point does not know it; none if nothing did.
    pub turned_away: Option<TurnedAwaySeen>,
    /// Handshakes of keys that did not come to their end, the first 64.
    pub failed_keys: Vec<FailedKeys>,
    /// How many there were.
    pub failed_keys_total: u64,
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

/// An announcement of an access point that it goes to another channel (802.11-2020 clause 9.4.2.18).
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SwitchSeen {
    /// The number of that channel.
    pub channel: u8,
    /// The first and the last beacon that said so, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
    /// What the last of them said: how many beacons were left.
    pub count: u8,
    /// Whether stations were to send nothing until then.
    pub quiet: bool,
    /// The next beacon on the channel that was captured; none if no other was heard there.
    pub next_s: Option<f64>,
    /// The record of the first.
    pub frame: u32,
}

/// Requests to associate of a station that was never let in.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct RefusedSeen {
    /// The access point that refused the last.
    pub by: String,
    /// Answers that refuse, each once; requests that were heard, each once.
    pub times: u64,
    /// See `times`.
    pub asked: u64,
    /// The status of the last answer (802.11-2020 table 9-50), as a number and in words.
    pub status: u16,
    /// See `status`.
    pub why: String,
    /// When the first and the last answer was captured, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// Requests to associate of a station that was let in later.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct LetInSeen {
    /// The access point that refused the last.
    pub by: String,
    /// Answers that refuse, each once.
    pub times: u64,
    /// The status of the last of them (802.11-2020 table 9-50), as a number and in words.
    pub status: u16,
    /// See `status`.
    pub why: String,
    /// When the first of them was captured, and the answer that let the station in, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// Answers to frames of a station that has no association: they end nothing (802.11-2020 clause 11.3.4.1).
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct TurnedAwaySeen {
    /// The access point of the last.
    pub by: String,
    /// How many, each once.
    pub frames: u64,
    /// The reason of the last, 6 or 7 (802.11-2020 table 9-49).
    pub reason: u16,
    /// When the first and the last was captured, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
}

/// A handshake of keys in which an access point sent a message again and again.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct FailedKeys {
    /// The access point.
    pub bssid: String,
    /// The message: 1, or 3, which follows a message 2 that was right.
    pub message: u8,
    /// How often it was sent, each time with a new replay counter (802.11-2020 clause 12.7.6.6).
    pub tries: u32,
    /// How many messages 2 were answered by message 1 again, and how many of them had been acknowledged.
    pub answered: u32,
    /// See `answered`.
    pub acknowledged: u32,
    /// Whether the access point said that the handshake timed out.
    pub timed_out: bool,
    /// When its first and its last message were heard, in seconds since the first record of all captures.
    pub span_s: [f64; 2],
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

pub(crate) fn seen(evidence: &Evidence) -> Vec<StationSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    air.radios()
        .iter()
        .filter(|radio| radio.frames > 0 || radio.roaming.leaves + radio.handshakes.failed().total() > 0)
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
                asleep: radio.presence.asleep_since().is_some(),
                leaves: radio.roaming.leaves,
                joins: radio.roaming.joins,
                rejoins: radio.roaming.rejoins,
                anew: radio.anew.map(|(last, at)| [last, at].map(|at| evidence.seconds(at))),
                outages: outages(air, radio)
                    .filter(|one| one.unanswered == 0)
                    .map(|one| [one.span_ns.0, one.span_ns.1].map(|at| evidence.seconds(at)))
                    .collect(),
                switches: radio.switches.all().kept().iter().map(|one| switch_seen(evidence, one)).collect(),
                refused: refused_seen(evidence, &radio.refusals),
                let_in: radio.refusals.let_in.map(|one| let_in_seen(evidence, &one)),
                turned_away: turned_away(radio).and_then(|one| turned_away_seen(evidence, one)),
                failed_keys: radio
                    .handshakes
                    .failed()
                    .kept()
                    .iter()
                    .map(|&one| failed_keys(evidence, one))
                    .collect(),
                failed_keys_total: radio.handshakes.failed().total(),
                why_left: why_left(radio),
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

fn switch_seen(evidence: &Evidence, one: &Switch) -> SwitchSeen {
    let (from, to) = one.span_ns;
    SwitchSeen {
        channel: one.said.channel,
        span_s: [from, to].map(|at| evidence.seconds(at)),
        count: one.said.count,
        quiet: one.said.quiet,
        next_s: one.next_ns.map(|at| evidence.seconds(at)),
        frame: one.number,
    }
}

fn failed_keys(evidence: &Evidence, one: FailedHandshake) -> FailedKeys {
    let (from, to) = one.span_ns;
    FailedKeys {
        bssid: one.bssid.to_string(),
        message: one.message,
        tries: one.tries,
        answered: one.answered,
        acknowledged: one.acknowledged,
        timed_out: one.timed_out,
        span_s: [from, to].map(|at| evidence.seconds(at)),
    }
}

fn refused_seen(evidence: &Evidence, one: &Refusals) -> Option<RefusedSeen> {
    let (from, to) = one.span_ns?;
    Some(RefusedSeen {
        by: one.by.to_string(),
        times: one.never_in()?,
        asked: one.asked,
        status: one.status,
        why: security::why(one.status, one.security),
        span_s: [from, to].map(|at| evidence.seconds(at)),
    })
}

fn let_in_seen(evidence: &Evidence, one: &LetIn) -> LetInSeen {
    let (from, to) = one.span_ns;
    LetInSeen {
        by: one.by.to_string(),
        times: one.times,
        status: one.status,
        why: security::why(one.status, one.security),
        span_s: [from, to].map(|at| evidence.seconds(at)),
    }
}

/// Why the associations of a station ended, in words. Where a third radio forges frames that end them, what looks like an answer does too.
fn why_left(radio: &RadioHeard) -> Vec<String> {
    let mut reasons = radio.roaming.reasons.clone();
    if radio.roaming.is_forged() && radio.turned_away.answers.frames > 0 {
        reasons.insert(radio.turned_away.reason);
    }
    reasons.into_iter().take(MOST_REASONS).map(reason::named).collect()
}

/// What turned a station away; none if a third radio forges frames that end its associations.
fn turned_away(radio: &RadioHeard) -> Option<&TurnedAway> {
    (!radio.roaming.is_forged()).then_some(&radio.turned_away)
}

fn turned_away_seen(evidence: &Evidence, one: &TurnedAway) -> Option<TurnedAwaySeen> {
    let (from, to) = one.answers.span_ns?;
    Some(TurnedAwaySeen {
        by: one.by.to_string(),
        frames: one.answers.frames,
        reason: one.reason,
        span_s: [from, to].map(|at| evidence.seconds(at)),
    })
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

pub(crate) fn leaves(evidence: &Evidence) -> Vec<LeavesSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    // Where a third radio forges frames that end associations, those that look like answers are no others.
    let forged = |by: &RadioHeard| {
        let of = air.radios().iter().filter(|one| one.roaming.is_forged()).map(|one| &one.turned_away);
        of.filter(|one| one.by == by.mac).map(|one| &one.answers).collect::<Vec<_>>()
    };
    let seen = |radio: &RadioHeard| {
        let forged = forged(radio);
        let spans = || radio.leaves.span_ns.into_iter().chain(forged.iter().filter_map(|one| one.span_ns));
        let from = spans().map(|(from, _)| from).min()?;
        let to = spans().map(|(_, to)| to).max()?;
        Some(LeavesSeen {
            from: radio.mac.to_string(),
            frames: radio.leaves.frames + forged.iter().map(|one| one.frames).sum::<u64>(),
            to_all: radio.leaves.to_all,
            span_s: [from, to].map(|at| evidence.seconds(at)),
        })
    };
    air.radios().iter().filter_map(seen).collect()
}
