//! W106: frames collide, because senders do not hear each other.

use super::collided::{MIN_MPDUS, Of, Proof, STARVED_MPDUS, Senders};
use super::in_step;
use super::no_air;
use super::weak::WEAK;
use crate::bianchi::lost;
use crate::capacity::{margin, moved_mbps, taken, taken_by_others, unhindered_mbps};
use crate::demand::Turns;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::foreign;
use crate::gaps::Gaps;
use crate::heard::{but_for, heard_of, in_strong_links, is_deaf};
use crate::link::{Link, data_span, links};
use crate::rule::Rule;
use crate::under_way::carrying;
use crate::wasted;
use crate::window_bounds::within_windows;
use airloom_trace::{Air, MacAddr};
use std::collections::BTreeSet;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W106",
    name: "collisions, hidden station",
    means: "Devices that do not hear each other talk at the same time, and what they send is lost.",
    needs: "air",
    computes: "The share of a station's PPDUs with retries although the signal is at least 15 dB, and 8 dB above what its rates need, against that \
               of what its access point sends with as much, which all stations hear: senders that hear each other collide about as often, or as often as two that always send, if the access point sends more PPDUs. Both are of the time in which no busy sender is away or dozes: then it meets nobody, and what is sent to it is sent again whatever that meets. Where the access point \
               sends too little, against Bianchi's model (2000) for as many saturated senders as had a fifth of the PPDUs of the busiest one at least. Reported from \
               2.2 times that and 15 % on; from 1.3 times on where the station gave up one MPDU in a hundred after all its tries, and from 15 % on where it gave up one in a thousand while others take a fifth of the time: numbers that were never heard, \
               nor answered, though those around them were. Whatever the rates need, also where of the PPDUs of four MPDUs and more 1.7 times as many as by that model, and three times as many as are sent again in part, repeat one of which nothing was acknowledged, \
               while another station sends; where a station gave up so many MPDUs while others take a fifth of the time; and where a station with few such PPDUs has so many retries beside another one whose PPDUs collide.",
    traps: "Receivers differ by 8 dB in the signal that a rate needs: with less above what the rates need, of those that are judged whatever they need above what the slowest one does, a rate may be too fast for the one there, and the rule cannot tell; nor where the signal varies by 2 dB and more within a second (standard deviation) and is less than 8 dB and two such deviations above that: it may fade for whole PPDUs. Where other stations have fewer PPDUs on the air than one for each four of what is sent again so, what is not Wi-Fi may be why, and the rule cannot tell. Nor can it of frames that go alone where they are sent again more than twice as often as \
            they would meet, by chance, what others are heard to send, with tries that are lost no more often each than few that were given up let them; or where what the access point sends to one of its stations collides nearly as often, though all hear it: those of calls in step begin at the same time, and collide whether or not their senders hear each other. Nor where as many MPDUs are given up, but fewer of the PPDUs that were heard have retries: a monitor does not hear most of what collides. Few senders that hear each other collide rarely, since the backoff tells them apart. Noise takes single MPDUs of a \
            PPDU, and what it leaves may go alone, as retries only; a collision takes all of them, at every rate. A signal that is another one for seconds counts as where it is weak. Retries after a lost BlockAck look like a collision, and are as rare as \
            lost BlockAcks. A rate control takes collisions for noise and slows down: slow rates do not show what would go without.",
    refuted_by: "As many retries with RTS and CTS before each PPDU.",
    judge,
};

