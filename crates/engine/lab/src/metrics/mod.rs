//! The measurements of a run: series and a summary, both folds over the observations.

mod air;
mod bus;
mod datagrams;
mod flow;
mod flows;
mod links;
mod mean;
mod node;
mod quantiles;
mod queue;
mod roams;
mod scans;
mod series;
#[cfg(not(target_family = "wasm"))]
mod series_log;
mod signal;
mod standstill;
mod still;
mod summary;
mod trends;

pub use series::{Keep, Metric, Series, SeriesRow};
#[cfg(not(target_family = "wasm"))]
pub(crate) use series_log::SeriesLog;

use crate::summary::Summary;
use air::{AirTime, Collided};
use airloom_observe::{
    DropCause, Fate, FlowId, FlowSeen, FrameKind, NodeId, Observation, Ppdu, Probe, QueueEvent, QueueLayer,
    RoamEvent,
};
use airloom_scenario::Scenario;
use airloom_sim::{Duration, IndexVec, Time};
use airloom_wifi::Channel;
use airloom_world::FlowEnd;
use flow::FlowMeter;
use links::Links;
use node::NodeMeter;
use roams::RoamLog;
use scans::ScanLog;
use series::Bin;
use trends::Trends;

/// Folds observations into series and summary. The rows of the series go to a keeper as each bin ends: one type of recorder, so that
/// the world is compiled for one.
pub struct Recorder<'k> {
    /// The width of a bin of the series.
    every: Duration,
    bin_start: Time,
    bin_end: Time,
    /// When the warm-up ends, while it lasts.
    warm: Option<Time>,
    /// When a bin ends or the warm-up does.
    next: Time,
    bin: Bin,
    kept: &'k mut dyn Keep,
    meters: Meters,
}

/// The meters.
struct Meters {
    /// From when on the summary measures.
    from: Time,
    until: Time,
    flows: IndexVec<FlowId, FlowMeter>,
    /// The access point at which the wires of servers end.
    with_wires: NodeId,
    nodes: IndexVec<NodeId, NodeMeter>,
    links: Links,
    scans: ScanLog,
    roams: RoamLog,
    channels: Vec<Channel>,
    /// By channel.
    air: Vec<AirTime>,
    /// By channel, where radios have places.
    collided: Vec<Collided>,
    /// By channel, where there are interferers: frames and what radios keep quiet for.
    taken: Vec<AirTime>,
    trends: Trends,
}

impl<'k> Recorder<'k> {
    /// A new recorder whose series goes to `kept`.
    pub fn new(scenario: &Scenario, kept: &'k mut dyn Keep) -> Self {
        let meters = Meters::new(scenario);
        let every = scenario.record.every;
        let bin_end = (Time::ZERO + every).min(meters.until);
        let warm = scenario.warm_up.map(|warm_up| Time::ZERO + warm_up).filter(|&at| at > Time::ZERO);
        let next = warm.map_or(bin_end, |at| at.min(bin_end));
        Self { every, bin_start: Time::ZERO, bin_end, warm, next, bin: Bin::default(), kept, meters }
    }

    /// Ends the run at the scenario's end, which may have come sooner than it began with: closes the last bin. Returns the
    /// summary without captures.
    pub fn finish(mut self, scenario: &Scenario, ends: &[FlowEnd]) -> Summary {
        self.meters.until = Time::ZERO + scenario.duration;
        self.bin_end = self.bin_end.min(self.meters.until);
        self.warm = self.warm.filter(|&at| at < self.meters.until);
        while self.bin_start < self.meters.until {
            self.turn();
        }
        self.meters.nodes.iter_mut().for_each(NodeMeter::end);
        self.meters.links.end();
        summary::summary(&self.meters, scenario, ends)
    }

    /// Ends what ends by now: the run has come so far, though nothing may have been observed since.
    #[inline(always)]
    pub(crate) fn reach(&mut self, now: Time) {
        while now >= self.next && self.bin_start < self.meters.until {
            self.turn();
        }
    }

    /// Ends the warm-up or a bin, whichever ends first.
    #[cold]
    fn turn(&mut self) {
        match self.warm.filter(|&at| at <= self.bin_end) {
            Some(at) => {
                self.meters.forget(at);
                self.warm = None;
            }
            None => self.close_bin(),
        }
        self.next = self.warm.map_or(self.bin_end, |at| at.min(self.bin_end));
    }

    fn close_bin(&mut self) {
        let (start, end) = (self.bin_start, self.bin_end);
        self.meters.close_bin(start, end, &mut self.bin);
        self.kept.keep(&mut self.bin.0);
        self.bin_start = end;
        self.bin_end = (end + self.every).min(self.meters.until);
    }
}

