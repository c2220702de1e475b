//! W203: protection and slow frames take the air.

use super::no_air;
use super::weak::WEAK;
use crate::bianchi::lost;
use crate::capacity::{moved_mbps, taken};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::foreign::{named, strangers};
use crate::gaps::{SIFS, USUAL};
use crate::heard::{deafness, heard_of, rateless};
use crate::link::{Link, data_span, links, network_of};
use crate::rule::Rule;
use crate::spare::IDLE;
use crate::waits::busy;
use crate::whose::Whose;
use airloom_trace::{Air, MacAddr, Phy, Traffic};
use std::collections::{BTreeMap, BTreeSet};

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W203",
    name: "protection and slow overhead",
    means: "Much of the time on the air goes to frames that carry no data at all.",
    needs: "air",
    computes: "The air time of RTS, CTS, ACK, BlockAck, beacons and other frames without data, against all air time that was heard, with data that was not \
               heard though answers show it. Reported \
               from 40 % on, if together they take at least a tenth of the time; or where more is there to be sent and half of the PPDUs with data go behind a request to send or a clear to send, from a tenth of the time on \
               that these and their gaps take. Its cost is what of that could go: requests to send and their answers with the gaps behind both, and what \
               other answers take longer than those at 24 Mbit/s, as a share of the time with data, or what would go in that time, less what collides without requests to send; beacons at most.",
    traps: "Fewer than 1000 frames in less than 2 s say nothing. On an idle channel beacons are all there is, and harm nobody. Where several stations send, requests to send may spare them more than they take: there the rule cannot tell what protection costs, unless a station of 802.11b is there. Control frames go with data: where the air is idle for more than half of the time in which that goes, and nothing shows that more is there to be sent, they harm nobody and do not count. ACKs of frames that travel alone are a matter of aggregation (W304).",
    refuted_by: "No gain after basic rates were raised or protection switched off.",
    judge,
};

/// The share of the air time, in percent.
const REPORTED_PCT: f64 = 40.0;
/// The share of the time at least, in percent.
const SEEN: f64 = 10.0;
/// So much of the time with data goes to what protects it, in percent, and so many of the PPDUs with data are protected, as a part of them.
const PROTECTS_PCT: f64 = 10.0;
/// See `PROTECTS_PCT`.
const PROTECTED: f64 = 0.5;
/// A station that sends takes at least this part of the data's air time.
const SENDS: f64 = 0.05;
/// Without requests to send the two ends of a flow collide now and then.
const ENDS: usize = 2;
/// Fewer MPDUs do not show which rates a station has.
const MIN_MPDUS: u64 = 20;
/// A capture that is shorter, in nanoseconds, and has fewer frames says nothing of shares: a scan, or a station that joins, takes a moment's air.
const SHORT: u64 = 2_000_000_000;
/// See `SHORT`.
const LEAST_FRAMES: u64 = 1_000;

