//! Round trips of single packets: what a host sends after a pause, and the first packet that comes back.

use crate::{Capped, Packet, Transport};
use airloom_wire::{EchoKind, Protocol, TcpFlags};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The most pairs of hosts that are followed.
const MOST: usize = 256;
/// A pair that was silent for so long pauses, in nanoseconds.
const PAUSE: u64 = 20_000_000;
/// What comes later is no answer, in nanoseconds.
const LATEST: u64 = 2_000_000_000;

/// A packet that a host sent after a pause, and the first of the other that came then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trip {
    /// When the first was captured, in nanoseconds since 1970.
    pub sent_ns: u64,
    /// When the answer was.
    pub came_ns: u64,
    /// The answer's record.
    pub number: u32,
    /// Whether it answers the first. Else what was on its way came, or what its program sent by itself: when it came tells something, how long it took does not.
    pub answers: bool,
}

/// What one host asks another.
#[derive(Clone, Debug)]
pub struct Trips {
    /// Which one asks, and which one answers.
    pub ends: [IpAddr; 2],
    /// Its round trips, in the order of the answers.
    pub list: Capped<Trip, 512>,
}

/// What is known of two hosts.
#[derive(Clone, Debug, Default)]
struct Pair {
    last_ns: u64,
    /// What an end has sent; none if something has come back.
    asked: Option<Asked>,
    /// By which one asks.
    trips: [Capped<Trip, 512>; 2],
}

/// What an end sent after a pause.
#[derive(Clone, Copy, Debug)]
struct Asked {
    end: usize,
    sent_ns: u64,
    /// Whether it has asked again since, so that the answer may be to either where it does not say to which.
    twice: bool,
    /// Whether it has sent the same again since: then no answer says to which (Karn's rule).
    repeated: bool,
    /// What answers it; none if nothing has to.
    answer: Option<Answer>,
}

impl Asked {
    /// Whether a packet of the other end may be due to what was sent since. A probe of what was sent last (RFC 8985 section 7), which comes where an answer takes long, leaves what the first
    /// packet asked for alone.
    fn is_unclear(&self, packet: &Packet) -> bool {
        let names_it = |answer: Answer| answer.names_its_question() && answer.is(packet);
        self.repeated || self.twice && !self.answer.is_some_and(names_it)
    }
}

/// What answers a packet. What was on its way before does not: an acknowledgment asks for nothing, and the data that comes next is no answer to it.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// An acknowledgment of all octets before one, between these ports: the question's source and destination.
    Acknowledges(u16, u16, u32),
    /// A datagram between these ports.
    Datagram(u16, u16),
    /// An echo with this identifier and number.
    Echo(u16, u16),
    /// Anything of this protocol.
    Any(Protocol),
}

impl Answer {
    /// What answers a packet; none if nothing has to.
    fn to(packet: &Packet) -> Option<Self> {
        match &packet.transport {
            Transport::Tcp(segment) => {
                let header = &segment.header;
                let asks = segment.sequence_length() > 0 && !header.flags.contains(TcpFlags::RST);
                let end = header.seq.wrapping_add(segment.sequence_length());
                asks.then_some(Self::Acknowledges(header.src_port, header.dst_port, end))
            }
            &Transport::Udp { ports: (from, to), .. } => Some(Self::Datagram(from, to)),
            &Transport::Echo { kind: EchoKind::Request, ident, sequence, .. } => {
                Some(Self::Echo(ident, sequence))
            }
            Transport::Echo { .. }
            | Transport::Returned { .. }
            | Transport::Later(..)
            | Transport::Cut(_) => None,
            Transport::Other(protocol) => Some(Self::Any(*protocol)),
        }
    }

    /// Whether one says what it answers: no other question has the same.
    const fn names_its_question(self) -> bool {
        matches!(self, Self::Acknowledges(..) | Self::Echo(..))
    }

    /// Whether a packet of the same end asks for the same: in TCP octets that are sent again.
    fn is_sought_again(self, packet: &Packet) -> bool {
        match (self, &packet.transport) {
            (Self::Acknowledges(from, to, end), Transport::Tcp(segment)) => {
                let header = &segment.header;
                (header.src_port, header.dst_port) == (from, to)
                    && segment.sequence_length() > 0
                    && (header.seq.wrapping_sub(end) as i32) < 0
            }
            _ => false,
        }
    }

