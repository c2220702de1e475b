//! Zeros that fill a frame are no data, and zeros that a program wrote are.

use crate::{MILLISECOND, ROUND, packet, read};
use airloom_trace::tcp::Direction;
use airloom_trace::{Packet, Transport};
use airloom_wire::{TcpFlags, TcpOptions};

const FILLING: u32 = 6;
const OCTETS: u32 = 500;

/// A packet of an end that has so many zeros which may fill its frame.
fn short(from: u16, seq: u32, ack: u32) -> Packet {
    let short = packet((from, 3 - from), seq, ack, TcpFlags::ACK, FILLING, TcpOptions::default());
    let Transport::Tcp(mut segment) = short.transport else { unreachable!() };
    segment.fills = true;
    Packet { transport: Transport::Tcp(segment), ..short }
}

fn data(from: u16, seq: u32, ack: u32) -> Packet {
    packet((from, 3 - from), seq, ack, TcpFlags::ACK, OCTETS, TcpOptions::default())
}

/// Data of both ends.
fn both(packets: Vec<(u64, Packet)>) -> [Direction; 2] {
    let [connection] = &read(packets)[..] else { panic!("one connection") };
    connection.directions.clone()
}

/// Packets with payload, its octets, what was sent again, and what is missing.
fn counts(direction: &Direction) -> (u64, u64, u64, u64) {
    (direction.packets, direction.octets, direction.retransmissions.segments(), direction.uncaptured.octets)
}

#[test]
fn an_acknowledgment_in_a_filled_frame_has_no_data() {
    let mut packets = Vec::new();
    for turn in 0..10 {
        let (at_ns, up, down) = (u64::from(turn) * 2000 * MILLISECOND, turn * OCTETS, turn * OCTETS);
        packets.push((at_ns, data(1, up, down)));
        packets.push((at_ns + ROUND, short(2, down, up + OCTETS)));
        // The same number begins the answer.
        packets.push((at_ns + 2 * ROUND, data(2, down, up + OCTETS)));
        packets.push((at_ns + 3 * ROUND, short(1, up + OCTETS, down + OCTETS)));
    }
    for direction in both(packets) {
        assert_eq!(counts(&direction), (10, u64::from(10 * OCTETS), 0, 0));
        assert_eq!(direction.acknowledged, u64::from(10 * OCTETS));
        assert_eq!(direction.acks.packets, 10);
    }
}

#[test]
fn zeros_that_are_acknowledged_or_followed_are_data() {
    let acknowledged = vec![
        (0, data(1, 0, 0)),
        (1, short(1, OCTETS, 0)),
        (ROUND, packet((2, 1), 0, OCTETS + FILLING, TcpFlags::ACK, 0, TcpOptions::default())),
    ];
    let followed = vec![(0, data(1, 0, 0)), (1, short(1, OCTETS, 0)), (2, data(1, OCTETS + FILLING, 0))];
    for (packets, parts) in [(acknowledged, 1), (followed, 2)] {
        let octets = u64::from(parts * OCTETS + FILLING);
        assert_eq!(counts(&both(packets)[0]), (u64::from(parts) + 1, octets, 0, 0));
    }
}

#[test]
fn zeros_that_are_data_have_their_time() {
    let packets = vec![
        (MILLISECOND, short(1, 0, 0)),
        (ROUND, packet((2, 1), 0, FILLING, TcpFlags::ACK, 0, TcpOptions::default())),
    ];
    let [sent, _] = both(packets);
    assert_eq!((sent.octets, sent.span_ns.map(|(from, to)| to - from)), (FILLING.into(), Some(0)));
}
