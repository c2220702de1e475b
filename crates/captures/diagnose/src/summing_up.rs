//! Findings of one rule about many things, of which one stands for all.

use crate::finding::{Finding, Placed};
use crate::order;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A rule that finds more about the connections, the stations or the links of a capture has its findings summed up.
const MOST_ALIKE: usize = 8;

/// So many about connections between the same two hosts are summed up where they differ in nothing else.
const SAME_HOSTS: usize = 3;
/// Costs are alike that are at least this part of the greatest.
const ALIKE: f64 = 0.8;

/// Findings of a rule about many connections, stations or links of a capture, of which one stands for all.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SummedUp {
    /// The rule's code.
    pub code: &'static str,
    /// The capture, by its place among the captures.
    pub capture: usize,
    /// The subject of the finding that stands for them: that of the greatest cost.
    pub subject: String,
    /// How many more there are.
    pub more: u64,
}

/// Leaves one finding, that of the greatest cost, of each rule that found something about many connections, stations or links of a capture, or about several connections between the same two
/// hosts at about the same cost. What
/// stands below different findings is not alike; what others stand below stays, and so does what is about a station whose host was captured.
pub(crate) fn sum_up(findings: &mut Vec<Placed>, own: &BTreeSet<String>) -> Vec<SummedUp> {
    let above: BTreeSet<usize> = findings.iter().filter_map(|one| one.below).collect();
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (place, one) in findings.iter().enumerate() {
        let stays = above.contains(&place) || own.iter().any(|mac| one.finding.subject.contains(mac));
        if !stays {
            let key = (one.code, one.finding.capture, one.below, things(&one.finding));
            groups.entry(key).or_default().push(place);
        }
    }
    let mut kept = vec![true; findings.len()];
    let mut summed_up = Vec::new();
    let many = groups.into_iter().flat_map(|((.., things), places)| {
        let parts =
            if places.len() > MOST_ALIKE { vec![places] } else { between_same_hosts(findings, &places) };
        parts.into_iter().map(move |places| (things, places))
    });
    for (things, places) in many.collect::<Vec<_>>() {
        let cost = |place: usize| order::weight(&findings[place].finding);
        let most =
            places.iter().copied().reduce(|one, other| if cost(other) > cost(one) { other } else { one });
        let Some(most) = most else { continue };
        places.iter().for_each(|&place| kept[place] = place == most);
        let one = &mut findings[most];
        let more = places.len() as u64 - 1;
        one.finding
            .says
            .push_str(&format!(" The same was found of {more} more {things}, at no greater cost each."));
        let subject = one.finding.subject.clone();
        summed_up.push(SummedUp { code: one.code, capture: one.finding.capture, subject, more });
    }
    // Those that stay move up, and with them the places below which others stand.
    let places: Vec<usize> = kept
        .iter()
        .scan(0, |next, &kept| {
            let place = *next;
            *next += usize::from(kept);
            Some(place)
        })
        .collect();
    let mut kept = kept.into_iter();
    findings.retain(|_| kept.next().unwrap_or_default());
    findings.iter_mut().for_each(|one| one.below = one.below.map(|old| places[old]));
    summed_up
}

/// Of some findings those about connections between the same two hosts that cost about as much, or of which that does not show for the same reason.
fn between_same_hosts(findings: &[Placed], places: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for &place in places {
        let finding = &findings[place].finding;
        let ends = order::ends(finding);
        if !ends.is_empty() {
            groups.entry((ends, finding.cost.unknown)).or_default().push(place);
        }
    }
    let cost = |place: &usize| findings[*place].finding.cost.value;
    let is_alike = |places: &[usize]| {
        let most = places.iter().map(cost).fold(0.0, f64::max);
        places.len() >= SAME_HOSTS && places.iter().all(|place| cost(place) >= ALIKE * most)
    };
    groups.into_values().filter(|places| is_alike(places)).collect()
}

/// What a finding is about, in the plural.
fn things(finding: &Finding) -> &'static str {
    match order::ends(finding).is_empty() {
        false => "connections",
        true if finding.subject.starts_with("station ") => "stations",
        true if finding.subject.starts_with("host ") => "hosts",
        true => "links",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Cost;

    /// A finding about a station that costs so many Mbit/s of 100.
    fn about(number: u8, mbps: f64) -> Placed {
        Placed {
            code: "W201",
            name: "contention",
            means: "",
            below: None,
            is_reason: false,
            finding: Finding {
                subject: format!("station 02:00:00:00:00:{number:02x}"),
                spans: Vec::new(),
                value: 90.0,
                threshold: 50.0,
                unit: "% of the time",
                confidence: 0.9,
                cost: Cost::mbps(mbps, 100.0 - mbps, "of this station"),
                capture: 0,
                frames: Vec::new(),
                filter: String::new(),
                says: "Others take the air.".to_owned(),
                remedy: String::new(),
            },
            refuted_by: "",
        }
    }

    #[test]
    fn what_is_found_of_many_stations_is_told_once_but_for_that_of_the_captured_host() {
        let mut findings: Vec<_> = (1..=20).map(|number| about(number, f64::from(number))).collect();
        let own = BTreeSet::from([String::from("02:00:00:00:00:03")]);
        let summed_up = sum_up(&mut findings, &own);
        let subjects: Vec<_> = findings.iter().map(|one| one.finding.subject.as_str()).collect();
        assert_eq!(subjects, ["station 02:00:00:00:00:03", "station 02:00:00:00:00:14"]);
        assert_eq!(summed_up.iter().map(|one| one.more).collect::<Vec<_>>(), [18]);
        assert!(findings[1].finding.says.contains("18 more stations"));
    }

    #[test]
    fn what_is_found_alike_of_several_connections_of_two_hosts_is_told_once() {
        let of = |port: u16, mbps: f64| {
            let subject = format!("10.0.0.2:{port} to 10.0.0.1:5001");
            let finding = Finding { subject, ..about(1, mbps).finding };
            Placed { code: "W401", finding, ..about(1, mbps) }
        };
        let left = |costs: [f64; 4]| {
            let mut findings: Vec<_> = (40_000..).zip(costs).map(|(port, mbps)| of(port, mbps)).collect();
            sum_up(&mut findings, &BTreeSet::new());
            findings.len()
        };
        assert_eq!(left([10.0, 10.0, 9.0, 10.0]), 1);
        assert_eq!(left([10.0, 2.0, 10.0, 10.0]), 4, "one differs");
    }

    #[test]
    fn what_is_found_of_few_stations_is_told_of_each() {
        let mut findings: Vec<_> = (1..=8).map(|number| about(number, 10.0)).collect();
        assert_eq!((sum_up(&mut findings, &BTreeSet::new()), findings.len()), (vec![], 8));
    }
}
