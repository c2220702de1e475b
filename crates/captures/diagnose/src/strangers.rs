//! Captures that show different connections between the same ends at the same time: they are not of one network, or not of one run.

use crate::capture::CaptureStats;
use crate::join::Samples;
use airloom_trace::Shared;
use airloom_trace::tcp::Connection;
use std::net::SocketAddr;

/// Two captures that do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strangers {
    /// Their places among the captures.
    pub captures: [usize; 2],
    /// The ends of a connection that either has, with other sequence numbers.
    pub ends: [SocketAddr; 2],
    /// Whether both have it up to a time, with the same numbers, but not what came behind that.
    pub begin_alike: bool,
}

/// A connection with fewer packets, or octets of data, may have nothing that tells.
const PACKETS: u64 = 1000;
const OCTETS: u64 = 1_000_000;
/// Fewer packets that both have say nothing.
const SHARED: usize = 8;
/// Where so many more are to be expected behind the last of them, none is there by chance in one of e^24 cases.
const EXPECTED: f64 = 24.0;
/// What comes behind it is at least this part of what came before: a hole that is filled as a capture ends brings much at once.
const REST: f64 = 0.1;

impl Strangers {
    /// The first two captures of one connection whose packets are the same ones up to a time alone, as in two runs of one seed.
    pub(crate) fn parted(
        captures: &[CaptureStats],
        connections: &[Vec<Connection>],
        samples: &[Samples],
    ) -> Option<Self> {
        let mut pairs = pairs(captures).filter(|&[one, other]| overlap(&captures[one], &captures[other]));
        pairs.find_map(|pair| {
            let (one, other) = largest(pair.map(|capture| connections[capture].as_slice()))?;
            let shared = samples[pair[0]].segments.shared(&samples[pair[1]].segments);
            // A connection that is heard twice from a time on has nothing that is shared behind that.
            let heard_once = || {
                let last = |at: usize| shared.iter().map(|packet| packet.at_ns[at]).max().unwrap_or_default();
                let twice = |at: usize| samples[pair[at]].segments.twice_since(last(at)) as f64;
                twice(0).max(twice(1)) < EXPECTED
            };
            (begin_alike(one, other, &shared) && heard_once()).then_some(Self {
                captures: pair,
                ends: one.ends,
                begin_alike: true,
            })
        })
    }
}

/// Two captures each, of different files. What interfaces of one file have was captured together: a program of the host may answer for one
/// end.
pub(crate) fn pairs(captures: &[CaptureStats]) -> impl Iterator<Item = [usize; 2]> + '_ {
    let places = 0..captures.len();
    let all = places.clone().flat_map(move |one| places.clone().skip(one + 1).map(move |other| [one, other]));
    all.filter(|&[one, other]| captures[one].path != captures[other].path)
}

/// The connection with most octets that two captures have, as each shows it; none if either shows little of it.
fn largest([first, second]: [&[Connection]; 2]) -> Option<(&Connection, &Connection)> {
    let large = |one: &&Connection| one.octets() >= OCTETS && one.packets.iter().sum::<u64>() >= PACKETS;
    let both = first.iter().filter(large).flat_map(|one| {
        second.iter().filter(large).filter(|other| one.is_one_with(other)).map(move |other| (one, other))
    });
    both.max_by_key(|(one, _)| one.octets())
}

/// Whether two captures share packets of a connection up to a time alone, while it goes on in either with so much data that they would share many more.
fn begin_alike(one: &Connection, other: &Connection, shared: &[Shared]) -> bool {
    let hosts = other.ends.map(|end| end.ip());
    let of_both = shared.iter().filter(|packet| hosts.iter().all(|host| packet.ends.contains(host)));
    let count = of_both.clone().count();
    let last = |capture: usize| of_both.clone().map(|packet| packet.at_ns[capture]).max().unwrap_or_default();
    let goes_on = more(one, last(0)).min(more(other, last(1)));
    count >= SHARED && goes_on >= REST && count as f64 * goes_on >= EXPECTED
}

/// Whether captures have time in common, by their stamps.
fn overlap(one: &CaptureStats, other: &CaptureStats) -> bool {
    let spans = one.span_ns.zip(other.span_ns);
    spans.is_some_and(|(ours, theirs)| ours.0 <= theirs.1 && theirs.0 <= ours.1)
}

/// How many times as much data of a connection came after a time as before it.
fn more(one: &Connection, at_ns: u64) -> f64 {
    let data = &one.directions[one.main_direction()].delivered;
    let sums = data.bins().iter().enumerate().map(|(place, bin)| (data.begin_ns(place), bin.sum));
    let (before, after) =
        sums.fold(
            (0.0, 0.0),
            |(before, after), (begin_ns, sum)| {
                if begin_ns <= at_ns { (before + sum, after) } else { (before, after + sum) }
            },
        );
    after / f64::max(before, 1.0)
}

/// Two ends in an order that does not depend on which one comes first.
pub(crate) fn sorted<End: Ord>([one, other]: [End; 2]) -> [End; 2] {
    if one <= other { [one, other] } else { [other, one] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::{HOSTS, packet};
    use airloom_trace::tcp::Connections;
    use airloom_wire::TcpFlags;

    const MS: u64 = 1_000_000;

    /// Segments of 1000 octets from a port, one each millisecond, and their acknowledgments.
    fn connection(port: u16, segments: u32) -> Connection {
        let mut all = Connections::default();
        for segment in 0..segments {
            let at_ns = u64::from(segment) * MS;
            all.see(at_ns, 1, &packet(0, port, TcpFlags::ACK, segment * 1000, 1, 1000));
            all.see(at_ns + MS / 2, 1, &packet(1, port, TcpFlags::ACK, 1, (segment + 1) * 1000, 0));
        }
        all.finish().remove(0)
    }

    /// Packets that both have, at these times.
    fn shared(times_ms: impl IntoIterator<Item = u64>) -> Vec<Shared> {
        times_ms.into_iter().map(|at| Shared { ends: HOSTS, at_ns: [at * MS; 2] }).collect()
    }

    #[test]
    fn few_packets_in_common_say_nothing_of_two_runs() {
        let one = connection(1, 4000);
        assert!(!begin_alike(&one, &one, &shared([])));
        assert!(!begin_alike(&one, &one, &shared([100])));
        assert!(!begin_alike(&one, &one, &shared(0..7)));
        assert!(begin_alike(&one, &one, &shared(0..8)));
        assert!(!begin_alike(&one, &one, &shared((0..8).chain([2000]))));
    }

    #[test]
    fn two_runs_may_part_late() {
        let one = connection(1, 4000);
        assert!(
            begin_alike(&one, &one, &shared((0..3000).step_by(4))),
            "alike for three quarters of the time"
        );
        assert!(!begin_alike(&one, &one, &shared((0..3996).step_by(4))), "to the end");
        assert!(!begin_alike(&one, &one, &shared(0..3800)), "but for the last twentieth");
        assert!(!begin_alike(&one, &one, &shared((0..3000).step_by(400))), "few in common");
    }

    #[test]
    fn the_connection_with_most_octets_is_judged() {
        let all = [connection(1, 2000), connection(2, 4000), connection(3, 3000), connection(4, 10)];
        let (one, other) = largest([&all, &all]).expect("three are large");
        assert_eq!([one.ends[0].port(), other.ends[0].port()], [2, 2]);
        assert_eq!(largest([&all, &all[3..]]).map(|(one, _)| one.ends), None);
    }
}
