//! How much of the air a monitor heard, by the answers to what it did not hear and by packet numbers: the one notion of it, by which rules count what they see for
//! more, and from which they abstain.

use crate::finding::{Finding, Verdict};
use crate::link::{Link, links};
use airloom_trace::{Air, MacAddr, Traffic};

/// Fewer MPDUs than this that arrived, or were sent, say nothing.
const MIN_COUNTED: u64 = 100;
/// What a monitor has heard less of than this share, it does not show: what it has not heard may be of another kind.
const LEAST: f64 = 0.5;
/// The smallest share by which what was heard is divided.
const LEAST_DIVISOR: f64 = 0.05;
/// A link with one MPDU of so many that arrived has much of them.
const ONE_IN: u64 = 10;

/// MPDUs that arrived by the account of their answers, BlockAcks and ACKs, and those of them that the monitor has not heard.
pub(crate) fn answered(air: &Air) -> (u64, u64) {
    let by_block_acks = air.traffic().values().map(|traffic| traffic.arrived_and_unheard());
    by_block_acks.fold((air.acks, air.orphans), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

/// The same; none if there is too little to tell.
pub(crate) fn missed(air: &Air) -> Option<(u64, u64)> {
    enough([answered(air)])
}

/// The share of frames that the monitor heard, as far as that shows: 1 if nothing shows that it missed any.
pub(crate) fn heard(air: &Air) -> f64 {
    share(missed(air)).min(share(skipped(air))).max(LEAST_DIVISOR)
}

/// The share of a link's frames that the capture holds, as far as that shows: what the monitor heard of them, or by their packet numbers, if that is less.
pub(crate) fn share_of(air: &Air, link: &Link<'_>) -> f64 {
    share_answered(air, link).min(share(enough([link.traffic.sent_and_skipped()])))
}

/// The share of a link's frames that the monitor heard: by BlockAcks of them, by ACKs to their sender, or by all answers; of a link with few answers of its own by its
/// numbers, if that is less: of the frames of a far sender a monitor may hear the slow ones alone.
fn share_answered(air: &Air, link: &Link<'_>) -> f64 {
    own_share_of(air, link).unwrap_or_else(|| share(missed(air)).min(share_numbered(link)))
}

/// MPDUs that were sent by the account of their packet numbers, and those of them that the monitor has not heard, many in a row: a filter may have taken
/// them out together with the answers to them. None if there are too few to tell.
pub(crate) fn skipped(air: &Air) -> Option<(u64, u64)> {
    let counts = air.traffic().values().map(Traffic::sent_and_skipped);
    enough([counts.fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))])
}

/// The share of a link's MPDUs of which a try was heard, by the gaps in their numbers; 1 where that is not known.
fn share_numbered(link: &Link<'_>) -> f64 {
    let heard = link.traffic.mpdus.saturating_sub(link.traffic.retried).max(1) as f64;
    heard / (heard + never_heard(link) as f64)
}

/// The same by answers to what its sender sent alone; none if there are too few.
pub(crate) fn own_share_of(air: &Air, link: &Link<'_>) -> Option<f64> {
    own_missed(air, link).map(|counts| share(Some(counts)))
}

/// The same, or what its packet numbers show where that is less: a filter, or a monitor that misses whole runs of frames, misses the answers to them as well.
pub(crate) fn shown_share_of(air: &Air, link: &Link<'_>) -> Option<f64> {
    let by_numbers = enough([link.traffic.sent_and_skipped()]);
    least_share(own_missed(air, link), by_numbers)
}

/// The least share by answers and by packet numbers; these count long gaps alone, so that few of them show nothing.
fn least_share(by_answers: Option<(u64, u64)>, by_numbers: Option<(u64, u64)>) -> Option<f64> {
    let by_numbers = by_numbers.map(|counts| share(Some(counts))).filter(|&share| share < 1.0 - IN_PART);
    by_answers.map(|counts| share(Some(counts))).into_iter().chain(by_numbers).min_by(f64::total_cmp)
}

/// The same, to divide by.
pub(crate) fn heard_of(air: &Air, link: &Link<'_>) -> f64 {
    share_of(air, link).max(LEAST_DIVISOR)
}

/// A link of which the monitor missed a greater share than this is heard in part.
const IN_PART: f64 = 0.05;

/// How many MPDUs of a link the monitor missed at least, in parentheses behind a share of those that it heard; empty where it heard nearly all. What answers and packet numbers show
/// was sent; a sequence number may have been given to what never went.
pub(crate) fn but_for(air: &Air, link: &Link<'_>) -> String {
    let by_acks = if has_others(air, link) { 0 } else { link.from.orphans };
    let missed = link.traffic.arrived_and_unheard().1.max(by_acks).max(link.traffic.sent_and_skipped().1);
    unheard_beside(link.traffic.mpdus, missed, never_heard(link))
}

