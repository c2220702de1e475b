//! The data between radios in a diagnosis.

use crate::evidence::Evidence;
use crate::heard::{self, never_heard, perhaps_never_heard, shown_share_of};
use crate::link::{Link, assumed_noise_dbm, links};
use crate::ppdus::tells_together;
use crate::rules::lets;
use airloom_trace::{Direct, MacAddr};
use schemars::JsonSchema;
use serde::Serialize;

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
    /// PPDUs of four MPDUs and more that repeat one of which nothing was acknowledged, and one of which a part was.
    pub lost_whole: u64,
    /// See `lost_whole`.
    pub lost_in_part: u64,
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
    /// What this lets it carry, of what a strong one would; none where it is strong, where nothing shows that more was there to be sent, or that it is the signal that makes rates slow.
    pub lets: Option<LetsSeen>,
    /// How it changes, if it does.
    pub change: Option<ChangeSeen>,
    /// The noise that this is over in dBm, where the monitor told none: a usual one.
    pub assumed_noise_dbm: Option<f64>,
    /// The share of its frames that the monitor heard, by the answers to them, or by long gaps in packet numbers if that is less: all counts here are of those. None if too few answers were heard.
    pub heard: Option<f64>,
    /// MPDUs of which no frame was heard, though those around them were, by sequence numbers and packet numbers.
    pub left_out: u64,
    /// Those of its sender's common count, which may be of this or of other frames: management frames, data to groups or to others.
    pub perhaps_left_out: u64,
}

/// What a signal lets a link carry if no other station sends, as payload.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct LetsSeen {
    /// At the rates in use, in Mbit/s.
    pub mbps: f64,
    /// At those that a strong signal would let it use with the same streams, in Mbit/s: the least, since more streams or faster rates may be possible.
    pub strong_mbps: f64,
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
    /// The lowest signal over noise in dB, of three seconds, and when it was about as low.
    pub lowest_db: f64,
    /// See `lowest_db`.
    pub lowest_s: [f64; 2],
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

pub(crate) fn seen(evidence: &Evidence) -> Vec<LinkSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    let seen = |link: &Link<'_>| LinkSeen {
        from: link.from.mac.to_string(),
        to: link.to.mac.to_string(),
        ppdus: link.traffic.ppdus,
        together: tells_together(air, link.traffic),
        mpdus: link.traffic.mpdus,
        retried: link.traffic.retried,
        lost_whole: link.traffic.large.lost_whole,
        lost_in_part: link.traffic.large.lost_in_part,
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
        lets: lets(evidence, air, link)
            .map(|lets| LetsSeen { mbps: lets.mbps, strong_mbps: lets.strong_mbps }),
        change: link.change(air).map(|change| ChangeSeen {
            strong_db: change.strong,
            weak_db: change.weak,
            weak_s: change
                .spells
                .iter()
                .map(|&(from, to)| [from, to].map(|at| evidence.seconds(at)))
                .collect(),
            lowest_db: change.lowest,
            lowest_s: [change.lowest_ns.0, change.lowest_ns.1].map(|at| evidence.seconds(at)),
        }),
        assumed_noise_dbm: assumed_noise_dbm(air),
        heard: shown_share_of(air, link),
        left_out: never_heard(link) + link.traffic.sent_and_skipped().1,
        perhaps_left_out: perhaps_never_heard(link),
    };
    links(air, 1).iter().map(seen).collect()
}

pub(crate) fn direct(evidence: &Evidence) -> Vec<DirectSeen> {
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

pub(crate) fn unheard(evidence: &Evidence) -> Vec<UnheardSeen> {
    let Some((_, air)) = &evidence.air else { return Vec::new() };
    let seen = |(from, to, answers): (MacAddr, Option<MacAddr>, u64)| UnheardSeen {
        from: from.to_string(),
        to: to.map(|mac| mac.to_string()),
        answers,
    };
    heard::unheard(air).into_iter().map(seen).collect()
}

pub(crate) fn group(evidence: &Evidence) -> Option<GroupSeen> {
    let (_, air) = evidence.air.as_ref()?;
    let (from, to) = air.span_ns?;
    (air.group.mpdus > 0).then(|| GroupSeen {
        mpdus: air.group.mpdus,
        mbps: air.group.mean_mbps(),
        airtime_s: air.group.airtime_ns as f64 / 1e9,
        of_s: to.saturating_sub(from) as f64 / 1e9,
    })
}
