//! Changes of a running world: a station is carried elsewhere, scans now, has a remedy; a queue gets another discipline; an access point
//! loses its power.
//!
//! A change is an input like a packet that is put in: it comes at an instant, and the same changes at the same instants give
//! the same run.

use super::build;
use super::{Node, World};
use airloom_observe::{DropCause, NodeId, Observation, Probe, QueueEvent, QueueId, QueueLayer};
use airloom_queue::Discipline;
use airloom_scenario::{Adapter, Point, Role, Scenario, Signals, Station, Walk};
use airloom_sim::{Stream, Time};
use airloom_wifi::{Category, Edca, RateChoice};
use std::fmt;

/// Why a world cannot be changed so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeError {
    /// A station has no connection manager that scans.
    NeverScans(String),
    /// A station has no place from which to walk.
    NoPlace(String),
    /// Something differs that is fixed while the world runs.
    Fixed,
    /// From a queue for all receivers to one for each, or back: the driver works otherwise there.
    OtherDriver(String),
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverScans(name) => write!(f, "{name} has no `scan`, so that nothing scans there"),
            Self::NoPlace(name) => write!(
                f,
                "{name} has no place from which to walk: give all access points and stations of the scenario a `position`"
            ),
            Self::Fixed => f.write_str(
                "that is fixed while it runs; a station's distance, walls, snr, queue, remedy and fixed rate, an access point's queue, and \
                 the contention windows, TXOP limits, `tx_power` and `aql` of both can be changed",
            ),
            Self::OtherDriver(name) => write!(
                f,
                "the queue of {name} cannot be changed between \"mac80211\" and another while it runs: its driver works otherwise then"
            ),
        }
    }
}

impl std::error::Error for ChangeError {}

/// A radio as it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadioNow {
    /// How many packets wait above its driver.
    pub queued: u32,
    /// Whether it is on another channel.
    pub away: bool,
    /// Of a station: the mean signal-to-noise ratio to its access point, in dB.
    pub snr_db: Option<f64>,
    /// Of a station: the access point to which it sends.
    pub sends_to: Option<NodeId>,
    /// Where it is, if radios have places.
    pub place: Option<Point>,
    /// Whether it has no power.
    pub off: bool,
}

impl<P: Probe> World<P> {
    /// A station's connection manager asks for a scan now.
    ///
    /// # Errors
    /// If nothing scans at that node.
    pub fn scan_now(&mut self, scenario: &Scenario, station: NodeId) -> Result<(), ChangeError> {
        let scans = scenario.stations().any(|(id, one)| id == station && one.scan.is_some());
        if !scans {
            return Err(ChangeError::NeverScans(name_of(scenario, station).to_owned()));
        }
        let now = self.now;
        self.air.request_scan(now, station, &mut self.air_fx, &mut self.probe);
        self.settle(now);
        Ok(())
    }

    /// An access point has power from now on, or none: at the end of the exchange that is on the air.
    pub fn switch(&mut self, access_point: NodeId, on: bool) {
        let now = self.now;
        self.air.switch(now, access_point, on, &mut self.air_fx, &mut self.probe);
        self.settle(now);
    }

    /// Sends a station for a walk, now: what is left of its way is forgotten. The world must be one [with walks](Self::with_walks).
    ///
    /// # Errors
    /// If radios have no places.
    pub fn walk(&mut self, scenario: &Scenario, station: NodeId, walk: &Walk) -> Result<(), ChangeError> {
        if self.begin_walk(station, walk) {
            return Ok(());
        }
        Err(ChangeError::NoPlace(name_of(scenario, station).to_owned()))
    }

