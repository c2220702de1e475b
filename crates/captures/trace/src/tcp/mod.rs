//! TCP, read from its packets as a kernel would know it.
//!
//! [`Connections`] follows every connection in both directions, wherever between the ends the capture was made. What an end knows
//! (its windows, its timers) is not in the packets; what is told here of it is inferred, and each item says from what.

mod answers;
mod belief;
mod connection;
mod copies;
mod cut_off;
mod direction;
mod echoes;
mod fullness;
mod interruptions;
mod lateness;
mod limits;
mod pace;
mod reset;
mod retransmission;
mod round_trips;
mod samples;
mod scoreboard;
mod sequence;
mod sharing;
mod sizes;
mod stall;
mod stuck;
mod syns;
mod trains;
mod vantage;

pub use connection::{Connection, Offer, Opening};
pub use cut_off::CutOff;
pub use direction::{
    Acks, Batches, Bursts, Clocking, Direction, Held, Marks, Overrun, Sacks, Trips, Uncaptured,
};
pub use interruptions::{Interruption, Interruptions};
pub use limits::{Limit, Limits};
pub use pace::Pace;
pub use reset::Reset;
pub use retransmission::{Needless, Reordered, Reorderings, Retransmission, Retransmissions, Trigger};
pub use round_trips::RoundTrips;
pub use sizes::Size;
pub use stall::{Pause, Stall, Stalls};
pub use stuck::{Shortened, Stuck};
pub use trains::Trains;
pub(crate) use vantage::AT_HOST;
pub use vantage::Vantage;

use crate::{Hindrance, Packet, Quoted, Transport};
use airloom_wire::TcpFlags;
use connection::{Passage, Room};
use sharing::Sharing;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};

/// The most connections that are followed one by one.
const MOST: usize = 2048;
/// As many leave when there is one more.
const LEAVE: usize = MOST / 8;
/// So many of those that are not over and moved last stay however small they are, since they may have just begun.
const LIVELY: usize = MOST / 4;
/// The pieces of outstanding data that all connections may remember together, and how many of them each may at least and at most.
const PIECES: usize = 1 << 20;
const FEWEST_PIECES: usize = PIECES / (2 * MOST);
const MOST_PIECES: usize = 1 << 14;
/// The packets that each end of all connections may remember together, in case they come again, and those of each connection at
/// least and at most.
const PACKETS: usize = 1 << 17;
const FEWEST_PACKETS: usize = PACKETS / MOST;
const MOST_PACKETS: usize = 1 << 10;

/// Bins that all connections have room for together, of 32 octets; where there are more, small connections make do with fewer.
const BINS: usize = 1 << 20;
/// How often that is looked at, in packets.
const LOOK_EVERY: u32 = 4096;
/// From 512 bins to 32.
const COARSER: u32 = 4;

/// What is left of connections that are not followed one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// Connections. One that had gone on would count anew.
    pub connections: u64,
    /// Packets.
    pub packets: u64,
    /// Octets of payload.
    pub octets: u64,
    /// Segments that were sent again.
    pub retransmissions: u64,
}

impl Rest {
    /// All are followed.
    pub const NONE: Self = Self { connections: 0, packets: 0, octets: 0, retransmissions: 0 };
}

/// Address and port of both ends, the lesser first.
type Key = [(u128, u16); 2];

/// All TCP connections of a capture.
#[derive(Debug, Default)]
pub struct Connections {
    /// By key; of connections between the same ports the last.
    places: BTreeMap<Key, usize>,
    /// Those that are followed, in the order in which they appeared.
    connections: Vec<Connection>,
    /// Where the last packet belonged.
    last: Option<(Key, usize)>,
    /// What goes of all connections of each host.
    sharing: Sharing,
    /// Packets until bins are looked at.
    unlooked: u32,
    /// Packets that were captured more than once: each time after the first.
    pub copies: u64,
    /// Those of them that had gone through another number of routers than the packet that they are of.
    pub copies_elsewhere: u64,
    /// The smallest, for which there was no room.
    pub rest: Rest,
}

impl Connections {
    /// Takes the next packet of a capture, whose record has this number; whatever is no TCP is left aside. Whether it was captured
    /// before.
    pub fn see(&mut self, now_ns: u64, number: u32, packet: &Packet) -> bool {
        if let Transport::Returned {
            ends, segment: Some(quoted), why: Some(Hindrance::TooBig { .. }), ..
        } = packet.transport
        {
            self.refused(now_ns, ends, quoted);
        }
        let Transport::Tcp(segment) = &packet.transport else { return false };
        let src = SocketAddr::new(packet.src, segment.header.src_port);
        let dst = SocketAddr::new(packet.dst, segment.header.dst_port);
        let key = key(src, dst);
        let flags = segment.header.flags;
        let answers = flags.contains(TcpFlags::SYN) && flags.contains(TcpFlags::ACK);
        let ends = if answers { [dst, src] } else { [src, dst] };
        let mut place = self.place(key, ends, now_ns, number);
        let from = |connection: &Connection| usize::from(connection.ends[0] != src);
        if self.connections[place].is_another(from(&self.connections[place]), now_ns, segment) {
            place = self.add(key, ends, now_ns, number);
        }
        self.last = Some((key, place));
        let count = self.connections.len();
        let room = Room {
            pieces: (PIECES / 2 / count).clamp(FEWEST_PIECES, MOST_PIECES),
            packets: (PACKETS / count).clamp(FEWEST_PACKETS, MOST_PACKETS),
        };
        let connection = &mut self.connections[place];
        let passage = Passage { now_ns, number, from: from(connection) };
        let is_copy = connection.see(passage, packet, segment, room);
        self.copies += u64::from(is_copy);
        if !is_copy {
            self.sharing.passed(now_ns, [packet.src, packet.dst], segment.payload);
        }
        self.unlooked += 1;
        if self.unlooked == LOOK_EVERY {
            self.unlooked = 0;
            self.coarsen();
        }
        is_copy
    }

