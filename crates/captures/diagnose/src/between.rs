//! What is lost of a stream of UDP between two hosts' captures: packets that one has and the other has not.

use crate::capture::CaptureStats;
use crate::join::{Join, Samples};
use airloom_trace::{Bins, Place, Sought, Stream};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Fewer packets that both have say nothing of those that one has not.
const MIN_PACKETS: usize = 32;

/// What one capture has of another's stream, from the first packet that both have to the last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Between {
    /// The captures, in the order in which packets pass them, and the stream's sender and receiver in each.
    pub(crate) views: [View; 2],
    /// The first capture's packets that the second has, over time.
    pub(crate) came: Bins,
    /// Those that it has not.
    pub(crate) lost: Bins,
    /// How many were looked for, and how many of these are lost.
    pub(crate) counts: LostSeen,
}

/// A stream in a capture: the capture's place among all, the sender and the receiver.
pub(crate) type View = (usize, [SocketAddr; 2]);

/// Packets of a stream that one capture has and another has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct LostSeen {
    /// The captures, by their places, in the order in which packets pass them.
    pub captures: [usize; 2],
    /// Packets of the first that were looked for, between the first and the last that both have; a sample, if there are many.
    pub sought: u64,
    /// Those of them that the second does not have.
    pub missing: u64,
}

/// What is known of all captures before streams are compared.
pub(crate) struct All<'a> {
    pub(crate) captures: &'a [CaptureStats],
    pub(crate) streams: &'a [Vec<Stream>],
    pub(crate) joins: &'a [Join],
    pub(crate) samples: &'a [Samples],
    /// The capture on whose clock the others are put.
    pub(crate) reference: usize,
}

impl All<'_> {
    /// Every stream that two captures of hosts have, of different files.
    pub(crate) fn between(&self) -> Vec<Between> {
        let is_host = |&place: &usize| self.captures[place].place == Some(Place::Host);
        let hosts: Vec<usize> = (0..self.captures.len()).filter(is_host).collect();
        let mut found = Vec::new();
        for &from in &hosts {
            for &to in hosts.iter().filter(|&&to| self.captures[to].path != self.captures[from].path) {
                let mut streams: BTreeMap<[SocketAddr; 2], Vec<Sought>> = BTreeMap::new();
                for one in self.samples[from].datagrams.sought(&self.samples[to].datagrams) {
                    streams.entry(one.ends).or_default().push(one);
                }
                found.extend(streams.into_values().filter_map(|of| self.compared([from, to], &of)));
            }
        }
        found
    }

    /// What a second capture has of a first one's packets of a stream; none if that says nothing of losses: they pass the second first, or
    /// either has several packets as one.
    fn compared(&self, captures: [usize; 2], stream: &[Sought]) -> Option<Between> {
        let both = |one: &Sought| one.found.is_some();
        let first = stream.iter().position(both)?;
        let last = stream.iter().rposition(both)?;
        let stream = &stream[first..=last];
        let (mut there, mut waits) = (None, Vec::new());
        for one in stream {
            if let Some((ends, at_ns)) = one.found {
                there = Some(ends);
                let [from, to] = [(captures[0], one.at_ns), (captures[1], at_ns)];
                waits.push(self.corrected(to).wrapping_sub(self.corrected(from)) as i64);
            }
        }
        let views = [(captures[0], stream[0].ends), (captures[1], there?)];
        if waits.len() < MIN_PACKETS || views.iter().any(|view| self.is_merged(view)) {
            return None;
        }
        waits.sort_unstable();
        if captures.iter().all(|&place| self.is_on_the_clock(place)) && waits[waits.len() / 2] < 0 {
            return None;
        }
        let (mut came, mut lost) = (Bins::default(), Bins::default());
        for one in stream {
            if both(one) { &mut came } else { &mut lost }.note(one.at_ns, 1.0);
        }
        let sought = stream.len() as u64;
        let counts = LostSeen { captures, sought, missing: sought - waits.len() as u64 };
        Some(Between { views, came, lost, counts })
    }

    fn corrected(&self, (place, at_ns): (usize, u64)) -> u64 {
        self.joins[place].corrected(at_ns)
    }

    /// Whether a capture's stamps are on the reference's clock.
    fn is_on_the_clock(&self, place: usize) -> bool {
        place == self.reference || self.joins[place].clock.is_some()
    }

    fn is_merged(&self, &(place, ends): &View) -> bool {
        self.streams[place].iter().any(|stream| stream.ends == ends && stream.is_merged())
    }
}

impl Between {
    fn share(&self) -> f64 {
        self.counts.missing as f64 / self.counts.sought as f64
    }
}

/// By each of a stream's captures the two between which most is lost.
pub(crate) fn by_view(all: &[Between]) -> BTreeMap<View, &Between> {
    let mut found: BTreeMap<View, &Between> = BTreeMap::new();
    for one in all {
        for view in one.views {
            let known = found.entry(view).or_insert(one);
            if one.share() > known.share() {
                *known = one;
            }
        }
    }
    found
}
