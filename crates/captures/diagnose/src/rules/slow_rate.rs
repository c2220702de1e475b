//! W104: the sender uses a rate far below what the signal allows.

use super::beside::as_beside_mbps;
use super::no_air;
use super::weak::WEAK;
use crate::bianchi::lost;
use crate::capacity::{self, Share, arriving, fastest_in_use, has_rivals, is_full, moved_mbps};
use crate::demand::gain_mbps;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::in_strong_links;
use crate::link::{Link, data_span, links, network_of};
use crate::rule::Rule;
use crate::snr::{highest_index, needed, needed_by_index};
use crate::spare::is_never_empty;
use crate::under_way::carrying;
use crate::wasted;
use crate::window_bounds::within_windows;
use airloom_trace::{Air, Phy, Speed, SpeedUse};
use std::collections::BTreeSet;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W104",
    name: "rate stuck low",
    means: "The signal is good enough for more than the device makes of it: the radio stays slow, and \
            everything takes longer.",
    needs: "air",
    computes: "The ratio of signal to noise between station and access point against what the fastest rate needs at which the link sends at \
               least one MPDU in twenty (802.11's minimum sensitivities). Reported where it is 10 dB more than that, fewer than half of the MPDUs \
               are sent again, and a rate with the same streams and width is at least twice as fast; below 15 dB, where 500 MPDUs and more all go at one rate, as one that was fixed, from 4 dB and 1.4 times on. \
               Where several rates are in use and nothing more is there to be sent it is reported if faster frames would leave 5 % of the air. \
               Its cost is what that would carry more in the link's share of the air, or in a fair one if that is less: at least, since more streams may be possible; where others have more to send too, no more than the best of those with a strong signal carries in as much.",
    traps: "What the monitor hears is not what the receiver hears: a link with little but retries is not taken for it. A signal that changes counts as where it is weak. Collisions are no reason \
            for a slow rate, though some rate controls take them for one. A \
            sender that tries faster rates, for which the signal is enough, and does not stay with them has a receiver that may hear less than the monitor: the rule cannot tell then. Nor can it where 15 % of the PPDUs have retries beside another network that takes a quarter of the time: collisions with a sender that is not heard look the same. Control and management \
            frames go at basic rates always and do not count.",
    refuted_by: "Many retries at the next faster rates, where the sender tried them.",
    judge,
};

/// More than this much signal than needed, in dB.
const MARGIN: f64 = 10.0;
/// A rate has to be so many times as fast as the fastest in use.
const FASTER: f64 = 2.0;
/// The same where the signal is weak and all goes at one rate, as one that was fixed does: a rate control with as many MPDUs tries others.
const FIXED_MARGIN: f64 = 4.0;
const FIXED_FASTER: f64 = 1.4;
const SHOWS_CONTROL: u64 = 500;
/// Less of the air than this, in percent, is missed by nobody, where several rates are in use.
const MATTERS_PCT: f64 = 5.0;
/// Fewer MPDUs than this say nothing.
const MIN_MPDUS: u64 = 50;
/// Fewer MPDUs at faster rates are no tries that go on.
const TRIES: u64 = 20;
/// From this share of the PPDUs on with retries, in percent, more than two senders collide that hear each other (Bianchi 2000), and from this share of the time on that another network takes it may be what
/// they collide with.
const COLLIDES_PCT: f64 = 15.0;
const OTHERS: f64 = 0.25;
/// A link with more retries than this has another problem.
const RETRIES: f64 = 0.50;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let links = links(air, MIN_MPDUS);
    if !links.is_empty() && links.iter().all(|link| link.snr(air).is_none() || link.traffic.speeds.is_empty())
    {
        return Verdict::CannotTell("the capture tells no signal in dBm or no rate".to_owned());
    }
    let verdict = in_strong_links(air, MIN_MPDUS, |link, snr| reported(evidence, *capture, air, link, snr));
    let tried = |link: &&Link<'_>| {
        link.lowest_snr(air)
            .is_some_and(|snr| tries_faster(link, snr) && found(evidence, *capture, air, link, snr).is_some())
    };
    let suspect = links.iter().find(tried).map(|link| {
        format!(
            "{} tries faster rates, for which the signal is enough where the monitor is, and does not stay with them: the receiver may hear less",
            link.named()
        )
    });
    let collided = |link: &&Link<'_>| {
        let slow =
            link.lowest_snr(air).is_some_and(|snr| found(evidence, *capture, air, link, snr).is_some());
        slow && collides_with_others(air, link)
    };
    let suspect = suspect.or_else(|| {
        links.iter().find(collided).map(|link| {
            format!(
                "{}: the signal is enough for faster rates, but {:.0} % of the PPDUs have retries beside another network that takes much of the time: frames may collide with those of a sender that is \
                 not heard at either end, and a rate control takes that for noise",
                link.named(),
                again_pct(link)
            )
        })
    });
    if verdict == Verdict::NOTHING { Verdict::unless_found_suspects(Vec::new(), suspect) } else { verdict }
}

