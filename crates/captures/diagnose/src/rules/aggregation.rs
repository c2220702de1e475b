//! W304: frames travel alone though many wait.

use super::no_air;
use crate::capacity::{
    EQUAL, LONGEST_NS, NOT_WAITING, Share, arriving, moved_mbps, room_mbps, taken_by_others,
};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::gaps::USUAL;
use crate::heard::{heard_of, in_links};
use crate::link::{Key, Link};
use crate::ppdus::{is_parted, largest};
use crate::rule::Rule;
use crate::under_way::carrying;
use crate::waits::PRESSED;
use crate::window_bounds::within_windows;
use airloom_trace::{Air, MacAddr, Traffic};
use std::collections::BTreeMap;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W304",
    name: "no or short aggregation",
    means: "Frames are sent one by one where many could go together: the pauses between them take the time.",
    needs: "air",
    computes: "How much more a link with rates of 802.11n or later that sends large frames would carry with sixteen MPDUs in each PPDU, by the preambles, gaps and \
               answers that it would save. Reported from 10 % on, if all PPDUs have about as many as the largest, fewer than sixteen while more is there to be sent or others take less \
               than a quarter of the time, or fewer than 2.5 while its sender has at least half as many turns as the one with the most and it half as many, or half as much time, as the link of that sender with the most, if four in five PPDUs began within a backoff after the air had become idle, and it is busy for three \
               quarters of the time in which the link is in use: then frames wait, and a limit keeps them apart; without any BlockAck there is no agreement. \
               Where an access point's beacons say that it receives no longer A-MPDUs than these, so many count as enough as take as long as what surrounds them, if that is more \
               than sixteen. What these would carry more in the link's share of the air is its cost, at least: how many would go together does not show.",
    traps: "A sender with little to send has nothing to aggregate: then the air is idle, or its PPDUs have now more and now fewer MPDUs, as many as wait. So has one with little for a station, however much it sends to another. Rates of 802.11g and older cannot. Not every monitor \
            tells which frames came together: where a BlockAck acknowledges half as many more as seem to have, the rule says nothing.",
    refuted_by: "An idle queue at the sender while frames went alone.",
    judge,
};

/// MPDUs in a PPDU that are enough, and what these would carry more that is reported, in percent.
const ENOUGH_MPDUS: f64 = 16.0;
const REPORTED_PCT: f64 = 10.0;
/// MPDUs in a PPDU that are few whatever others take.
const SHORT: f64 = 2.5;
/// The share of the time that others may take.
const OTHERS: f64 = 0.25;
/// A PPDU with at least this share of the MPDUs of the largest is about as large.
const ALIKE: f64 = 0.8;
/// What a subframe of an A-MPDU has around a body: MAC header with QoS and encryption, check sequence and delimiter, in octets.
const AROUND_BODY: f64 = 42.0;
/// The longest A-MPDU of a receiver has 2^13 octets to 2^23 less one (802.11-2020 clauses 9.4.2.55.3 and 9.4.2.157.2, 802.11ax clause
/// 9.4.2.248.2); what 802.11be has beyond fills the longest PPDU.
const EXPONENTS: std::ops::RangeInclusive<i32> = 13..=23;
/// The share of the time in use that is busy.
const BUSY_SHARE: f64 = 0.75;
/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 100;
/// A cost below this, in Mbit/s, has a digit behind the point.
const ONE_DIGIT: f64 = 10.0;
/// Octets of a body that are large: a third of the largest packet.
const LARGE: f64 = 500.0;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    in_links(air, MIN_MPDUS, |link| found(evidence, *capture, air, link))
}

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let traffic = link.traffic;
    let able: u64 =
        traffic.speeds.iter().filter(|used| used.speed.index.is_some()).map(|used| used.mpdus).sum();
    let per_ppdu = traffic.mpdus_per_ppdu();
    let pressed = traffic.pressed as f64 / traffic.ppdus.max(1) as f64;
    let busy = if pressed < PRESSED * heard_of(air, link) { 0.0 } else { busy_in_use(air, link) };
    let large = traffic.octets as f64 / traffic.mpdus as f64 >= LARGE;
    let told = told_limit(air, link);
    let enough = enough(traffic, told);
    let gain = gain(traffic, enough);
    // Where some are longer, the others have what there was to send, or what was lost.
    let waits = waits(evidence, air, link);
    let few = largest(traffic) < enough && waits
        || per_ppdu < SHORT && (waits || has_turns(&turns(air), link.key()));
    let short = few && are_alike(traffic);
    if gain < REPORTED_PCT
        || !short
        || is_parted(traffic)
        || busy < BUSY_SHARE * heard_of(air, link)
        || !large
        || able < traffic.mpdus / 2
    {
        return None;
    }
    // As full as the largest they are now.
    let together = enough * per_ppdu / largest(traffic).max(1.0);
    let more = room_mbps(evidence, air, link, Share::Own, 1.0, arriving(air, link), together);
    let moved = moved_mbps(air, link)?;
    Some(Finding {
        subject: link.named(),
        spans: carrying(evidence, air, link),
        value: gain,
        threshold: REPORTED_PCT,
        unit: "% more with enough MPDUs in each PPDU",
        confidence: 0.85,
        // How many more than these would go together does not show.
        cost: more.map_or(NOT_WAITING, |more| {
            let cost = Cost::carried(more, moved, "of this link");
            within_windows(evidence, air, &[link], cost)
        }),
        capture,
        frames: traffic.shown.kept().to_vec(),
        filter: link.filter(),
        says: format!(
            "{per_ppdu:.1} MPDUs travel in a PPDU, while the air is busy for {:.0} % of the time. {}{}",
            100.0 * busy.min(1.0),
            kept_short(traffic, told),
            more.map(|more| would_carry(enough, more)).unwrap_or_default()
        ),
        remedy: if told.is_some() {
            "Let the access point say that it receives longer ones (hostapd: `ht_capab`, `vht_capab` with MAX-A-MPDU-LEN-EXP7, at 6 GHz `he_6ghz_max_ampdu_len_exp=7`)."
        } else {
            "Look whether a BlockAck agreement exists (`iw event -f` at association, debugfs `agg_status`), and the limits of the receiver: the longest A-MPDU and the spacing of MPDUs in its HT and VHT \
             capabilities."
        }
        .to_owned(),
    })
}

