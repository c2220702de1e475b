//! W105 for a part of the time: the signal falls, and is too weak for what is sent from then on.

use super::weak::{BETTER, CLEAN_PCT, MIN_MPDUS, SNR_MARGIN_DB, WEAK, too_fast};
use crate::capacity::payload_share;
use crate::demand::answers;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding};
use crate::flow::flows;
use crate::link::{Link, data_span};
use crate::lost_on_air::futile_for;
use crate::snr::needed;
use crate::spells::Change;
use crate::standstill::{LONG, given_up};
use crate::wasted::{self, sent_again_ns};
use airloom_trace::{Air, Bin, Bins, Futile};

/// What is sent again was sent so long before the second in which the signal is heard to be weak, or less, in nanoseconds.
const BEFORE_NS: u64 = 1_000_000_000;

/// What goes over a link in the spells in which its signal is weak, or else.
struct Part {
    mpdus: f64,
    /// The share of them that was sent again, in percent.
    retries: f64,
    /// What its rates need in dB above the noise.
    needs: f64,
    /// Mbit/s of payload, each once, while data went, and for how long that was, in nanoseconds.
    moved_mbps: f64,
    lasted_ns: f64,
}

impl Part {
    fn of(link: &Link<'_>, change: &Change, weak: bool) -> Option<Self> {
        let over_time = &link.traffic.over_time;
        let within = |at_ns: u64| change.spells.iter().any(|&(from, to)| (from..to).contains(&at_ns)) == weak;
        let all = |bins: &Bins| {
            let mut all = Bin::default();
            let parts = bins.bins().iter().enumerate().filter(|&(place, _)| within(bins.begin_ns(place)));
            parts.for_each(|(_, bin)| all.merge(bin));
            all
        };
        let [sizes, again, phy, octets] =
            [&over_time.sizes, &over_time.retries, &over_time.phy, &over_time.octets].map(all);
        let mbps = phy.sum / f64::from(phy.count.max(1));
        let apart = |mbps_of: f64| (mbps_of - mbps).abs();
        let rate = link
            .traffic
            .speeds
            .iter()
            .min_by(|one, other| apart(one.speed.mbps).total_cmp(&apart(other.speed.mbps)))?;
        let bins = over_time.octets.bins().iter().enumerate();
        let lasted =
            bins.filter(|(place, bin)| bin.count > 0 && within(over_time.octets.begin_ns(*place))).count();
        let lasted_ns = lasted as f64 * over_time.octets.width_ns() as f64;
        let once = 1.0 - again.sum / sizes.sum.max(1.0);
        Some(Self {
            mpdus: sizes.sum,
            retries: 100.0 * (1.0 - once),
            needs: needed(&rate.speed),
            moved_mbps: 8e3 * octets.sum * once * payload_share(link.traffic) / lasted_ns.max(1.0),
            lasted_ns,
        })
    }
}

/// The finding about a link whose signal changes, if it is too weak where it is weak.
pub(super) fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let ends = !answers(air, link);
    let lost = futile_for(air, link, LONG).filter(|lost| ends && matters(evidence, air, link, lost));
    let change = link.change(air).or_else(|| link.fall(air, lost?.span_ns.0))?;
    let heard_s = change.weak_ns(u64::MAX) as f64 / 1e9;
    let (from, to) = change.spells.last().copied()?;
    let lost = lost.filter(|lost| lost.span_ns.1 >= from && lost.span_ns.0 <= to + BEFORE_NS);
    let is_over = lost.is_some() || stands_still(evidence, air, link, from);
    let until_ns = air.span_ns.filter(|_| is_over).map(|(_, end_ns)| end_ns);
    let change = change.on_until(until_ns.unwrap_or_default(), |since_ns| link.snr_since(air, since_ns));
    let [part, rest] = [true, false].map(|weak| Part::of(link, &change, weak));
    let (part, rest) = (part?, rest?);
    let (snr, margin) = (change.weak, change.weak - part.needs);
    let is_heard_better = part.retries < CLEAN_PCT && margin < -BETTER;
    let is_too_fast = too_fast(snr, margin, part.retries) && ends;
    let is_enough = lost.is_some() || part.mpdus >= MIN_MPDUS as f64;
    if !is_enough || is_heard_better || (snr >= WEAK && !is_too_fast) {
        return None;
    }
    Some(Finding {
        subject: link.named(),
        spans: change.spells.iter().map(|&(from, to)| [evidence.seconds(from), evidence.seconds(to)]).collect(),
        value: snr,
        threshold: if snr < WEAK { WEAK } else { part.needs + SNR_MARGIN_DB },
        unit: "dB above the noise",
        confidence: if link.is_up() { 0.9 } else { 0.8 },
        cost: cost(evidence, air, link, &change, [&part, &rest], (is_over, lost)),
        capture,
        frames: link.traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: lost.map_or_else(
            || format!(
                "The signal changes: for {heard_s:.0} s it is {snr:.0} dB above the noise, else {:.0} dB. In that time {:.0} % of the MPDUs were sent again.",
                change.strong, part.retries,
            ),
            |lost| nothing_arrives(evidence, air, link, &change, lost),
        ),
        remedy: "Look what lies between station and access point at that time: a wall, a door, a body, the way. Then another place for one of the two, or an access \
                 point more."
            .to_owned(),
    })
}

