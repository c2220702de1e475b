//! Which finding comes first.

use crate::evidence::Evidence;
use crate::finding::Finding;
use airloom_trace::MacAddr;
use std::collections::BTreeSet;

/// How the codes of rules begin that are about the air that all share.
const OF_ALL: &str = "W2";
/// The rule about one that makes all slow, those that say why it is slow itself, and the one that says that others wait for it.
const HOG: &str = "W202";
const ITS_REASONS: [&str; 2] = ["W104", "W105"];
const WAIT: &str = "W201";

/// Puts what concerns the captured hosts first, then what is surest; behind that a station makes all slow comes why it does, and that
/// others wait for it.
pub(crate) fn sort(evidence: &Evidence, findings: &mut [Finding]) {
    let own: BTreeSet<MacAddr> =
        (0..evidence.captures.len()).flat_map(|capture| evidence.stations(capture)).collect();
    let radios = evidence.air.iter().flat_map(|(_, air)| air.radios());
    let stations: Vec<MacAddr> = radios.filter(|radio| !radio.is_ap).map(|radio| radio.mac).collect();
    let of = |finding: &Finding| {
        let named = |mac: &&MacAddr| finding.subject.contains(&mac.to_string());
        stations.iter().find(named).copied()
    };
    let hogs: BTreeSet<MacAddr> = findings.iter().filter(|one| one.code == HOG).filter_map(of).collect();
    let rank = |finding: &Finding| {
        let station = of(finding).filter(|mac| !own.contains(mac));
        let foreign = !own.is_empty() && station.is_some() && !finding.code.starts_with(OF_ALL);
        let reason = ITS_REASONS.contains(&finding.code) && station.is_some_and(|mac| hogs.contains(&mac));
        let wait = finding.code == WAIT && !hogs.is_empty();
        (foreign, reason || wait)
    };
    findings.sort_by(|a, b| rank(a).cmp(&rank(b)).then(b.confidence.total_cmp(&a.confidence)));
}
