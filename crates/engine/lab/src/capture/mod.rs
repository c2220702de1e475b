//! Captures: what a monitor station beside the access point and tcpdump on each host would have seen. In tables beside them every
//! change of every sender's window and of what it has in flight, every segment as TCP sent it and as it passed the device, and every
//! PPDU with data as it was sent.
//!
//! A probe like the metrics. Files are written during the run; the first error of the disk ends the captures and is
//! reported at the end of the run.

mod air;
mod bss;
mod carrier;
mod fading;
mod heard;
mod host;
mod known;
mod links;
// A page in a browser keeps no tables.
#[cfg(not(target_family = "wasm"))]
mod logs;
mod monitor;
mod packets;
#[cfg(not(target_family = "wasm"))]
mod segments;
#[cfg(not(target_family = "wasm"))]
mod sockets;
#[cfg(not(target_family = "wasm"))]
mod transmissions;

use crate::files::Files;
use crate::summary::Captured;
use air::AirCapture;
use airloom_observe::{NodeId, Observation, OctetsSeen, Probe, RoamEvent, counted_by_class};
use airloom_scenario::{Format, Role, Scenario};
use airloom_sim::{Handle, IndexVec, Time};
use airloom_wire::RadiotapRepr;
use host::HostCapture;
#[cfg(not(target_family = "wasm"))]
pub(crate) use logs::Logs;
use monitor::Monitors;
use packets::Packets;
use std::io;

/// What to keep of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of each packet; zero for all.
    pub snap_length: u32,
    /// Beginning and end of the window.
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
    /// By node; an access point is no host.
    hosts: IndexVec<NodeId, Option<(String, HostCapture)>>,
    /// The first error.
    failed: Option<io::Error>,
}

/// Bytes that are kept of a frame on the air: where 802.11be is spoken more, by what its radiotap headers are longer.
fn on_the_air(scenario: &Scenario, snap_length: u32) -> u32 {
    let eht = scenario.ap.iter().any(|ap| scenario.air_of(ap).standard.format() >= Some(Format::Eht));
    match snap_length {
        0 => 0,
        some => some + if eht { RadiotapRepr::EHT_ITEMS_LEN } else { 0 },
    }
}

