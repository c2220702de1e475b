//! What a run leaves in numbers: one-second series and a summary, both folds over the observations.

mod bus;
mod datagrams;
mod flow;
mod flows;
mod mean;
mod node;
mod scans;
mod series;
mod summary;

pub use series::{Metric, Row, Series};

use crate::scenario::Scenario;
use crate::world::FlowEnd;
use airloom_observe::{Fate, FrameKind, Observation, Ppdu, Probe, QueueEvent};
use airloom_sim::{Duration, Time};
use flow::FlowMeter;
use node::NodeMeter;
pub(crate) use node::{FRAME_NAMES, frame_index};
use scans::ScanLog;
use std::ops::RangeInclusive;

/// Length of a bin of the series.
const BIN: Duration = Duration::from_secs(1);

/// Folds observations into series and summary.
pub struct Recorder {
    until: Time,
    bin_start: Time,
    bin_end: Time,
    flows: Vec<FlowMeter>,
    nodes: Vec<NodeMeter>,
    /// The numbers of the nodes that are stations.
    stations: RangeInclusive<u16>,
    scans: ScanLog,
    series: Series,
    /// Air time lost to overlapping transmissions, and until when the last of them lasts.
    collided: Duration,
    collided_until: Time,
}

impl Recorder {
    /// Nothing seen yet. Entities of the series are the scenario's nodes (access point, stations, servers) and then its
    /// flows.
    pub fn new(scenario: &Scenario) -> Self {
        let nodes = names(scenario);
        let flows: Vec<_> = scenario.flow.iter().map(|f| f.name.clone()).collect();
        let until = Time::ZERO + scenario.duration;
        Self {
            until,
            bin_start: Time::ZERO,
            bin_end: (Time::ZERO + BIN).min(until),
            flows: scenario.flow.iter().map(|flow| FlowMeter::new(&flow.kind)).collect(),
            nodes: nodes.iter().map(|_| NodeMeter::default()).collect(),
            stations: 1..=scenario.station.len() as u16,
            scans: ScanLog::default(),
            series: Series::new(nodes.into_iter().chain(flows).collect()),
            collided: Duration::ZERO,
            collided_until: Time::ZERO,
        }
    }

    /// The run is over: closes the last bin and gives the series and the summary as JSON.
    pub fn finish(mut self, scenario: &Scenario, ends: &[FlowEnd]) -> (Series, serde_json::Value) {
        while self.bin_start < self.until {
            self.close_bin();
        }
        let summary = summary::summary(&self, scenario, ends);
        (self.series, summary)
    }

    #[cold]
    fn close_bin(&mut self) {
        let (start, end) = (self.bin_start, self.bin_end);
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.close_bin(start, end, i as u16, &mut self.series);
        }
        for (i, flow) in self.flows.iter_mut().enumerate() {
            flow.close_bin(start, end, (self.nodes.len() + i) as u16, &mut self.series);
        }
        self.bin_start = end;
        self.bin_end = (end + BIN).min(self.until);
    }

    fn ppdu(&mut self, ppdu: &Ppdu) {
        let end = ppdu.end.min(self.until);
        let start = ppdu.start.min(end);
        if ppdu.fate == Fate::Collided {
            // Overlapping frames take the air once.
            self.collided += end.since(start.max(self.collided_until));
            self.collided_until = self.collided_until.max(end);
        }
        self.nodes[usize::from(ppdu.from.0)].ppdu(ppdu, end - start);
        let ends = [Some(ppdu.from), ppdu.to];
        if ppdu.fate != Fate::Collided
            && let Some(station) = ends.into_iter().flatten().find(|end| self.stations.contains(&end.0))
        {
            self.nodes[usize::from(station.0)].exchanged += end - start;
        }
        if let (FrameKind::Ampdu, Some(to)) = (ppdu.kind, ppdu.to) {
            self.nodes[usize::from(to.0)].received_rate.add(ppdu.rate.rate().as_mbps_f64());
        }
    }
}

impl Probe for Recorder {
    const DETAIL: bool = false;

    // Where an observation is made it is known which one it is: inlined, the match below costs nothing.
    #[inline(always)]
    fn see(&mut self, now: Time, seen: Observation) {
        while now >= self.bin_end && self.bin_start < self.until {
            self.close_bin();
        }
        match seen {
            Observation::Ppdu(ppdu) => self.ppdu(&ppdu),
            Observation::MpduLost { node, cause, .. } => self.nodes[usize::from(node.0)].mpdu_lost(cause),
            Observation::Queue(event) => {
                let (QueueEvent::In { queue, .. }
                | QueueEvent::Out { queue, .. }
                | QueueEvent::Drop { queue, .. }
                | QueueEvent::Mark { queue }) = event;
                self.nodes[usize::from(queue.node.0)].queue(now, queue.layer, &event);
            }
            Observation::Window(window) => self.flows[usize::from(window.flow.0)].tcp().window(now, &window),
            Observation::Rtt { flow, sample } => self.flows[usize::from(flow.0)].tcp().rtt(sample),
            Observation::Retransmission { flow } => self.flows[usize::from(flow.0)].tcp().retransmission(),
            Observation::Loss { flow, event } => self.flows[usize::from(flow.0)].tcp().loss(event),
            Observation::Delivered { flow, bytes } => self.flows[usize::from(flow.0)].delivered(bytes),
            Observation::Datagram { flow, event } => self.flows[usize::from(flow.0)].datagram(&event),
            Observation::Scan { node, event } => self.scans.event(now, node, event),
            Observation::Radio { node, place } => {
                self.scans.place(now, node, place);
                self.nodes[usize::from(node.0)].radio(now, place);
            }
            Observation::Bus(frame) => self.nodes[usize::from(frame.node.0)].bus(&frame),
            Observation::Hold(spell) => self.nodes[usize::from(spell.node.0)].hold(&spell),
            Observation::Mpdu(_)
            | Observation::LinkRate { .. }
            | Observation::Segment(_)
            | Observation::Packet { .. }
            | Observation::Indicated { .. } => {}
        }
    }
}

/// Names of the nodes in the order of their numbers.
fn names(scenario: &Scenario) -> Vec<String> {
    let ap = scenario.ap.iter().map(|a| a.name.clone());
    let stations = scenario.station.iter().map(|s| s.name.clone());
    let servers = scenario.server.iter().map(|s| s.name.clone());
    ap.chain(stations).chain(servers).collect()
}
