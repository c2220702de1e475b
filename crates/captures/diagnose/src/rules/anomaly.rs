//! W202: a slow station takes the air.

use super::{no_air, with_links};
use crate::capacity::{most_payload, moved_mbps, undamaged_mbps};
use crate::demand::answers;
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::heard::{deafness, heard_of, rateless};
use crate::link::{Link, data_span, links, shown};
use crate::ppdus::{can_aggregate, is_parted};
use crate::rule::Rule;
use crate::spare::{SHORT_PPDUS, filled};
use airloom_trace::{Air, MacAddr, Traffic};
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
    traps: "A slow station that is alone harms nobody. With a fair share of the air, a slow station moves little, and the others keep theirs. Where each of the others, at another access point, takes two turns and more for one of its own and has its queue run empty at these, the rule cannot tell that anybody is slowed down.",
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
/// So many turns of a sender for each one of the slow station show that it does not wait for that.
const SEVERAL: f64 = 2.0;
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
    let hogs = stations.iter().filter_map(|(mac, &(ns, carried))| {
        let (share, of_octets) = (ns / airtime, carried / octets);
        let slower = (octets - carried) / (airtime - ns).max(1.0) / (carried / ns);
        // What moves more than its share of the data may take more of the air because it has more to send.
        let slow = slower >= MUCH_SLOWER || (slower >= SLOWER && of_octets <= fair);
        (slow && share >= UNFAIR * fair).then_some(Hog { mac: *mac, share, of_octets, slower, fair })
    });
    let (harm, harmless): (Vec<_>, Vec<_>) = hogs.partition(|hog| harms(&links, hog.mac));
    let span = [evidence.seconds(from), evidence.seconds(to)];
    let found = harm.iter().map(|hog| hog.found(*capture, air, &links, span));
    Verdict::unless_found(found.collect(), harmless.first().map(Hog::unclear))
}

/// A station whose data takes more than its share of the air because it is slow.
struct Hog {
    mac: MacAddr,
    /// Its shares of the data's air time and of the data.
    share: f64,
    of_octets: f64,
    /// How many times as fast the others' data is.
    slower: f64,
    /// A fair share of the air.
    fair: f64,
}

impl Hog {
    /// What it takes, in a sentence.
    fn says(&self) -> String {
        let Self { share, of_octets, slower, fair, .. } = self;
        format!(
            "The station takes {:.0} % of the data's air time and moves {:.0} % of the data; a fair share of the air among {:.0} stations \
             is {:.0} %. The others' data is {slower:.1} times as fast.",
            100.0 * share,
            100.0 * of_octets,
            1.0 / fair,
            100.0 * fair
        )
    }

    fn found(&self, capture: usize, air: &Air, links: &[Link<'_>], span: [f64; 2]) -> Finding {
        let mac = self.mac;
        Finding {
            subject: format!("station {mac}"),
            spans: vec![span],
            value: self.share / self.fair,
            threshold: UNFAIR,
            unit: "times a fair share of the air",
            confidence: 0.9,
            cost: cost(air, links, mac, self.fair),
            capture,
            frames: shown(links.iter().filter(|link| link.station().mac == mac)),
            filter: format!("wlan.fc.type == 2 && wlan.addr == {mac}"),
            says: self.says(),
            remedy: "Use an access point that shares air time (mac80211 with AQL does); bring the station closer, or to a band of \
                     its own. An access point cannot hold back what a station sends."
                .to_owned(),
        }
    }

    /// Why it cannot be told that it slows anybody down.
    fn unclear(&self) -> String {
        format!(
            "station {} takes {:.0} % of the data's air time and moves {:.0} % of the data, but nobody is seen to wait for it: each of the others takes several turns for one of its own, and their \
             queues run empty at these. It may be what the others take from it, as by frames that collide with theirs, that makes it slow",
            self.mac,
            100.0 * self.share,
            100.0 * self.of_octets
        )
    }
}

/// Whether anybody may have to wait for a slow station: turns are equal among senders that do, whose PPDUs are as long then as what has come meanwhile.
fn harms(links: &[Link<'_>], hog: MacAddr) -> bool {
    let (own, others): (Vec<&Link<'_>>, Vec<_>) = links.iter().partition(|link| link.station().mac == hog);
    let turns = own.iter().map(|link| link.traffic.ppdus).max().unwrap_or_default() as f64;
    let has_its_own = |link: &Link<'_>| own.iter().all(|one| one.from.mac != link.from.mac);
    let runs_empty = |traffic: &Traffic| {
        can_aggregate(traffic) && !is_parted(traffic) && 100.0 * filled(traffic) < SHORT_PPDUS
    };
    let gets_all = |link: &&Link<'_>| {
        has_its_own(link) && link.traffic.ppdus as f64 >= SEVERAL * turns && runs_empty(link.traffic)
    };
    !others.iter().all(gets_all)
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
