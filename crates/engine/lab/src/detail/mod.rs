//! The detail of a run: what every layer did, packet by packet, around the first and the worst absences, holds and recoveries.
//!
//! A probe beside the metrics. It remembers the last tenth of a second; when something begins that may be worth a window, it goes
//! on until a little after that has ended. A window that is kept has only what concerns its station or its flow, and all frames.

mod event;
mod memory;
mod table;
mod window;

use crate::files::Files;
use airloom_observe::{
    DatagramEvent, Direction, FlowId, FlowSeen, HoldSpell, LossEvent, NodeId, Observation, Probe, QueueEvent,
    QueueLayer, RadioPlace,
};
use airloom_scenario::{Flow, Role, Scenario};
use airloom_sim::{IndexVec, Time};
use event::{Event, Slots};
use memory::Memory;
use std::io;
use window::{Occasion, Phenomenon, Subject, Windows};

/// The probe.
pub(crate) struct Detail {
    on: bool,
    memory: Memory,
    windows: Windows,
    /// The congestion window of each flow that was last remembered.
    cwnd: IndexVec<FlowId, u32>,
    /// When each flow's recovery began, if one is under way.
    recovering: IndexVec<FlowId, Option<Time>>,
    /// When each station began to leave its channel, if it has not come home.
    leaving: IndexVec<NodeId, Option<Time>>,
    /// Depths of queues and bytes delivered, once a millisecond at most.
    slots: Slots,
    /// Which nodes are stations: an access point is no party to what concerns one.
    stations: IndexVec<NodeId, bool>,
}

impl Detail {
    /// A probe that has seen nothing, and will not if the scenario does not want it.
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let ends = |flow: &Flow| [&flow.from, &flow.to].map(|name| scenario.host(name).0);
        Self {
            on: scenario.record.detail,
            memory: Memory::default(),
            windows: Windows::new(scenario.flow.iter().map(ends).collect()),
            cwnd: scenario.flow.iter().map(|_| 0).collect(),
            recovering: scenario.flow.iter().map(|_| None).collect(),
            leaving: scenario.nodes().map(|_| None).collect(),
            slots: Slots::new(scenario.nodes().count(), scenario.flow.len()),
            stations: scenario.nodes().map(|(_, role)| matches!(role, Role::Station(_))).collect(),
        }
    }

    /// Writes the windows that were kept as `detail.parquet`; no file if the scenario wants none.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(crate) fn finish(mut self, scenario: &Scenario, files: &mut dyn Files) -> io::Result<()> {
        if !self.on {
            return Ok(());
        }
        let end = Time::ZERO + scenario.duration;
        self.settle();
        self.windows.close(end, &self.memory.events, true);
        table::write(files, scenario, self.windows.into_kept())
    }

    #[inline]
    fn remember(&mut self, event: Event) {
        if event.at >= self.windows.due {
            self.settle();
        }
        self.memory.push(event, &mut self.windows);
    }

    /// Remembers what is being gathered, before a window is closed.
    #[cold]
    fn settle(&mut self) {
        let last = self.memory.last();
        self.slots.flush(last, |event| self.memory.append(event));
    }

    fn begin(&mut self, kind: Occasion, subject: Subject, start: Time) {
        self.windows.open(kind, subject, start);
    }

    fn end(&mut self, kind: Occasion, subject: Subject, start: Time, end: Time) {
        self.windows.over(Phenomenon { kind, subject, start, end });
    }

    #[cold]
    fn radio(&mut self, now: Time, node: NodeId, place: RadioPlace) {
        let subject = Subject::Station(node);
        match place {
            RadioPlace::Leaving => {
                self.leaving[node] = Some(now);
                self.begin(Occasion::Absence, subject, now);
            }
            RadioPlace::Home => {
                if let Some(start) = self.leaving[node].take() {
                    self.end(Occasion::Absence, subject, start, now);
                }
            }
            RadioPlace::Away | RadioPlace::Returning => {}
        }
    }

    #[cold]
    fn loss(&mut self, now: Time, flow: FlowId, event: LossEvent) {
        let subject = Subject::Flow(flow);
        match event {
            LossEvent::RecoveryEntered | LossEvent::Timeout if self.recovering[flow].is_none() => {
                self.recovering[flow] = Some(now);
                self.begin(Occasion::Recovery, subject, now);
            }
            LossEvent::RecoveryLeft | LossEvent::Undone => {
                if let Some(start) = self.recovering[flow].take() {
                    self.end(Occasion::Recovery, subject, start, now);
                }
            }
            _ => {}
        }
    }

    #[cold]
    fn hold(&mut self, spell: &HoldSpell) {
        let subject = Subject::Station(spell.node);
        self.begin(Occasion::Hold, subject, spell.start);
        self.end(Occasion::Hold, subject, spell.start, spell.end);
    }

    #[cold]
    fn reordered(&mut self, now: Time, from: NodeId, to: NodeId, start: Time) {
        if now.since(start) >= window::LONG_HOLD {
            let subject = Subject::Station(if self.stations[from] { from } else { to });
            self.begin(Occasion::Reordering, subject, start);
            self.end(Occasion::Reordering, subject, start, now);
        }
    }

    #[inline(always)]
    fn depth(&mut self, now: Time, event: &QueueEvent) {
        let (QueueEvent::In { queue, packets }
        | QueueEvent::Out { queue, packets, .. }
        | QueueEvent::Drop { queue, packets, .. }) = *event
        else {
            return;
        };
        if matches!(queue.layer, QueueLayer::Discipline | QueueLayer::Driver)
            && let Some(event) = self.slots.depth(now, queue.node, queue.layer, packets)
        {
            self.remember(event);
        }
    }

    #[inline(always)]
    fn delivered(&mut self, now: Time, flow: FlowId, bytes: u64) {
        if let Some(event) = self.slots.delivered(now, flow, bytes) {
            self.remember(event);
        }
    }
}