/// A station and its access point.
const TWO: usize = 2;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let senders = Senders::of(air);
    let find = |link: &Link<'_>, snr: f64| found(evidence, *capture, &senders, air, (link, snr));
    let starved = links(air, STARVED_MPDUS);
    let starved = starved.iter().filter(|link| link.traffic.mpdus < MIN_MPDUS && !is_deaf(air, link));
    let starved: Vec<_> = starved.filter_map(|link| find(link, link.lowest_snr(air)?)).collect();
    match in_strong_links(air, MIN_MPDUS, find) {
        Verdict::Found(found) => {
            let found: Vec<_> = found.into_iter().chain(starved).collect();
            let alone = if found.is_empty() { alone(air, &senders) } else { None };
            match Verdict::unless_found_suspects(found, alone) {
                Verdict::Found(found) if found.is_empty() => {
                    match Verdict::unless_found(found, in_step(air, &senders)) {
                        Verdict::Found(found) => {
                            match Verdict::unless_found_suspects(found, by_signal(air, &senders)) {
                                Verdict::Found(found) => {
                                    Verdict::unless_found(found, given_up_beside(air, &senders))
                                }
                                by_signal => by_signal,
                            }
                        }
                        in_step => in_step,
                    }
                }
                suspects => suspects,
            }
        }
        _ if !starved.is_empty() => Verdict::Found(starved),
        verdict => verdict,
    }
}

/// Whether what an access point sends collides with stations of which it cannot be told whether they hear each other, since frames of both are sent at the same time.
pub(super) fn are_in_step(air: &Air, ap: MacAddr) -> bool {
    let senders = Senders::of(air);
    let all = links(air, MIN_MPDUS);
    let mut struck = all.iter().filter(|link| link.to.mac == ap && is_struck(&senders, link));
    in_step::begins_with_others(air, ap) || struck.any(|link| in_step::unclear(air, link).is_some())
}

/// Why it cannot be told whether stations that collide hear each other, if some do.
fn in_step(air: &Air, senders: &Senders<'_>) -> Option<String> {
    let all = links(air, MIN_MPDUS);
    let mut struck = all.iter().filter(|link| !is_deaf(air, link) && is_struck(senders, link));
    struck.find_map(|link| in_step::unclear(air, link))
}

/// That the signal may be what makes so many retries that they look like collisions, where it is not sure to be that.
fn by_signal(air: &Air, senders: &Senders<'_>) -> Option<String> {
    let links = links(air, MIN_MPDUS);
    let mut sound =
        links.iter().filter(|link| link.is_up() && link.traffic.answered > 0 && !is_deaf(air, link));
    sound.find_map(|link| {
        let snr = link.lowest_snr(air).filter(|&snr| snr >= WEAK)?;
        let doubt = senders.doubtful(link, snr)?;
        Some(format!(
            "{}: {:.0} % of the PPDUs have retries, more than collisions among senders that hear each other explain, but {}",
            link.named(),
            100.0 * link.traffic.again as f64 / link.traffic.ppdus.max(1) as f64,
            doubt.says()
        ))
    })
}

/// That a station gives up frames as those do that collide, though too few of those that were heard are retries.
fn given_up_beside(air: &Air, senders: &Senders<'_>) -> Option<String> {
    let links = links(air, MIN_MPDUS);
    let mut sound =
        links.iter().filter(|link| link.is_up() && link.traffic.answered > 0 && !is_deaf(air, link));
    sound.find_map(|link| {
        let snr = link.lowest_snr(air).filter(|&snr| snr >= WEAK)?;
        let lost = senders.gives_up_beside(link, snr)?;
        Some(format!(
            "{}: {lost:.1} % of the frames never came through, whatever was tried, though the signal is strong enough, but no more than {:.0} % of the PPDUs that were heard have retries: senders that do not hear each \
             other may be why, or what is not Wi-Fi; RTS and CTS before each PPDU would tell",
            link.named(),
            100.0 * link.traffic.again as f64 / link.traffic.ppdus.max(1) as f64
        ))
    })
}