impl Capture {
    /// Opens `air.pcapng`, one capture for each monitor at a place, and one for each host.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub(crate) fn new(scenario: &Scenario, files: &mut dyn Files, settings: &Settings) -> io::Result<Self> {
        let air = files.create("air.pcapng")?;
        let of_air = on_the_air(scenario, settings.snap_length);
        let monitors = Monitors::new(scenario, files, of_air)?;
        let air = AirCapture::new(air, monitors, scenario, of_air)?;
        let mut host = |role: Role<'_>| {
            let Some(_) = role.host() else { return Ok(None) };
            let name = role.name();
            let sink = files.create(&format!("{name}.pcapng"))?;
            Ok(Some((name.clone(), HostCapture::new(sink, name, settings.snap_length)?)))
        };
        let hosts = scenario.nodes().map(|(_, role)| host(role)).collect::<io::Result<_>>()?;
        Ok(Self { window: settings.window, packets: Packets::default(), air, hosts, failed: None })
    }

    /// Completes the files of a run that ended at a time, and counts their records: by file, and by kind of frame in that of the air, as JSON.
    ///
    /// # Errors
    /// The first error of the disk, if there was one.
    pub(crate) fn finish(self, end: Time) -> io::Result<Captured> {
        let Self { window, air, hosts, failed, .. } = self;
        let end = window.1.min(end);
        if let Some(error) = failed {
            return Err(error);
        }
        let (air, monitors) = air.finish()?;
        let air = counted_by_class(air).collect();
        let hosts = hosts.into_iter().flatten();
        let hosts = hosts.map(|(name, host)| host.finish(end).map(|n| (name, n)));
        let hosts = hosts.collect::<io::Result<_>>()?;
        Ok(Captured { air, monitors, hosts })
    }

    /// A packet passes the interface of a node.
    fn passed(&mut self, now: Time, node: NodeId, packet: Handle) -> io::Result<()> {
        let (from, until) = self.window;
        match &mut self.hosts[node] {
            Some((_, host)) if from <= now && now < until => host.packet(now, packet, &self.packets),
            _ => Ok(()),
        }
    }

    fn record(&mut self, now: Time, seen: &Observation) -> io::Result<()> {
        match seen {
            Observation::Ppdu(ppdu) => {
                let (from, until) = self.window;
                self.air.ppdu(ppdu, from <= ppdu.start && ppdu.start < until)
            }
            Observation::Mpdu(mpdu) => self.air.mpdu(mpdu, &self.packets),
            Observation::Further { packet } => self.air.further(*packet, &self.packets),
            Observation::BlockAck(block_ack) => self.air.block_ack(block_ack),
            Observation::Signal { station, snr_db } => {
                self.air.signal(*station, *snr_db);
                Ok(())
            }
            Observation::Joining(frame) => {
                self.air.way(*frame);
                Ok(())
            }
            Observation::Roam { station, event: RoamEvent::Left { from, to } } => {
                self.air.left(*station, [*from, *to]);
                Ok(())
            }
            Observation::Announced { access_point, mhz, count } => {
                self.air.announce(*access_point, *mhz, *count);
                Ok(())
            }
            Observation::Retuned { node, mhz } => {
                self.air.retuned(*node, *mhz);
                Ok(())
            }
            Observation::Indicated { station } => {
                self.air.indicate(*station);
                Ok(())
            }
            Observation::Packet { node, sent, packet, content } => {
                // An access point shows what it passes on to a group.
                if *sent && (content.from == *node || self.hosts[*node].is_none()) {
                    self.packets.number(*packet, content);
                }
                self.passed(now, *node, *packet)
            }
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

    fn octets(&mut self, now: Time, seen: &OctetsSeen<'_>) {
        if self.failed.is_none() {
            self.packets.octets(seen);
            self.failed = self.passed(now, seen.node, seen.packet).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::Bundle;
    use crate::metrics::Recorder;
    use airloom_sim::Duration;
    use airloom_wire::ieee80211::Frame;
    use airloom_wire::{
        EchoKind, EchoRepr, EthernetRepr, Ipv4Repr, Packet, Payload, RadiotapRepr, Reader, SnapRepr,
        Transport,
    };
    use airloom_world::World;
    use airloom_world::addresses::ip;
    use std::fs;

    const CELL: &str = r#"
        title = "One cell"
        [air]
        standard = "802.11a"
        band = "5 GHz"
        width = "20 MHz"
        [[ap]]
        name = "ap"
        adapter = "dcf"
        [[station]]
        name = "sta"
        host = "linux-6.18"
        adapter = "dcf"
        snr = "40 dB"
        [[server]]
        name = "server"
        host = "linux-6.18"
        link = { rate = "1 Gbit/s", delay = "1 ms" }
    "#;

    /// The records of a capture, each as `payload` sees it.
    fn records(bytes: &[u8], payload: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut reader = Reader::new(bytes).unwrap();
        let mut records = Vec::new();
        while let Some(captured) = reader.next() {
            records.extend(payload(captured.unwrap().data));
        }
        records
    }

    #[test]
    fn a_packet_that_was_put_in_is_captured_byte_by_byte() {
        let scenario = airloom_scenario::load(CELL, "cell.toml", &[], None).unwrap();
        let out = std::env::temp_dir().join(format!("airloom-octets-{}", std::process::id()));
        let mut bundle = Bundle::begin(&out, true).unwrap();
        let settings = Settings { snap_length: 0, ..Settings::default() };
        let capture = Capture::new(&scenario, bundle.disk(), &settings).unwrap();
        let mut unkept = ();
        let mut world = World::new(&scenario, (Recorder::new(&scenario, &mut unkept), capture));
        let (sta, server) = (scenario.host("sta").0, scenario.host("server").0);
        let mut packet = Vec::new();
        let transport = Transport::Echo(EchoRepr { kind: EchoKind::Request, ident: 7, sequence: 1 });
        let ip = Ipv4Repr { ident: 4711, ..Ipv4Repr::new(ip(sta), ip(server)) };
        Packet { ip, transport, payload: Payload::Bytes(b"made elsewhere") }
            .emit(usize::MAX, &mut packet)
            .unwrap();
        world.put(sta, packet.clone()).unwrap();
        world.step(Time::ZERO + Duration::from_millis(10));
        assert_eq!(world.take().unwrap().packet, packet);
        let flows = world.flows();
        let (recorder, capture) = world.into_probe();
        let mut summary = recorder.finish(&scenario, &flows);
        summary.captured = Some(capture.finish(Time::ZERO + Duration::from_millis(10)).unwrap());
        bundle.finish(&scenario, None, Ok(summary)).unwrap();

        let read = |name: &str| fs::read(out.join(name)).unwrap();
        let ethernet = |data: &[u8]| Some(EthernetRepr::parse(data).unwrap().1.to_vec());
        for host in ["sta", "server"] {
            assert_eq!(records(&read(&format!("{host}.pcapng")), ethernet), [packet.clone()], "{host}");
        }
        let air = |data: &[u8]| {
            let (_, mpdu) = RadiotapRepr::parse(data).unwrap();
            match Frame::parse(&mpdu[..mpdu.len() - 4]).unwrap() {
                Frame::Data { body, .. } => Some(SnapRepr::parse(body).unwrap().1.to_vec()),
                _ => None,
            }
        };
        assert_eq!(records(&read("air.pcapng"), air), [packet]);
        fs::remove_dir_all(out).unwrap();
    }
}
