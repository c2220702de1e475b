//! W105: the signal is too weak for what is sent.

use super::beside::{as_beside_mbps, near};
use super::collisions;
use super::first_tries::lost_to_noise;
use super::held_down::{is_heard_better, retries, slowness, strong_mbps};
use super::hopeless::{fixed_mbps, hopeless, is_hopeless};
use super::no_air;
use super::out_of_reach;
use super::slow_rate::{is_fixed_too_low, reachable};
use super::weak::{MIN_MPDUS, NOT_WEAK, REPORTED_PCT, SNR_MARGIN_DB, WEAK, margin, too_fast};
use super::weak_spell;
use crate::capacity::{MARGIN, Share, has_rivals, moved_mbps};
use crate::demand::{answers, gain_mbps};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{but_for, in_links};
use crate::link::{Link, links};
use crate::rule::Rule;
use crate::under_way::carrying;
use crate::wasted::{self, sent_again_ns};
use crate::window_bounds::within_windows;
use airloom_trace::Air;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W105",
    name: "weak signal",
    means: "The signal is weak for the rates in use. What is lost to noise has to be sent again, or all goes slowly; distance and walls are the usual \
            reasons, or a rate that was fixed too high.",
    needs: "air",
    computes: "The ratio of signal to noise between station and access point, by the station's signal whichever way data goes. Reported below 15 dB, which is not enough for half of the \
               fastest rates of one stream (802.11's minimum sensitivities); and below 28 dB, which is enough for all of them, where it is less than 4 dB above what the rates in \
               use need on average and at least one MPDU in ten of more than answers is sent again, or where these are no more than half as fast as with a strong signal. Where the signal differs for three seconds and more by 10 dB from what it is \
               else, the seconds of the weaker one are judged by themselves, against what went in the others. Reported, too, where a connection stands still as of W406 while the \
               monitor hears its data go and nothing of it arrive, though the receiver's radio is heard, at less than 15 dB; and of 20 MPDUs on where three of four are sent again, all at one rate that needs 2 dB more than there is, and no more than one in five of them arrives, as the answers show that are heard. Else its cost is what a strong signal would carry more with the streams that are tried, \
               at the mean rate of a station beside that has one, or at what 32 dB are enough for where there is none: in the link's share of the air, or in a fair one if that is less or if such a station has more to send, too; at least, since a strong signal may let faster rates be used and longer PPDUs be sent, but about where others have more to send, since who takes how much is chance, and stations beside show all that a strong signal gives. \
               Of a rate that was fixed it is what the fastest would carry that needs no more signal than there is.",
    traps: "With a stronger signal a rate control that tries more streams and denser modulations loses MPDUs too, and is right to. Collisions make retries too, with enough signal (W106), and all MPDUs of a PPDU are retries then; noise takes single MPDUs of a \
            PPDU. What is heard as a retry alone, of a sender that the monitor hears well, met something in the air, and was not lost to noise at its receiver. Where all goes at one rate that is far below what the signal is enough for, the rate is too slow (W104). The monitor's signal stands for the receiver's only beside the access point: where rates in use need 2 dB more than there is and fewer than one \
            MPDU in twenty is sent again, the receiver hears better, and the rule abstains; so it does where the monitor hears the access point less than 40 dB above the noise and by less than 6 dB better than the station, and may be far from both.",
    refuted_by: "As many retries after the station has come nearer.",
    judge,
};

/// A rate control steps down from the fastest rate that the signal allows if it sends at less than this part of what a strong one would.
const STEPS_DOWN: f64 = 0.5;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let links = links(air, MIN_MPDUS);
    if !links.is_empty() && links.iter().all(|link| link.snr(air).is_none()) {
        return Verdict::CannotTell("the capture tells no signal in dBm".to_owned());
    }
    let stopped = out_of_reach::stopped(evidence);
    let verdict = in_links(air, MIN_MPDUS, |link| {
        let weak = || {
            found(evidence, *capture, air, link)
                .or_else(|| weak_spell::found(evidence, *capture, air, link))
                .or_else(|| out_of_reach::found(evidence, (*capture, air), link, &stopped))
        };
        if link.is_far_off(air) && fixed_mbps(link).is_none() { None } else { weak() }
    });
    let verdict = with_hopeless(verdict, evidence, *capture, air);
    if verdict != Verdict::NOTHING {
        return verdict;
    }
    let better = links.iter().find(|link| is_heard_better(air, link)).map(|link| {
        format!(
            "what goes from {} arrives at rates that need more signal than there is at the monitor: the receiver hears better",
            link.named()
        )
    });
    let is_weak = |link: &&Link<'_>| link.is_far_off(air) && link.snr(air).is_some_and(|snr| snr < NOT_WEAK);
    let far_off = || {
        links.iter().find(is_weak).map(|link| {
            format!(
                "the monitor hears the access point hardly better than {}, and may be far from both",
                link.station().mac
            )
        })
    };
    Verdict::unless_found(Vec::new(), better.or_else(far_off))
}

/// The same with links of few MPDUs of which hardly any arrives, so that no more go.
fn with_hopeless(verdict: Verdict, evidence: &Evidence, capture: usize, air: &Air) -> Verdict {
    let links = hopeless(air).filter(|link| link.traffic.mpdus < MIN_MPDUS);
    let few: Vec<_> = links.filter_map(|link| found(evidence, capture, air, &link)).collect();
    match verdict {
        Verdict::Found(findings) => Verdict::Found(findings.into_iter().chain(few).collect()),
        other if few.is_empty() => other,
        _ => Verdict::Found(few),
    }
}