    /// Whether a packet of the other end is one.
    fn is(self, packet: &Packet) -> bool {
        match (self, &packet.transport) {
            (Self::Acknowledges(from, to, end), Transport::Tcp(segment)) => {
                let header = &segment.header;
                (header.dst_port, header.src_port) == (from, to)
                    && header.flags.contains(TcpFlags::ACK)
                    && header.ack.wrapping_sub(end) as i32 >= 0
            }
            (Self::Datagram(from, to), &Transport::Udp { ports, .. }) => ports == (to, from),
            (Self::Echo(..), &Transport::Echo { kind: EchoKind::Request, .. }) => false,
            (Self::Echo(asked, number), &Transport::Echo { ident, sequence, .. }) => {
                (ident, sequence) == (asked, number)
            }
            (Self::Any(asked), Transport::Other(protocol)) => *protocol == asked,
            _ => false,
        }
    }
}

/// The round trips between all hosts of a capture.
#[derive(Clone, Debug, Default)]
pub struct AllTrips {
    pairs: BTreeMap<[IpAddr; 2], Pair>,
}

impl AllTrips {
    /// Takes a packet of a host.
    pub fn see(&mut self, now_ns: u64, number: u32, packet: &Packet) {
        let ends = [packet.src.min(packet.dst), packet.src.max(packet.dst)];
        if self.pairs.len() == MOST && !self.pairs.contains_key(&ends) {
            self.make_room();
        }
        let from = usize::from(packet.src != ends[0]);
        let pair = self.pairs.entry(ends).or_default();
        let pauses = now_ns.saturating_sub(pair.last_ns) >= PAUSE;
        match pair.asked.filter(|asked| now_ns.saturating_sub(asked.sent_ns) <= LATEST) {
            Some(asked) if asked.end == from => {
                let again = asked.answer.is_some_and(|answer| answer.is_sought_again(packet));
                let (twice, repeated) = (asked.twice || pauses, asked.repeated || again);
                pair.asked = Some(Asked { twice, repeated, ..asked });
            }
            open => {
                let told = open.filter(|asked| !asked.is_unclear(packet));
                if let Some(Asked { end, sent_ns, answer, .. }) = told {
                    let answers = answer.is_some_and(|answer| answer.is(packet));
                    pair.trips[end].push(Trip { sent_ns, came_ns: now_ns.max(sent_ns), number, answers });
                }
                // What answers may ask as well: which of two that take turns was first does not show in a capture that begins later.
                let answer = Answer::to(packet);
                pair.asked = pauses.then_some(Asked {
                    end: from,
                    sent_ns: now_ns,
                    twice: false,
                    repeated: false,
                    answer,
                });
            }
        }
        pair.last_ns = now_ns;
    }

    /// Drops a pair: that which was silent for longest of those that have no round trip, or of all if each has one.
    fn make_room(&mut self) {
        let worth = |pair: &Pair| (pair.trips.iter().any(|trips| trips.total() > 0), pair.last_ns);
        let least = self.pairs.iter().min_by_key(|(_, pair)| worth(pair)).map(|(ends, _)| *ends);
        if let Some(least) = least {
            self.pairs.remove(&least);
        }
    }