fn unheard_beside(heard: u64, missed: u64, never: u64) -> String {
    let is_much = |many: u64| many as f64 > IN_PART * (heard + many) as f64;
    match (is_much(missed), is_much(never)) {
        (true, _) => format!(" (of those that the monitor heard; it missed at least {missed} more)"),
        (false, true) => {
            format!(" (of those that the monitor heard; {never} more by their sequence numbers were not)")
        }
        (false, false) => String::new(),
    }
}

/// Whether the monitor has heard too little of a link, whatever a filter took out of what it heard: that leaves frames without data as they are.
pub(crate) fn hears_little(air: &Air, link: &Link<'_>) -> bool {
    share_answered(air, link) < LEAST
}

/// Whether the monitor has heard too little of a link to tell anything of it.
pub(crate) fn is_deaf(air: &Air, link: &Link<'_>) -> bool {
    share_of(air, link) < LEAST
}

/// Why nothing can be told of the air as a whole, if the monitor has heard too little of it.
pub(crate) fn deafness(air: &Air) -> Option<String> {
    let (by_answers, by_numbers) = (share(missed(air)), share(skipped(air)));
    if by_numbers < LEAST.min(by_answers) {
        return Some(format!(
            "by its packet numbers the capture holds {:.1} % of the encrypted data",
            100.0 * by_numbers
        ));
    }
    (by_answers < LEAST).then(|| {
        format!(
            "the monitor has not heard {:.0} % of the frames that arrived, and what it has heard may be of another kind",
            100.0 * (1.0 - by_answers)
        )
    })
}

/// Why nothing can be told of the air's time, if too many frames have no rate.
pub(crate) fn rateless(air: &Air) -> Option<&'static str> {
    (air.rateless > air.frames / 5).then_some("the rates of more than a fifth of the frames are not known")
}

