//! W202: a slow station takes the air.

use super::{no_air, with_links};
use crate::capacity::{most_payload, moved_mbps, undamaged_mbps};
use crate::demand::answers;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{deafness, heard_of, rateless};
use crate::link::{Link, data_span, links, shown};
use crate::rule::Rule;
use airloom_trace::{Air, MacAddr};
use std::collections::BTreeMap;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W202",
    name: "performance anomaly",
    means: "One slow device needs most of the time on the air, and makes everybody else about as slow as \
            itself.",
    needs: "air",
    computes: "Each station's share of the data's air time against a fair one, both directions together. Reported from 1.2 times a fair share on, where \
               the others' data moves at least twice as fast in the air that it takes, or three times if it moves more than a fair share of the data, and the data takes at least half of the \
               time. Its cost is what the others would carry with a fair share of the air each, with PPDUs as long as now and no losses but by collisions, less what they carry: at most, since who takes what a slow station leaves does not show.",
    traps: "A slow station that is alone harms nobody. With a fair share of the air, a slow station moves little, and the others keep theirs.",
    refuted_by: "The same rate of the others while the slow station is silent.",
    judge,
};

/// How many times faster the others' data moves: a station that needs twice the air for the same data stands for two.
const SLOWER: f64 = 2.0;
/// The same where it moves more than its share of the data.
const MUCH_SLOWER: f64 = 3.0;
/// The ratio of its share of the air to a fair one.
const UNFAIR: f64 = 1.2;
/// The share of time that data takes at least.
const DATA_SHARE: f64 = 0.5;
/// A station with fewer MPDUs than this does not take part.
const MIN_MPDUS: u64 = 20;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    if let Some(because) = deafness(air) {
        return Verdict::CannotTell(because);
    }
    let Some((from, to)) = data_span(air) else { return with_links(Verdict::NOTHING, air, MIN_MPDUS) };
    if let Some(because) = rateless(air) {
        return Verdict::CannotTell(because.to_owned());
    }
    let time = to.saturating_sub(from).max(1) as f64;
    let mut stations: BTreeMap<MacAddr, (f64, f64)> = BTreeMap::new();
    let links = links(air, MIN_MPDUS);
    for link in &links {
        let sums = stations.entry(link.station().mac).or_default();
        let heard = heard_of(air, link);
        sums.0 += link.traffic.airtime_ns as f64 / heard;
        sums.1 += link.traffic.octets as f64 / heard;
    }
    let (airtime, octets) =
        stations.values().fold((0.0, 0.0), |sum, station| (sum.0 + station.0, sum.1 + station.1));
    if stations.len() < 2 || airtime < DATA_SHARE * time {
        return with_links(Verdict::NOTHING, air, MIN_MPDUS);
    }
    let fair = 1.0 / stations.len() as f64;
    let found = stations.iter().filter_map(|(mac, &(ns, carried))| {
        let (share, of_octets) = (ns / airtime, carried / octets);
        let slower = (octets - carried) / (airtime - ns).max(1.0) / (carried / ns);
        // What moves more than its share of the data may take more of the air because it has more to send.
        let slow = slower >= MUCH_SLOWER || (slower >= SLOWER && of_octets <= fair);
        (slow && share >= UNFAIR * fair).then(|| Finding {
            subject: format!("station {mac}"),
            spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
            value: share / fair,
            threshold: UNFAIR,
            unit: "times a fair share of the air",
            confidence: 0.9,
            cost: cost(air, &links, *mac, fair),
            capture: *capture,
            frames: shown(links.iter().filter(|link| link.station().mac == *mac)),
            filter: format!("wlan.fc.type == 2 && wlan.addr == {mac}"),
            says: format!(
                "The station takes {:.0} % of the data's air time and moves {:.0} % of the data; a fair share of the air among {} stations \
                 is {:.0} %. The others' data is {slower:.1} times as fast.",
                100.0 * share,
                100.0 * of_octets,
                stations.len(),
                100.0 * fair
            ),
            remedy: "Use an access point that shares air time (mac80211 with AQL does); bring the station closer, or to a band of \
                     its own. An access point cannot hold back what a station sends."
                .to_owned(),
        })
    });
    Verdict::Found(found.collect())
}

/// What the others would carry with a fair share of the air each, less what they carry.
fn cost(air: &Air, links: &[Link<'_>], hog: MacAddr, fair: f64) -> Cost {
    let others = links.iter().filter(|link| link.station().mac != hog && !answers(air, link));
    let mut directions: BTreeMap<MacAddr, Vec<&Link<'_>>> = BTreeMap::new();
    others.for_each(|link| directions.entry(link.station().mac).or_default().push(link));
    // The slow station sends too, and the access point where any data goes down, if nothing but acknowledgments of TCP.
    let senders = directions.len() + 1 + usize::from(links.iter().any(|link| !link.is_up()));
    let (mut moved, mut fairly) = (0.0, 0.0);
    for links in directions.values() {
        // At most: nothing is lost for noise or to the slow one, and all is payload that may be.
        let now: f64 =
            links.iter().filter_map(|link| Some(moved_mbps(air, link)? * most_payload(link.traffic))).sum();
        let most: f64 =
            links.iter().map(|link| undamaged_mbps(air, link, senders) * most_payload(link.traffic)).sum();
        moved += now;
        fairly += (most / links.len() as f64 * fair).max(now);
    }
    if fairly <= moved {
        return Cost::unknown("what the others would carry with a fair share does not show");
    }
    // What it sends keeps contending, however fast; and in the queue of an access point TCP does not share what it leaves evenly.
    Cost { at_most: true, ..Cost::mbps(fairly - moved, moved, "of the others together") }
}