    /// All of them.
    pub fn finish(self) -> Vec<Trips> {
        let each = |([one, other], pair): ([IpAddr; 2], Pair)| {
            let [there, back] = pair.trips;
            [Trips { ends: [one, other], list: there }, Trips { ends: [other, one], list: back }]
        };
        self.pairs.into_iter().flat_map(each).filter(|trips| trips.list.total() > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Identity, Segment};
    use airloom_wire::{Ecn, TcpOptions, TcpRepr};
    use std::net::Ipv4Addr;

    const MS: u64 = 1_000_000;
    const ENDS: [IpAddr; 2] =
        [IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2))];

    fn packet(from: usize) -> Packet {
        let (dscp, ecn, length, identity) = (0, Ecn::NotEct, 84, Identity::default());
        let transport = Transport::Other(Protocol(1));
        let transmission = crate::Transmission::First;
        Packet { src: ENDS[from], dst: ENDS[1 - from], dscp, ecn, length, identity, transmission, transport }
    }

    #[test]
    fn a_trip_begins_behind_a_pause_and_ends_with_the_first_packet_back() {
        let mut all = AllTrips::default();
        // Asked with two packets; answered late, which may be a question too; right behind that no pause; no answer for long; the other asks;
        // asked anew before the answer.
        let packets = [
            (1000, 0),
            (1005, 0),
            (1090, 1),
            (1091, 1),
            (1100, 0),
            (1105, 1),
            (2000, 0),
            (5000, 0),
            (5010, 1),
            (6000, 1),
            (6001, 0),
            (9000, 0),
            (9200, 0),
            (9210, 1),
        ];
        for (number, (at, from)) in (1..).zip(packets) {
            all.see(at * MS, number, &packet(from));
        }
        let told: Vec<_> = all
            .finish()
            .iter()
            .map(|trips| {
                let list = trips.list.kept().iter();
                let list: Vec<_> = list.map(|one| (one.sent_ns / MS, one.came_ns / MS, one.number)).collect();
                (trips.ends[0], list)
            })
            .collect();
        assert_eq!(
            told,
            [
                (ENDS[0], vec![(1000, 1090, 3), (5000, 5010, 9)]),
                (ENDS[1], vec![(1090, 1100, 5), (6000, 6001, 11)])
            ]
        );
    }

    /// A packet between the first host and another.
    fn with(host: u32, from: usize) -> Packet {
        let mut packet = packet(from);
        *[&mut packet.dst, &mut packet.src][from] = Ipv4Addr::from_bits(host).into();
        packet
    }

    /// A segment of an end with so many octets, between the same ports, and what it acknowledges.
    fn segment(from: usize, seq: u32, payload: u32, ack: u32) -> Packet {
        let ports = [50_000, 443];
        let header = TcpRepr {
            src_port: ports[from],
            dst_port: ports[1 - from],
            seq,
            ack,
            flags: TcpFlags::ACK,
            window: 60_000,
            urgent: 0,
            options: TcpOptions::default(),
        };
        let segment = Segment { header, payload, options: 0, ends: false, fills: false };
        Packet { transport: Transport::Tcp(segment), ..packet(from) }
    }

    #[test]
    fn data_behind_an_acknowledgment_that_was_late_is_no_answer_to_it() {
        let mut all = AllTrips::default();
        // The server sends, the timer of the client acknowledges 40 ms later, and 1 ms behind that comes what was on its way; then the client asks, and is answered.
        let packets = [
            (0, segment(1, 1000, 500, 1)),
            (40, segment(0, 1, 0, 1500)),
            (41, segment(1, 1500, 500, 1)),
            (81, segment(0, 1, 100, 2000)),
            (161, segment(1, 2000, 500, 101)),
        ];
        for (number, (at, packet)) in (1..).zip(packets) {
            all.see((1000 + at) * MS, number, &packet);
        }
        let trips = all.finish().into_iter().map(|trips| {
            let list = trips.list.kept().iter();
            list.map(|one| ((one.came_ns - one.sent_ns) / MS, one.answers)).collect::<Vec<_>>()
        });
        assert_eq!(trips.collect::<Vec<_>>(), [vec![(1, false), (80, true)], vec![(40, true)]]);
    }

    #[test]
    fn what_is_probed_while_an_answer_takes_long_counts_as_long_as_it_took() {
        let trips = |second: Packet| {
            let mut all = AllTrips::default();
            let packets = [(0, segment(0, 1000, 500, 1)), (150, second), (300, segment(1, 1, 0, 2500))];
            packets.iter().for_each(|(at, packet)| all.see((1000 + at) * MS, 1, packet));
            let all = all.finish();
            let list = all.iter().flat_map(|trips| trips.list.kept());
            list.map(|one| ((one.came_ns - one.sent_ns) / MS, one.answers)).collect::<Vec<_>>()
        };
        assert_eq!(trips(segment(0, 2000, 500, 1)), [(300, true)], "a probe of what was sent last");
        assert_eq!(trips(segment(0, 1000, 500, 1)), [], "the same again: the answer may be to either");
    }

    #[test]
    fn hosts_that_never_answer_hold_no_place() {
        let mut all = AllTrips::default();
        for host in 0..300 {
            all.see(u64::from(host) * MS, 1, &with(host, 0));
        }
        for ping in 0..10 {
            all.see((1000 + 100 * ping) * MS, 2, &with(1000, 0));
            all.see((1005 + 100 * ping) * MS, 3, &with(1000, 1));
            (0..10).for_each(|host| {
                all.see((1010 + 100 * ping) * MS, 4, &with(2000 + 10 * ping as u32 + host, 0))
            });
        }
        let all = all.finish();
        let told: Vec<_> = all.iter().map(|trips| (trips.ends[1], trips.list.total())).collect();
        assert_eq!(told, [(IpAddr::V4(Ipv4Addr::from_bits(1000)), 10)]);
    }

    #[test]
    fn where_all_have_answered_that_which_is_silent_for_longest_leaves() {
        let mut all = AllTrips::default();
        for host in 0..257 {
            all.see(u64::from(host) * 100 * MS, 1, &with(host, 0));
            all.see((u64::from(host) * 100 + 5) * MS, 2, &with(host, 1));
        }
        let kept: Vec<_> = all.finish().into_iter().map(|trips| trips.ends[1]).collect();
        let hosts: Vec<_> = (1..257).map(|host| IpAddr::V4(Ipv4Addr::from_bits(host))).collect();
        assert_eq!(kept.len(), MOST);
        assert!(hosts.iter().all(|host| kept.contains(host)));
    }
}
