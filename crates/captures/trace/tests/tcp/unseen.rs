//! What passes a capture without being in it, and what D-SACKs show of that.

use super::*;

/// A packet of the receiver that reports octets, each block by its first and the one behind it.
fn reports(ack: u32, blocks: &[(u32, u32)]) -> Packet {
    let mut sack = SackBlocks::NONE;
    blocks.iter().for_each(|&(left, right)| sack.push(left, right));
    packet((2, 1), 1, ack, TcpFlags::ACK, 0, TcpOptions { sack, ..TcpOptions::default() })
}

fn data(seq: u32) -> Packet {
    packet((1, 2), seq, 1, TcpFlags::ACK, 1000, TcpOptions::default())
}

/// A handshake that takes as long to the end that is called, then packets at their milliseconds.
fn opened(answered_ms: u64, packets: &[(u64, Packet)]) -> Connection {
    let none = TcpOptions::default();
    let handshake = [
        (0, packet((1, 2), 0, 0, TcpFlags::SYN, 0, none)),
        (answered_ms, packet((2, 1), 0, 1, TcpFlags::SYN | TcpFlags::ACK, 0, none)),
        (answered_ms, packet((1, 2), 1, 1, TcpFlags::ACK, 0, none)),
    ];
    read(handshake.iter().chain(packets).map(|&(at_ms, packet)| (at_ms * MILLISECOND, packet))).remove(0)
}

#[test]
fn data_that_came_twice_unseen_gives_no_round_trip() {
    let twice = [(3400, data(1)), (6700, reports(1001, &[(1, 1001)]))];
    let connection = opened(3400, &twice);
    assert_eq!(connection.directions[0].trips.acknowledged.count(), 0);
    assert_eq!(connection.way_ns(1), None, "nor does the answer to the SYN");
    let later = [(8000, data(1001)), (8360, reports(2001, &[]))];
    let connection = opened(3400, &[twice, later].concat());
    assert_eq!(connection.way_ns(1), Some(360 * MILLISECOND));
    let once = opened(3400, &[(3400, data(1)), (6700, reports(1001, &[]))]);
    assert_eq!(once.way_ns(1), Some(3300 * MILLISECOND));
}

#[test]
fn data_waits_behind_a_hole_from_when_it_reaches_the_receiver() {
    // The second segment is lost. The receiver reports the third late, and the hole is filled unseen.
    let then = [(100, data(1)), (100, reports(1001, &[])), (1000, data(2001))];
    let end = [(16_000, reports(1001, &[(2001, 3001)])), (16_300, reports(1501, &[(2001, 3001)]))];
    let hole = |answered_ms, before: [(u64, Packet); 3]| {
        let all = [before.as_slice(), &end, &[(16_301, reports(3001, &[]))]].concat();
        opened(answered_ms, &all).directions[0].sacks.longest_hole_ns / MILLISECOND
    };
    assert_eq!(hole(0, then), 15_300);
    // Seen from afar it shows not before the report when it has arrived.
    let [sent, (_, answer), third] = then;
    assert_eq!(hole(50, [sent, (150, answer), third]), 300);
}

#[test]
fn a_sender_that_repeats_what_was_acknowledged_has_not_run_out_of_data() {
    // Acknowledged here, but not at the sender, whose timer expires again and again.
    let mut packets = vec![(100, data(1)), (110, reports(1001, &[]))];
    for at_ms in [500, 1300, 2900, 6100] {
        packets.extend([(at_ms, data(1)), (at_ms + 10, reports(1001, &[]))]);
    }
    packets.extend([(10_100, data(1001)), (10_110, reports(2001, &[]))]);
    let limits = &opened(10, &packets).directions[0].limits;
    assert!((limits.share(Limit::Recovery) - 0.6).abs() < 0.02, "{}", limits.share(Limit::Recovery));
    assert!((limits.share(Limit::Application) - 0.4).abs() < 0.02, "{}", limits.share(Limit::Application));
}

/// Each end's clock is the millisecond; the sender repeats what was acknowledged, and echoes so.
fn repeated(echoes: [u32; 4]) -> u64 {
    let clocked = |mut packet: Packet, value: u64, echo: u32| {
        let Transport::Tcp(segment) = &mut packet.transport else { unreachable!() };
        segment.header.options.timestamps = Some(Timestamps { value: value as u32, echo });
        packet
    };
    let mut packets = vec![(100, clocked(data(1), 100, 50)), (110, clocked(reports(1001, &[]), 110, 100))];
    for (at_ms, echo) in [500, 1300, 2900, 6100].into_iter().zip(echoes) {
        packets.push((at_ms, clocked(data(1), at_ms, echo)));
        packets.push((at_ms + 10, clocked(reports(1001, &[]), at_ms + 10, at_ms as u32)));
    }
    opened(10, &packets).cut_off[0].longest_ns / MILLISECOND
}

#[test]
fn nothing_comes_through_to_an_end_that_repeats_what_was_acknowledged_and_echoes_nothing_new() {
    assert_eq!(repeated([50; 4]), 6100 - 110);
    assert_eq!(repeated([50, 110, 510, 2910]), 0, "each acknowledgment comes through, late");
    assert_eq!(repeated([50, 50, 1310, 1310]), 0, "the second does");
}

#[test]
fn a_timer_that_doubles_shows_where_nothing_of_the_receiver_is_captured() {
    // tcpflow's bug2: the fourth segment and the last are repeated after 0.391, 0.940, 1.880 and 3.759 s.
    let sent = |times: &[(u64, u32)]| {
        let packets = times.iter().map(|&(at_ms, seq)| (at_ms * MILLISECOND, data(seq)));
        let connection = read(packets).remove(0);
        let one = &connection.directions[0];
        let again = |trigger| one.retransmissions.by_trigger(trigger);
        let stalls = one
            .stalls
            .list
            .kept()
            .iter()
            .map(|one| (one.to_ns - one.from_ns) / MILLISECOND)
            .collect::<Vec<_>>();
        ([Trigger::Timeout, Trigger::Probe, Trigger::Unclear].map(again), stalls)
    };
    let first = [(0, 1), (2, 1001), (4, 2001), (6, 3001), (8, 4001)];
    let doubled = [(397, 3001), (1337, 3001), (3217, 3001), (6976, 3001)];
    assert_eq!(sent(&[&first[..], &doubled].concat()), ([3, 0, 1], vec![6968]));
    // Whether its data was underway until new data goes, or its program paused, does not show.
    assert_eq!(sent(&[&first[..], &doubled, &[(16_000, 5001)]].concat()), ([3, 0, 1], vec![6968]));
    // The last segment again is no probe whose time is known, and what comes at even times is of no such timer.
    assert_eq!(sent(&[&first[..], &[(1308, 4001), (2608, 4001)]].concat()), ([0, 0, 2], vec![2600]));
    assert_eq!(sent(&[&first[..], &[(2900, 5001)]].concat()), ([0, 0, 0], vec![]));
}
