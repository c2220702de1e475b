//! Segments of TCP between two hosts, for tests.

use airloom_trace::{Identity, Packet, Segment, Transmission, Transport};
use airloom_wire::{Ecn, TcpFlags, TcpOptions, TcpRepr};
use std::net::{IpAddr, Ipv4Addr};

pub(crate) const HOSTS: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2))];

/// A segment of so many octets, from a port of the first host to the second, or back.
pub(crate) fn packet(from: usize, port: u16, flags: TcpFlags, seq: u32, ack: u32, payload: u32) -> Packet {
    let ports = [port, 443];
    let header = TcpRepr {
        src_port: ports[from],
        dst_port: ports[1 - from],
        seq,
        ack,
        flags,
        window: 60_000,
        urgent: 0,
        options: TcpOptions::default(),
    };
    Packet {
        src: HOSTS[from],
        dst: HOSTS[1 - from],
        dscp: 0,
        ecn: Ecn::NotEct,
        length: 40 + payload,
        identity: Identity::default(),
        transmission: Transmission::First,
        transport: Transport::Tcp(Segment { header, payload, options: 0, ends: false, fills: false }),
    }
}