/// What a rule finds in links with so many MPDUs at least, each by itself. Of a link of which the monitor has heard too little it says nothing; it
/// cannot tell if it finds nothing else while that link has much of what arrived.
pub(crate) fn in_links(air: &Air, few: u64, find: impl Fn(&Link<'_>) -> Option<Finding>) -> Verdict {
    let (deaf, heard): (Vec<_>, Vec<_>) = links(air, 0).into_iter().partition(|link| is_deaf(air, link));
    let found: Vec<_> = heard.iter().filter(|link| link.traffic.mpdus >= few).filter_map(find).collect();
    let arrived = |link: &Link<'_>| link.traffic.arrived_and_unheard().0;
    let all = missed(air).map_or(0, |(arrived, _)| arrived);
    let busiest = deaf.iter().max_by_key(|link| arrived(link)).filter(|link| ONE_IN * arrived(link) >= all);
    let small = || heard.iter().all(|link| link.traffic.mpdus < few);
    let because = deafness(air)
        .or_else(|| {
            busiest.map(|link| format!("the monitor has not heard most of the frames from {}", link.named()))
        })
        .or_else(|| {
            small().then(|| format!("too little data: no link of which {few} MPDUs were heard, either way"))
        });
    Verdict::unless_found(found, because)
}

/// The same of a rule for which the signal has to be strong all the time: it gets the ratio in dB where the signal is weakest. Where it would find
/// something by the mean alone, it cannot tell.
pub(crate) fn in_strong_links(
    air: &Air,
    few: u64,
    find: impl Fn(&Link<'_>, f64) -> Option<Finding>,
) -> Verdict {
    let verdict = in_links(air, few, |link| find(link, link.lowest_snr(air)?));
    let by_mean =
        |link: &&Link<'_>| !is_deaf(air, link) && link.snr(air).and_then(|snr| find(link, snr)).is_some();
    match links(air, few).iter().filter(by_mean).find_map(|link| Some((link, link.change(air)?))) {
        Some((link, change)) if verdict == Verdict::NOTHING => {
            Verdict::CannotTell(changed(link, change.strong - change.weak))
        }
        _ => verdict,
    }
}

/// That the signal of a link's station changed by so many dB, as a reason why something cannot be told.
pub(crate) fn changed(link: &Link<'_>, by_db: f64) -> String {
    format!("the signal of {} changed by {by_db:.0} dB meanwhile", link.station().mac)
}

/// Directions of stations of which no data was heard though answers to it were: sender, receiver if that is known, and how many MPDUs were answered. An
/// ACK does not name who sends it, so that it tells of what a station sends alone.
pub(crate) fn unheard(air: &Air) -> Vec<(MacAddr, Option<MacAddr>, u64)> {
    let mut found = Vec::new();
    for station in air.radios().iter().filter(|radio| !radio.is_ap) {
        let (mut up, mut hears_up) = (station.orphans, station.direct > 0);
        for (&(from, to), traffic) in
            air.traffic().iter().filter(|((from, to), _)| [from, to].contains(&&station.mac))
        {
            let (arrived, _) = traffic.arrived_and_unheard();
            if from == station.mac {
                hears_up |= traffic.mpdus > 0;
                up += arrived;
            } else if traffic.mpdus == 0 && arrived > 0 && air.radio(from).is_some_and(|radio| radio.is_ap) {
                found.push((from, Some(to), arrived));
            }
        }
        if !hears_up && up > 0 {
            found.push((station.mac, station.bssid, up));
        }
    }
    found
}

/// The same by answers to what its sender sent alone, of its BlockAcks before its ACKs; none if there are too few. An ACK names nobody but its receiver
/// (802.11-2020 clause 9.3.1.4), so that of an access point with several stations ACKs tell nothing of one of them.
fn own_missed(air: &Air, link: &Link<'_>) -> Option<(u64, u64)> {
    let by_acks = if has_others(air, link) { (0, 0) } else { (link.from.acks, link.from.orphans) };
    enough([link.traffic.arrived_and_unheard(), by_acks])
}

/// Whether a link's access point has other stations, to which it may send as well.
fn has_others(air: &Air, link: &Link<'_>) -> bool {
    let Link { from: ap, to, .. } = link;
    let another = |mac: MacAddr| mac != to.mac && !mac.is_group();
    let by_data = || air.traffic().keys().any(|&(from, receiver)| from == ap.mac && another(receiver));
    let by_bssid =
        || air.radios().iter().any(|radio| !radio.is_ap && radio.bssid == Some(ap.mac) && another(radio.mac));
    ap.is_ap && (by_data() || by_bssid())
}

/// The MPDUs of a link that its sender gave up, after all tries: their numbers were never heard, though those around them were, and no
/// answer to them was; and the numbers that were never heard, with those that the monitor missed.
///
/// A monitor that misses frames misses answers as well, so that more numbers than have an answer were of MPDUs that arrived. An ACK does not say what it
/// acknowledges: to one that was not heard it counts only where the answer to the frame before it was heard, too.
pub(crate) fn given_up(link: &Link<'_>) -> (u64, u64) {
    let never = never_heard(link);
    (unanswered(link, never), never)
}

/// Of so many numbers that were never heard, those to which no answer was heard, either.
fn unanswered(link: &Link<'_>, never: u64) -> u64 {
    let answers = (1.0 - link.traffic.unheard_answers()).max(LEAST);
    let by_block_acks = link.traffic.arrived_and_unheard().1 as f64 / answers;
    let by_acks = link.from.orphans as f64 / (answers * answers);
    never.saturating_sub((by_block_acks + by_acks).round() as u64)
}

/// The same with whole A-MPDUs, and with those that were heard, and had not arrived when their receiver's window moved on; none where most of what was never heard had answers: then
/// the monitor misses frames.
pub(crate) fn all_given_up(link: &Link<'_>) -> Option<u64> {
    let never = never_heard(link) + link.traffic.left_out_in_rows();
    let unanswered = unanswered(link, never);
    (2 * unanswered >= never).then(|| unanswered + link.traffic.passed_over())
}

/// The numbers of a link of which no frame was heard, though those around them were. Those of its sender's common count are its own only where nothing
/// but data of the link was heard of that: else they may be of management frames, of data to groups or to others.
pub(crate) fn never_heard(link: &Link<'_>) -> u64 {
    let common = if link.from.counts_for(link.to.mac) { link.from.left_out } else { 0 };
    link.traffic.left_out() + common
}

/// The numbers of its sender's common count of which no frame was heard, that may be of a link or of anything else: none where all of its data has counts of its own, or where
/// [`never_heard`] knows them to be its own.
pub(crate) fn perhaps_never_heard(link: &Link<'_>) -> u64 {
    let is_its_own = link.from.counts_for(link.to.mac);
    if link.traffic.unnumbered > 0 && !is_its_own { link.from.left_out } else { 0 }
}

fn enough<const N: usize>(counts: [(u64, u64); N]) -> Option<(u64, u64)> {
    counts.into_iter().find(|(arrived, _)| *arrived >= MIN_COUNTED)
}

fn share(counts: Option<(u64, u64)>) -> f64 {
    counts.map_or(1.0, |(arrived, unheard)| 1.0 - unheard as f64 / arrived as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_gaps_in_packet_numbers_show_what_answers_do_not() {
        let near = |share: Option<f64>, of: f64| share.is_some_and(|share| (share - of).abs() < 1e-9);
        assert!(near(least_share(Some((200, 50)), Some((1000, 900))), 0.1));
        assert!(near(least_share(Some((200, 50)), Some((1000, 10))), 0.75));
        assert!(near(least_share(None, Some((1000, 900))), 0.1));
        assert_eq!(least_share(None, Some((1000, 10))), None);
    }

    #[test]
    fn a_share_of_what_was_heard_in_part_says_what_was_missed() {
        assert_eq!(unheard_beside(1000, 10, 20), "");
        assert!(unheard_beside(1000, 200, 400).contains("missed at least 200 more"));
        assert!(unheard_beside(1000, 10, 400).contains("400 more by their sequence numbers"));
    }
}
