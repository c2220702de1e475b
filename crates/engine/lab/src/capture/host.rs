//! A capture as by tcpdump on one host: Ethernet frames at its network interface.

use super::packets::{Packets, Sent};
use crate::files::Sink;
use airloom_sim::{Handle, Time};
use airloom_wire::pcapng::{Interface, InterfaceId, Record, Writer};
use airloom_wire::{EtherType, EthernetRepr, LinkType};
use airloom_world::addresses::mac;
use std::io;

/// Bytes of an Ethernet header.
const HEADER: usize = 14;

/// The capture of one host.
pub(super) struct HostCapture {
    writer: Writer<Sink>,
    interface: InterfaceId,
    snap_length: u32,
    frame: Vec<u8>,
    /// Records written.
    recorded: u64,
}

impl HostCapture {
    pub(super) fn new(sink: Sink, host: &str, snap_length: u32) -> io::Result<Self> {
        let mut writer = Writer::new(sink, "airloom")?;
        let interface = writer.interface(&Interface {
            link: LinkType::ETHERNET,
            name: host,
            description: "network interface of a simulated host",
            snap_len: snap_length,
        })?;
        Ok(Self { writer, interface, snap_length, frame: Vec::new(), recorded: 0 })
    }

    /// A packet passes the interface.
    pub(super) fn packet(&mut self, now: Time, packet: Handle, packets: &Packets) -> io::Result<()> {
        let Some(&Sent { from, to, ref content }) = packets.get(packet) else { return Ok(()) };
        self.frame.clear();
        EthernetRepr { dst: mac(to), src: mac(from), ethertype: EtherType::IPV4 }.emit(&mut self.frame);
        let room = if self.snap_length == 0 { usize::MAX } else { self.snap_length as usize };
        let length = content.emit(room.saturating_sub(HEADER), &mut self.frame).map_err(io::Error::other)?;
        self.recorded += 1;
        self.writer.record(&Record {
            interface: self.interface,
            stamp_ns: now.as_nanos(),
            data: &self.frame,
            original_len: (HEADER + length) as u32,
            comment: None,
        })
    }

    /// Completes the file of a capture that ended at a time. Returns its number of records.
    pub(super) fn finish(mut self, end: Time) -> io::Result<u64> {
        self.writer.ended(self.interface, end.as_nanos())?;
        self.writer.finish().map(|_| self.recorded)
    }
}
