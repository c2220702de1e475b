//! Which finding comes first, and which stands below another: a cause once, and below it what follows from it.

use crate::evidence::Evidence;
use crate::finding::{Cost, Finding, Placed};
use crate::flow::{Flow, flows};
use crate::foreign;
use crate::rule::Rule;
use crate::whose::Whose;
use airloom_trace::MacAddr;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};

/// How the codes of rules begin that judge the captures, and of those about the air that all share.
const CAVEAT: &str = "W0";
const OF_ALL: &str = "W2";
/// The rule about one that makes all slow, the one that says that others wait for it, and those that say why it is slow itself.
const HOG: &str = "W202";
const WAIT: &str = "W201";
const ITS_REASONS: [&str; 2] = ["W104", "W105"];
/// What follows from what for the same station or connection. No rule follows from one below it in this list. W405 is not in it: where
/// the way has room and nothing is lost, none of these made the window flat, and a flat window leads to none of them.
const FOLLOWS: [(&str, &[&str]); 17] = [
    (CUT_OFF, &["W406", LOST]),
    (HOG, &["W301", "W302", "W303", LOST]),
    ("W101", &["W108", "W301", "W302", "W303", LOST]),
    ("W102", &["W301", "W303", LOST]),
    ("W103", &["W301", "W302", "W303", LOST]),
    ("W107", &["W302", "W303", LOST]),
    ("W106", &["W105", WAIT, "W301", "W302", "W303", "W406", LOST]),
    ("W403", &["W301", "W303", LOST]),
    ("W104", &["W301"]),
    ("W105", &["W301", "W302", "W303", "W406", LOST]),
    ("W108", &["W301", "W303", LOST]),
    ("W109", &["W301", "W303", LOST]),
    // What a bus does not take waits before it.
    ("W305", &["W301"]),
    (WAIT, &["W301", "W304", LOST]),
    ("W301", &["W303", LOST]),
    ("W302", &["W303", LOST]),
    ("W307", &[LOST]),
];
/// The rule that says that nothing comes back to a host: what its connections show in that time follows from it.
const CUT_OFF: &str = "W408";
/// How the subject of a finding begins that is about an access point which was gone: what its stations lost beside that follows from it.
const ACCESS_POINT: &str = "access point ";
/// Data that was sent so long before the last packet came was answered no more either, in seconds.
const BEFORE: f64 = 1.0;
/// What follows from something begins in its time, or so long behind it, in seconds: a queue has to empty, and a sender's timer to end.
const BEHIND: f64 = 5.0;
/// Clocks of captures that were put on one may be off by so much, in seconds.
const CLOCKS: f64 = 0.1;
/// The rule that says that something was lost, where nothing says why.
const LOST: &str = "W306";
/// The rules about limits of a flow that are not in the air, and the unit of costs that are air, not goodput.
const BEYOND_AIR: [&str; 4] = ["W401", "W402", "W403", "W405"];
const OF_AIR: &str = "% of the air";
/// What limits a connection with less than this part of the octets comes behind what concerns others: next to nobody waits for it.
const MATTERS: f64 = 0.02;
/// What waiting for the air makes, or makes longer, at any station of it.
const BESIDE_WAIT: [&str; 2] = ["W301", LOST];
/// The rule about a queue, and those about a link that is slower than it could be: the queue follows from these if most of its wait does, or if else it were no longer
/// than this, in ms.
const QUEUE: &str = "W301";
const SLOW: [&str; 3] = ["W104", "W105", "W108"];
const MOST: f64 = 0.5;
const LONG_MS: f64 = 40.0;
/// Of findings of one rule, those about hosts that are alike have at least this part of the greatest weight.
const ALIKE: f64 = 0.9;
/// Less than any two weights differ that matter.
const LESS: f64 = 1e-9;
/// The part of a cost that cannot be told, beside others.
const UNKNOWN: f64 = 0.3;