    /// Makes the scenario that it runs another one, now. Packets in a queue whose discipline is replaced are dropped, as with
    /// `tc qdisc replace` (`qdisc_reset`, Linux net/sched/sch_generic.c); one whose numbers alone are others keeps them, as with
    /// `tc qdisc change`.
    ///
    /// # Errors
    /// If they differ in what is fixed; then nothing was changed.
    pub fn change(&mut self, before: &Scenario, after: &Scenario) -> Result<(), ChangeError> {
        let contending = possible(before, after)?;
        let powers = self.other_powers(before, after)?;
        let now = self.now;
        let signals = [before, after].map(Scenario::signals);
        for ((id, old), (_, new)) in before.stations().zip(after.stations()) {
            let ratios = |scenario: &Scenario, signals: &Signals<'_>, station: &Station| {
                (signals.snr(station), station.up_db(scenario.access_point_of(station).1))
            };
            let [from, to] = [ratios(before, &signals[0], old), ratios(after, &signals[1], new)];
            if from != to {
                self.air.set_signal([id, after.access_point_of(new).0], to);
                self.probe.see(now, Observation::Signal { station: id, snr_db: to.0 });
            }
            let name = &new.name;
            if let (Some(old), Some(new)) = (&old.scan, &new.scan)
                && old.remedy != new.remedy
            {
                self.air.set_remedy(id, build::remedy(&new.remedy, name, after.seed));
            }
            if let (RateChoice::Fixed(old), &RateChoice::Fixed(new)) = (&old.rate, &new.rate)
                && *old != new
            {
                self.air.set_rate(now, id, new, &mut self.air_fx, &mut self.probe);
            }
        }
        for (node, ap, edca) in contending {
            self.air.set_edca(node, ap, &edca);
        }
        for (node, dbm) in powers {
            self.sends_with(now, node, dbm);
        }
        for ((id, old), (_, new)) in before.nodes().zip(after.nodes()) {
            if let (Some(old), Some(new)) = (discipline(old), discipline(new))
                && old != new
            {
                self.replace_queue(id, new, (after.seed, name_of(after, id)));
            }
            if let Some(limits) = new.adapter().and_then(|adapter| adapter.pulling.aql) {
                self.air.set_airtime_limits(id, limits);
            }
        }
        self.settle(now);
        Ok(())
    }

    /// The radios with places that send with another power, in dBm: without places, ratios say it all.
    fn other_powers(&self, before: &Scenario, after: &Scenario) -> Result<Vec<(NodeId, f64)>, ChangeError> {
        let power = |role: Role<'_>| role.adapter().map(|adapter| adapter.front_end.tx_power);
        let pairs = before.nodes().zip(after.nodes());
        let other: Vec<_> = pairs
            .filter_map(|((id, old), (_, new))| Some((id, power(old)?, power(new)?)))
            .filter(|&(_, old, new)| old.to_bits() != new.to_bits())
            .map(|(id, _, new)| (id, new))
            .collect();
        match &self.walking {
            None => Ok(Vec::new()),
            Some(_) if other.is_empty() || self.air.has_changing_reach() => Ok(other),
            Some(_) => Err(ChangeError::Fixed),
        }
    }

    /// Puts another discipline above the driver of a node, or its own with other numbers; a name and a seed name what it draws.
    fn replace_queue(&mut self, node: NodeId, discipline: &Discipline, (seed, name): (u64, &str)) {
        let now = self.now;
        let id = QueueId { node, layer: QueueLayer::Discipline };
        let Node::Radio(queues) = &mut self.nodes[usize::from(node.0)] else { return };
        let chance = |category: Category| {
            let purpose = format!("early drops of {} since {} ns", category.name(), now.as_nanos());
            Stream::new(seed, name, &purpose)
        };
        let purged = queues.replace(now, id, discipline, chance);
        for left in (0..purged.len()).rev() {
            let event = QueueEvent::Drop { queue: id, cause: DropCause::Replaced, packets: left as u32 };
            self.probe.see(now, Observation::Queue(event));
        }
        self.dropped.extend(purged);
        self.discard(node);
        self.air.set_backlog(node, false);
    }

    /// The radio of a node as it is now; none for a server.
    pub fn radio(&self, node: NodeId) -> Option<RadioNow> {
        let Some(Node::Radio(queues)) = self.nodes.get(usize::from(node.0)) else { return None };
        Some(RadioNow {
            queued: queues.len(),
            away: self.air.is_away(node) && !self.air.is_off(node),
            snr_db: self.air.mean_snr(node),
            sends_to: Some(self.bridge.next_hop(node, node)).filter(|&next| next != node),
            place: self.walking.as_ref().map(|it| it.place().position(node, self.now.since(Time::ZERO))),
            off: self.air.is_off(node),
        })
    }
}

/// How a node's radio contends: at an access point itself, or as a station that is there or may come there.
type Contending = (NodeId, NodeId, Edca);

