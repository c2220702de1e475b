//! A sample of a capture's packets: the same packets in every capture that has them.

use crate::packet::{Identity, Packet, Segment, Transport};
use crate::rtp::RtpHeader;
use airloom_wire::EchoKind;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, SocketAddr};

/// The packets of a capture whose fingerprints are the smallest.
///
/// Which ones these are depends on what they say alone, so captures of the same packets keep the same ones, however many they have
/// (a bottom-k sketch: Cohen and Kaplan, PODC 2007).
#[derive(Clone, Debug, Default)]
pub struct Sample<const MOST: usize = 32_768> {
    marks: BTreeMap<u64, Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    at_ns: u64,
    ends: [IpAddr; 2],
    ports: [u16; 2],
    /// Seen more than once: it does not tell which one another capture has.
    twice: bool,
}

/// A packet that two captures have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Its source and destination, as the second capture has them: behind an address translation the first has others.
    pub ends: [IpAddr; 2],
    /// Its stamps in the first and in the second.
    pub at_ns: [u64; 2],
}

/// A packet of a capture, and what another has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sought {
    /// Its source and destination in the capture.
    pub ends: [SocketAddr; 2],
    /// Its stamp there.
    pub at_ns: u64,
    /// The same in the other; none if that does not have it.
    pub found: Option<([SocketAddr; 2], u64)>,
}

impl Sample {
    /// Notes a packet, if it is of TCP.
    pub fn see_segment(&mut self, at_ns: u64, packet: &Packet) {
        if let Transport::Tcp(segment) = &packet.transport {
            let ports = [segment.header.src_port, segment.header.dst_port];
            self.put(fingerprint(segment), Mark::new(at_ns, [packet.src, packet.dst], ports));
        }
    }

    /// Notes a packet, if it is of UDP and goes to one host: what goes to many goes more than one way.
    pub fn see_datagram(&mut self, at_ns: u64, packet: &Packet) {
        if let Transport::Udp { ports, rtp, begins, .. } = packet.transport
            && is_to_one(packet.dst)
        {
            let mark = Mark::new(at_ns, [packet.src, packet.dst], ports.into());
            self.put(datagram_print(&mark, packet.identity, rtp, begins), mark);
        }
    }

    /// Notes a packet, if it is an ICMP echo that has a number of its sender's own. Without one it is like those of other hosts with the same
    /// addresses: Windows asks with the identifier 1 each time, and questions are counted from 0 or 1.
    pub fn see_echo(&mut self, at_ns: u64, packet: &Packet) {
        if let Transport::Echo { kind, ident, sequence, .. } = packet.transport
            && let Some(number) = packet.identity.number
        {
            let mark = Mark::new(at_ns, [packet.src, packet.dst], [0; 2]);
            let mut hasher = DefaultHasher::new();
            (kind == EchoKind::Request, ident, sequence, number, mark.ends).hash(&mut hasher);
            self.put(hasher.finish(), mark);
        }
    }

    /// Packets that no other of the capture equals, by their time, and which of them another capture has.
    pub fn sought(&self, other: &Self) -> Vec<Sought> {
        let last = self.last().min(other.last());
        let looked = self.marks.range(..=last).filter(|(_, mark)| !mark.twice);
        let mut all: Vec<_> = looked
            .filter_map(|(print, mark)| {
                let found = other.marks.get(print);
                found.is_none_or(|twin| !twin.twice).then(|| Sought {
                    ends: mark.sockets(),
                    at_ns: mark.at_ns,
                    found: found.map(|twin| (twin.sockets(), twin.at_ns)),
                })
            })
            .collect();
        all.sort_by_key(|one| one.at_ns);
        all
    }
}

impl Mark {
    const fn new(at_ns: u64, ends: [IpAddr; 2], ports: [u16; 2]) -> Self {
        Self { at_ns, ends, ports, twice: false }
    }

    fn sockets(&self) -> [SocketAddr; 2] {
        [0, 1].map(|end| SocketAddr::new(self.ends[end], self.ports[end]))
    }
}

impl<const MOST: usize> Sample<MOST> {
    /// Notes a packet that has this fingerprint.
    pub(super) fn keep(&mut self, print: u64, at_ns: u64, ends: [IpAddr; 2]) {
        self.put(print, Mark::new(at_ns, ends, [0; 2]));
    }

    fn put(&mut self, print: u64, mark: Mark) {
        if self.marks.len() == MOST && self.marks.last_key_value().is_some_and(|(last, _)| *last < print) {
            return;
        }
        self.marks.entry(print).and_modify(|mark| mark.twice = true).or_insert(mark);
        if self.marks.len() > MOST {
            self.marks.pop_last();
        }
    }

    /// The greatest fingerprint up to which every packet is kept.
    fn last(&self) -> u64 {
        let full = self.marks.len() == MOST;
        self.marks.last_key_value().filter(|_| full).map_or(u64::MAX, |(last, _)| *last)
    }

    /// How many that the capture has more than once it first has behind a time: [`Self::shared`] leaves them out.
    pub fn twice_since(&self, at_ns: u64) -> usize {
        self.marks.values().filter(|mark| mark.twice && mark.at_ns > at_ns).count()
    }

    /// What both have, by the time in the first.
    pub fn shared(&self, other: &Self) -> Vec<Shared> {
        let both = |(print, first): (&u64, &Mark)| {
            let second = other.marks.get(print)?;
            (!first.twice && !second.twice)
                .then_some(Shared { ends: second.ends, at_ns: [first.at_ns, second.at_ns] })
        };
        let mut shared: Vec<_> = self.marks.iter().filter_map(both).collect();
        shared.sort_by_key(|one| one.at_ns);
        shared
    }
}

/// What does not change on the way, even where addresses are translated, or a large segment is cut into packets or merged again: both
/// keep the first sequence number.
fn fingerprint(segment: &Segment) -> u64 {
    let header = &segment.header;
    let options = &header.options;
    let mut hasher = DefaultHasher::new();
    (header.seq, header.ack, segment.payload > 0, segment.ends).hash(&mut hasher);
    options.timestamps.map(|stamps| (stamps.value, stamps.echo)).hash(&mut hasher);
    if segment.payload == 0 {
        header.window.hash(&mut hasher);
        options.sack.as_slice().iter().for_each(|block| (block.left, block.right).hash(&mut hasher));
    }
    hasher.finish()
}

/// What does not change on the way of a datagram: where it is RTP, which packet of which source it is; else its number and how it begins,
/// or, where that is all zeros, its ends, which an address translation changes.
fn datagram_print(mark: &Mark, identity: Identity, rtp: Option<RtpHeader>, begins: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    match rtp {
        Some(RtpHeader { sequence, stamp, source, .. }) => (1, sequence, stamp, source).hash(&mut hasher),
        None if begins == 0 => (2, identity.number, mark.ends, mark.ports).hash(&mut hasher),
        None => (3, identity.number, begins).hash(&mut hasher),
    }
    hasher.finish()
}

/// Whether an address is one host's, as far as it tells: networks have their last address for all of them.
const fn is_to_one(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(four) => !four.is_multicast() && four.octets()[3] != u8::MAX,
        IpAddr::V6(six) => !six.is_multicast(),
    }
}