/// What so many MPDUs in each PPDU would carry more, in Mbit/s, with the digits that its cost has: a sentence.
fn would_carry(enough: f64, more: f64) -> String {
    let digits = usize::from(more < ONE_DIGIT);
    format!(" {enough:.0} in each would carry {more:.digits$} Mbit/s more.")
}

/// Whether it is for the link itself that the air is busy: beside others a sender with little to send has to wait for its turn, too.
fn waits(evidence: &Evidence, air: &Air, link: &Link<'_>) -> bool {
    evidence.is_greedy(link) || taken_by_others(air, link.station().mac).is_some_and(|others| others < OTHERS)
}

/// What a link takes of the air: its PPDUs with data, and the time these last, in nanoseconds.
type Taken = (u64, u64);

/// What each link takes.
fn turns(air: &Air) -> BTreeMap<Key, Taken> {
    air.traffic().iter().map(|(&key, traffic)| (key, (traffic.ppdus, traffic.airtime_ns))).collect()
}

/// Whether a link has about as many turns as it would if its frames always waited: its sender as many as the one with the most, since with fewer each of its frames may have waited for
/// the air alone, and not for others of its own; and the link as many, or as much time, as the one of its sender with the most, since senders share by turns or by time among those for
/// which something waits. What one seldom sends to a receiver goes alone, however often it sends to another.
fn has_turns(turns: &BTreeMap<Key, Taken>, link: Key) -> bool {
    let (own, _) = link;
    let mut of_senders: BTreeMap<MacAddr, u64> = BTreeMap::new();
    turns.iter().for_each(|((from, _), (ppdus, _))| *of_senders.entry(*from).or_default() += ppdus);
    let is_equal = |one: u64, most: Option<u64>| one as f64 >= EQUAL * most.unwrap_or_default() as f64;
    let beside = || turns.iter().filter(|((from, _), _)| *from == own).map(|(_, taken)| *taken);
    let sends = of_senders.get(&own).is_some_and(|&all| is_equal(all, of_senders.values().max().copied()));
    let is_fed = |&(ppdus, time): &Taken| {
        is_equal(ppdus, beside().map(|taken| taken.0).max())
            || is_equal(time, beside().map(|taken| taken.1).max())
    };
    sends && turns.get(&link).is_some_and(is_fed)
}

/// The octets of the longest A-MPDU that a receiver says it takes, if it is what keeps the longest ones of this link short.
fn told_limit(air: &Air, link: &Link<'_>) -> Option<u32> {
    let (most, subframe) = (largest(link.traffic), subframe(link.traffic));
    let fits =
        |&limit: &u32| most * subframe <= f64::from(limit) && f64::from(limit) < (most + 1.0) * subframe;
    air.ampdu_octets(link.to.mac).filter(fits)
}

/// MPDUs that are enough: where the receiver says that it takes no more, as many as take as long as what surrounds a PPDU.
fn enough(traffic: &Traffic, told: Option<u32>) -> f64 {
    told.map_or(ENOUGH_MPDUS, |_| ENOUGH_MPDUS.max(PREAMBLE_TO_ANSWER_NS / each_ns(traffic)))
}

/// What surrounds the data of a PPDU, in nanoseconds.
const PREAMBLE_TO_ANSWER_NS: f64 = USUAL.preamble + USUAL.answer + USUAL.around;

/// How long an MPDU lasts, in nanoseconds.
fn each_ns(traffic: &Traffic) -> f64 {
    let ppdus = traffic.ppdus as f64;
    (traffic.airtime_ns as f64 - ppdus * USUAL.preamble).max(1.0) / traffic.mpdus.max(1) as f64
}

