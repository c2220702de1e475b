//! Captures that show different connections between the same ends at the same time: they are not of one network, or not of one run.

use crate::evidence::{CaptureTold, Evidence};
use airloom_trace::tcp::Connection;
use airloom_trace::{Sample, Shared};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Two captures that do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strangers {
    /// Their places among the captures.
    pub captures: [usize; 2],
    /// The ends of a connection that either has, with other sequence numbers.
    pub ends: [SocketAddr; 2],
    /// Whether both have its beginning, with the same numbers, but not what came behind that.
    pub begin_alike: bool,
}

/// A connection with fewer packets, or octets of data, may have nothing that tells.
const PACKETS: u64 = 1000;
const OCTETS: u64 = 1_000_000;
/// The part of its time, one in so many, that is its beginning.
const BEGINNING: u64 = 4;

impl Strangers {
    /// The first two captures that have connections between the same ends at the same time of which none is the same connection.
    ///
    /// One that is the same is enough for the two to belong together: headers may be damaged.
    pub fn among(evidence: &Evidence) -> Option<Self> {
        let captures = 0..evidence.connections.len();
        let pairs = captures
            .clone()
            .flat_map(|first| captures.clone().skip(first + 1).map(move |second| [first, second]));
        // What interfaces of one file have was captured together: a program of the host may answer for one end.
        let file = |capture: usize| &evidence.captures[capture].path;
        let mut pairs = pairs.filter(|&[one, other]| file(one) != file(other));
        pairs.find_map(|pair| Self::are(evidence, pair)).or(evidence.parted)
    }

    /// The first two captures of one connection whose packets are the same ones at its beginning alone, as in two runs of one seed.
    pub(crate) fn parted(
        captures: &[CaptureTold],
        connections: &[Vec<Connection>],
        samples: &[Sample],
    ) -> Option<Self> {
        let large = |one: &&Connection| one.octets() >= OCTETS && one.packets.iter().sum::<u64>() >= PACKETS;
        let places = 0..captures.len();
        let pairs =
            places.clone().flat_map(|one| places.clone().skip(one + 1).map(move |other| [one, other]));
        let mut pairs = pairs.filter(|&[one, other]| {
            captures[one].path != captures[other].path && overlap(&captures[one], &captures[other])
        });
        pairs.find_map(|pair| {
            let [first, second] = pair.map(|capture| connections[capture].iter().filter(large));
            let mut both = first.flat_map(|one| {
                second.clone().filter(|other| one.is_one_with(other)).map(move |other| (one, other))
            });
            let (one, other) = both.next()?;
            let shared = samples[pair[0]].shared(&samples[pair[1]]);
            let of_both =
                |packet: &&Shared| other.ends.map(|end| end.ip()).iter().all(|end| packet.ends.contains(end));
            let long = length(one).min(length(other));
            let begins =
                |packet: &Shared| packet.at_ns[1].saturating_sub(other.span_ns.0) <= long / BEGINNING;
            let mut of_both = shared.iter().filter(of_both).peekable();
            let parted = of_both.peek().is_some()
                && of_both.all(begins)
                && [one, other].iter().all(|one| goes_on(one, one.span_ns.0 + long / BEGINNING));
            parted.then_some(Self { captures: pair, ends: one.ends, begin_alike: true })
        })
    }

    fn are(evidence: &Evidence, captures: [usize; 2]) -> Option<Self> {
        let [first, second] = captures.map(|capture| &evidence.connections[capture]);
        let mut by_ends: BTreeMap<_, Vec<&Connection>> = BTreeMap::new();
        for connection in second {
            by_ends.entry(sorted(connection.ends)).or_default().push(connection);
        }
        let span = |capture: usize, connection: &Connection| {
            let (from, to) = connection.span_ns;
            [from, to].map(|at| evidence.seconds_in(capture, at))
        };
        let mut differs = None;
        for one in first {
            for other in by_ends.get(&sorted(one.ends)).into_iter().flatten() {
                if one.is_one_with(other) {
                    return None;
                }
                let (ours, theirs) = (span(captures[0], one), span(captures[1], other));
                if ours[0] <= theirs[1] && theirs[0] <= ours[1] {
                    differs = differs.or(Some(Self { captures, ends: one.ends, begin_alike: false }));
                }
            }
        }
        differs
    }
}

/// Whether captures have time in common, by their stamps.
fn overlap(one: &CaptureTold, other: &CaptureTold) -> bool {
    let spans = one.span_ns.zip(other.span_ns);
    spans.is_some_and(|(ours, theirs)| ours.0 <= theirs.1 && theirs.0 <= ours.1)
}

/// For how long a connection is there, in nanoseconds.
const fn length(one: &Connection) -> u64 {
    one.span_ns.1 - one.span_ns.0
}

/// Whether half of the data that arrived came after a time.
fn goes_on(one: &Connection, from_ns: u64) -> bool {
    let data = &one.directions[one.main_direction()].delivered;
    let sums = data.bins().iter().enumerate().map(|(place, bin)| (data.begin_ns(place), bin.sum));
    let (whole, later) = sums.fold((0.0, 0.0), |(whole, later), (at, sum)| {
        (whole + sum, later + if at >= from_ns { sum } else { 0.0 })
    });
    2.0 * later >= whole && whole > 0.0
}

fn sorted([one, other]: [SocketAddr; 2]) -> [SocketAddr; 2] {
    if one <= other { [one, other] } else { [other, one] }
}