fn judge(evidence: &Evidence) -> Verdict {
    let Some((capture, air)) = &evidence.air else { return no_air() };
    let Some((from, to)) = air.span_ns else {
        return Verdict::CannotTell("no frame was heard".to_owned());
    };
    if let Some(because) = rateless(air) {
        return Verdict::CannotTell(because.to_owned());
    }
    if let Some(because) = deafness(air) {
        return Verdict::CannotTell(because);
    }
    if is_moment(to.saturating_sub(from), air.frames) {
        return Verdict::CannotTell(format!(
            "too little: {} frames in {:.1} s, and it takes {LEAST_FRAMES} or {} s to tell what usually goes",
            air.frames,
            (to.saturating_sub(from)) as f64 / 1e9,
            SHORT / 1_000_000_000
        ));
    }
    let time = (to - from) as f64;
    let sum = |of: fn(&airloom_trace::RadioHeard) -> u64| air.radios().iter().map(of).sum::<u64>() as f64;
    let (control, management) = (sum(|radio| radio.control_ns), sum(|radio| radio.management_ns));
    let missed = |link: &Link<'_>| link.traffic.airtime_ns as f64 * (1.0 / heard_of(air, link) - 1.0);
    let data = sum(|radio| radio.airtime_ns) + links(air, 1).iter().map(missed).sum::<f64>();
    let all = control + management + data;
    // Control frames go with data: where that has the air to itself and nobody waits, they keep nobody from anything.
    let harming = if harms(evidence, air) { control + management } else { management };
    let of_time = (100.0 * harming / time).min(100.0);
    let is_most = 100.0 * harming / all.max(1.0) >= REPORTED_PCT && of_time >= SEEN;
    let protection = Protection::of(evidence, air, (control, management)).filter(|_| !is_most);
    if !is_most && protection.is_none() {
        return Verdict::NOTHING;
    }
    if let Some(of) = protection.as_ref().filter(|_| may_be_hidden(air)) {
        return Verdict::CannotTell(format!(
            "{} Whether they spare more than they take does not show: several stations send, and may be hidden from each other",
            of.says()
        ));
    }
    let share = 100.0 * (control + management) / all.max(1.0);
    let most = || {
        format!(
            "Frames without data take {share:.0} % of the air time of all frames: control frames {:.0} %, management frames {:.0} %.",
            100.0 * control / all.max(1.0),
            100.0 * management / all.max(1.0)
        )
    };
    Verdict::Found(vec![Finding {
        subject: "all radios".to_owned(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: protection.as_ref().map_or(share, |of| of.pct),
        threshold: protection.as_ref().map_or(REPORTED_PCT, |_| PROTECTS_PCT),
        unit: if protection.is_some() { "% of the time with data" } else { "% of the air time" },
        confidence: 0.85,
        cost: cost(evidence, air, (control, management), time),
        capture: *capture,
        frames: air.shown_without_data.kept().to_vec(),
        filter: "wlan.fc.type != 2".to_owned(),
        says: protection.as_ref().map_or_else(most, Protection::says),
        remedy: remedy(evidence, air, protection.is_some()),
    }])
}

/// Whether so many frames in so many nanoseconds are too little to tell what usually goes.
const fn is_moment(lasted_ns: u64, frames: u64) -> bool {
    lasted_ns < SHORT && frames < LEAST_FRAMES
}

/// What protects data on the air: requests to send and what answers them, or a clear to send to oneself.
struct Protection {
    /// The share of the time with data that it takes with its gaps, and that slow answers take longer than quick ones, in percent.
    pct: f64,
    /// The share of the PPDUs with data that are protected.
    protected: f64,
}

impl Protection {
    /// None where it takes little, few PPDUs are protected, or nothing shows that more is there to be sent.
    fn of(evidence: &Evidence, air: &Air, ns: (f64, f64)) -> Option<Self> {
        let links = links(air, 1);
        let (begin, end) = data_span(air)?;
        let pct = 100.0 * Needless::of(&links, ns).control_ns / end.saturating_sub(begin).max(1) as f64;
        let protected = protected(&links);
        let is_greedy = links.iter().any(|link| evidence.is_greedy(link));
        (pct >= PROTECTS_PCT && protected >= PROTECTED && is_greedy).then_some(Self { pct, protected })
    }

    fn says(&self) -> String {
        format!(
            "{:.0} % of the PPDUs with data go behind a request to send (RTS) or a clear to send (CTS), as beside stations of 802.11b or hidden ones: these and their gaps take {:.0} % of the time.",
            100.0 * self.protected,
            self.pct
        )
    }
}

/// Whether several stations send so much that requests to send may keep them from colliding, as far as none is there that needs protection anyway.
fn may_be_hidden(air: &Air) -> bool {
    let links = links(air, 1);
    let all: u64 = links.iter().map(|link| link.traffic.airtime_ns).sum();
    let sends = |link: &&Link<'_>| link.is_up() && link.traffic.airtime_ns as f64 >= SENDS * all as f64;
    let senders = links.iter().filter(sends).count();
    senders > 1 && old_stations(air).is_empty()
}

/// The share of the PPDUs of some links that go behind a request to send or a clear to send.
fn protected(links: &[Link<'_>]) -> f64 {
    let sum = |of: fn(&Traffic) -> u64| links.iter().map(|link| of(link.traffic)).sum::<u64>() as f64;
    sum(|traffic| traffic.requested) / sum(|traffic| traffic.ppdus).max(1.0)
}

/// Whether what goes beside data keeps others waiting: the air is busy for half of the time in which data goes, or more is there to be sent.
fn harms(evidence: &Evidence, air: &Air) -> bool {
    let is_full = || data_span(air).and_then(|span| busy(air, span)).is_none_or(|busy| busy >= IDLE);
    links(air, 1).iter().any(|link| evidence.is_greedy(link)) || is_full()
}

/// What helps, where most is protection or not; stations that have none but the rates of 802.11b would lose their network without them.
fn remedy(evidence: &Evidence, air: &Air, protects: bool) -> String {
    let old = old_stations(air);
    if old.is_empty() && protects {
        return "RTS only where stations are hidden (`iw phy phy0 set rts off`); protection of 802.11b only where there are such stations (hostapd: supported_rates, basic_rates)."
            .to_owned();
    }
    if old.is_empty() {
        return "Drop the rates of 802.11b at the access point (hostapd: supported_rates, basic_rates), fewer network names, RTS only \
                where stations are hidden."
            .to_owned();
    }
    let mut by_owner: BTreeMap<MacAddr, (Whose, Vec<String>)> = BTreeMap::new();
    for mac in old {
        let network = air.radio(mac).and_then(network_of).unwrap_or(mac);
        let of = by_owner.entry(network).or_insert_with(|| (whose(evidence, air, mac, network), Vec::new()));
        of.1.push(mac.to_string());
    }
    let advice = by_owner.values().map(|(whose, stations)| {
        let stations = stations.join(" and ");
        let replace = format!(
            "Replace {stations}, of which all goes at the rates of 802.11b however strong the signal is, or give it a network of its own; without these rates at the access point it would lose its network."
        );
        let advice = whose.advice(&replace);
        match whose {
            Whose::Others(_) => format!(
                "All of {stations} goes at the rates of 802.11b however strong the signal is. {advice}"
            ),
            Whose::Own | Whose::Unknown(_) => advice,
        }
    });
    advice.collect::<Vec<_>>().join(" ")
}

/// Whose a station of this network is: where no host was captured and data of several networks is heard, that does not show.
fn whose(evidence: &Evidence, air: &Air, station: MacAddr, network: MacAddr) -> Whose {
    let own = evidence.own();
    let is_one = || links(air, MIN_MPDUS).iter().all(|link| network_of(link.station()) == Some(network));
    if strangers(evidence, &own).contains(&station) {
        Whose::Others(named(air, network))
    } else if own.is_empty() && !is_one() {
        Whose::Unknown(named(air, network))
    } else {
        Whose::Own
    }
}

/// Stations that have none but the rates of 802.11b.
fn old_stations(air: &Air) -> Vec<MacAddr> {
    let stations: BTreeSet<MacAddr> = links(air, MIN_MPDUS).iter().map(|link| link.station().mac).collect();
    stations.into_iter().filter(|&mac| has_old_rates_alone(air, mac)).collect()
}

/// Whether all data of a station, either way, goes at the rates of 802.11b though its signal is enough for others.
fn has_old_rates_alone(air: &Air, mac: MacAddr) -> bool {
    let own: Vec<_> = links(air, 1).into_iter().filter(|link| link.station().mac == mac).collect();
    let is_old = |link: &Link<'_>| link.traffic.speeds.iter().all(|used| used.speed.phy == Phy::Dsss);
    let is_strong = |link: &Link<'_>| link.lowest_snr(air).is_some_and(|snr| snr >= WEAK);
    own.iter().all(is_old) && own.iter().any(|link| !link.traffic.speeds.is_empty() && is_strong(link))
}

/// What would go in the time that these frames need not take, if frames wait all the time: at least, since long slots and preambles for those who
/// need them go as well. Else that time.
fn cost(evidence: &Evidence, air: &Air, (control_ns, management_ns): (f64, f64), whole_ns: f64) -> Cost {
    let links = links(air, 1);
    let rate: f64 =
        links.iter().filter(|link| evidence.is_greedy(link)).filter_map(|link| moved_mbps(air, link)).sum();
    let needless = Needless::of(&links, (control_ns, management_ns));
    let all = taken(air).values().sum::<f64>() + answers_ns(&links);
    if rate > 0.0 && needless.sum() > 0.0 {
        let collides = if protected(&links) >= PROTECTED { lost(ENDS) } else { 0.0 };
        let more = (1.0 + needless.sum() / all) * (1.0 - collides) - 1.0;
        Cost::carried(rate * more.max(0.0), rate, "of all together")
    } else {
        needless.of_the_air(
            data_span(air).map_or(whole_ns, |(from, to)| to.saturating_sub(from) as f64),
            whole_ns,
        )
    }
}

/// The time that frames without data take and need not, in nanoseconds.
struct Needless {
    /// Requests to send and their answers, with the gaps behind both, and what other answers take longer than those at 24 Mbit/s.
    control_ns: f64,
    /// Beacons and the like.
    management_ns: f64,
}

/// What the answers to the data of some links take at 24 Mbit/s, in nanoseconds.
fn answers_ns(links: &[Link<'_>]) -> f64 {
    links.iter().map(|link| link.traffic.answered as f64 * USUAL.answer).sum()
}

impl Needless {
    /// Of the time that control and management frames take beside some links, in nanoseconds.
    fn of(links: &[Link<'_>], (control_ns, management_ns): (f64, f64)) -> Self {
        let requested: u64 = links.iter().map(|link| link.traffic.requested).sum();
        let control_ns = (control_ns - answers_ns(links)).max(0.0) + requested as f64 * 2.0 * SIFS;
        Self { control_ns, management_ns }
    }

    fn sum(&self) -> f64 {
        self.control_ns + self.management_ns
    }

    /// Its share of the time: control frames go while data does, beacons always. Of beacons some stay, so that where most is theirs no more than this is won.
    fn of_the_air(&self, data_ns: f64, whole_ns: f64) -> Cost {
        let share = |ns: f64, of_ns: f64| 100.0 * ns / of_ns.max(1.0);
        let (control, management) = (share(self.control_ns, data_ns), share(self.management_ns, whole_ns));
        let beacons = management > control;
        let of = if beacons { "in all" } else { "while data goes" };
        Cost { at_most: beacons, ..Cost::percent((control + management).min(100.0), "% of the air", of) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scan_in_a_moment_says_nothing_of_what_usually_goes() {
        // `capture.pcapng` of g3n13/dot11_open_http_packet, and ns-3's datagrams behind RTS and CTS.
        assert!(
            is_moment(200_000_000, 35) && !is_moment(930_000_000, 5_900) && !is_moment(10_000_000_000, 98)
        );
    }

    /// ns-3's datagrams of 200 octets behind RTS and CTS in half of a second (`tests/foreign`): without these 4.65 Mbit/s become 7.71.
    #[test]
    fn what_requests_and_their_answers_take_is_a_share_of_the_time_with_data() {
        let needless =
            Needless { control_ns: 1_468.0 * (52_000.0 + 44_000.0 + 2.0 * SIFS), management_ns: 0.0 };
        let cost = needless.of_the_air(0.5e9, 0.93e9);
        assert!((cost.value - 100.0 * (1.0 - 4.6496 / 7.712)).abs() < 3.0, "{}", cost.value);
        assert!(!cost.at_least && !cost.at_most);
        let beacons = Needless { control_ns: 1e6, management_ns: 0.3e9 };
        assert!(beacons.of_the_air(0.9e9, 0.93e9).at_most, "some beacons stay");
    }
}
