//! W105 for a part of the time: the signal falls, and is too weak for what is sent from then on.

use super::weak::{BETTER, CLEAN_PCT, MIN_MPDUS, SNR_MARGIN_DB, WEAK, too_fast};
use crate::capacity::payload_share;
use crate::demand::answers;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding};
use crate::link::{Link, data_span};
use crate::snr::needed;
use crate::spells::Change;
use crate::wasted::{self, sent_again_ns};
use airloom_trace::{Air, Bin, Bins};

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
    let change = link.change(air)?;
    let [part, rest] = [true, false].map(|weak| Part::of(link, &change, weak));
    let (part, rest) = (part?, rest?);
    let (snr, margin) = (change.weak, change.weak - part.needs);
    let is_heard_better = part.retries < CLEAN_PCT && margin < -BETTER;
    let is_too_fast = too_fast(snr, margin, part.retries) && !answers(air, link);
    if part.mpdus < MIN_MPDUS as f64 || is_heard_better || (snr >= WEAK && !is_too_fast) {
        return None;
    }
    Some(Finding {
        subject: link.named(),
        spans: change.spells.iter().map(|&(from, to)| [evidence.seconds(from), evidence.seconds(to)]).collect(),
        value: snr,
        threshold: if snr < WEAK { WEAK } else { part.needs + SNR_MARGIN_DB },
        unit: "dB above the noise",
        confidence: if link.is_up() { 0.9 } else { 0.8 },
        cost: cost(evidence, air, link, &change, &part, &rest),
        capture,
        frames: link.traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "The signal changes: for {:.0} s it is {snr:.0} dB above the noise, else {:.0} dB. In that time {:.0} % of the MPDUs were sent again.",
            change.spells.iter().map(|(from, to)| to - from).sum::<u64>() as f64 / 1e9,
            change.strong,
            part.retries,
        ),
        remedy: "Look what lies between station and access point at that time: a wall, a door, a body, the way. Then another place for one of the two, or an access \
                 point more."
            .to_owned(),
    })
}

/// What went while the signal was strong, less what goes in the spells, if more was there to be sent all the time, in this direction or else in the other; else the air time of what was sent
/// again in them, at least.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, change: &Change, part: &Part, rest: &Part) -> Cost {
    let (from, to) = data_span(air).unwrap_or_default();
    let all_ns = to.saturating_sub(from).max(1) as f64;
    let more = (rest.moved_mbps - part.moved_mbps) * part.lasted_ns / all_ns;
    if evidence.is_greedy(link) && more > 0.0 {
        let moved = (rest.moved_mbps * rest.lasted_ns + part.moved_mbps * part.lasted_ns) / all_ns;
        // In the seconds of a strong signal the sender may still have begun.
        return Cost::carried(more, moved, "of this link");
    }
    if let Some((more, moved)) = stopped(evidence, air, link, change, all_ns) {
        return Cost::carried(more, moved, "of what goes the other way");
    }
    let share = part.mpdus * part.retries / 100.0 / (link.traffic.retried as f64).max(1.0);
    Cost { at_least: true, ..wasted::of_the_air(air, link, sent_again_ns(link.traffic) * share.min(1.0)) }
}

/// What spells take of a transfer the other way, and what moved of it, in Mbit/s over all of the time: acknowledgments may be all that is heard of one that they have stopped.
fn stopped(
    evidence: &Evidence,
    air: &Air,
    link: &Link<'_>,
    change: &Change,
    all_ns: f64,
) -> Option<(f64, f64)> {
    let back = Link::between(air, (link.to.mac, link.from.mac)).filter(|back| evidence.is_greedy(back))?;
    let [part, rest] = [true, false].map(|weak| Part::of(&back, change, weak));
    let (part, rest) = (part?, rest?);
    let weak_ns: u64 = change.spells.iter().map(|(from, to)| to - from).sum();
    let (strong, weak) = (rest.moved_mbps * rest.lasted_ns, part.moved_mbps * part.lasted_ns);
    let more = (rest.moved_mbps * weak_ns as f64 - weak) / all_ns;
    (more > 0.0).then_some((more, (strong + weak) / all_ns))
}