impl Probe for Detail {
    const DETAIL: bool = false;
    const TRACE: bool = true;

    // The variant is known where an observation is made, as for the metrics.
    #[inline(always)]
    fn see(&mut self, now: Time, seen: Observation) {
        if !self.on {
            return;
        }
        match seen {
            Observation::Segment(sent) if sent.direction == Direction::Forward => {
                self.remember(Event::segment(now, &sent));
            }
            Observation::Acknowledgment { flow, ack } => self.remember(Event::acknowledgment(now, flow, ack)),
            Observation::Ppdu(ppdu) => {
                for user in &ppdu.users {
                    self.remember(Event::frame(now, &ppdu, user));
                }
            }
            Observation::BlockAck(block_ack) => self.remember(Event::block_ack(now, &block_ack)),
            Observation::Queue(event) => self.depth(now, &event),
            Observation::Window(window) if self.cwnd[window.flow] != window.cwnd => {
                self.cwnd[window.flow] = window.cwnd;
                self.remember(Event::window(now, window.flow, window.cwnd));
            }
            Observation::Delivered { flow, bytes } => self.delivered(now, flow, bytes),
            Observation::Datagram { flow, event: DatagramEvent::Arrived { payload, .. } } => {
                self.delivered(now, flow, u64::from(payload));
            }
            Observation::Radio { node, place } => self.radio(now, node, place),
            Observation::Loss { flow, event } => self.loss(now, flow, event),
            Observation::Hold(spell) => self.hold(&spell),
            Observation::Reordered { from, to, start } => self.reordered(now, from, to, start),
            _ => {}
        }
    }

    fn flow(&mut self, _: Time, seen: &FlowSeen<'_>) {
        self.cwnd.push(0);
        self.recovering.push(None);
        self.slots.flow();
        self.windows.flow([seen.from, seen.to]);
    }
}