/// What is reported of a link: nothing where faster rates were tried, or frames may collide.
fn reported(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>, snr: f64) -> Option<Finding> {
    found(evidence, capture, air, link, snr)
        .filter(|_| !tries_faster(link, snr) && !collides_with_others(air, link))
}

/// Whether the only rate of a link, or of its way back, is far below what its signal is enough for, and that is reported: then it is the rate that is too slow, and not the signal that is too
/// weak, however weak that is.
pub(super) fn is_fixed_too_low(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> bool {
    let is_slow = |way: &Link<'_>| {
        let snr = way.lowest_snr(air).filter(|_| is_at_one_rate(way));
        snr.is_some_and(|snr| reported(evidence, capture, air, way, snr).is_some())
    };
    let way_back = Link::between(air, (link.to.mac, link.from.mac));
    [Some(*link), way_back].iter().flatten().any(is_slow)
}

/// The share of a link's PPDUs that have retries, in percent.
fn again_pct(link: &Link<'_>) -> f64 {
    100.0 * link.traffic.again as f64 / link.traffic.ppdus.max(1) as f64
}

/// Whether a link's PPDUs may collide with those of another network, as where two senders do not hear each other: many have retries, and that network takes much of the time.
fn collides_with_others(air: &Air, link: &Link<'_>) -> bool {
    let Some((from, to)) = data_span(air) else { return false };
    let network = |link: &Link<'_>| network_of(link.station());
    let of_others = links(air, MIN_MPDUS).into_iter().filter(|other| network(other) != network(link));
    let taken: u64 = of_others.map(|other| other.traffic.airtime_ns).sum();
    again_pct(link) >= COLLIDES_PCT && taken as f64 >= OTHERS * to.saturating_sub(from).max(1) as f64
}

/// How far a link's rates are below those for which its signal is enough.
struct Room {
    /// How many dB more there are than its fastest rate in use needs.
    margin: f64,
    /// How many are more than chance makes.
    threshold: f64,
    /// That rate, in Mbit/s.
    used: f64,
    /// The fastest that the signal is enough for, in Mbit/s.
    reachable: f64,
}

/// That, for such a ratio of signal to noise; none if it is no more than chance makes.
fn room(link: &Link<'_>, snr: f64) -> Option<Room> {
    let fastest = fastest_in_use(link.traffic)?;
    let is_weak = is_at_one_rate(link) && snr < WEAK;
    let (least, times) = if is_weak { (FIXED_MARGIN, FIXED_FASTER) } else { (MARGIN, FASTER) };
    let margin = snr - needed(fastest);
    let reachable = reachable(fastest, snr - least / 2.0)?;
    let is_large = margin >= least && reachable >= times * fastest.mbps;
    is_large.then_some(Room { margin, threshold: least, used: fastest.mbps, reachable })
}

/// Whether all MPDUs of a link go at one rate, so many that a rate control would have tried others.
fn is_at_one_rate(link: &Link<'_>) -> bool {
    link.traffic.speeds.len() == 1 && link.traffic.mpdus >= SHOWS_CONTROL
}

/// Whether a link's signal is enough for far faster rates than those in use, which then do not show what the air would carry.
pub(super) fn may_go_faster(air: &Air, link: &Link<'_>) -> bool {
    link.lowest_snr(air).is_some_and(|snr| room(link, snr).is_some())
}

