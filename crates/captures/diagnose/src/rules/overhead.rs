//! W203: protection and slow frames take the air.

use super::no_air;
use crate::capacity::{moved_mbps, taken};
use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Verdict};
use crate::gaps::USUAL;
use crate::heard::{deafness, heard_of, rateless};
use crate::link::{Link, links};
use crate::rule::Rule;
use airloom_trace::Air;

/// See [`Rule`].
pub(super) const RULE: Rule = Rule {
    code: "W203",
    name: "protection and slow overhead",
    means: "Most of the time on the air goes to slow frames that carry no data at all.",
    needs: "air",
    computes: "The air time of RTS, CTS, ACK, BlockAck, beacons and other frames without data, against all air time that was heard, with data that was not \
               heard though answers show it. Reported \
               from 40 % on, if together they take at least a tenth of the time.",
    traps: "On an idle channel beacons are all there is, and harm nobody. ACKs of frames that travel alone are a matter of aggregation (W304).",
    refuted_by: "No gain after basic rates were raised or protection switched off.",
    judge,
};

/// The share of the air time, in percent.
const REPORTED_PCT: f64 = 40.0;
/// The share of the time at least, in percent.
const SEEN: f64 = 10.0;
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
    let share = 100.0 * (control + management) / all.max(1.0);
    let of_time = (100.0 * (control + management) / time).min(100.0);
    if share < REPORTED_PCT || of_time < SEEN {
        return Verdict::NOTHING;
    }
    Verdict::Found(vec![Finding {
        subject: "all radios".to_owned(),
        spans: vec![[evidence.seconds(from), evidence.seconds(to)]],
        value: share,
        threshold: REPORTED_PCT,
        unit: "% of the air time",
        confidence: 0.85,
        cost: cost(evidence, air, control + management, of_time),
        capture: *capture,
        frames: air.shown_without_data.kept().to_vec(),
        filter: "wlan.fc.type != 2".to_owned(),
        says: format!(
            "Frames without data take {share:.0} % of the air time of all frames: control frames {:.0} %, management frames {:.0} %.",
            100.0 * control / all.max(1.0),
            100.0 * management / all.max(1.0)
        ),
        remedy: "Drop the rates of 802.11b at the access point (hostapd: supported_rates, basic_rates), fewer network names, RTS only \
                 where stations are hidden."
            .to_owned(),
    }])
}

/// What would have gone in the time of these frames but for an answer to each PPDU, if frames wait all the time: at least, since long slots and preambles for those who
/// need them go as well. Else that time.
fn cost(evidence: &Evidence, air: &Air, without_data_ns: f64, of_time: f64) -> Cost {
    let links = links(air, 1);
    let rate: f64 =
        links.iter().filter(|link| evidence.is_greedy(link)).filter_map(|link| moved_mbps(air, link)).sum();
    let answers = links.iter().map(|link| link.traffic.answered as f64).sum::<f64>() * USUAL.answer;
    let (all, needless) = (taken(air).values().sum::<f64>(), without_data_ns - answers);
    if rate > 0.0 && needless > 0.0 {
        Cost { at_least: true, ..Cost::mbps(rate * needless / (all + answers), rate, "of all together") }
    } else {
        Cost::percent(of_time, "% of the air", "in all")
    }
}
