//! Whether two captures have the same records: copies of one file, in whatever container, under whatever name, cut or not.

use airloom_trace::{Record, Seen, Segment, Transport};
use std::net::IpAddr;

/// Stamps of a copy differ by less than this, in nanoseconds: pcap has microseconds, where pcapng may have nanoseconds.
const TICK: u64 = 1_000;

/// What is compared of a capture: its records in their order by what does not change as they are cut, and their stamps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeness {
    records: u64,
    says: u64,
    /// The first stamp and the last, and how far all are behind the first together, in nanoseconds.
    span_ns: (u64, u64),
    behind_ns: u128,
    /// Octets that were kept of them.
    captured: u64,
}

impl Likeness {
    /// No record yet.
    pub(crate) const NONE: Self = Self { records: 0, says: 0, span_ns: (0, 0), behind_ns: 0, captured: 0 };

    /// Takes a record.
    pub(crate) fn see(&mut self, record: &Record) {
        if self.records == 0 {
            self.span_ns.0 = record.stamp_ns;
        }
        self.records += 1;
        self.span_ns.1 = record.stamp_ns;
        self.captured += u64::from(record.captured);
        self.behind_ns += u128::from(record.stamp_ns.abs_diff(self.span_ns.0));
        self.says = [record.length.into(), says(&record.seen)].into_iter().fold(self.says, step);
    }

    /// Whether more is kept of its records than of those of another one.
    pub(crate) const fn has_more_than(&self, other: &Self) -> bool {
        self.captured > other.captured
    }

    /// Whether another one has the same records, each stamped within a microsecond.
    pub(crate) fn is_of(&self, other: &Self) -> bool {
        let near = |one: u64, other: u64| one.abs_diff(other) <= TICK;
        // The first stamp may be off by a tick, and each by another.
        let most = 2 * u128::from(TICK) * u128::from(self.records);
        self.records > 0
            && (self.records, self.says) == (other.records, other.says)
            && near(self.span_ns.0, other.span_ns.0)
            && near(self.span_ns.1, other.span_ns.1)
            && self.behind_ns.abs_diff(other.behind_ns) <= most
    }
}

/// What tells a record from others of its length, of its headers alone.
fn says(seen: &Seen) -> u64 {
    let two = |one: u32, other: u32| u64::from(one) << 32 | u64::from(other);
    match seen {
        Seen::Air(frame) => {
            let ends = [Some(frame.receiver), frame.transmitter].into_iter().flatten();
            let ends = ends.flat_map(|mac| mac.0).fold(0, |sum, octet| step(sum, octet.into()));
            let number = frame.sequence.map_or(0, |number| 1 << 16 | u32::from(number));
            step(ends, two(number, frame.retry.into()))
        }
        Seen::Host(packet) => {
            let number = packet.identity.number.map_or(packet.identity.label, u32::from);
            let ports = |from: u16, to: u16| u64::from(from) << 16 | u64::from(to);
            let (ports, numbers) = match &packet.transport {
                Transport::Tcp(Segment { header, .. }) => {
                    (ports(header.src_port, header.dst_port), two(header.seq, header.ack))
                }
                Transport::Udp { ports: (from, to), .. } => (ports(*from, *to), 0),
                _ => (0, 0),
            };
            // A router takes a hop, and one that translates addresses writes others, within a microsecond of a packet.
            let ends = [packet.src, packet.dst].into_iter().fold(packet.identity.hops.into(), end);
            [ports, numbers, number.into()].into_iter().fold(ends, step)
        }
        Seen::Other | Seen::Unread => 0,
    }
}

/// A step of a hash by an address.
fn end(sum: u64, address: IpAddr) -> u64 {
    let octets = match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    let octets = octets.to_bits();
    step(step(sum, (octets >> 64) as u64), octets as u64)
}

/// A step of a hash (FNV-1a, by words).
fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::{HOSTS, packet};
    use airloom_trace::Packet;
    use airloom_wire::{LinkType, TcpFlags};

    /// What is seen of these packets, each stamped at so many nanoseconds.
    fn likeness(packets: &[(u64, Packet)], captured: u32) -> Likeness {
        let mut likeness = Likeness::NONE;
        for (number, &(stamp_ns, packet)) in (1..).zip(packets) {
            likeness.see(&Record {
                number,
                stamp_ns,
                interface: 0,
                link: LinkType::ETHERNET,
                captured,
                length: packet.length + 14,
                seen: Seen::Host(packet),
            });
        }
        likeness
    }

    #[test]
    fn a_copy_that_is_cut_and_in_microseconds_has_the_same_records() {
        let at = |delay_ns: u64| {
            let one = |turn: u32| {
                let stamp_ns = 1_700_000_000_123_456_789 + u64::from(turn) * 777_777 + delay_ns;
                (stamp_ns, packet(0, 40_000, TcpFlags::ACK, 1 + turn * 1000, 1, 1000))
            };
            (0..50).map(one).collect::<Vec<_>>()
        };
        let whole = likeness(&at(0), 1054);
        let coarse: Vec<_> = at(0).into_iter().map(|(ns, packet)| (ns / 1000 * 1000, packet)).collect();
        assert!(whole.is_of(&likeness(&coarse, 96)));
        assert!(!whole.is_of(&likeness(&at(20_000), 1054)), "the same packets elsewhere, 20 us later");
        assert!(!whole.is_of(&likeness(&at(0)[..49], 1054)), "a part of it");
        let other: Vec<_> =
            at(0).into_iter().map(|(ns, _)| (ns, packet(1, 40_000, TcpFlags::ACK, 1, 1, 1000))).collect();
        assert!(!whole.is_of(&likeness(&other, 1054)), "other packets at the same times");
        let beyond = |change: fn(&mut Packet)| {
            let mut packets = at(500);
            packets.iter_mut().for_each(|(_, packet)| change(packet));
            likeness(&packets, 1054)
        };
        assert!(whole.is_of(&beyond(|_| ())));
        assert!(!whole.is_of(&beyond(|packet| packet.identity.hops += 1)), "beyond a router");
        assert!(!whole.is_of(&beyond(|packet| packet.src = HOSTS[1])), "beyond an address translation");
        let other_port = |packet: &mut Packet| {
            if let Transport::Tcp(segment) = &mut packet.transport {
                segment.header.src_port += 1;
            }
        };
        assert!(!whole.is_of(&beyond(other_port)), "beyond a translation of ports");
        assert!(!Likeness::NONE.is_of(&Likeness::NONE), "nothing");
    }
}
