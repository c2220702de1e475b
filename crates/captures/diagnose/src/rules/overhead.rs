//! W203: protection and slow frames take the air.

use super::no_air;
use super::weak::WEAK;
use crate::capacity::{moved_mbps, taken};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::gaps::{SIFS, USUAL};
use crate::heard::{deafness, heard_of, rateless};
use crate::link::{Link, data_span, links};
use crate::rule::Rule;
use crate::spare::IDLE;
use crate::waits::busy;
use airloom_trace::{Air, MacAddr, Phy, Traffic};
use std::collections::BTreeSet;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W203",
    name: "protection and slow overhead",
    means: "Most of the time on the air goes to slow frames that carry no data at all.",
    needs: "air",
    computes: "The air time of RTS, CTS, ACK, BlockAck, beacons and other frames without data, against all air time that was heard, with data that was not \
               heard though answers show it. Reported \
               from 40 % on, if together they take at least a tenth of the time. Its cost is what of that could go: requests to send and their answers with the gaps behind both, and what \
               other answers take longer than those at 24 Mbit/s, as a share of the time with data, or what would go in that time; beacons at most.",
    traps: "On an idle channel beacons are all there is, and harm nobody. Control frames go with data: where the air is idle for more than half of the time in which that goes, and nothing shows that more is there to be sent, they harm nobody and do not count. ACKs of frames that travel alone are a matter of aggregation (W304).",
    refuted_by: "No gain after basic rates were raised or protection switched off.",
    judge,
};

/// The share of the air time, in percent.
const REPORTED_PCT: f64 = 40.0;
/// The share of the time at least, in percent.
const SEEN: f64 = 10.0;
/// Fewer MPDUs do not show which rates a station has.
const MIN_MPDUS: u64 = 20;
/// A shorter capture says nothing of shares, in nanoseconds.
const SHORT: u64 = 100_000_000;

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
    if to.saturating_sub(from) < SHORT {
        return Verdict::CannotTell("the capture lasts less than a tenth of a second".to_owned());
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
    if 100.0 * harming / all.max(1.0) < REPORTED_PCT || of_time < SEEN {
        return Verdict::NOTHING;
    }
    let share = 100.0 * (control + management) / all.max(1.0);
    Verdict::Found(vec![Finding {
        subject: "all radios".to_owned(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the air time",
        confidence: 0.85,
        cost: cost(evidence, air, (control, management), time),
        capture: *capture,
        frames: air.shown_without_data.kept().to_vec(),
        filter: "wlan.fc.type != 2".to_owned(),
        says: format!(
            "Frames without data take {share:.0} % of the air time of all frames: control frames {:.0} %, management frames {:.0} %.",
            100.0 * control / all.max(1.0),
            100.0 * management / all.max(1.0)
        ),
        remedy: remedy(air),
    }])
}

/// Whether what goes beside data keeps others waiting: the air is busy for half of the time in which data goes, or more is there to be sent.
fn harms(evidence: &Evidence, air: &Air) -> bool {
    let is_full = || data_span(air).and_then(|span| busy(air, span)).is_none_or(|busy| busy >= IDLE);
    links(air, 1).iter().any(|link| evidence.is_greedy(link)) || is_full()
}

/// What helps; stations that have none but the rates of 802.11b would lose their network without them.
fn remedy(air: &Air) -> String {
    let stations: BTreeSet<MacAddr> = links(air, MIN_MPDUS).iter().map(|link| link.station().mac).collect();
    let old: Vec<_> = stations
        .into_iter()
        .filter(|&mac| has_old_rates_alone(air, mac))
        .map(|mac| mac.to_string())
        .collect();
    if old.is_empty() {
        return "Drop the rates of 802.11b at the access point (hostapd: supported_rates, basic_rates), fewer network names, RTS only \
                where stations are hidden."
            .to_owned();
    }
    format!(
        "Replace {}, of which all goes at the rates of 802.11b however strong the signal is, or give it a network of its own; without these rates at the access point it would lose its network.",
        old.join(" and ")
    )
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
    let count = |of: fn(&Traffic) -> u64| links.iter().map(|link| of(link.traffic)).sum::<u64>() as f64;
    let answers = count(|traffic| traffic.answered) * USUAL.answer;
    let needless = Needless {
        control_ns: (control_ns - answers).max(0.0) + count(|traffic| traffic.requested) * 2.0 * SIFS,
        management_ns,
    };
    let all = taken(air).values().sum::<f64>();
    if rate > 0.0 && needless.sum() > 0.0 {
        Cost::carried(rate * needless.sum() / (all + answers), rate, "of all together")
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

impl Needless {
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
