//! Packets that a capture has more than once, told from those that were sent again.

use crate::{MILLISECOND, packet, read};
use airloom_trace::{Identity, Packet};
use airloom_wire::{TcpFlags, TcpOptions};
use proptest::prelude::*;

const OCTETS: u32 = 1000;
/// Before and behind a router.
const BEFORE: Identity = Identity { number: None, label: 0, hops: 64, via: 1, filled: None, tunnels: 0 };
const BEHIND: Identity = Identity { hops: 63, via: 2, ..BEFORE };

fn data(n: u32, identity: Identity) -> Packet {
    Packet { identity, ..packet((1, 2), n * OCTETS, 1, TcpFlags::ACK, OCTETS, TcpOptions::default()) }
}

fn ack(n: u32) -> Packet {
    packet((2, 1), 1, n * OCTETS, TcpFlags::ACK, 0, TcpOptions::default())
}

fn numbered(identity: Identity, number: u32) -> Identity {
    Identity { number: Some(number as u16 + 1), ..identity }
}

/// Copies and retransmissions of the data in packets.
fn told(mut packets: Vec<(u64, Packet)>) -> (u64, u64) {
    packets.sort_by_key(|packet| packet.0);
    let connections = read(packets);
    assert_eq!(connections.len(), 1);
    let direction = &connections[0].directions[0];
    (direction.copies, direction.retransmissions.segments())
}

proptest! {
    /// A router sends each packet back over the link that the capture is of, up to 90 ms later, so that acknowledgments and other
    /// packets lie in between. Some are lost behind it, and go again 300 ms later, with or without a number of their own.
    #[test]
    fn what_a_router_sends_on_is_a_copy(
        lost in prop::collection::btree_set(0_u32..200, 0..40), late in 1..90 * MILLISECOND, gives_numbers: bool
    ) {
        let identity = |identity, number| if gives_numbers { numbered(identity, number) } else { identity };
        let mut packets = Vec::new();
        let mut passes = |at_ns, n, number| {
            packets.push((at_ns, data(n, identity(BEFORE, number))));
            packets.push((at_ns + late, data(n, identity(BEHIND, number))));
        };
        for n in 0..200 {
            let at_ns = u64::from(n) * MILLISECOND;
            passes(at_ns, n, n);
            if lost.contains(&n) {
                passes(at_ns + 300 * MILLISECOND, n, 1000 + n);
            }
        }
        packets.extend((0..200).map(|n| (u64::from(n) * MILLISECOND + late + 1, ack(n))));
        prop_assert_eq!(told(packets), (200 + lost.len() as u64, lost.len() as u64));
    }
}

#[test]
fn a_sender_that_gives_no_numbers_or_old_ones_sends_again() {
    for identity in [BEFORE, numbered(BEFORE, 7)] {
        let again = [
            (0, data(0, identity)),
            (1, data(1, numbered(BEFORE, 1))),
            (MILLISECOND * 250, data(0, identity)),
        ];
        assert_eq!(told(again.into()), (0, 1), "{identity:?}");
    }
    // After a timeout it looks for another way, which is longer.
    let other = Identity { label: 2, ..BEHIND };
    let again = [
        (0, data(0, Identity { label: 1, ..BEFORE })),
        (1, data(1, BEFORE)),
        (MILLISECOND * 90, data(0, other)),
    ];
    assert_eq!(told(again.into()), (0, 1));
}

#[test]
fn acknowledgments_in_the_same_words_are_no_copies() {
    let packets = (0..10).map(|n| (u64::from(n) * MILLISECOND, data(n, numbered(BEFORE, n))));
    let same = (0..5_u32)
        .map(|n| (11 * MILLISECOND + u64::from(n), Packet { identity: numbered(BEFORE, n), ..ack(5) }));
    let connections = read(packets.chain(same));
    assert_eq!((connections[0].directions[0].acks.repeated, connections[0].directions[1].copies), (4, 0));
}

/// The receiver gives all of its packets one number, within the millisecond in which copies come.
#[test]
fn one_number_for_all_packets_makes_none_of_them_a_copy() {
    let packets = (0..10).map(|n| (u64::from(n) * MILLISECOND, data(n, numbered(BEFORE, n))));
    let mut all: Vec<_> = packets.collect();
    let one = |packet| Packet { identity: numbered(BEFORE, 0), ..packet };
    all.extend((1..=4).map(|n| (u64::from(n) * MILLISECOND + 1, one(ack(n)))));
    all.extend((0..5_u32).map(|n| (11 * MILLISECOND + u64::from(n), one(ack(5)))));
    all.sort_by_key(|packet| packet.0);
    let connections = read(all);
    assert_eq!((connections[0].directions[0].acks.repeated, connections[0].directions[1].copies), (4, 0));
}

#[test]
fn a_capture_that_was_put_behind_itself_counts_once() {
    let once: Vec<_> = (0..5000)
        .flat_map(|n| {
            let at_ns = u64::from(n) * MILLISECOND;
            [(at_ns, data(n, BEFORE)), (at_ns + 1000, ack(n + 1))]
        })
        .collect();
    let count = once.len() as u64;
    let twice = read(once.iter().chain(&once).copied());
    assert_eq!(twice.len(), 1);
    let [data, acks] = &twice[0].directions;
    assert_eq!((data.copies + acks.copies, data.retransmissions.segments(), data.packets), (count, 0, 5000));
}

/// As `telnet.pcap` of Wireshark's wiki has it, of Linux 2.2: the second one lacks its data, and comes 1.6 ms behind the first, which is never acknowledged before.
#[test]
fn what_comes_again_under_its_number_before_any_timer_is_a_copy() {
    let (first, again) = (10 * MILLISECOND, 11 * MILLISECOND + MILLISECOND / 2);
    let mut packets: Vec<_> =
        (0..5).map(|n| (u64::from(n) * MILLISECOND, data(n, numbered(BEFORE, n)))).collect();
    packets.extend((1..=5).map(|n| (u64::from(n) * MILLISECOND + 1, ack(n))));
    packets.extend([first, again].map(|at_ns| (at_ns, data(5, numbered(BEFORE, 5)))));
    assert_eq!(told(packets.clone()), (1, 0));
    // The other end said something in between, which may have asked for it.
    packets.push((11 * MILLISECOND, ack(5)));
    assert_eq!(told(packets), (0, 1));
}
