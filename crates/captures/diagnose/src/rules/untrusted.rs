//! W001: the capture does not show what went over the air.

use super::no_air;
use crate::capture::CaptureStats;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{answered, missed, skipped};
use crate::link::network_of;
use crate::rule::Rule;
use airloom_trace::{Air, MacAddr, Traffic};
use std::collections::BTreeMap;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W001",
    name: "capture misses frames",
    means: "This capture misses a part of what happened, so the rest of this diagnosis is less sure.",
    needs: "air",
    computes: "Of the MPDUs whose arrival BlockAcks and ACKs showed, the share that the monitor has not heard: of a BlockAck by their numbers, \
               of an ACK by the frame before it. Or of the MPDUs that packet numbers of CCMP and GCMP count (802.11-2020 clause 12.5.3.2), those in gaps of more than eight, as far as \
               sequence numbers go on by as many: a filter takes out answers too. The greater share counts. More than 5 % is reported, and other rules count what was heard for \
               as much more; from a half on, those that look at the air abstain.",
    traps: "Frames that the receiver lost are not acknowledged and do not count. A monitor that cannot decode a rate hears the \
            BlockAcks alone, so that the share comes near to all. Where answers show next to nothing while more than 5 % of the sequence numbers were never heard, the rule cannot tell.",
    refuted_by: "A second monitor beside the first that misses none of these sequence numbers.",
    judge,
};

/// Fewer numbers say nothing.
const MIN_NUMBERS: u64 = 10;
/// Records that are named.
const NAMED: usize = 16;
/// The share above which it is reported.
const REPORTED_SHARE: f64 = 0.05;

/// Why answers may not show all that was missed: numbers between those that were heard never were, nor were answers to them.
fn left_out(air: &Air) -> Option<String> {
    let sent: u64 = air.traffic().values().map(|traffic| traffic.mpdus - traffic.retried).sum();
    let of_qos: u64 = air.traffic().values().map(Traffic::left_out).sum();
    let never = of_qos + air.radios().iter().map(|radio| radio.left_out).sum::<u64>();
    let share = never as f64 / (sent + never).max(1) as f64;
    (share > REPORTED_SHARE && never >= MIN_NUMBERS).then(|| {
        format!(
            "answers show that hardly anything was missed, but {never} MPDUs, {:.0} % by their sequence numbers, were not heard, nor any answer to them: the monitor \
             missed both, or all tries failed and their sender gave up",
            100.0 * share
        )
    })
}

/// Why answers do not show what the monitor missed: frames are there that cannot be read.
fn cut_short(capture: &CaptureStats) -> Option<String> {
    let CaptureStats { cut_unread, records, kept_unread, .. } = *capture;
    (cut_unread as f64 > REPORTED_SHARE * records as f64).then(|| {
        format!(
            "{cut_unread} of {records} records were cut to {kept_unread} octets, before their headers end, and may be what was answered: capture more of each \
             (`tcpdump -s 160`)"
        )
    })
}

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    if let Some(because) = cut_short(&evidence.captures[*capture]) {
        return Verdict::CannotTell(because);
    }
    let by_answers = missed(air).map(|counts| Missed::by_answers(air, counts));
    let by_numbers = skipped(air).map(|counts| Missed::by_numbers(air, counts));
    let is_answered = by_answers.is_some();
    let worse =
        by_answers.into_iter().chain(by_numbers).max_by(|one, other| one.share.total_cmp(&other.share));
    if let Some(missed) = worse.filter(|missed| missed.share > REPORTED_SHARE) {
        return Verdict::Found(vec![found(evidence, *capture, air, missed)]);
    }
    if is_answered {
        return left_out(air).map_or(Verdict::NOTHING, Verdict::CannotTell);
    }
    let (arrived, unheard) = answered(air);
    Verdict::CannotTell(format!(
        "too few answers to tell what was missed: they show that {arrived} MPDUs arrived, of which the monitor has not heard {unheard}"
    ))
}

/// What the monitor missed, by one account.
struct Missed {
    share: f64,
    says: String,
    filter: &'static str,
    remedy: String,
    frames: Vec<u32>,
}

