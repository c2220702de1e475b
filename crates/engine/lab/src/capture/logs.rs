//! Tables beside the captures: `sockets.parquet`, `segments.parquet` and `transmissions.parquet`.

use super::Settings;
use super::segments::SegmentLog;
use super::sockets::SocketLog;
use super::transmissions::{self, TransmissionLog};
use crate::files::Files;
use airloom_observe::{FlowSeen, NodeId, Observation, Probe};
use airloom_scenario::Scenario;
use airloom_sim::{IndexVec, Time};
use std::io;

/// The probe that writes them.
pub(crate) struct Logs {
    window: (Time, Time),
    /// By node, whether it is a host; an access point is none.
    hosts: IndexVec<NodeId, bool>,
    sockets: SocketLog,
    segments: SegmentLog,
    transmissions: TransmissionLog,
    /// The first error.
    failed: Option<io::Error>,
}

impl Logs {
    /// Opens the tables.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub(crate) fn new(scenario: &Scenario, files: &mut dyn Files, settings: &Settings) -> io::Result<Self> {
        Ok(Self {
            window: settings.window,
            hosts: scenario.nodes().map(|(_, role)| role.host().is_some()).collect(),
            sockets: SocketLog::new(files.create("sockets.parquet")?, scenario)?,
            segments: SegmentLog::new(files.create("segments.parquet")?, scenario)?,
            transmissions: transmissions::log(files.create("transmissions.parquet")?, scenario)?,
            failed: None,
        })
    }

    /// Completes the tables.
    ///
    /// # Errors
    /// The first error of the disk, if there was one.
    pub(crate) fn finish(self) -> io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.sockets.finish()?;
        self.segments.finish()?;
        self.transmissions.finish()
    }

    fn record(&mut self, now: Time, seen: &Observation) -> io::Result<()> {
        let (from, until) = self.window;
        let inside = |t: Time| from <= t && t < until;
        match seen {
            Observation::Ppdu(ppdu) if ppdu.kind.is_data() && inside(ppdu.start) => {
                for user in ppdu.users {
                    self.transmissions.push((*ppdu, user))?;
                }
                Ok(())
            }
            Observation::Packet { node, sent, content, .. } if inside(now) && self.hosts[*node] => {
                self.segments.passed(now, *node, *sent, content)
            }
            Observation::Segment(segment) if inside(now) => self.segments.left_tcp(now, segment),
            Observation::Path { flow, delivered, model } => {
                self.sockets.path(*flow, *delivered, *model);
                Ok(())
            }
            Observation::Window(window) => {
                self.sockets.window(*window);
                if inside(now) { self.sockets.row(now, window.flow) } else { Ok(()) }
            }
            Observation::InFlight { flow, segments } => {
                self.sockets.in_flight(*flow, *segments);
                if inside(now) { self.sockets.row(now, *flow) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }
}

impl Probe for Logs {
    const DETAIL: bool = true;

    fn see(&mut self, now: Time, seen: Observation) {
        if self.failed.is_none() {
            self.failed = self.record(now, &seen).err();
        }
    }

    fn flow(&mut self, _: Time, seen: &FlowSeen<'_>) {
        self.sockets.flow(seen.name);
    }
}