/// Why it cannot be told what frames collide with, if some do whose sender meets nobody.
fn alone(air: &Air, senders: &Senders<'_>) -> Option<String> {
    let links = links(air, MIN_MPDUS);
    let mut sound = links.iter().filter(|link| !is_deaf(air, link));
    sound.find_map(|link| {
        let proof = struck(senders, link)?;
        senders.meets_nobody(link, &proof).then(|| {
            let beside = match senders.of_others(link) {
                few if few < 1.0 => "no other station is heard".to_owned(),
                few => format!("other stations have no more than {few:.0} PPDUs on the air beside {} with retries", link.traffic.again),
            };
            format!(
                "{}: {:.0} % of the PPDUs have retries though the signal is strong enough, and {beside}: what is not Wi-Fi, such as Bluetooth, or a station that the \
                 monitor does not hear either may be why",
                link.named(),
                100.0 * link.traffic.again as f64 / link.traffic.ppdus.max(1) as f64
            )
        })
    })
}

/// Whether what goes over a link collides more often than among senders that hear each other.
pub(super) fn strikes(air: &Air, link: &Link<'_>) -> bool {
    is_struck(&Senders::of(air), link)
}

/// The same, by the senders in that air.
fn is_struck(senders: &Senders<'_>, link: &Link<'_>) -> bool {
    struck(senders, link).is_some()
}

/// What shows that.
fn struck(senders: &Senders<'_>, link: &Link<'_>) -> Option<Proof> {
    let snr = link.lowest_snr(senders.air).filter(|&snr| snr >= WEAK)?;
    senders.proof(link, snr).filter(|_| link.is_up() && link.traffic.answered > 0)
}

/// What would go without collisions in the time that others leave, at least; of a station that has no more to send, or no less than it would have then, what it sends
/// again beyond the share that collisions of those who hear each other explain.
fn cost(evidence: &Evidence, air: &Air, senders: &Senders<'_>, link: &Link<'_>, beyond: f64) -> Cost {
    let rivals = rivals(evidence, air, senders, link.station().mac);
    // Those who hear each other collide, too.
    let remains = (1.0 - margin(link.traffic)) * (1.0 - lost(rivals + TWO));
    let own = remains * unhindered_mbps(air, link) * left(air, link, rivals);
    match moved_mbps(air, link).filter(|&moved| evidence.is_waited_for(link) && moved < own) {
        // Rate controls are slow behind collisions, and do not show what they would do without.
        Some(moved) => {
            let cost = Cost::carried(own - moved, moved, "of this link");
            within_windows(evidence, air, &[link], cost)
        }
        None => wasted::again(air, link, beyond),
    }
}

/// The share of the time that a link would have without collisions, at least: a fair one where others have more to send all the time, since turns are equal among those who
/// hear each other.
fn left(air: &Air, link: &Link<'_>, rivals: usize) -> f64 {
    let station = link.station().mac;
    if rivals > 0 {
        return 1.0 / (1 + rivals) as f64;
    }
    let shared = (1.0 - taken_by_others(air, station).unwrap_or_default()).clamp(0.0, 0.5);
    shared.max(left_by_few(air, station))
}

/// The same where others have little to send: each of their MPDUs may go alone, since what goes together now is what collisions held up.
fn left_by_few(air: &Air, station: MacAddr) -> f64 {
    let (from, to) = data_span(air).unwrap_or_default();
    let others = links(air, 1).into_iter().filter(|other| other.station().mac != station);
    let alone = |other: Link<'_>| {
        let gaps = other.traffic.mpdus as f64 * Gaps::of(air, &other).around;
        (other.traffic.airtime_ns as f64 + gaps) / heard_of(air, &other)
    };
    1.0 - others.map(alone).sum::<f64>() / to.saturating_sub(from).max(1) as f64
}

/// How many other stations have more to send all the time, or would have but for what they give up; where no packet can be read, all that send, since nothing tells how little they have.
fn rivals(evidence: &Evidence, air: &Air, senders: &Senders<'_>, station: MacAddr) -> usize {
    let turns = Turns::of(air);
    let unreadable = !evidence.air.as_ref().is_some_and(|(capture, _)| reads(evidence, *capture));
    let has_more = |other: &Link<'_>| {
        let sends =
            evidence.is_waited_for(other) || turns.are_all_taken(air, other) || unreadable && other.is_up();
        other.traffic.mpdus >= MIN_MPDUS && sends || is_starved(air, senders, other)
    };
    let others = links(air, STARVED_MPDUS).into_iter().filter(|other| other.station().mac != station);
    others.filter(has_more).map(|other| other.station().mac).collect::<BTreeSet<_>>().len()
}

