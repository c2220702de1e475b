//! Which finding comes first, and which stands below another: a cause once, and below it what follows from it.

use crate::evidence::Evidence;
use crate::finding::Finding;
use airloom_trace::MacAddr;
use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

/// How the codes of rules begin that judge the captures, and of those about the air that all share.
const CAVEAT: &str = "W0";
const OF_ALL: &str = "W2";
/// The rule about one that makes all slow, the one that says that others wait for it, and those that say why it is slow itself.
const HOG: &str = "W202";
const WAIT: &str = "W201";
const ITS_REASONS: [&str; 2] = ["W104", "W105"];
/// What follows from what for the same station or connection. No rule follows from one below it in this list.
const FOLLOWS: [(&str, &[&str]); 13] = [
    (HOG, &["W301", "W302", "W303", LOST]),
    ("W101", &["W108", "W301", "W302", "W303", LOST]),
    ("W102", &["W301", "W303", LOST]),
    ("W103", &["W301", "W302", "W303", LOST]),
    ("W107", &["W301", "W302", "W303", LOST]),
    ("W106", &["W301", "W302", "W303", LOST]),
    ("W104", &["W301"]),
    ("W105", &["W301", "W302", "W303", LOST]),
    ("W108", &["W301", "W303", LOST]),
    (WAIT, &["W301", "W304", LOST]),
    ("W403", &["W301", "W303", LOST]),
    ("W301", &["W303", LOST]),
    ("W302", &["W303", LOST]),
];
/// The rule that says that something was lost, where nothing says why.
const LOST: &str = "W306";
/// The part of a cost that cannot be told, beside others.
const UNKNOWN: f64 = 0.3;

/// Puts doubts of the captures first, then what concerns the captured hosts, and of that what costs the greatest part; what follows
/// from a finding, and the reasons for it, come right behind it. Losses that another finding explains are left out.
pub(crate) fn sorted(evidence: &Evidence, mut findings: Vec<Finding>) -> Vec<Finding> {
    let people = People::of(evidence);
    findings.sort_by(|a, b| people.rank(a).cmp(&people.rank(b)).then(weight(b).total_cmp(&weight(a))));
    let above: Vec<_> = findings.iter().map(|one| people.above(one, &findings)).collect();
    let mut order = Vec::new();
    let roots = (0..findings.len()).filter(|&place| above[place].is_none());
    roots.for_each(|root| descend(root, &above, &mut order));
    order.retain(|&place| findings[place].code != LOST || above[place].is_none());
    let new_place = |old: usize| order.iter().position(|&place| place == old);
    let placed = order.iter().map(|&place| Finding {
        below: above[place].and_then(|(cause, _)| new_place(cause)),
        is_reason: above[place].is_some_and(|(_, is_reason)| is_reason),
        ..findings[place].clone()
    });
    placed.collect()
}

/// A finding and then all that stands below it.
fn descend(root: usize, above: &[Option<(usize, bool)>], order: &mut Vec<usize>) {
    order.push(root);
    for (place, _) in above.iter().enumerate().filter(|(_, one)| one.is_some_and(|(cause, _)| cause == root))
    {
        descend(place, above, order);
    }
}

/// The part that a finding costs, and how sure it is where that is the same.
fn weight(finding: &Finding) -> f64 {
    let part = if finding.cost.unknown.is_some() { UNKNOWN } else { finding.cost.share };
    part + 1e-6 * finding.confidence
}

/// Who is who in the captures.
struct People {
    /// The stations whose hosts were captured.
    own: BTreeSet<MacAddr>,
    /// All stations, each with the addresses of the Internet Protocol that a connection may have.
    stations: Vec<MacAddr>,
    addresses: Vec<(IpAddr, MacAddr)>,
}

impl People {
    fn of(evidence: &Evidence) -> Self {
        let own = (0..evidence.captures.len()).flat_map(|capture| evidence.stations(capture)).collect();
        let air = evidence.air.as_ref().map(|(_, air)| air);
        let radios = air.into_iter().flat_map(|air| air.radios());
        let stations = radios.filter(|radio| !radio.is_ap).map(|radio| radio.mac).collect();
        let ends = evidence.connections.iter().flatten().flat_map(|connection| connection.ends);
        let addresses: BTreeSet<IpAddr> = ends.map(|end| end.ip()).collect();
        let known = |ip: IpAddr| Some((ip, air?.station_of(ip)?));
        Self { own, stations, addresses: addresses.into_iter().filter_map(known).collect() }
    }

    /// The station that a finding is about; none if it is about no single one that is known.
    fn station(&self, finding: &Finding) -> Option<MacAddr> {
        let named = self.stations.iter().find(|mac| finding.subject.contains(&mac.to_string()));
        let of_address = |ip: &IpAddr| self.addresses.iter().find(|(one, _)| one == ip).map(|(_, mac)| *mac);
        named.copied().or_else(|| ends(finding).iter().find_map(of_address)).or_else(|| {
            // Where nothing can be read, a capture of one station has what concerns it.
            (!ends(finding).is_empty() && self.own.len() == 1).then(|| self.own.first().copied()).flatten()
        })
    }

    /// The smaller, the earlier.
    fn rank(&self, finding: &Finding) -> (bool, bool) {
        let foreign = self.station(finding).is_some_and(|mac| !self.own.contains(&mac));
        let of_others = !self.own.is_empty() && foreign && !finding.code.starts_with(OF_ALL);
        (!finding.code.starts_with(CAVEAT), of_others)
    }

    /// The finding below which one stands, and whether it is a reason for that; none if it stands by itself.
    fn above(&self, finding: &Finding, all: &[Finding]) -> Option<(usize, bool)> {
        let first = |fits: &dyn Fn(&Finding) -> bool| all.iter().position(fits);
        let is_own = self.station(finding).is_some_and(|mac| self.own.contains(&mac));
        if ITS_REASONS.contains(&finding.code) && !is_own {
            return Some((first(&|one| one.code == HOG && self.same(one, finding))?, true));
        }
        // Whoever has the slow one wants to know why it is slow, and then that others wait for it.
        if finding.code == HOG && is_own {
            return Some((first(&|one| ITS_REASONS.contains(&one.code) && self.same(one, finding))?, false));
        }
        if finding.code == WAIT {
            return Some((first(&|one| one.code == HOG)?, false));
        }
        let causes = FOLLOWS.iter().filter(|(_, effects)| effects.contains(&finding.code));
        let mut found =
            causes.filter_map(|(cause, _)| first(&|one| one.code == *cause && self.same(one, finding)));
        found.next().map(|cause| (cause, false))
    }

    /// Whether two findings concern the same station or connection.
    fn same(&self, one: &Finding, other: &Finding) -> bool {
        let (first, second) = (self.station(one), self.station(other));
        let hosts = |finding: &Finding| ends(finding).into_iter().collect::<BTreeSet<_>>();
        (first.is_some() && first == second) || (!hosts(one).is_empty() && hosts(one) == hosts(other))
    }
}

/// The hosts of the connection that a finding is about; none if it is about a radio.
fn ends(finding: &Finding) -> Vec<IpAddr> {
    let parts = finding.subject.split(" to ").map(|end| end.parse::<SocketAddr>().map(|end| end.ip()));
    parts.collect::<Result<_, _>>().unwrap_or_default()
}