/// What helps where a rate does not change.
const FREE: &str =
    "Look whether a rate was fixed (`iw dev wlan0 set bitrates` without arguments undoes it). If none was: ";
/// What helps against a weak signal.
const CLOSER: &str = "Bring station and access point closer to each other, or use a narrower channel, a lower band or another antenna.";

/// Whose signal it is that is said of what goes to a station.
const STATIONS: &str = " It is the station's signal that was heard so: how well the station hears the access point does not show, and what goes to it is slow as well where its answers get lost.";

fn found(evidence: &Evidence, capture: usize, air: &Air, link: &Link<'_>) -> Option<Finding> {
    let snr = link.snr(air)?;
    let margin = margin(link, snr)?;
    let retries = retries(link);
    // Stations that do not hear each other collide as they send to the access point, and all do that send at the same time.
    let as_wholes = link.is_up() && link.traffic.large.go_again_alone();
    let collides = || as_wholes || !link.is_up() && collisions::are_in_step(air, link.from.mac);
    let too_fast =
        too_fast(snr, margin, lost_to_noise(air, link)) && !collides() || steps_down(air, link, snr);
    let too_fast = too_fast && !answers(air, link);
    let is_slow = || !too_fast && is_fixed_too_low(evidence, capture, air, link);
    if (snr >= WEAK && !too_fast) || is_heard_better(air, link) || is_slow() {
        return None;
    }
    let fixed = fixed_mbps(link);
    Some(Finding {
        subject: link.named(),
        spans: carrying(evidence, air, link),
        value: snr,
        threshold: if snr < WEAK { WEAK } else { snr - margin + SNR_MARGIN_DB },
        unit: "dB above the noise",
        confidence: if link.is_up() { 0.9 } else { 0.8 },
        cost: cost(evidence, air, link, snr),
        capture,
        frames: link.traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: format!(
            "The signal is {snr:.0} dB above the noise, {} what the rates in use need; {retries:.0} % of the MPDUs were sent again{}.{}{}",
            if margin < 0.0 { format!("{:.0} dB below", -margin) } else { format!("{margin:.0} dB above") },
            but_for(air, link),
            if link.is_up() { "" } else { STATIONS },
            fixed.map_or_else(String::new, |mbps| format!(
                " All go at {mbps:.1} Mbit/s, also what is sent again: the rate does not change, as one that was fixed."
            ))
        ),
        remedy: format!("{}{CLOSER}", if fixed.is_some() { FREE } else { "" }),
    })
}

/// Whether a rate control does with a link what the signal lets it, and that is far below what a strong one would.
fn steps_down(air: &Air, link: &Link<'_>, snr: f64) -> bool {
    slowness(air, link, snr).is_some_and(|part| part <= STEPS_DOWN)
}

/// What would go with no more sent again than on a sound link; where the signal is weak, what a strong one would carry by the streams and the width in
/// use; of a rate that was fixed, what the one would for which the signal is enough; the air time of what is sent again if nothing more is there to be sent.
fn cost(evidence: &Evidence, air: &Air, link: &Link<'_>, snr: f64) -> Cost {
    if is_hopeless(air, link) {
        return Cost::unknown("next to nothing arrives, and how much there is to be sent does not show then");
    }
    let slow = slowness(air, link, snr).is_some();
    let way_back = Link::between(air, (link.to.mac, link.from.mac));
    let both = [Some(*link), way_back].iter().flatten().filter(|way| evidence.is_greedy(way)).count() > 1;
    if snr >= WEAK && !steps_down(air, link, snr) && both {
        return Cost::unknown(
            "both directions of the station have more to send, and how they would share what is won does not show",
        );
    }
    let fixed = fixed_mbps(link);
    let strong = strong_mbps(air, link).filter(|_| fixed.is_none() && (snr < WEAK || slow));
    let mean = link.traffic.mean_mbps();
    let would = match fixed {
        Some(_) => reachable(&link.traffic.speeds[0].speed, snr),
        None => strong.map(|strong| strong.max(mean.unwrap_or_default())),
    };
    let faster = would.zip(mean).map(|(would, mean)| would / mean);
    let moved = moved_mbps(air, link).unwrap_or_default();
    // What other rates would carry is worked out; what would go without retries was seen but for these.
    let clean = 1.0 - would.map_or(REPORTED_PCT / 100.0, |_| MARGIN);
    let has_rival = || near(air, link).iter().any(|other| evidence.is_greedy(other));
    let share =
        if fixed.is_none() && strong.is_some() && !both && has_rival() { Share::Fair } else { Share::Own };
    let has_rivals = has_rivals(evidence, air, link);
    match gain_mbps(evidence, air, link, share, faster.unwrap_or(1.0), clean) {
        Some(_) if has_rivals && would.is_none() => Cost::unknown(
            "what other rates would carry does not show, nor how much of the air others with more to send would leave",
        ),
        // Denser modulations and more streams than are tried may be possible with a strong signal. Among several that have more to send it is chance who takes how much, and no more is sure than
        // what those beside carry that have one.
        Some(more) => {
            let beside = as_beside_mbps(evidence, air, link).filter(|_| has_rivals && strong.is_some());
            let more = beside.map_or(more, |beside| more.min(beside));
            within_windows(evidence, air, &[link], Cost::carried(more, moved, "of this link"))
        }
        None => Cost { at_least: true, ..wasted::of_the_air(air, link, sent_again_ns(link.traffic)) },
    }
}
