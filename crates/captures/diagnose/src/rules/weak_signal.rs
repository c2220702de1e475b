//! W105: the signal is too weak for what is sent.

use super::no_air;
use super::slow_rate::reachable;
use super::weak::{BETTER, CLEAN_PCT, MIN_MPDUS, REPORTED_PCT, SNR_MARGIN_DB, WEAK, margin, too_fast};
use super::weak_spell;
use crate::capacity::moved_mbps;
use crate::demand::{answers, gain_mbps};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::in_links;
use crate::link::{Link, links};
use crate::rule::Rule;
use crate::wasted::{self, sent_again_ns};
use airloom_trace::Air;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W105",
    name: "weak signal",
    means: "The signal is weak. Much has to be sent again, or slowly; distance and walls are the usual \
            reasons.",
    needs: "air",
    computes: "The ratio of signal to noise between station and access point. Reported below 15 dB, which is not enough for half of the \
               fastest rates of one stream (802.11's minimum sensitivities); and below 28 dB, which is enough for all of them, where it is less than 4 dB above what the rates in \
               use need on average and at least one MPDU in ten of more than answers is sent again. Where the signal differs for three seconds and more by 10 dB from what it is \
               else, the seconds of the weaker one are judged by themselves, against what went in the others. Else its cost is what a strong signal would carry more with the same streams \
               in the link's share of the air, or in a fair one if that is less; at least, since a strong signal may let faster rates be used.",
    traps: "With a stronger signal a rate control that tries more streams and denser modulations loses MPDUs too, and is right to. Collisions make retries too, with enough signal (W106), and all MPDUs of a PPDU are retries then; noise takes single MPDUs of a \
            PPDU. The monitor's signal stands for the receiver's only beside the access point: where rates in use need 2 dB more than there is and fewer than one \
            MPDU in twenty is sent again, the receiver hears better, and the rule abstains.",
    refuted_by: "As many retries after the station has come nearer.",
    judge,
};

/// What is meant by a strong signal, in dB.
const STRONG: f64 = 25.0;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let links = links(air, MIN_MPDUS);
    if !links.is_empty() && links.iter().all(|link| link.snr(air).is_none()) {
        return Verdict::CannotTell("the capture tells no signal in dBm".to_owned());
    }
    let verdict = in_links(air, MIN_MPDUS, |link| {
        found(evidence, *capture, air, link).or_else(|| weak_spell::found(evidence, *capture, air, link))
    });
    match links.iter().find(|link| is_heard_better(air, link)) {
        Some(link) if verdict == Verdict::NOTHING => Verdict::CannotTell(format!(
            "what goes from {} arrives at rates that need more signal than there is at the monitor: the receiver hears better",
            link.named()
        )),
        _ => verdict,
    }
}

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let snr = link.snr(air)?;
    let margin = margin(link, snr)?;
    let retries = retries(link);
    // Stations that do not hear each other collide as they send to the access point.
    let collides = link.is_up() && link.traffic.large.lost_as_wholes();
    let too_fast = too_fast(snr, margin, retries) && !collides && !answers(air, link);
    if (snr >= WEAK && !too_fast) || is_heard_better(air, link) {
        return None;
    }
    let (from, to) = air.span_ns.unwrap_or_default();
    Some(Finding {
        subject: link.named(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: snr,
        threshold: if snr < WEAK { WEAK } else { snr - margin + SNR_MARGIN_DB },
        unit: "dB above the noise",
        confidence: if link.is_up() { 0.9 } else { 0.8 },
        cost: cost(evidence, air, link, snr < WEAK),
        capture,
        frames: link.traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "The signal is {snr:.0} dB above the noise, {} what the rates in use need; {retries:.0} % of the MPDUs were sent again.",
            if margin < 0.0 { format!("{:.0} dB below", -margin) } else { format!("{margin:.0} dB above") },
        ),
        remedy: "Bring station and access point closer to each other, or use a narrower channel, a lower band or another antenna."
            .to_owned(),
    })
}

/// The share of a link's MPDUs that was sent again, in percent.
fn retries(link: &Link<'_>) -> f64 {
    100.0 * link.traffic.retried as f64 / link.traffic.mpdus.max(1) as f64
}

/// Whether what a link sends arrives though its rates need more signal than the monitor hears: then the receiver hears it better.
fn is_heard_better(air: &Air, link: &Link<'_>) -> bool {
    retries(link) < CLEAN_PCT
        && link.snr(air).and_then(|snr| margin(link, snr)).is_some_and(|margin| margin < -BETTER)
}

/// What would go with no more sent again than on a sound link, or, where the signal is weak, what a strong one would carry by the streams and the width in
/// use; the air time of what is sent again if nothing more is there to be sent.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, weak: bool) -> Cost {
    let way_back = Link::between(air, (link.to.mac, link.from.mac));
    if !weak && [Some(*link), way_back].iter().flatten().filter(|way| evidence.is_greedy(way)).count() > 1 {
        return Cost::unknown(
            "both directions of the station have more to send, and how they would share what is won does not show",
        );
    }
    let used = link.traffic.speeds.iter().filter(|_| weak).max_by_key(|used| used.mpdus);
    let faster = used.and_then(|used| Some(reachable(&used.speed, STRONG)? / link.traffic.mean_mbps()?));
    let moved = moved_mbps(air, link).unwrap_or_default();
    let cost =
        match gain_mbps(evidence, air, link, faster.unwrap_or(1.0).max(1.0), 1.0 - REPORTED_PCT / 100.0) {
            Some(more) => Cost::mbps(more, moved, "of this link"),
            None => wasted::of_the_air(air, link, sent_again_ns(link.traffic)),
        };
    // Denser modulations and more streams than are in use may be possible with a strong signal.
    Cost { at_least: true, ..cost }
}