/// Whether a link's sender tries faster rates than those in use, for which the signal is enough.
fn tries_faster(link: &Link<'_>, snr: f64) -> bool {
    let Some(fastest) = fastest_in_use(link.traffic) else { return false };
    let enough =
        |used: &&SpeedUse| used.speed.mbps > fastest.mbps && needed(&used.speed) <= snr - MARGIN / 2.0;
    link.traffic.speeds.iter().filter(enough).map(|used| used.mpdus).sum::<u64>() >= TRIES
}

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>, snr: f64) -> Option<Finding> {
    let traffic = link.traffic;
    let retries = traffic.retried as f64 / traffic.mpdus as f64;
    let Room { margin, threshold, used, reachable } = room(link, snr).filter(|_| retries <= RETRIES)?;
    let cost = cost(evidence, air, link, reachable / used)?;
    Some(Finding {
        subject: link.named(),
        spans: carrying(evidence, air, link),
        value: margin,
        threshold,
        unit: "dB more than needed",
        confidence: if link.is_up() { 0.9 } else { 0.75 },
        cost,
        capture,
        frames: traffic.shown.kept().to_vec(),
        filter: link.filter(),
        says: format!(
            "The fastest rate in use is {used:.1} Mbit/s, though a signal {snr:.0} dB above the noise is enough for {reachable:.0} Mbit/s; \
             {:.0} % of the MPDUs were sent again.",
            100.0 * retries
        ),
        remedy: "Look whether a rate was fixed (`iw dev wlan0 set bitrates` without arguments undoes it); then driver and firmware."
            .to_owned(),
    })
}

/// How many radios send data of which more than a little was heard: where they wait at once they collide.
fn senders(air: &Air) -> usize {
    links(air, MIN_MPDUS).iter().map(|link| link.from.mac).collect::<BTreeSet<_>>().len()
}

/// What faster frames would carry, or the air time that they would leave; none where that is too little for anybody to notice.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, faster: f64) -> Option<Cost> {
    let wasted_ns = link.traffic.airtime_ns as f64 * (1.0 - 1.0 / faster);
    let rivals = has_rivals(evidence, air, link);
    let collides = if rivals { lost(senders(air)) } else { 0.0 };
    let clean = arriving(air, link) * (1.0 - capacity::margin(link.traffic).max(collides));
    match gain_mbps(evidence, air, link, Share::Own, faster, clean)
        .filter(|_| is_full(air, link) || is_never_empty(link.traffic))
    {
        Some(more) => {
            let moved = moved_mbps(air, link).unwrap_or_default();
            let beside = as_beside_mbps(evidence, air, link).filter(|_| rivals);
            let more = beside.map_or(more, |beside| more.min(beside));
            Some(within_windows(evidence, air, &[link], Cost::carried(more, moved, "of this link")))
        }
        // A rate control with little to send climbs slowly.
        None => Some(wasted::of_the_air(air, link, wasted_ns))
            .filter(|cost| link.traffic.speeds.len() == 1 || cost.value >= MATTERS_PCT),
    }
}

/// The fastest rate with the same streams and width that such a ratio is enough for, in Mbit/s.
pub(super) fn reachable(used: &Speed, snr: f64) -> Option<f64> {
    match (used.phy, used.index) {
        (Phy::Dsss, _) => Some(if snr >= 10.0 { 11.0 } else { used.mbps }),
        (Phy::Ofdm, _) => {
            let units = [108, 96, 72, 48, 36, 24, 18, 12];
            let fits = units.into_iter().filter_map(Speed::legacy).find(|speed| needed(speed) <= snr);
            fits.map(|speed| speed.mbps)
        }
        (phy, Some(index)) => {
            // Bits in a symbol by MCS, which is all that differs.
            const BITS: [f64; 14] =
                [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 4.5, 5.0, 6.0, 20.0 / 3.0, 7.5, 25.0 / 3.0, 9.0, 10.0];
            let highest = highest_index(phy, used.streams, snr)?;
            debug_assert!(needed_by_index(highest) <= snr);
            Some(used.mbps * BITS[usize::from(highest)] / BITS[usize::from(index).min(BITS.len() - 1)])
        }
        (_, None) => None,
    }
}