/// Puts doubts of the captures first, then what concerns the network of the captured hosts, and of that what costs the greatest part, whichever of its hosts were captured:
/// the first cause is the same in all captures that show it. What follows from a finding, and the reasons for it, come right behind it. Losses that another finding explains are
/// left out.
pub(crate) fn sorted(evidence: &Evidence, findings: Vec<(&Rule, Finding)>) -> Vec<Placed> {
    let stations = Stations::of(evidence);
    let known: Vec<_> = findings.into_iter().map(|one| (stations.about(one.0.code, &one.1), one)).collect();
    let weights: Vec<_> = known
        .iter()
        .map(|one| (weight_beside(&known, one), weight_among_alike(&known, &one.0, weight(&one.1.1))))
        .collect();
    let mut ranked: Vec<_> = known.into_iter().zip(weights).collect();
    ranked.sort_by(|((one, _), (own, alone)), ((other, _), (others, apart))| {
        // Those that are lifted above one and the same finding stand by their own weights.
        let by_weight = others.total_cmp(own).then(apart.total_cmp(alone));
        stations.rank(one).cmp(&stations.rank(other)).then(by_weight)
    });
    let (about, findings): (Vec<_>, Vec<_>) = ranked.into_iter().map(|(one, _)| one).unzip();
    let above: Vec<_> = about.iter().map(|one| one.above(&about)).collect();
    let mut order = Vec::new();
    let roots = (0..findings.len()).filter(|&place| above[place].is_none());
    roots.for_each(|root| descend(root, &above, &mut order));
    order.retain(|&place| about[place].code != LOST || above[place].is_none());
    let costs = bounded(&about, &above, &order);
    let whose = |place: usize| stations.whose(&about, &above, place);
    let new_place = |old: usize| order.iter().position(|&place| place == old);
    let placed = order.iter().map(|&place| Placed {
        code: findings[place].0.code,
        name: findings[place].0.name,
        means: findings[place].0.means,
        below: above[place].and_then(|(cause, _)| new_place(cause)),
        is_reason: above[place].is_some_and(|(_, is_reason)| is_reason),
        finding: Finding {
            cost: costs[place],
            remedy: whose(place).advice(&findings[place].1.remedy),
            ..findings[place].1.clone()
        },
        refuted_by: findings[place].0.refuted_by,
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

/// What each finding costs: what follows from another one no more than that, unless others lose by it. The order has causes first.
fn bounded(about: &[About], above: &[Option<(usize, bool)>], order: &[usize]) -> Vec<Cost> {
    let mut costs: Vec<Cost> = about.iter().map(|one| one.cost).collect();
    for &place in order {
        let Some((cause, false)) = above[place] else { continue };
        let of_others =
            about[place].code == HOG || (about[cause].code == HOG && about[cause].is_like(&about[place]));
        if !of_others {
            costs[place] = costs[place].within(&costs[cause]);
        }
    }
    costs
}

/// The weight of a finding beside others: what keeps stations waiting for the air comes before their queues and losses, but for those of a station whose own link is slow; what only takes air comes behind what limits the same flow beyond the air, however much air it is.
fn weight_beside(
    all: &[(About, (&Rule, Finding))],
    (about, (_, finding)): &(About, (&Rule, Finding)),
) -> f64 {
    let own = weight_among_alike(all, about, weight(finding));
    if about.code == WAIT {
        let is_slow = |one: &About| {
            all.iter().any(|(other, _)| SLOW.contains(&other.code) && other.station == one.station)
        };
        let beside = all.iter().filter(|(other, _)| {
            BESIDE_WAIT.contains(&other.code) && other.station.is_some() && !is_slow(other)
        });
        // A station whose own link is slow waits for the longer, and less by what others take than by that, unless the wait costs clearly more.
        let of_it = |other: &About| {
            ITS_REASONS.contains(&other.code) && other.station.is_some() && other.station == about.station
        };
        let slow = all.iter().filter(|(other, _)| of_it(other)).map(|(_, (_, other))| weight(other));
        let slow = slow.fold(0.0, f64::max);
        let own = if slow >= ALIKE * own { own.min(slow - LESS) } else { own };
        return beside.map(|(_, (_, other))| weight(other) + LESS).fold(own, f64::max);
    }
    if finding.cost.unit != OF_AIR {
        return own;
    }
    let limits = all.iter().filter(|(other, _)| BEYOND_AIR.contains(&other.code) && other.is_like(about));
    limits.map(|(_, (_, limit))| weight(limit) - LESS).fold(own, f64::min)
}

/// The weight of a finding about a captured host, beside those of the same rule that cost hardly more: of hosts that are alike it is chance which of them loses most.
fn weight_among_alike(all: &[(About, (&Rule, Finding))], about: &About, own: f64) -> f64 {
    if !about.is_own {
        return own;
    }
    let others = all.iter().filter(|(other, _)| other.code == about.code && !other.is_own);
    let alike = others.map(|(_, (_, other))| weight(other)).filter(|other| ALIKE * other <= own);
    alike.fold(own, |most, other| most.max(other + LESS))
}

/// The part that a finding costs, and how sure it is where that is the same.
pub(crate) fn weight(finding: &Finding) -> f64 {
    let part = if finding.cost.unknown.is_some() { UNKNOWN } else { finding.cost.share };
    part + 1e-6 * finding.confidence
}

/// The stations of the captures.
struct Stations {
    /// Those whose hosts were captured.
    own: BTreeSet<MacAddr>,
    /// Those of other networks than these.
    strangers: BTreeSet<MacAddr>,
    /// All, each with its address as findings name it.
    all: Vec<(String, MacAddr)>,
    /// The connections that carry less than a part of all octets, either way, as findings name them.
    small: BTreeSet<String>,
    /// Those whose addresses of the Internet Protocol are known, by network.
    by_address: BTreeMap<(usize, IpAddr), MacAddr>,
    /// The network of each capture, and those whose air was captured.
    networks: Vec<usize>,
    /// See `networks`.
    heard: BTreeSet<usize>,
    /// The access point of each.
    homes: BTreeMap<MacAddr, MacAddr>,
    /// The networks of these in words, and the names that several of them may share.
    called: BTreeMap<MacAddr, String>,
    /// See `called`.
    ssids: BTreeMap<MacAddr, String>,
    /// The captures whose clocks are not known to be that of the reference, by their places.
    untimed: BTreeSet<usize>,
}

/// The flows that carry less than a part of all octets, as findings name them.
fn small(evidence: &Evidence) -> BTreeSet<String> {
    let flows = flows(evidence, 1);
    let whole: u64 = flows.iter().map(|flow| flow.data().octets).sum();
    let is_small = |flow: &&Flow<'_>| (flow.data().octets as f64) < MATTERS * whole as f64;
    flows.iter().filter(is_small).map(Flow::named).collect()
}

/// What a finding is about.
struct About {
    code: &'static str,
    /// The station; none if it is no single one that is known.
    station: Option<MacAddr>,
    /// Whether its host was captured.
    is_own: bool,
    /// Whether it is of another network than the captured hosts.
    is_strange: bool,
    /// Whether it is a limit of a connection that carries next to nothing of what the captures have.
    is_small: bool,
    /// The network of its capture: an address is one host's within it.
    network: usize,
    /// The hosts of the connection; none if it is a radio.
    hosts: BTreeSet<IpAddr>,
    /// The host to which nothing comes back; none in all other findings.
    cut_off: Option<IpAddr>,
    /// The access point that was gone; none in all other findings.
    gone: Option<MacAddr>,
    /// The access point of the station.
    home: Option<MacAddr>,
    /// When, in seconds.
    spans: Vec<[f64; 2]>,
    /// Whether that is by the reference's clock.
    is_timed: bool,
    /// What it cost.
    cost: Cost,
}

impl Stations {
    fn of(evidence: &Evidence) -> Self {
        let own = evidence.own();
        let radios = || evidence.airs().flat_map(|(_, air)| air.radios());
        let stations = radios().filter(|radio| !radio.is_ap);
        let all = stations.map(|radio| (radio.mac.to_string(), radio.mac)).collect();
        let homes = radios().filter_map(|radio| Some((radio.mac, radio.bssid?))).collect();
        let networks: Vec<usize> =
            (0..evidence.captures.len()).map(|place| evidence.network_of(place)).collect();
        let heard = evidence.airs().map(|(place, _)| networks[*place]).collect();
        let connections = evidence.connections.iter().enumerate();
        let ends = connections.flat_map(|(capture, all)| {
            all.iter().flat_map(move |one| one.ends.map(|end| (capture, end.ip())))
        });
        let by_address = ends
            .filter_map(|(capture, ip)| Some(((networks[capture], ip), evidence.station_of(capture, ip)?)))
            .collect();
        let untimed = (0..evidence.captures.len())
            .filter(|&place| place != evidence.reference() && evidence.joins[place].clock.is_none())
            .collect();
        let strangers = foreign::strangers(evidence, &own);
        let aps = || evidence.airs().flat_map(|(_, air)| air.radios().iter().map(move |radio| (air, radio)));
        let called = aps().map(|(air, radio)| (radio.mac, foreign::named(air, radio.mac))).collect();
        let ssids = radios().filter_map(|radio| Some((radio.mac, radio.ssid?.to_string()))).collect();
        let small = small(evidence);
        Self { own, strangers, all, small, by_address, networks, heard, homes, called, ssids, untimed }
    }

    /// For which reader the advice of a finding is: a device of another network than the captured hosts' is not the reader's; nor may be one by which stations of other networks lose, or what makes it slow,
    /// where no host was captured.
    fn whose(&self, about: &[About], above: &[Option<(usize, bool)>], place: usize) -> Whose {
        let called = |home: Option<MacAddr>| home.and_then(|home| self.called.get(&home)).cloned();
        let one = &about[place];
        // What a station waits for is no matter of its own.
        if one.code == WAIT {
            return Whose::Own;
        }
        if one.is_strange {
            return called(one.home).map_or(Whose::Own, Whose::Others);
        }
        let hog = match above[place] {
            Some((hog, true)) => hog,
            _ => place,
        };
        let loses = |(other, above): (&About, &Option<(usize, bool)>)| {
            other.code == WAIT && *above == Some((hog, false)) && !self.are_of_one(other.home, one.home)
        };
        let harms_others = about[hog].code == HOG && about.iter().zip(above).any(loses);
        match called(one.home).filter(|_| self.own.is_empty() && harms_others) {
            Some(network) => Whose::Unknown(network),
            None => Whose::Own,
        }
    }

    /// Whether two access points may be of one network: they are the same, or have one name.
    fn are_of_one(&self, one: Option<MacAddr>, other: Option<MacAddr>) -> bool {
        let name = |home: Option<MacAddr>| home.and_then(|home| self.ssids.get(&home));
        one.is_none() || other.is_none() || one == other || (name(one).is_some() && name(one) == name(other))
    }

    fn about(&self, code: &'static str, finding: &Finding) -> About {
        let ends = ends(finding);
        let named = self.all.iter().find(|(name, _)| finding.subject.contains(name)).map(|(_, mac)| *mac);
        let network = self.networks[finding.capture];
        let of_address = || ends.iter().find_map(|&ip| self.by_address.get(&(network, ip)).copied());
        // Where nothing can be read, a capture of one station has what concerns it.
        let is_heard = self.heard.contains(&network) && !ends.is_empty();
        let only = || (is_heard && self.own.len() == 1).then(|| self.own.first().copied()).flatten();
        let station = named.or_else(of_address).or_else(only);
        About {
            code,
            station,
            is_own: station.is_some_and(|mac| self.own.contains(&mac)),
            is_strange: station.is_some_and(|mac| self.strangers.contains(&mac)),
            is_small: BEYOND_AIR.contains(&code) && self.small.contains(&finding.subject),
            network,
            hosts: ends.into_iter().collect(),
            cut_off: finding.subject.strip_prefix("host ").and_then(|host| host.parse().ok()),
            gone: finding
                .subject
                .strip_prefix(ACCESS_POINT)
                .and_then(|mac| self.homes.values().find(|home| home.to_string() == mac).copied()),
            home: station.and_then(|mac| self.homes.get(&mac).copied()),
            spans: finding.spans.clone(),
            is_timed: !self.untimed.contains(&finding.capture),
            cost: finding.cost,
        }
    }

    /// The smaller, the earlier.
    fn rank(&self, about: &About) -> (bool, bool, bool) {
        let of_all = about.code.starts_with(OF_ALL) && about.code != WAIT;
        (!about.code.starts_with(CAVEAT), about.is_strange && !of_all, about.is_small)
    }
}

impl About {
    /// The finding below which this one stands, and whether it is a reason for that; none if it stands by itself.
    fn above(&self, all: &[Self]) -> Option<(usize, bool)> {
        let first = |fits: &dyn Fn(&Self) -> bool| all.iter().position(fits);
        if ITS_REASONS.contains(&self.code)
            && let Some(hog) = first(&|one| one.code == HOG && one.is_like(self))
        {
            return Some((hog, true));
        }
        if self.code == WAIT
            && let Some(hog) = first(&|one| one.code == HOG)
        {
            return Some((hog, false));
        }
        let causes = FOLLOWS.iter().filter(|(_, effects)| effects.contains(&self.code));
        let mut found = causes.filter_map(|(cause, _)| {
            first(&|one| {
                one.code == *cause
                    && one.is_like(self)
                    && self.is_in_time_of(one)
                    && !self.stands_without(one)
            })
        });
        found.next().map(|cause| (cause, false))
    }

    /// Whether a queue would stand without a cause, too: a link that were faster would empty it sooner by as much, and that is too little.
    fn stands_without(&self, cause: &Self) -> bool {
        let rest = 1.0 - cause.cost.share;
        self.code == QUEUE && SLOW.contains(&cause.code) && rest > MOST && rest * self.cost.value >= LONG_MS
    }

    /// Whether some of it is of the time of a cause, or begins right behind that, or behind an outage as late as a sender's timer may end; and where their times do not tell.
    fn is_in_time_of(&self, cause: &Self) -> bool {
        let is_in = |own: &[f64; 2]| {
            cause.spans.iter().any(|[from, to]| own[0] <= to + BEHIND && *from <= own[1] + CLOCKS)
        };
        !(self.is_timed && cause.is_timed)
            || self.spans.is_empty()
            || cause.spans.is_empty()
            || cause.gone.is_some()
            || self.spans.iter().any(is_in)
    }

    /// Whether two findings concern the same station or connection.
    fn is_like(&self, other: &Self) -> bool {
        (self.station.is_some() && self.station == other.station)
            || (!self.hosts.is_empty() && self.hosts == other.hosts && self.network == other.network)
            || other.is_of_silence(self)
            || other.is_of_outage(self)
    }

    /// Whether most of what a connection lost was sent again beside an outage of its access point: in it, or before the timer of a sender that had waited for all of it (RFC 6298
    /// section 5.5 doubles its wait each time).
    fn is_of_outage(&self, outage: &Self) -> bool {
        let is_beside = |span: &&[f64; 2]| {
            outage
                .spans
                .iter()
                .any(|[from, to]| from - BEFORE <= span[0] && span[0] <= 2.0 * to - from + BEFORE)
        };
        self.code == LOST
            && outage.gone.is_some()
            && outage.gone == self.home
            && 2 * self.spans.iter().filter(is_beside).count() > self.spans.len()
    }

    /// Whether a finding about a connection is of the time in which nothing comes back to one of its hosts, which the other one says.
    fn is_of_silence(&self, other: &Self) -> bool {
        let is_in = |span: &[f64; 2]| {
            other.spans.iter().any(|[from, to]| *from - BEFORE <= span[0] && span[0] <= *to)
        };
        self.network == other.network
            && other.cut_off.is_some_and(|host| self.hosts.contains(&host))
            && !self.spans.is_empty()
            && self.spans.iter().all(is_in)
    }
}

/// The hosts of the connection, or the two hosts, that a finding is about, the sender first; none if it is about a radio.
pub(crate) fn ends(finding: &Finding) -> Vec<IpAddr> {
    let host = |end: &str| end.parse::<SocketAddr>().map(|end| end.ip()).or_else(|_| end.parse());
    let parts = finding.subject.split(" to ").map(host);
    parts.collect::<Result<_, _>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(code: &'static str, number: u8) -> About {
        About {
            code,
            station: Some(MacAddr([2, 0, 0, 0, 0, number])),
            is_own: false,
            is_strange: false,
            is_small: false,
            network: 0,
            hosts: BTreeSet::new(),
            cut_off: None,
            gone: None,
            home: None,
            spans: Vec::new(),
            is_timed: true,
            cost: Cost::NOTHING,
        }
    }

    #[test]
    fn what_ended_before_a_cause_began_does_not_follow_from_it() {
        let scan = || About { spans: vec![[8.0, 18.8]], ..about("W101", 1) };
        let queue = |spans: &[[f64; 2]]| About { spans: spans.to_vec(), ..about("W301", 1) };
        let above = |spans: &[[f64; 2]]| queue(spans).above(&[scan(), queue(spans)]);
        assert_eq!(above(&[[2.0, 3.0], [4.0, 7.02]]), None);
        assert_eq!(above(&[[30.0, 33.0]]), None, "long behind it");
        assert_eq!(above(&[[2.0, 3.0], [9.0, 9.0]]), Some((0, false)), "some of it");
        assert_eq!(above(&[[20.0, 21.0]]), Some((0, false)), "right behind it");
        let far = About { is_timed: false, ..queue(&[[2.0, 3.0]]) };
        assert_eq!(far.above(&[scan()]), Some((0, false)), "by a clock that is not known");
    }

    #[test]
    fn hosts_of_two_networks_may_have_one_address() {
        let hosts: BTreeSet<IpAddr> = [IpAddr::from([10, 0, 0, 2]), IpAddr::from([10, 0, 0, 3])].into();
        let of = |code, network| About { station: None, network, hosts: hosts.clone(), ..about(code, 0) };
        assert_eq!(of("W301", 1).above(&[of("W108", 1)]), Some((0, false)), "of one network");
        assert_eq!(of("W301", 1).above(&[of("W108", 0)]), None);
        let cut_off = |network| About { cut_off: hosts.first().copied(), ..of(CUT_OFF, network) };
        let dead = About { spans: vec![[3.0, 4.0]], ..of("W406", 1) };
        let during = |one: About| About { spans: vec![[2.0, 9.0]], hosts: BTreeSet::new(), ..one };
        assert_eq!(dead.above(&[during(cut_off(1))]), Some((0, false)));
        assert_eq!(dead.above(&[during(cut_off(0))]), None);
    }

    #[test]
    fn what_is_lost_beside_an_outage_follows_from_it() {
        let ap = MacAddr([2, 0, 0, 0, 0, 8]);
        let outage = About { gone: Some(ap), station: None, spans: vec![[5.0, 8.0]], ..about("W103", 0) };
        let lost = |at: &[f64], home: u8| About {
            spans: at.iter().map(|&at| [at, at]).collect(),
            home: Some(MacAddr([2, 0, 0, 0, 0, home])),
            ..about(LOST, 1)
        };
        let above = |lost: About| lost.above(std::slice::from_ref(&outage));
        assert_eq!(above(lost(&[3.0, 6.0, 10.5], 8)), Some((0, false)));
        assert_eq!(above(lost(&[3.0, 6.0, 12.5], 8)), None, "most of it is lost else");
        assert_eq!(above(lost(&[6.0, 10.5], 9)), None, "of another access point");
    }

    fn costs(cost: Cost) -> Finding {
        Finding {
            subject: String::new(),
            spans: Vec::new(),
            value: 1.0,
            threshold: 1.0,
            unit: "",
            confidence: 0.9,
            cost,
            capture: 0,
            frames: Vec::new(),
            filter: String::new(),
            says: String::new(),
            remedy: String::new(),
        }
    }

    #[test]
    fn a_queue_follows_from_a_weak_signal_only_if_most_of_it_would_go() {
        let cause = |share: f64| About { cost: Cost { share, ..Cost::NOTHING }, ..about("W105", 1) };
        let queue = |ms: f64| About { cost: Cost::ms(ms, 0.8, "for every packet"), ..about("W301", 1) };
        let above = |share: f64, ms: f64| queue(ms).above(&[cause(share), queue(ms)]);
        assert_eq!([above(0.16, 118.0), above(0.7, 118.0)], [None, Some((0, false))]);
        assert_eq!(above(0.2, 45.0), Some((0, false)));
    }

    #[test]
    fn what_waits_for_beacons_is_no_queue_beside_it() {
        let hosts = |subject: &str| {
            let finding = Finding { subject: subject.to_owned(), ..costs(Cost::NOTHING) };
            ends(&finding).into_iter().collect::<BTreeSet<_>>()
        };
        let of = |code, subject| About { station: None, hosts: hosts(subject), ..about(code, 1) };
        let all = [of("W109", "10.0.0.2 to 10.0.0.1"), of("W301", "10.0.0.2:40000 to 10.0.0.1:5001")];
        assert_eq!(all[1].above(&all), Some((0, false)));
        assert_eq!(all[0].above(&all), None);
        assert_eq!(of("W301", "10.0.0.2:40000 to 10.0.0.3:5001").above(&all), None, "another host's");
    }

    #[test]
    fn a_queue_follows_from_the_bus_that_it_stands_before() {
        let all = [about("W301", 1), about("W305", 1)];
        assert_eq!(all[0].above(&all), Some((1, false)));
        assert_eq!(all[1].above(&all), None);
        assert_eq!(about("W301", 2).above(&all), None, "another station's");
    }

    #[test]
    fn a_connection_that_dies_and_slow_frames_follow_from_a_hidden_station() {
        let all = ["W406", "W105", "W302", "W106", LOST].map(|code| about(code, 1));
        let above = |place: usize| all[place].above(&all);
        assert_eq!(
            [0, 1, 2, 3, 4].map(above),
            [Some(3), Some(3), Some(3), None, Some(3)].map(|one| Some((one?, false)))
        );
        let [dead, hidden] = [about("W406", 1), about("W106", 2)];
        assert_eq!(about("W406", 1).above(&[dead, hidden]), None, "another station's");
    }

    #[test]
    fn waiting_for_a_slow_station_costs_no_more_than_that_station_takes() {
        let hog = About {
            cost: Cost { at_most: true, ..Cost::mbps(51.0, 44.0, "of the others together") },
            ..about(HOG, 2)
        };
        let wait =
            |number: u8| About { cost: Cost::mbps(109.0, 44.0, "of this station"), ..about(WAIT, number) };
        let all = [hog, wait(1), wait(2)];
        let found = bounded(&all, &[None, Some((0, false)), Some((0, false))], &[0, 1, 2]);
        assert_eq!(
            found.iter().map(|cost| cost.value).collect::<Vec<_>>(),
            [51.0, 51.0, 109.0],
            "its own wait is another one"
        );
        let reason = bounded(&all, &[None, Some((0, true)), None], &[0, 1, 2]);
        assert!((reason[1].value - 109.0).abs() < 1e-9, "a reason does not follow");
    }

    #[test]
    fn of_hosts_that_are_alike_the_captured_one_comes_first() {
        let rule = crate::rules::RULES[0];
        let wait = |number, share| (about(WAIT, number), (rule, costs(Cost::ms(9.0, share, "each time"))));
        let own = |number, share| {
            let (about, finding) = wait(number, share);
            (About { is_own: true, ..about }, finding)
        };
        let first = |all: [(About, (&'static Rule, Finding)); 2]| {
            let [one, other] = all.each_ref().map(|one| weight_beside(&all, one));
            u8::from(other > one)
        };
        assert_eq!(first([wait(1, 0.85), own(2, 0.80)]), 1);
        assert_eq!(first([wait(1, 0.85), own(2, 0.50)]), 0, "another one loses more");
    }

    #[test]
    fn why_a_station_is_slow_stands_below_what_it_costs_others() {
        let all = ["W105", HOG, WAIT].map(|code| about(code, 1));
        let above = |place: usize| all[place].above(&all);
        assert_eq!([0, 1, 2].map(above), [Some((1, true)), None, Some((1, false))]);
    }

    #[test]
    fn a_station_whose_own_link_is_slow_waits_less_by_what_others_take() {
        let rule = crate::rules::RULES[0];
        let wait =
            |mbps, number| (about(WAIT, number), (rule, costs(Cost::carried(mbps, 33.0, "of this station"))));
        let weak = (about("W105", 1), (rule, costs(Cost::carried(52.0, 33.0, "of this link"))));
        let order = |wait: (About, (&'static Rule, Finding))| {
            let all = [wait, (about("W105", 1), weak.1.clone())];
            let [wait, weak] = all.each_ref().map(|one| weight_beside(&all, one));
            wait < weak
        };
        assert!(order(wait(52.0, 1)), "as much by either");
        assert!(!order(wait(200.0, 1)), "others take far more");
        assert!(!order(wait(80.0, 2)), "another station");
    }

    #[test]
    fn what_keeps_stations_waiting_comes_before_the_queue_of_another() {
        let rule = crate::rules::RULES[0];
        let wait = (about(WAIT, 1), (rule, costs(Cost::mbps(40.0, 60.0, "of this station"))));
        let queue = (about("W301", 2), (rule, costs(Cost::ms(90.0, 0.8, "for every packet"))));
        let elsewhere = (about("W403", 2), (rule, costs(Cost::mbps(90.0, 10.0, "of this flow"))));
        let all = [queue, wait, elsewhere];
        let [queue, wait, elsewhere] = all.each_ref().map(|one| weight_beside(&all, one));
        assert!(queue < wait && wait < elsewhere, "{queue} {wait} {elsewhere}");
    }
}
