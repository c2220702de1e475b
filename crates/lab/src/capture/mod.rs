//! Captures: what a monitor station beside the access point and tcpdump on each host would have seen, and every change
//! of every sender's window.
//!
//! A probe like the metrics. Files are written while the run goes on; the first error of the disk is kept and ends the
//! captures, and is told when the run is over.

mod addresses;
mod air;
mod host;
mod sockets;

use crate::scenario::Scenario;
use addresses::{Addresses, Packets};
use air::AirCapture;
use airloom_observe::{Observation, Probe};
use airloom_sim::Time;
use host::HostCapture;
use sockets::SocketLog;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// What to keep of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of each packet; zero for all.
    pub snap_length: u32,
    /// From when, and until when.
    pub window: (Time, Time),
}

impl Default for Settings {
    /// Headers of everything.
    fn default() -> Self {
        Self { snap_length: 160, window: (Time::ZERO, Time::NEVER) }
    }
}

/// The probe that writes captures into a folder.
pub struct Capture {
    window: (Time, Time),
    packets: Packets,
    air: AirCapture,
    hosts: Vec<Option<HostCapture>>,
    sockets: SocketLog,
    /// The first error.
    failed: Option<io::Error>,
}

impl Capture {
    /// Opens `air.pcapng`, one capture for each host and `sockets.parquet` in `folder`.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn new(scenario: &Scenario, folder: &Path, settings: &Settings) -> io::Result<Self> {
        let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
        let addresses = Addresses::new(scenario);
        let hosts = scenario.station.iter().map(|s| &s.name).chain(scenario.server.iter().map(|s| &s.name));
        let mut captures = vec![None];
        for name in hosts {
            let sink = create(&format!("{name}.pcapng"))?;
            captures.push(Some(HostCapture::new(sink, name, settings.snap_length)?));
        }
        let air = AirCapture::new(create("air.pcapng")?, scenario, settings.snap_length)?;
        let flows = scenario.flow.iter().map(|f| f.name.as_str());
        Ok(Self {
            window: settings.window,
            packets: Packets::new(addresses, captures.len()),
            air,
            hosts: captures,
            sockets: SocketLog::new(create("sockets.parquet")?, flows)?,
            failed: None,
        })
    }

    /// Completes the files.
    ///
    /// # Errors
    /// The first error of the disk, if there was one.
    pub fn finish(self) -> io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.air.finish()?;
        self.hosts.into_iter().flatten().try_for_each(HostCapture::finish)?;
        self.sockets.finish()
    }

    fn record(&mut self, now: Time, seen: &Observation) -> io::Result<()> {
        let (from, until) = self.window;
        let inside = |t: Time| from <= t && t < until;
        match seen {
            Observation::Ppdu(ppdu) => self.air.ppdu(ppdu, inside(ppdu.start)),
            Observation::Mpdu(mpdu) => self.air.mpdu(mpdu, &self.packets),
            Observation::Indicated { station } => {
                self.air.indicate(*station);
                Ok(())
            }
            Observation::Packet { node, sent, packet, content } => {
                if *sent && content.from == *node {
                    self.packets.number(*packet, content);
                }
                match &mut self.hosts[usize::from(node.0)] {
                    Some(host) if inside(now) => host.packet(now, *packet, &self.packets),
                    _ => Ok(()),
                }
            }
            Observation::Window(window) if inside(now) => self.sockets.window(now, window),
            _ => Ok(()),
        }
    }
}

impl Probe for Capture {
    const DETAIL: bool = true;

    fn see(&mut self, now: Time, seen: Observation) {
        if self.failed.is_none() {
            self.failed = self.record(now, &seen).err();
        }
    }
}
