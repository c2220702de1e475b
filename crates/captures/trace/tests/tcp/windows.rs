//! Windows that are closed, in captures that have the handshake and in those that have not.

use super::*;

/// A packet of the receiver with a window.
fn told(ack: u32, window: u16) -> Packet {
    let mut packet = packet((2, 1), 1, ack, TcpFlags::ACK, 0, TcpOptions::default());
    let Transport::Tcp(segment) = &mut packet.transport else { unreachable!() };
    segment.header.window = window;
    packet
}

fn data(seq: u32, octets: u32) -> Packet {
    packet((1, 2), seq, 1, TcpFlags::ACK, octets, TcpOptions::default())
}

/// Full segments; then the window stays closed for 2 s of 4, with a probe each second, three times; no handshake.
fn closes_again_and_again() -> Vec<(u64, Packet)> {
    let (mut packets, mut at_ms, mut seq) = (Vec::new(), 0, 1);
    for _ in 0..3 {
        packets.push((at_ms * MILLISECOND, data(seq, 1000)));
        seq += 1000;
        packets.push(((at_ms + 1) * MILLISECOND, told(seq, 0)));
        for probe in [500, 1500] {
            packets.push(((at_ms + probe) * MILLISECOND, data(seq, 1)));
            packets.push(((at_ms + probe) * MILLISECOND, told(seq, 0)));
        }
        packets.push(((at_ms + 2001) * MILLISECOND, told(seq, 500)));
        at_ms += 4001;
    }
    packets.push((at_ms * MILLISECOND, data(seq, 1000)));
    packets
}

#[test]
fn a_closed_window_is_the_receivers_time_in_any_scale() {
    let connections = read(closes_again_and_again());
    let limits = &connections[0].directions[0].limits;
    assert!((limits.share(Limit::Receiver) - 0.5).abs() < 0.01, "{}", limits.share(Limit::Receiver));
    assert!((limits.share(Limit::Application) - 0.5).abs() < 0.01);
    assert!(limits.used.bins().iter().all(|bin| bin.count == 0), "the scale of the others is not known");
    assert!(limits.withheld() == 0.0);
}

#[test]
fn what_lasts_ends_with_the_connection_not_with_the_capture() {
    const DAYS: u64 = 17 * 86_400_000 * MILLISECOND;
    let second = 1000 * MILLISECOND;
    let still = [(0, data(1, 1000)), (1, told(1001, 0)), (second, data(1001, 1)), (second, told(1001, 0))];
    let silent = [(0, data(1, 1000)), (second, data(1, 1000))];
    let another = (DAYS, packet((7, 8), 1, 1, TcpFlags::ACK, 1000, TcpOptions::default()));
    for (packets, pause) in [(still.to_vec(), Pause::ZeroWindow), (silent.to_vec(), Pause::Silence)] {
        let connections = read(packets.into_iter().chain([another]));
        let stalls = &connections[0].directions[0].stalls;
        assert_eq!((stalls.count(pause), stalls.lasted_ns(pause) / MILLISECOND / 999), (1, 1), "{pause:?}");
    }
}

/// As `smb3.pcap` of Zeek has it, without any bare acknowledgment: the answer to the last data comes with the next request, seconds later.
#[test]
fn data_that_acknowledges_long_after_shows_no_standstill() {
    let stalls = |again: &[u64]| {
        let asks = |seq, ack| packet((2, 1), seq, ack, TcpFlags::ACK, 100, TcpOptions::default());
        let answers = |ack| packet((1, 2), 1, ack, TcpFlags::ACK, 1000, TcpOptions::default());
        let mut packets = vec![(0, asks(1, 1)), (1, answers(101)), (3000, asks(101, 1001))];
        packets.extend(again.iter().map(|&at| (at, answers(101))));
        packets.sort_by_key(|&(at, _)| at);
        let connections = read(packets.into_iter().map(|(at, packet)| (at * MILLISECOND, packet)));
        let directions = &connections[0].directions;
        directions[0].stalls.count(Pause::Silence) + directions[1].stalls.count(Pause::Silence)
    };
    assert_eq!(
        [stalls(&[]), stalls(&[1000, 2900])],
        [0, 1],
        "what is sent again shows that nothing had come"
    );
}
