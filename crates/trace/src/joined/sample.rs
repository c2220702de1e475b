//! A sample of a capture's packets: the same packets in every capture that has them.

use crate::packet::{Packet, Segment, Transport};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;

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

impl Sample {
    /// Notes a packet; only TCP's can be told from each other.
    pub fn see(&mut self, at_ns: u64, packet: &Packet) {
        if let Transport::Tcp(segment) = &packet.transport {
            self.keep(fingerprint(segment), at_ns, [packet.src, packet.dst]);
        }
    }
}

impl<const MOST: usize> Sample<MOST> {
    /// Notes a packet that has this fingerprint.
    pub(super) fn keep(&mut self, print: u64, at_ns: u64, ends: [IpAddr; 2]) {
        if self.marks.len() == MOST && self.marks.last_key_value().is_some_and(|(last, _)| *last < print) {
            return;
        }
        let mark = Mark { at_ns, ends, twice: false };
        self.marks.entry(print).and_modify(|mark| mark.twice = true).or_insert(mark);
        if self.marks.len() > MOST {
            self.marks.pop_last();
        }
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

/// What does not change on the way, whoever translates addresses, cuts a large segment into packets or merges them again: both
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
