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
    use airloom_trace::{Identity, Packet, Transport};
    use airloom_wire::{EchoKind, TcpFlags};

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

    /// Where one capture has only questions to open a connection and the other only refusals, neither end can be compared.
    #[test]
    fn two_ends_of_which_nothing_can_be_compared_make_no_two_networks_one() {
        let connections = [(0, TcpFlags::SYN), (1, TcpFlags::RST)].map(|(from, flags)| {
            let mut all = Connections::default();
            all.see(0, 1, &packet(from, 1, flags, 1000, 0, 0));
            all.finish()
        });
        assert!(!connections[0][0].differs_from(&connections[1][0]), "nor do they differ");
        let (joins, samples) = ([Join::default(), Join::default()], [Samples::default(), Samples::default()]);
        assert_eq!(networks(&joins, 0, &connections, &between_ends(&connections), &samples), [0, 1]);
    }

    /// Three questions as Windows asks them, whose IPv4 numbers are from here on.
    fn questions(numbers: Option<u16>) -> Samples {
        let mut samples = Samples::default();
        for sequence in 1..=3 {
            let question = packet(0, 1, TcpFlags::ACK, 0, 0, 0);
            let number = numbers.map(|first| first + sequence);
            let identity = Identity { number, ..question.identity };
            let transport = Transport::Echo { kind: EchoKind::Request, ident: 1, sequence, payload: 32 };
            samples.see(u64::from(sequence), &Packet { identity, transport, ..question });
        }
        samples
    }

    #[test]
    fn questions_make_two_networks_one_by_the_numbers_of_their_packets() {
        let of = |samples: [Samples; 2]| {
            let joins = [Join::default(), Join::default()];
            networks(&joins, 0, &[vec![], vec![]], &BetweenEnds::new(), &samples)
        };
        assert_eq!(of([questions(Some(7)), questions(Some(7))]), [0, 0], "the same packets");
        assert_eq!(of([questions(Some(7)), questions(Some(700))]), [0, 1], "others that count alike");
        assert_eq!(of([questions(None), questions(None)]), [0, 1], "IPv6, or numbers of zero");
    }
}