/// Octets of an MPDU in an A-MPDU.
fn subframe(traffic: &Traffic) -> f64 {
    traffic.octets as f64 / traffic.mpdus.max(1) as f64 + AROUND_BODY
}

/// How much more would go with so many MPDUs in each PPDU, or as many as fit into the longest, in percent.
fn gain(traffic: &Traffic, enough: f64) -> f64 {
    let (ppdus, mpdus) = (traffic.ppdus as f64, traffic.mpdus.max(1) as f64);
    let (each, around) = (each_ns(traffic), PREAMBLE_TO_ANSWER_NS);
    let enough = enough.min(LONGEST_NS / each).max(mpdus / ppdus.max(1.0));
    100.0 * ((around * ppdus / mpdus + each) / (around / enough + each) - 1.0)
}

/// Whether all PPDUs have about as many MPDUs as the largest.
fn are_alike(traffic: &Traffic) -> bool {
    traffic.mpdus_per_ppdu() >= ALIKE * largest(traffic)
}

/// What keeps PPDUs short, as far as their sizes and the receiver tell.
fn kept_short(traffic: &Traffic, told: Option<u32>) -> String {
    if let Some(limit) = told {
        let most = largest(traffic);
        return format!(
            "The access point says that it receives A-MPDUs of {limit} octets at most; {most:.0} MPDUs fill that."
        );
    }
    if traffic.arrived_and_unheard().0 == 0 {
        return "Nothing but ACKs answers them: there is no agreement about BlockAcks.".to_owned();
    }
    let most = largest(traffic);
    let subframe = subframe(traffic);
    let limits = EXPONENTS.map(|exponent| f64::from(1_i32 << exponent) - 1.0);
    match limits.into_iter().find(|limit| most * subframe <= *limit && *limit < (most + 1.0) * subframe) {
        Some(limit) => format!(
            "All have about as many as the largest, {most:.0}: more would be longer than {limit:.0} octets, which may be what the receiver takes."
        ),
        None => format!(
            "All have about as many as the largest, {most:.0}: a limit of sender or receiver keeps them short."
        ),
    }
}

/// The share of the time that is busy while a link is in use: in bins in which it has at least half as much of the air as on
/// average where it has any. Gaps around PPDUs count as busy.
fn busy_in_use(air: &Air, link: &Link<'_>) -> f64 {
    let own = &link.traffic.over_time.airtime;
    let used: Vec<f64> = own.bins().iter().map(|bin| bin.sum).filter(|&sum| sum > 0.0).collect();
    let half = used.iter().sum::<f64>() / used.len().max(1) as f64 / 2.0;
    let (mut busy, mut time) = (0.0, 0.0);
    for (place, _) in own.bins().iter().enumerate().filter(|(_, bin)| bin.sum >= half && bin.sum > 0.0) {
        let (from, to) = (own.begin_ns(place), own.begin_ns(place + 1));
        let ppdus: f64 = air
            .traffic()
            .values()
            .map(|traffic| {
                let mean = traffic.airtime_ns as f64 / traffic.ppdus.max(1) as f64;
                traffic.over_time.airtime.density(from, to) / mean.max(1.0)
            })
            .sum();
        busy += air.busy.density(from, to) + ppdus * USUAL.around;
        time += 1.0;
    }
    busy / f64::max(time, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AP: MacAddr = MacAddr([2, 0, 0, 0, 0, 0]);
    const NEAR: MacAddr = MacAddr([2, 0, 0, 0, 0, 1]);
    const FAR: MacAddr = MacAddr([2, 0, 0, 0, 0, 2]);

    /// Links with so many PPDUs of a millisecond each.
    fn taken<const N: usize>(links: [(Key, u64); N]) -> BTreeMap<Key, Taken> {
        links.map(|(key, ppdus)| (key, (ppdus, ppdus * 1_000_000))).into()
    }

    #[test]
    fn a_sender_with_few_turns_in_busy_air_has_nothing_to_put_together() {
        let turns = |own: u64| taken([((NEAR, AP), own), ((FAR, AP), 3_583)]);
        assert!(!has_turns(&turns(200), (NEAR, AP)));
        assert!(has_turns(&turns(200), (FAR, AP)));
        assert!(has_turns(&turns(1_800), (NEAR, AP)));
    }

    #[test]
    fn what_is_seldom_sent_beside_much_for_another_has_nothing_to_go_with() {
        let turns = |own: u64| taken([((AP, NEAR), 3_260), ((AP, FAR), own), ((NEAR, AP), 2_800)]);
        assert!(!has_turns(&turns(136), (AP, FAR)), "a datagram each 59 ms");
        assert!(has_turns(&turns(136), (AP, NEAR)));
        assert!(has_turns(&turns(1_700), (AP, FAR)), "both are served in turn");
        let by_time =
            BTreeMap::from([((AP, NEAR), (8_000, 3_000_000_000)), ((AP, FAR), (1_000, 2_800_000_000))]);
        assert!(has_turns(&by_time, (AP, FAR)), "a slow station takes as much time by fewer PPDUs");
    }
}