impl Meters {
    fn new(scenario: &Scenario) -> Self {
        let sharing = flows::sharing(scenario);
        Self {
            from: Time::ZERO,
            until: Time::ZERO + scenario.duration,
            with_wires: scenario.access_point_with_wires(),
            flows: scenario.flow.iter().map(|flow| FlowMeter::new(flow, sharing)).collect(),
            nodes: scenario
                .nodes()
                .zip(&scenario.channel_of())
                .map(|((_, role), channel)| NodeMeter::new(role, *channel))
                .collect(),
            links: Links::new(scenario),
            scans: ScanLog::default(),
            roams: RoamLog::new(scenario),
            channels: scenario.channels(),
            air: scenario.channels().iter().map(|_| AirTime::default()).collect(),
            collided: match scenario.place() {
                Some(_) => scenario.channels().iter().map(|_| Collided::default()).collect(),
                None => Vec::new(),
            },
            taken: match scenario.interferer.is_empty() {
                false => scenario.channels().iter().map(|_| AirTime::default()).collect(),
                true => Vec::new(),
            },
            trends: Trends::new(scenario),
        }
    }

    /// For how long the summary measures, in seconds.
    fn measured(&self) -> f64 {
        self.until.since(self.from).as_secs_f64()
    }

    /// The summary measures from `now` on; scans and holds, which have their times, are listed all.
    fn forget(&mut self, now: Time) {
        self.from = now;
        self.flows.iter_mut().for_each(|flow| flow.forget(now));
        self.nodes.iter_mut().for_each(|node| node.forget(now));
        self.links.forget();
        self.air.iter_mut().for_each(|air| *air = AirTime::default());
        self.collided.iter_mut().for_each(|collided| *collided = Collided::default());
        self.taken.iter_mut().for_each(|taken| *taken = AirTime::default());
    }

    fn close_bin(&mut self, start: Time, end: Time, bin: &mut Bin) {
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.close_bin(start, end, i as u16, bin);
        }
        self.links.close_bin(start, end, self.nodes.len(), bin);
        let first = self.nodes.len() + self.links.len();
        for (i, flow) in self.flows.iter_mut().enumerate() {
            flow.close_bin(start, end, (first + i) as u16, bin);
        }
        self.trends.bin(start, end, &bin.0);
    }

    /// A step of a station's way to another access point, on whose channel it is from the time that it leaves.
    #[cold]
    fn roam(&mut self, now: Time, station: NodeId, event: RoamEvent) {
        self.roams.event(now, station, event);
        if let RoamEvent::Left { to, .. } = event {
            let channel = self.nodes[to].channel;
            self.nodes[station].tune(channel);
        }
    }

    /// A radio is on another channel of this primary one, in MHz.
    #[cold]
    fn retuned(&mut self, node: NodeId, mhz: u32) {
        let there =
            |place: usize| self.channels.iter().position(|one| one.follows(&self.channels[place], mhz));
        let channel = self.nodes[node].channel.and_then(there);
        self.nodes[node].tune(channel);
    }

    /// An interferer keeps the radios quiet that have this primary channel, in MHz.
    #[cold]
    fn interferer(&mut self, mhz: u32, start: Time, end: Time) {
        let end = end.min(self.until);
        for (channel, taken) in self.channels.iter().zip(&mut self.taken) {
            if channel.primary_mhz == mhz {
                taken.frame(start.min(end), end);
            }
        }
    }

    /// A packet is dropped before a wire to a server: at the access point where it begins.
    #[cold]
    fn dropped_before_wire(&mut self, cause: DropCause) {
        self.nodes[self.with_wires].link.drops[cause.index()].add(1);
    }

    fn ppdu(&mut self, ppdu: &Ppdu) {
        let end = ppdu.end.min(self.until);
        let start = ppdu.start.min(end);
        let from = &mut self.nodes[ppdu.from];
        let mut channel = from.channel;
        if !self.links.is_empty() {
            channel = self.links.channel(ppdu);
            self.links.ppdu(ppdu, end - start);
        }
        if let Some(air) = channel.and_then(|channel| self.air.get_mut(channel)) {
            air.frame(start, end);
        }
        if let Some(taken) = channel.and_then(|channel| self.taken.get_mut(channel)) {
            taken.frame_cold(start, end);
        }
        if let Some(collided) = channel.and_then(|channel| self.collided.get_mut(channel)) {
            collided.ppdu(ppdu, (start, end));
            // Only radios that have places roam.
            if self.roams.watches && ppdu.kind.is_data() {
                self.roams.data(ppdu);
            }
        }
        from.ppdu(ppdu, end - start);
        for user in &ppdu.users {
            let mbps = ppdu.kind.is_data().then(|| user.rate.bit_rate().as_mbps_f64());
            if let Some(mbps) = mbps {
                self.nodes[ppdu.from].data(ppdu.kind, user, mbps);
            }
            let ends = [Some(ppdu.from), user.to];
            if user.fate != Fate::Collided
                && let Some(station) = ends.into_iter().flatten().find(|&end| self.nodes[end].is_station)
            {
                self.nodes[station].exchanged += end - start;
            }
            if let (FrameKind::Ampdu, Some(to), Some(mbps)) = (ppdu.kind, user.to, mbps) {
                self.nodes[to].received_rate.add(mbps);
            }
        }
    }
}