    /// Takes what a router says of a packet that was too big.
    fn refused(&mut self, now_ns: u64, [src, dst]: [IpAddr; 2], quoted: Quoted) {
        let (src, dst) = (SocketAddr::new(src, quoted.ports.0), SocketAddr::new(dst, quoted.ports.1));
        let Some(&place) = self.places.get(&key(src, dst)) else { return };
        let connection = &mut self.connections[place];
        connection.directions[usize::from(connection.ends[0] != src)].refused(now_ns, quoted);
    }

    /// Takes bins from the smallest connections if all together have too many, until they have three quarters of what they may.
    fn coarsen(&mut self) {
        let mut bins: usize = self.connections.iter().map(Connection::room).sum();
        if bins <= BINS {
            return;
        }
        let mut order: Vec<usize> = (0..self.connections.len()).collect();
        order.sort_by_key(|&place| self.connections[place].octets());
        for _ in 0..COARSER {
            for &place in &order {
                let connection = &mut self.connections[place];
                bins -= connection.room();
                connection.coarsen();
                bins += connection.room();
                if bins <= BINS / 4 * 3 {
                    return;
                }
            }
        }
    }

    /// All connections that were followed, in the order in which they appeared.
    pub fn finish(&mut self) -> Vec<Connection> {
        let mut connections = std::mem::take(&mut self.connections);
        for connection in &mut connections {
            connection.finish();
            self.sharing.tell(connection);
        }
        captured_at(&mut connections);
        self.copies_elsewhere = connections.iter().map(Connection::copies_elsewhere).sum();
        self.places.clear();
        self.last = None;
        connections
    }

    /// The place of the connection with a key.
    fn place(&mut self, key: Key, ends: [SocketAddr; 2], now_ns: u64, number: u32) -> usize {
        match self.last {
            Some((last, place)) if last == key => place,
            _ => match self.places.get(&key) {
                Some(&place) => place,
                None => self.add(key, ends, now_ns, number),
            },
        }
    }

    /// The place of a new connection.
    fn add(&mut self, key: Key, ends: [SocketAddr; 2], now_ns: u64, number: u32) -> usize {
        if self.connections.len() == MOST {
            self.leave();
        }
        self.connections.push(Connection::new(ends, now_ns, number));
        let place = self.connections.len() - 1;
        self.places.insert(key, place);
        place
    }

    /// Sums some connections up, the smallest first.
    fn leave(&mut self) {
        let mut order: Vec<usize> = (0..self.connections.len()).collect();
        order.sort_by_key(|&place| {
            let connection = &self.connections[place];
            (connection.closed(), std::cmp::Reverse((connection.span_ns.1, connection.number)))
        });
        order[LIVELY..].sort_by_key(|&place| {
            let connection = &self.connections[place];
            (connection.octets(), connection.span_ns.1)
        });
        order.rotate_left(LIVELY);
        let mut leaves = vec![false; order.len()];
        for &place in &order[..LEAVE] {
            leaves[place] = true;
            let connection = &self.connections[place];
            self.rest.connections += 1;
            self.rest.packets += connection.packets.iter().sum::<u64>();
            self.rest.octets += connection.octets();
            self.rest.retransmissions +=
                connection.directions.iter().map(|one| one.retransmissions.segments()).sum::<u64>();
        }
        let mut leaves = leaves.into_iter();
        self.connections.retain(|_| !leaves.next().unwrap_or_default());
        self.places = self
            .connections
            .iter()
            .enumerate()
            .map(|(place, one)| (key(one.ends[0], one.ends[1]), place))
            .collect();
        self.last = None;
    }
}

/// Decides for all connections at which end each was captured, by those that show it alone: at the end whose host does so with more than twice as many other hosts as
/// the other end. Not all of many hosts can be the place, but what answers for them may be near it, such as a tunnel's program. Then it holds for a connection whose
/// acknowledgments were all held back, too. A host that any of its connections contradicts shows nothing.
fn captured_at(connections: &mut [Connection]) {
    let (mut here, mut elsewhere, mut pairs) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for connection in connections.iter() {
        let [one, other] = connection.ends.map(|end| end.ip());
        if one == other {
            continue;
        }
        let is_at = [0, 1].map(|end| connection.is_at(end));
        for (host, is_there) in [one, other].into_iter().zip(is_at) {
            match is_there {
                Some(true) => _ = here.insert(host),
                Some(false) => _ = elsewhere.insert(host),
                None => {}
            }
        }
        if is_at.contains(&Some(true)) {
            pairs.extend([(one, other), (other, one)]);
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let count = |end: SocketAddr| {
        let host = end.ip();
        let others =
            pairs.partition_point(|pair| pair.0 <= host) - pairs.partition_point(|pair| pair.0 < host);
        if here.contains(&host) && !elsewhere.contains(&host) { others } else { 0 }
    };
    for connection in connections {
        let [first, second] = connection.ends.map(count);
        connection.hosts = [first > 2 * second, second > 2 * first];
    }
}

/// What identifies a connection, whichever end sends.
fn key(one: SocketAddr, other: SocketAddr) -> Key {
    let number = |end: SocketAddr| match end.ip() {
        IpAddr::V4(ip) => (ip.to_ipv6_mapped().to_bits(), end.port()),
        IpAddr::V6(ip) => (ip.to_bits(), end.port()),
    };
    let (one, other) = (number(one), number(other));
    if one <= other { [one, other] } else { [other, one] }
}