/// Whether collisions take so much of what a station sends that it gives much of it up: who collides with it gets the time that it would have.
fn is_starved(air: &Air, senders: &Senders<'_>, link: &Link<'_>) -> bool {
    let snr = link.lowest_snr(air).filter(|&snr| link.is_up() && snr >= WEAK);
    snr.and_then(|snr| senders.proof(link, snr)).is_some_and(|proof| proof.lost.is_some())
}

/// Whether packets of a capture can be read.
fn reads(evidence: &Evidence, capture: usize) -> bool {
    !evidence.connections[capture].is_empty() || !evidence.streams[capture].is_empty()
}

fn found(
    evidence: &Evidence,
    capture: usize,
    senders: &Senders<'_>,
    air: &Air,
    (link, snr): (&Link<'_>, f64),
) -> Option<Finding> {
    let traffic = link.traffic;
    // A receiver that answers nothing may be gone, or none: then nothing collides. Nor does it where nobody else is.
    if !link.is_up() || snr < WEAK || traffic.answered == 0 {
        return None;
    }
    let proof = senders.proof(link, snr)?;
    if senders.meets_nobody(link, &proof) || in_step::unclear(air, link).is_some() {
        return None;
    }
    let asked = traffic.requested as f64 / traffic.ppdus.max(1) as f64;
    Some(Finding {
        subject: link.named(),
        spans: carrying(evidence, air, link),
        value: proof.share,
        threshold: proof.threshold,
        unit: unit(proof.of),
        confidence: if asked > 0.5 { 0.6 } else { 0.85 },
        cost: cost(evidence, air, senders, link, (1.0 - proof.explained / proof.share).max(0.0)),
        capture,
        frames: traffic.shown_again.kept().to_vec(),
        filter: format!("{} && wlan.fc.retry == 1", link.filter()),
        says: says(&proof, &but_for(air, link)) + &beside(air, link),
        remedy: "Have the senders ask first: `iw phy phy0 set rts 500`, or protection by RTS/CTS at the access point.".to_owned(),
    })
}

/// Which other networks are heard, in words: their senders may be those that do not hear the station.
fn beside(air: &Air, link: &Link<'_>) -> String {
    let (from, to) = data_span(air).unwrap_or_default();
    let time = to.saturating_sub(from).max(1) as f64;
    foreign::said(&foreign::networks(air, &taken(air), link.station().mac, time))
}

const fn unit(of: Of) -> &'static str {
    match of {
        Of::All | Of::Partner => "% of PPDUs with retries",
        Of::Wholes => "% of long PPDUs sent again as a whole",
        Of::Tries => "% of PPDUs with retries or given up",
    }
}

/// What was found, with what the monitor missed of it (`but_for`).
fn says(proof: &Proof, but_for: &str) -> String {
    let Proof { share, explained, .. } = proof;
    let what = match proof.of {
        Of::All => {
            format!("{share:.0} % of the station's PPDUs have retries though the signal is strong enough")
        }
        Of::Wholes => format!(
            "{share:.0} % of the station's PPDUs of four MPDUs and more repeat one of which nothing was acknowledged, where noise would have taken single MPDUs of it"
        ),
        Of::Tries => {
            format!("{share:.0} % of the station's PPDUs have retries or never came through, at every rate")
        }
        Of::Partner => format!(
            "{share:.0} % of the station's PPDUs have retries, beside another station whose PPDUs collide"
        ),
    };
    let lost = proof.lost.map_or_else(String::new, |lost| {
        let digits = usize::from(lost < 1.0);
        format!(" {lost:.digits$} % of its frames never came through, whatever it tried.")
    });
    format!("{what}{but_for}; collisions among senders that hear each other explain {explained:.0} %.{lost}")
}