/// Whether one scenario can become another while it runs; which radios contend otherwise then.
fn possible(before: &Scenario, after: &Scenario) -> Result<Vec<Contending>, ChangeError> {
    let mut reached = before.clone();
    // Where something has one of these values, that is compared below.
    reached.own.clone_from(&after.own);
    for (station, new) in reached.station.iter_mut().zip(&after.station) {
        // Of several links each has a ratio of its own.
        if station.further_links().is_empty() {
            (station.snr, station.distance, station.walls) = (new.snr, new.distance, new.walls);
            station.snr_up = new.snr_up;
        }
        station.host.queue = new.host.queue.clone();
        reach_adapter(&mut station.adapter, &new.adapter);
        if let (RateChoice::Fixed(old), RateChoice::Fixed(rate)) = (&station.rate, &new.rate)
            && old.aggregates() == rate.aggregates()
            && station.roam.is_none()
            && station.links.is_none()
        {
            station.rate = new.rate.clone();
        }
        if let (Some(scan), Some(new)) = (&mut station.scan, &new.scan) {
            scan.remedy = new.remedy.clone();
        }
    }
    for (ap, new) in reached.ap.iter_mut().zip(&after.ap) {
        ap.queue = new.queue.clone();
        (ap.edca, ap.wmm) = (new.edca.clone(), new.wmm.clone());
        reach_adapter(&mut ap.adapter, &new.adapter);
    }
    if reached != *after {
        return Err(ChangeError::Fixed);
    }
    for ((_, old), (_, new)) in before.nodes().zip(after.nodes()) {
        match (discipline(old), discipline(new)) {
            (Some(Discipline::Mac80211(old)), Some(Discipline::Mac80211(new))) if old.holds_as(new) => {}
            (Some(Discipline::Mac80211(_)), Some(Discipline::Mac80211(_))) => return Err(ChangeError::Fixed),
            (Some(Discipline::Mac80211(_)), _) | (_, Some(Discipline::Mac80211(_))) => {
                return Err(ChangeError::OtherDriver(new.name().clone()));
            }
            _ => {}
        }
    }
    other_contention(before, after)
}

/// Which radios contend otherwise in another scenario.
fn other_contention(before: &Scenario, after: &Scenario) -> Result<Vec<Contending>, ChangeError> {
    let of = |scenario: &Scenario| {
        let aps =
            scenario.ap.iter().map(|ap| (ap.edca.clone(), ap.wmm.clone(), ap.adapter.best_effort.clone()));
        let stations = scenario.station.iter().map(|station| station.adapter.best_effort.clone());
        (aps.collect::<Vec<_>>(), stations.collect::<Vec<_>>())
    };
    if of(before) == of(after) {
        return Ok(Vec::new());
    }
    let pairs = contending(before).into_iter().zip(contending(after));
    let other: Vec<_> = pairs.filter(|((.., old), (.., new))| old != new).collect();
    match other.iter().all(|((.., old), (.., new))| begin_alike(old, new)) {
        true => Ok(other.into_iter().map(|(_, new)| new).collect()),
        false => Err(ChangeError::Fixed),
    }
}

/// Gives an adapter what another has of what can be changed.
fn reach_adapter(adapter: &mut Adapter, other: &Adapter) {
    (adapter.best_effort.cw_min, adapter.best_effort.cw_max) =
        (other.best_effort.cw_min, other.best_effort.cw_max);
    adapter.front_end.tx_power = other.front_end.tx_power;
    if let (Some(limits), Some(other)) = (&mut adapter.pulling.aql, other.pulling.aql) {
        *limits = other;
    }
}

/// How each radio contends.
fn contending(scenario: &Scenario) -> Vec<Contending> {
    let mut all = Vec::new();
    for (there, ap) in scenario.access_points() {
        let air = scenario.air_of(ap);
        all.push((there, there, build::edca_of_access_point(ap, &air)));
        let of_station =
            |(id, station): (NodeId, &Station)| (id, there, build::edca_of_station(station, ap, &air));
        let comes = |(_, station): &(NodeId, &Station)| {
            station.roam.is_some() || scenario.access_point_of(station).0 == there
        };
        all.extend(scenario.stations().filter(comes).map(of_station));
    }
    all
}

/// Whether by both ways to contend backoff begins as long after a frame.
fn begin_alike(one: &Edca, other: &Edca) -> bool {
    Category::ALL.iter().all(|&category| one[category].aifsn == other[category].aifsn)
}

/// The queue above a node's driver, if it has a radio.
fn discipline(role: Role<'_>) -> Option<&Discipline> {
    match role {
        Role::AccessPoint(ap) => Some(&ap.queue),
        Role::Station(station) => Some(&station.host.queue),
        Role::Server(_) => None,
    }
}

/// What a node is called.
fn name_of(scenario: &Scenario, node: NodeId) -> &str {
    scenario.nodes().find(|(id, _)| *id == node).map_or("", |(_, role)| role.name())
}