impl Missed {
    /// By BlockAcks and ACKs to what it has not heard.
    fn by_answers(air: &Air, (arrived, unheard): (u64, u64)) -> Self {
        Self {
            share: unheard as f64 / arrived as f64,
            says: format!(
                "Answers show that at least {arrived} MPDUs arrived, of which the monitor has not heard {unheard}."
            ),
            filter: "wlan.fc.type_subtype in {0x19, 0x1d}",
            remedy: remedy(air),
            frames: air.shown_orphans.kept().to_vec(),
        }
    }

    /// By packet numbers: what a filter took out of a capture, its answers show no more.
    fn by_numbers(air: &Air, (sent, skipped): (u64, u64)) -> Self {
        let mut frames: Vec<_> = air.traffic().values().flat_map(Traffic::behind_gaps).copied().collect();
        frames.sort_unstable();
        frames.truncate(NAMED);
        Self {
            share: skipped as f64 / sent as f64,
            says: format!(
                "Packet numbers of the encryption show that {sent} MPDUs were sent: this file holds {:.1} % of them. The rest was filtered out, or the monitor missed it.",
                100.0 * (sent - skipped) as f64 / sent as f64
            ),
            filter: "wlan.ccmp.extiv",
            remedy: format!("If the file was filtered or cut, diagnose the whole. Else: {}", remedy(air)),
            frames,
        }
    }
}

fn found(evidence: &Evidence, capture: usize, air: &Air, missed: Missed) -> Finding {
    let (from, to) = air.span_ns.unwrap_or_default();
    Finding {
        subject: evidence.captures[capture].named(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: 100.0 * missed.share,
        threshold: 100.0 * REPORTED_SHARE,
        unit: "% of MPDUs",
        confidence: 0.95,
        cost: Cost::NOTHING,
        capture,
        frames: missed.frames,
        filter: missed.filter.to_owned(),
        says: format!("{} All counts of frames here are lower than what was sent.", missed.says),
        remedy: missed.remedy,
    }
}

/// What makes a monitor hear more. Acknowledgments go in 20 MHz, which a monitor hears that does not listen to the width in which data goes.
fn remedy(air: &Air) -> String {
    let beside = "Put the monitor beside the receiver, with as many antennas and streams as the sender has.";
    match too_narrow(air) {
        Some((ap, width, heard)) => format!(
            "Let the monitor listen to the whole channel: the beacons of {ap}, of whose data it misses most, say {width} MHz, and it has heard \
             {} of it. {beside}",
            if heard > 0 { format!("nothing wider than {heard} MHz") } else { "no data".to_owned() }
        ),
        None => beside.to_owned(),
    }
}

/// The network of which most was missed, its width in MHz, and the greatest width in which data of it was heard, zero without any data; none where that
/// is its own, or is not told.
fn too_narrow(air: &Air) -> Option<(MacAddr, u16, u16)> {
    let mut missed: BTreeMap<MacAddr, u64> = BTreeMap::new();
    let ap_of = |(from, to): &(MacAddr, MacAddr)| {
        [*from, *to].into_iter().find(|&mac| air.radio(mac).is_some_and(|radio| radio.is_ap))
    };
    for (key, traffic) in air.traffic() {
        if let Some(ap) = ap_of(key) {
            *missed.entry(ap).or_default() += traffic.arrived_and_unheard().1;
        }
    }
    for radio in air.radios() {
        if let Some(ap) = network_of(radio) {
            *missed.entry(ap).or_default() += radio.orphans;
        }
    }
    let (ap, _) = missed.into_iter().filter(|&(_, many)| many > 0).max_by_key(|&(_, many)| many)?;
    let width = air.width_mhz(ap)?;
    let of_it = || air.traffic().iter().filter(|(key, _)| ap_of(key) == Some(ap)).map(|(_, traffic)| traffic);
    let widest = of_it().flat_map(|traffic| &traffic.speeds).map(|used| used.speed.mhz).max();
    let is_told = widest.is_some() || of_it().all(|traffic| traffic.mpdus == 0);
    let heard = widest.unwrap_or_default();
    (is_told && heard < width).then_some((ap, width, heard))
}