impl Probe for Recorder<'_> {
    const DETAIL: bool = false;

    // The variant is known where an observation is made: inlined, the match below costs nothing.
    #[inline(always)]
    fn see(&mut self, now: Time, seen: Observation) {
        self.reach(now);
        let meters = &mut self.meters;
        match seen {
            Observation::Ppdu(ppdu) => meters.ppdu(&ppdu),
            Observation::MpduLost { node, peer, cause } => {
                meters.nodes[node].mpdu_lost(cause);
                if meters.roams.watches {
                    meters.roams.lost(node, peer, cause);
                }
            }
            Observation::Queue(event) => {
                let (QueueEvent::In { queue, .. }
                | QueueEvent::Through { queue, .. }
                | QueueEvent::Out { queue, .. }
                | QueueEvent::Drop { queue, .. }
                | QueueEvent::Mark { queue }) = event;
                meters.nodes[queue.node].queue(now, queue.layer, &event);
                if let (QueueLayer::LinkTo, QueueEvent::Drop { cause, .. }) = (queue.layer, event) {
                    meters.dropped_before_wire(cause);
                }
            }
            Observation::Window(window) => meters.flows[window.flow].window(now, &window),
            Observation::InFlight { flow, segments } => meters.flows[flow].tcp().in_flight(now, segments),
            Observation::Rtt { flow, sample } => meters.flows[flow].tcp().rtt(sample),
            Observation::Retransmission { flow } => meters.flows[flow].tcp().retransmission(),
            Observation::Loss { flow, event } => meters.flows[flow].tcp().loss(event),
            Observation::Closed { flow } => meters.flows[flow].tcp().closed(now),
            Observation::Delivered { flow, bytes } => {
                meters.flows[flow].delivered(now, bytes);
                if meters.roams.watches {
                    meters.roams.delivered(now, flow);
                }
            }
            Observation::BehindHole { flow } => meters.flows[flow].still.behind_hole(),
            Observation::Datagram { flow, event } => meters.flows[flow].datagram(now, &event),
            Observation::Scan { node, event } => meters.scans.event(now, node, event),
            Observation::Roam { station, event } => meters.roam(now, station, event),
            Observation::Radio { node, place } => {
                meters.scans.place(now, node, place);
                meters.nodes[node].radio(now, place);
            }
            Observation::Signal { station, snr_db } => meters.nodes[station].signal.set(now, snr_db),
            Observation::Bus(frame) => meters.nodes[frame.node].bus(&frame),
            Observation::Hold(spell) => meters.nodes[spell.node].hold(&spell),
            Observation::Retuned { node, mhz } => meters.retuned(node, mhz),
            Observation::Interferer { mhz, start, end } => meters.interferer(mhz, start, end),
            Observation::Mpdu(_)
            | Observation::Joining(_)
            | Observation::Further { .. }
            | Observation::BlockAck(_)
            | Observation::LinkRate { .. }
            | Observation::Segment(_)
            | Observation::Acknowledgment { .. }
            | Observation::Path { .. }
            | Observation::Reordered { .. }
            | Observation::Packet { .. }
            | Observation::NoRoute { .. }
            | Observation::Indicated { .. }
            | Observation::Announced { .. } => {}
        }
    }

    fn flow(&mut self, now: Time, seen: &FlowSeen<'_>) {
        self.meters.flows.push(FlowMeter::of_connection(now));
        self.meters.roams.flow([seen.from, seen.to]);
        self.kept.entity(seen.name);
    }
}

/// Entities of the series: the scenario's nodes (access point, stations, servers), the links of those that have several at once, and then its
/// flows.
pub(crate) fn entities(scenario: &Scenario) -> Vec<String> {
    let links = scenario.node_links().into_iter().map(|link| link.name);
    names(scenario).into_iter().chain(links).chain(scenario.flow.iter().map(|f| f.name.clone())).collect()
}

/// Names of the nodes in the order of their numbers.
fn names(scenario: &Scenario) -> Vec<String> {
    scenario.nodes().map(|(_, role)| role.name().clone()).collect()
}