/// That nothing of what goes over a link arrives any more, and how its signal fell by then, in sentences.
fn nothing_arrives(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    change: &Change,
    lost: &Futile,
) -> String {
    let when = if link.snr_since(air, lost.span_ns.0).is_some() { "since then" } else { "right before" };
    format!(
        "From {:.1} s on nothing arrives any more: {} PPDUs went, and none of their {} MPDUs was acknowledged. The signal falls: the station is heard {:.0} dB above the noise {when}, and \
         was at {:.0} dB.",
        evidence.seconds(lost.span_ns.0),
        lost.ppdus,
        lost.mpdus,
        change.weak,
        change.strong,
    )
}

/// Whether anybody waits for what does not arrive any more: it is much, or a flow stands still. An end of a connection alone harms none.
fn matters(evidence: &Evidence, air: &Air, link: &Link<'_>, lost: &Futile) -> bool {
    lost.mpdus >= MIN_MPDUS || stands_still(evidence, air, link, lost.span_ns.0)
}

/// Whether a flow of a link stands still from about a time on, up to its end: its data is sent again and again, and nothing answers.
fn stands_still(evidence: &Evidence, air: &Air, link: &Link<'_>, since_ns: u64) -> bool {
    let since = evidence.seconds(since_ns.saturating_sub(BEFORE_NS));
    flows(evidence, 1).iter().any(|flow| {
        let stands =
            given_up(flow).filter(|stuck| evidence.seconds_in(flow.capture, stuck.span_ns.0) >= since);
        stands.is_some() && flow.link(evidence, air).is_some_and(|own| own.key() == link.key())
    })
}

/// What went while the signal was strong, less what goes in the spells, if more was there to be sent all the time, in this direction or else in the other. Of what does not arrive any more the time in which
/// it does not, if that does not show; else the air time of what was sent again in the spells, at least.
fn cost(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    change: &Change,
    [part, rest]: [&Part; 2],
    (is_over, lost): (bool, Option<&Futile>),
) -> Cost {
    let (from, to) = data_span(air).unwrap_or_default();
    let end = change.spells.last().map_or(to, |last| last.1.max(to));
    let all_ns = end.saturating_sub(from).max(1) as f64;
    // Where its sender's timer is all that sends, what goes between is nothing; but what it sent last may have been all.
    let octets = &link.traffic.over_time.octets;
    let last = octets.bins().iter().rposition(|bin| bin.count > 0).map(|last| octets.begin_ns(last + 1));
    let until_ns = if is_over { u64::MAX } else { last.unwrap_or_default() };
    let (more, moved) = stopped(change.weak_ns(until_ns), part, rest, all_ns);
    if more > 0.0 && (evidence.is_greedy(link) || is_over && evidence.is_waited_for(link)) {
        // In the seconds of a strong signal the sender may still have begun.
        return Cost::carried(more, moved, "of this link");
    }
    if let Some((more, moved)) = stopped_back(evidence, air, link, change, all_ns) {
        return Cost::carried(more, moved, "of what goes the other way");
    }
    if let Some(lost) = lost {
        let still_ns = (lost.span_ns.1 - lost.span_ns.0) as f64;
        return Cost::seconds(still_ns / 1e9, still_ns / all_ns, "in which nothing arrives");
    }
    let share = part.mpdus * part.retries / 100.0 / (link.traffic.retried as f64).max(1.0);
    Cost { at_least: true, ..wasted::of_the_air(air, link, sent_again_ns(link.traffic) * share.min(1.0)) }
}

/// What spells that last so long take of a transfer that they stop, and what moved of it, in Mbit/s over all of the time.
fn stopped(weak_ns: u64, part: &Part, rest: &Part, all_ns: f64) -> (f64, f64) {
    let (strong, weak) = (rest.moved_mbps * rest.lasted_ns, part.moved_mbps * part.lasted_ns);
    let more = (rest.moved_mbps * weak_ns as f64 - weak) / all_ns;
    (more.max(0.0), (strong + weak) / all_ns)
}

/// The same of a transfer the other way: acknowledgments may be all that is heard of one that they have stopped.
fn stopped_back(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    change: &Change,
    all_ns: f64,
) -> Option<(f64, f64)> {
    let back = Link::between(air, (link.to.mac, link.from.mac)).filter(|back| evidence.is_greedy(back))?;
    let [part, rest] = [true, false].map(|weak| Part::of(&back, change, weak));
    Some(stopped(change.weak_ns(u64::MAX), &part?, &rest?, all_ns)).filter(|(more, _)| *more > 0.0)
}
