//! The packet device between packetdrill and the stack: IPv4 packets with TCP segments, in and out.

use airloom_sim::Time;
use airloom_tcp::Segment;
use airloom_wire::{Ipv4Repr, Packet, Payload, Protocol, TcpFlags, TcpRepr, Transport};
use std::collections::VecDeque;
use std::net::SocketAddrV4;

/// The two ends of a connection, seen from this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) local: SocketAddrV4,
    pub(crate) remote: SocketAddrV4,
}

/// Packets on their way out, each with the time when it left.
#[derive(Default)]
pub(crate) struct Device {
    outgoing: VecDeque<(Time, Vec<u8>)>,
}

impl Device {
    /// Sends a segment. Its payload is zeros, as is what packetdrill writes.
    pub(crate) fn send(&mut self, now: Time, ends: Ends, segment: &Segment) {
        let packet = Packet {
            ip: Ipv4Repr {
                ecn: segment.ecn,
                dont_fragment: true,
                ..Ipv4Repr::new(*ends.local.ip(), *ends.remote.ip())
            },
            transport: Transport::Tcp(TcpRepr {
                src_port: ends.local.port(),
                dst_port: ends.remote.port(),
                ..segment.header
            }),
            payload: Payload::Zeros(segment.payload as usize),
        };
        let mut bytes = Vec::new();
        // A segment is never longer than IPv4 can carry.
        if packet.emit(usize::MAX, &mut bytes).is_ok() {
            self.outgoing.push_back((now, bytes));
        }
    }

    /// Answers a segment that belongs to no connection by a reset (RFC 9293 section 3.10.7.1; `tcp_v4_send_reset`).
    pub(crate) fn refuse(&mut self, now: Time, ends: Ends, segment: &Segment) {
        let (flags, header) = (segment.header.flags, &segment.header);
        if flags.contains(TcpFlags::RST) {
            return;
        }
        let reset = if flags.contains(TcpFlags::ACK) {
            TcpRepr { seq: header.ack, flags: TcpFlags::RST, ..TcpRepr::default() }
        } else {
            let ack = header.seq.wrapping_add(segment.sequence_length());
            TcpRepr { ack, flags: TcpFlags::RST | TcpFlags::ACK, ..TcpRepr::default() }
        };
        self.send(now, ends, &Segment { header: reset, ..Segment::default() });
    }

    /// The next packet that left, with the time when it did.
    pub(crate) fn take(&mut self) -> Option<(Time, Vec<u8>)> {
        self.outgoing.pop_front()
    }
}

/// The segment in a packet; none if it holds no TCP or is damaged, as a kernel drops it.
pub(crate) fn parse(bytes: &[u8]) -> Option<(Ends, Segment)> {
    let (ip, rest) = Ipv4Repr::parse(bytes).ok()?;
    let rest = rest.get(..usize::from(ip.payload_len))?;
    if ip.protocol != Protocol::TCP || !TcpRepr::checksum_ok(ip.src, ip.dst, rest) {
        return None;
    }
    let (header, payload) = TcpRepr::parse(rest).ok()?;
    let ends = Ends {
        local: SocketAddrV4::new(ip.dst, header.dst_port),
        remote: SocketAddrV4::new(ip.src, header.src_port),
    };
    let segment = Segment { header, payload: payload.len() as u32, ecn: ip.ecn, ..Segment::default() };
    Some((ends, segment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_observe::Ecn;

    fn ends() -> Ends {
        Ends {
            local: SocketAddrV4::new([192, 168, 0, 1].into(), 8080),
            remote: SocketAddrV4::new([192, 0, 2, 1].into(), 40000),
        }
    }

    #[test]
    fn what_is_sent_is_read_at_the_other_end() {
        let header = TcpRepr { seq: 7, ack: 9, flags: TcpFlags::ACK, window: 100, ..TcpRepr::default() };
        let segment = Segment { header, payload: 1000, ecn: Ecn::Ect0, ..Segment::default() };
        let mut device = Device::default();
        device.send(Time::from_nanos(5), ends(), &segment);
        let (at, bytes) = device.take().expect("a packet");
        assert_eq!((at, bytes.len()), (Time::from_nanos(5), 1040));
        let (other, read) = parse(&bytes).expect("a segment");
        assert_eq!((other.local, other.remote), (ends().remote, ends().local));
        assert_eq!((read.header.seq, read.payload, read.ecn), (7, 1000, Ecn::Ect0));
        let mut damaged = bytes;
        damaged[30] ^= 1;
        assert_eq!(parse(&damaged), None);
    }

    #[test]
    fn a_stray_segment_is_reset_at_the_number_it_acknowledges() {
        let mut device = Device::default();
        let header = TcpRepr { seq: 7, ack: 9, flags: TcpFlags::ACK, ..TcpRepr::default() };
        device.refuse(Time::ZERO, ends(), &Segment { header, ..Segment::default() });
        let (_, bytes) = device.take().expect("a reset");
        let (_, reset) = parse(&bytes).expect("a segment");
        assert_eq!((reset.header.seq, reset.header.flags), (9, TcpFlags::RST));
        let syn = Segment {
            header: TcpRepr { seq: 7, flags: TcpFlags::SYN, ..TcpRepr::default() },
            ..Segment::default()
        };
        device.refuse(Time::ZERO, ends(), &syn);
        let (_, bytes) = device.take().expect("a reset");
        let (_, reset) = parse(&bytes).expect("a segment");
        assert_eq!((reset.header.ack, reset.header.flags), (8, TcpFlags::RST | TcpFlags::ACK));
        device.refuse(Time::ZERO, ends(), &reset);
        assert_eq!(device.take(), None, "no reset answers a reset");
    }
}
