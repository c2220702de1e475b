//! Captures that begin within a stream, above what its receiver still lacks; and receivers that report what they acknowledge.

use crate::{MILLISECOND, packet, read};
use airloom_trace::Packet;
use airloom_trace::tcp::{Connection, Direction, Size};
use airloom_wire::{SackBlocks, TcpFlags, TcpOptions};

fn data(seq: u32, octets: u32) -> Packet {
    packet((1, 2), seq, 1, TcpFlags::ACK, octets, TcpOptions::default())
}

fn reports(ack: u32, blocks: &[(u32, u32)]) -> Packet {
    let mut sack = SackBlocks::NONE;
    blocks.iter().for_each(|&(left, right)| sack.push(left, right));
    packet((2, 1), 1, ack, TcpFlags::ACK, 0, TcpOptions { sack, ..TcpOptions::default() })
}

/// Packets at their milliseconds.
fn at(packets: &[(u64, Packet)]) -> Connection {
    read(packets.iter().map(|&(at_ms, packet)| (at_ms * MILLISECOND, packet))).remove(0)
}

fn counts(direction: &Direction) -> [u64; 4] {
    let again = &direction.retransmissions;
    [again.segments(), again.needless(), direction.acknowledged, direction.uncaptured.octets]
}

/// As in `ultrasurf.pcap` of nDPI, whose first data lies 59,560 octets above what the first acknowledgment asks for.
#[test]
fn what_lies_below_the_first_data_of_a_capture_is_not_taken_for_acknowledged() {
    let begins = [(0, data(20_001, 1000)), (20, reports(10_001, &[(20_001, 21_001)]))];
    let fills = [(200, data(12_001, 1000)), (400, data(12_001, 1000)), (420, reports(13_001, &[]))];
    let connection = at(&[begins.as_slice(), &fills].concat());
    assert_eq!(counts(&connection.directions[0]), [2, 0, 3000, 2000]);
    assert_eq!(connection.directions[0].uncaptured.before, 2000, "sent before the capture");
    // Data that is sent again before any acknowledgment is captured is none that had one.
    let connection = at(&[begins[0], (200, data(12_001, 1000)), (400, data(12_001, 1000))]);
    assert_eq!(counts(&connection.directions[0]), [2, 0, 0, 0]);
    // An acknowledgment of another stream moves nothing.
    let connection = at(&[
        begins[0],
        (20, reports(20_001_u32.wrapping_sub(100_000_000), &[])),
        (40, reports(20_001, &[])),
    ]);
    assert_eq!(counts(&connection.directions[0]), [0, 0, 0, 0]);
}

/// A receiver that puts what came last into the first block, and merges it with what lies behind it, though the packet acknowledges all of that.
#[test]
fn a_report_of_what_is_acknowledged_by_the_same_packet_proves_nothing_once_it_is_of_more_than_a_packet() {
    let lost = [(0, data(1, 1000)), (1, data(1001, 1000)), (2, data(2001, 1000)), (3, data(3001, 1000))];
    let told = [(40, reports(1, &[(2001, 3001)])), (41, reports(1, &[(2001, 4001)]))];
    let first = [(300, data(1, 1000)), (340, reports(1001, &[(1, 1001), (2001, 4001)]))];
    let twice = |then: &[(u64, Packet)]| {
        let connection = at(&[lost.as_slice(), &told, &first, then].concat());
        let data = &connection.directions[0];
        (counts(data)[..2].to_vec(), data.sacks.merges)
    };
    assert_eq!(twice(&[]), (vec![1, 1], false), "by RFC 2883 the first came twice");
    let second = [(345, data(1001, 1000)), (385, reports(4001, &[(1001, 4001)]))];
    assert_eq!(twice(&second), (vec![2, 0], true));
    // What had been acknowledged before did come twice, whatever such a receiver says of other octets.
    let known = [(350, data(1, 1000)), (390, reports(1001, &[(1, 1001), (2001, 4001)]))];
    let third = [(395, data(1001, 1000)), (435, reports(4001, &[(1001, 4001)]))];
    assert_eq!(twice(&[known, third].concat()), (vec![3, 1], true));
    let fourth = [(440, data(2001, 1000)), (480, reports(4001, &[(2001, 3001)]))];
    assert_eq!(twice(&[second, fourth].concat()), (vec![3, 1], true), "behind it, too");
    // One that reports what came twice alone is believed.
    let second = [(345, data(1001, 1000)), (385, reports(4001, &[(1001, 2001)]))];
    assert_eq!(twice(&second), (vec![2, 2], false));
}

#[test]
fn what_becomes_of_packets_is_kept_by_their_size() {
    let mut packets = vec![(0, data(1, 100)), (10, reports(101, &[]))];
    for round in 0..3_u32 {
        let (seq, at_ms) = (101 + 300 * round, 100 + 100 * u64::from(round));
        packets.extend([(at_ms, data(seq, 200)), (at_ms + 1, data(seq + 200, 100))]);
        packets.push((at_ms + 10, reports(seq, &[(seq + 200, seq + 300)])));
        packets.extend([(at_ms + 20, data(seq, 100)), (at_ms + 21, data(seq + 100, 100))]);
        packets.push((at_ms + 30, reports(seq + 300, &[])));
    }
    packets.extend([(900, data(1001, 200)), (901, data(1201, 100)), (910, reports(1001, &[(1201, 1301)]))]);
    let connection = at(&packets);
    let told = |one: &Size| (one.most, one.packets, one.octets, one.arrived, one.lost, one.turns);
    let sizes: Vec<_> = connection.directions[0].sizes().iter().map(told).collect();
    assert_eq!(sizes, [(100, 11, 1100, 1100, 0, 5), (200, 4, 800, 0, 800, 4)]);
}

/// `zoom.pcap` of nDPI: the end that had closed resets what still comes, and the other closes after that.
#[test]
fn an_end_that_closes_behind_a_reset_had_not_closed_before_it() {
    let ends =
        |ports: (u16, u16), seq: u32, flags: TcpFlags| packet(ports, seq, 0, flags, 0, TcpOptions::default());
    let connection = at(&[
        (0, data(1, 1000)),
        (1, ends((2, 1), 1, TcpFlags::FIN | TcpFlags::ACK)),
        (5, data(1001, 66)),
        (6, ends((2, 1), 1, TcpFlags::RST)),
        (20, ends((1, 2), 1067, TcpFlags::FIN | TcpFlags::ACK)),
    ]);
    let reset = connection.reset.unwrap();
    assert_eq!((reset.by, reset.finished, connection.finished), (1, [false, true], [true, true]));
}
