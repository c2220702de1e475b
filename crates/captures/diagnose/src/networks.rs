//! Which captures are of one network: only there is a host that has an address in both one and the same.

use crate::join::{Join, Samples};
use crate::strangers::sorted;
use airloom_trace::tcp::Connection;
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Where each connection between two ends is: the capture's place among the captures, and its place in it.
pub(crate) type BetweenEnds = BTreeMap<[SocketAddr; 2], Vec<(usize, usize)>>;

/// Where each connection is, by its ends.
pub(crate) fn between_ends(connections: &[Vec<Connection>]) -> BetweenEnds {
    let mut found = BetweenEnds::new();
    for (capture, connections) in connections.iter().enumerate() {
        for (place, connection) in connections.iter().enumerate() {
            found.entry(sorted(connection.ends)).or_default().push((capture, place));
        }
    }
    found
}

/// For each capture the first one of its network. Two belong together if they have the same packets, by which one is on the clock of the other or is a station's whose encrypted frames the other has, or the same connection, by its
/// sequence numbers, or the same questions of `ping`. That both have an address proves nothing: private ones (RFC 1918) are anew in each network.
pub(crate) fn networks(
    joins: &[Join],
    reference: usize,
    connections: &[Vec<Connection>],
    between_ends: &BetweenEnds,
    samples: &[Samples],
) -> Vec<usize> {
    let mut first: Vec<usize> = (0..joins.len()).collect();
    for (capture, sample) in samples.iter().enumerate() {
        for other in 0..capture {
            if first[other] != first[capture] && sample.share_echoes(&samples[other]) {
                unite(&mut first, [capture, other]);
            }
        }
    }
    for (capture, join) in
        joins.iter().enumerate().filter(|(_, join)| join.clock.is_some() || join.station.is_some())
    {
        unite(&mut first, [capture, join.through.unwrap_or(reference)]);
    }
    for places in between_ends.values() {
        for (at, &(capture, place)) in places.iter().enumerate() {
            let one = &connections[capture][place];
            let is_same = |&&(other, its): &&(usize, usize)| {
                first[other] != first[capture] && one.is_one_with(&connections[other][its])
            };
            if let Some(&(other, _)) = places[at + 1..].iter().find(is_same) {
                unite(&mut first, [capture, other]);
            }
        }
    }
    first
}

/// The networks of two captures are one.
fn unite(first: &mut [usize], captures: [usize; 2]) {
    let [one, other] = captures.map(|capture| first[capture]);
    first.iter_mut().filter(|known| **known == one.max(other)).for_each(|known| *known = one.min(other));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::packet;
    use airloom_trace::tcp::Connections;
    use airloom_wire::TcpFlags;

    /// A connection between two private addresses that begins with such a number.
    fn connection(begins: u32) -> Vec<Connection> {
        let mut all = Connections::default();
        all.see(0, 1, &packet(0, 1, TcpFlags::ACK, begins, 1, 1000));
        all.see(1, 1, &packet(1, 1, TcpFlags::ACK, 1, begins + 1000, 0));
        all.finish()
    }

    #[test]
    fn an_address_makes_no_two_networks_one() {
        let of = |begins: &[u32]| {
            let connections: Vec<_> = begins.iter().map(|&begins| connection(begins)).collect();
            let joins: Vec<_> = begins.iter().map(|_| Join::default()).collect();
            let samples: Vec<_> = begins.iter().map(|_| Samples::default()).collect();
            networks(&joins, 0, &connections, &between_ends(&connections), &samples)
        };
        assert_eq!(of(&[1000, 1000]), [0, 0], "the same connection");
        assert_eq!(of(&[1000, 7_000_000]), [0, 1], "other numbers between the same addresses");
        assert_eq!(of(&[1000, 7_000_000, 7_000_000, 1000]), [0, 1, 1, 0]);
    }
}
