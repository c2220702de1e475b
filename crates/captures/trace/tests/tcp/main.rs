//! TCP from any packets: nothing panics, nothing grows, and what is counted adds up.

mod beginnings;
mod copies;
mod filling;
mod needless;
mod strangers;
mod unseen;
mod windows;

use airloom_trace::tcp::{Connection, Connections, Limit, Needless, Pause, Trigger};
use airloom_trace::{Identity, Packet, Segment, Transmission, Transport};
use airloom_wire::{Ecn, SackBlocks, TcpFlags, TcpOptions, TcpRepr, Timestamps};
use proptest::prelude::*;
use std::net::{IpAddr, Ipv4Addr};

const MILLISECOND: u64 = 1_000_000;
/// A round trip, of which all is on the receiver's side.
const ROUND: u64 = 20 * MILLISECOND;

fn packet(
    ports: (u16, u16),
    seq: u32,
    ack: u32,
    flags: TcpFlags,
    payload: u32,
    options: TcpOptions,
) -> Packet {
    let header =
        TcpRepr { src_port: ports.0, dst_port: ports.1, seq, ack, flags, window: 60_000, urgent: 0, options };
    let ends = [TcpFlags::SYN, TcpFlags::FIN, TcpFlags::RST].into_iter().any(|flag| flags.contains(flag));
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    Packet {
        src: address,
        dst: address,
        dscp: 0,
        ecn: Ecn::NotEct,
        length: 40 + payload,
        identity: Identity::default(),
        transmission: Transmission::First,
        transport: Transport::Tcp(Segment {
            header,
            payload,
            options: header.header_len() as u32 - 20,
            ends,
            fills: false,
        }),
    }
}

fn any_packet() -> impl Strategy<Value = Packet> {
    // Few numbers around the place where they wrap, so that packets overlap.
    let number = || prop_oneof![(0_u32..64).prop_map(|n| (n * 100).wrapping_sub(3200)), any::<u32>()];
    let sack = prop::collection::vec((number(), number()), 0..5);
    let stamps = prop::option::of((0_u32..50, 0_u32..50));
    let flags = prop_oneof![8 => Just(TcpFlags::ACK), 1 => any::<u16>().prop_map(TcpFlags)];
    let rest = (flags, prop_oneof![Just(0), Just(1), Just(100), Just(1448), 0..200_000_u32], sack, stamps);
    (0_u16..3, 0_u16..3, number(), number(), rest).prop_map(
        |(src, dst, seq, ack, (flags, payload, sack, stamps))| {
            let mut blocks = SackBlocks::NONE;
            sack.into_iter().for_each(|(left, right)| blocks.push(left, right));
            let timestamps = stamps.map(|(value, echo)| Timestamps { value, echo });
            packet(
                (src, dst),
                seq,
                ack,
                flags,
                payload,
                TcpOptions { timestamps, sack: blocks, ..TcpOptions::default() },
            )
        },
    )
}

fn read(packets: impl IntoIterator<Item = (u64, Packet)>) -> Vec<Connection> {
    let mut connections = Connections::default();
    for (number, (at_ns, packet)) in (1..).zip(packets) {
        connections.see(at_ns, number, &packet);
    }
    connections.finish()
}

proptest! {
    #[test]
    fn any_packets_can_be_read(packets in prop::collection::vec((0..3000 * MILLISECOND, any_packet()), 0..400)) {
        let count = packets.len() as u64;
        let connections = read(packets);
        prop_assert_eq!(connections.iter().flat_map(|one| one.packets).sum::<u64>(), count);
        for direction in connections.iter().flat_map(|one| &one.directions) {
            let again = &direction.retransmissions;
            let segments: u64 = Trigger::ALL.iter().map(|&trigger| again.by_trigger(trigger)).sum();
            let needless: u64 = Needless::ALL.iter().map(|&proof| again.by_proof(proof)).sum();
            prop_assert!(needless <= segments && segments == again.segments());
            let shares: f64 = Limit::ALL.iter().map(|&limit| direction.limits.share(limit)).sum();
            prop_assert!(shares < 1.0 + 1e-9);
        }
    }

    /// Segments of which some are lost and sent again a round trip later, seen at either end: both agree on how many.
    #[test]
    fn what_is_lost_and_sent_again_is_counted_at_both_ends(lost in prop::collection::btree_set(0_u32..190, 1..40)) {
        const OCTETS: u32 = 1000;
        let data = |segment: u32| packet((1, 2), segment * OCTETS, 1, TcpFlags::ACK, OCTETS, TcpOptions::default());
        let (mut at_sender, mut at_receiver) = (Vec::new(), Vec::new());
        let offer = TcpOptions { mss: Some(1460), ..TcpOptions::default() };
        let handshake = [
            packet((1, 2), u32::MAX, 0, TcpFlags::SYN, 0, offer),
            packet((2, 1), 0, 0, TcpFlags::SYN | TcpFlags::ACK, 0, offer),
            packet((1, 2), 0, 1, TcpFlags::ACK, 0, TcpOptions::default()),
        ];
        for (order, packet) in handshake.into_iter().enumerate() {
            at_sender.push((order.min(1) as u64 * ROUND, packet));
            at_receiver.push((order as u64 / 2 * ROUND, packet));
        }
        for segment in 0..200 {
            let at_ns = 2 * ROUND + u64::from(segment) * MILLISECOND;
            at_sender.push((at_ns, data(segment)));
            if lost.contains(&segment) {
                at_sender.push((at_ns + ROUND + MILLISECOND, data(segment)));
                at_receiver.push((at_ns + ROUND + MILLISECOND, data(segment)));
            } else {
                at_receiver.push((at_ns, data(segment)));
            }
        }
        for packets in [&mut at_sender, &mut at_receiver] {
            packets.sort_by_key(|packet| packet.0);
        }
        for (packets, inferred) in [(at_sender, 0), (at_receiver, lost.len() as u64)] {
            let connections = read(packets);
            let again = &connections[0].directions[0].retransmissions;
            prop_assert_eq!((again.segments(), again.inferred), (lost.len() as u64, inferred));
        }
    }
}

#[test]
fn what_there_is_no_room_for_is_summed_up() {
    let ports = 0..20_000_u16;
    let packets = ports.map(|port| packet((port, 60_000), 1, 1, TcpFlags::ACK, 100, TcpOptions::default()));
    let mut connections = Connections::default();
    for (number, packet) in (1..).zip(packets) {
        connections.see(u64::from(number) * MILLISECOND, number, &packet);
    }
    let followed = connections.finish();
    assert!(followed.len() <= 2048, "{}", followed.len());
    assert_eq!(followed.len() as u64 + connections.rest.connections, 20_000);
    assert_eq!(connections.rest.octets, 100 * connections.rest.connections);
    assert!(followed.is_sorted_by_key(|one| one.number), "in the order in which they appeared");
}

#[test]
fn a_packet_that_was_captured_twice_is_no_retransmission() {
    let data = |n: u32| packet((1, 2), n * 100, 1, TcpFlags::ACK, 100, TcpOptions::default());
    let twice =
        (0..50).flat_map(|n| [0, 5000].map(|later| (u64::from(n) * MILLISECOND * 10 + later, data(n))));
    let direction = &read(twice)[0].directions[0];
    assert_eq!((direction.copies, direction.packets, direction.retransmissions.segments()), (50, 50, 0));
}

#[test]
fn octets_that_pass_again_are_not_new_and_a_fin_behind_them_is_no_segment() {
    let none = TcpOptions::default();
    let data = |n: u32| packet((1, 2), n * 1000, 1, TcpFlags::ACK, 1000, none);
    let last = packet((1, 2), 3000, 1, TcpFlags::ACK | TcpFlags::FIN, 1000, none);
    // The third is lost before the capture, and fills its gap later; the last comes six times.
    let packets = [data(0), data(1), last, data(2), data(1), last, last, last, last, last];
    let direction = &read((0..).map(|n| n * 300 * MILLISECOND).zip(packets))[0].directions[0];
    assert_eq!((direction.octets, direction.new_octets), (10_000, 4000));
    let again = &direction.retransmissions;
    assert_eq!((again.segments(), again.inferred, again.octets), (7, 1, 7000));
}

#[test]
fn data_behind_a_pause_is_no_round_trip_and_a_prompt_answer_is_one() {
    let none = TcpOptions::default();
    let after = |pause_ns: u64| {
        let exchange = |n: u32| {
            let at_ns = MILLISECOND + u64::from(n) * (pause_ns + ROUND);
            let asks = packet((2, 1), n * 10, n * 100, TcpFlags::ACK, 10, none);
            let answers = packet((1, 2), n * 100, (n + 1) * 10, TcpFlags::ACK, 100, none);
            [(at_ns, asks), (at_ns + ROUND, answers)]
        };
        let connections = read((0..50).flat_map(exchange));
        let directions = &connections[0].directions;
        (
            [1, 0].map(|from| directions[from].trips.acknowledged.count()),
            directions[1].paused.sum(0, u64::MAX),
        )
    };
    // The first end asks, and its pauses are its own.
    assert_eq!(after(2000 * MILLISECOND).0, [0, 50]);
    assert_eq!(after(100 * MILLISECOND).0, [49, 50]);
    assert!(after(2000 * MILLISECOND).1 < 1.0);
}

#[test]
fn a_receiver_counts_marks_with_accurate_ecn_and_echoes_them_without() {
    let none = TcpOptions::default();
    let [ece, cwr, ae] = [TcpFlags::ECE, TcpFlags::CWR, TcpFlags::AE];
    let counted = |count: u32| TcpFlags(((count & 3) << 6 | (count & 4) << 6) as u16);
    // Two segments a millisecond, of which every fifth has a mark.
    let seen = |accurate: bool| {
        let offers =
            if accurate { [ae | cwr | ece, TcpFlags::ACK | cwr] } else { [cwr | ece, TcpFlags::ACK | ece] };
        let mut packets = vec![
            packet((1, 2), u32::MAX, 0, TcpFlags::SYN | offers[0], 0, none),
            packet((2, 1), 0, 0, TcpFlags::SYN | offers[1], 0, none),
            packet((1, 2), 0, 1, TcpFlags::ACK | if accurate { cwr } else { TcpFlags::default() }, 0, none),
        ];
        for n in 0..100 {
            packets
                .extend([2 * n, 2 * n + 1].map(|n| packet((1, 2), n * 1000, 1, TcpFlags::ACK, 1000, none)));
            let marks = (2 * n + 2) / 5;
            let says = if accurate { counted(5 + marks) } else { TcpFlags::default() };
            packets.push(packet((2, 1), 1, (2 * n + 2) * 1000, TcpFlags::ACK | says, 0, none));
        }
        let direction = &read((0..).map(|n| n * MILLISECOND).zip(packets))[0].directions[0];
        (direction.marks.counted, direction.marks.echoed, direction.marks.reduced)
    };
    assert_eq!([seen(true), seen(false)], [(40, 0, 0), (0, 0, 0)]);
}

#[test]
fn an_answer_behind_a_pause_is_no_round_trip_whatever_it_echoes() {
    let stamped = |ends: (u16, u16), seq: u32, ack: u32, value: u32, echo: u32| {
        let timestamps = Some(Timestamps { value, echo });
        packet(ends, seq, ack, TcpFlags::ACK, 100, TcpOptions { timestamps, ..TcpOptions::default() })
    };
    // Packets without data are not in the capture. The receiver speaks before the first answer, or not.
    let seen = |speaks: bool| {
        let mut packets = vec![(0, stamped((1, 2), 0, 0, 100, 0))];
        if speaks {
            packets.push((ROUND, stamped((2, 1), 0, 0, 500, 100)));
        }
        let from = if speaks { 100 } else { 0 };
        packets.push((27_000 * MILLISECOND, stamped((2, 1), from, 100, 27_500, 100)));
        let connection = &read(packets)[0];
        (connection.directions[0].trips.acknowledged.count(), connection.distance_ns[1])
    };
    assert_eq!(seen(false), (0, None));
    assert_eq!(seen(true), (0, Some(ROUND)));
}

#[test]
fn a_window_that_was_reduced_without_an_echo_was_not_reduced_for_a_mark() {
    let seen = |echo: TcpFlags| {
        let packets = [
            (0, packet((1, 2), 0, 0, TcpFlags::ACK, 100, TcpOptions::default())),
            (ROUND, packet((2, 1), 0, 100, TcpFlags::ACK | echo, 0, TcpOptions::default())),
            (ROUND + 1, packet((1, 2), 100, 0, TcpFlags::ACK | TcpFlags::CWR, 100, TcpOptions::default())),
        ];
        read(packets)[0].directions[0].marks.reduced
    };
    assert_eq!([TcpFlags::ECE, TcpFlags::default()].map(seen), [1, 0]);
}

#[test]
fn what_later_packets_overtook_is_reordered() {
    let stamped = |n: u32| {
        let timestamps = Some(Timestamps { value: n, echo: 1 });
        packet((1, 2), n * 100, 1, TcpFlags::ACK, 100, TcpOptions { timestamps, ..TcpOptions::default() })
    };
    let order = (0..100).map(|n| n ^ 1);
    let packets = (0..).zip(order).map(|(at, n)| (at * MILLISECOND, stamped(n)));
    let direction = &read(packets)[0].directions[0];
    // The first packet does not begin the stream: nothing says that what lies before it was acknowledged.
    assert_eq!((direction.reordered.total(), direction.retransmissions.inferred), (50, 0));
    assert!(direction.reordered.kept().iter().all(|one| one.segments == 1), "each by the next one");
}

#[test]
fn numbers_of_packets_tell_what_was_overtaken_from_what_was_sent_again() {
    let seen = |number: &dyn Fn(u32, u32) -> u16| {
        let order = (0..100_u32).map(|n| n ^ 1);
        let packets = (0..).zip(order).map(|(at, n)| {
            let data = packet((1, 2), n * 100, 1, TcpFlags::ACK, 100, TcpOptions::default());
            let identity = Identity { number: Some(number(at, n)), ..data.identity };
            (u64::from(at) * 50 * MILLISECOND, Packet { identity, ..data })
        });
        let direction = &read(packets)[0].directions[0];
        (direction.reordered.total(), direction.retransmissions.inferred)
    };
    // Numbers in the order of the octets, and over the end of 16 bits; in that of the packets; and without any order.
    assert_eq!(seen(&|_, n| 65_500_u16.wrapping_add(n as u16)), (50, 0));
    assert_eq!(seen(&|at, _| 1 + at as u16), (0, 50));
    assert_eq!(seen(&|_, n| 1 + (n * 7919 % 65_521) as u16), (0, 50));
}

#[test]
fn what_a_radio_sends_again_behind_later_packets_is_not_sent_again_by_tcp() {
    let data = |n: u32, transmission: Transmission| Packet {
        transmission,
        ..packet((1, 2), n * 100, 1, TcpFlags::ACK, 100, TcpOptions::default())
    };
    let ack = |n: u32| packet((2, 1), 1, n * 100, TcpFlags::ACK, 0, TcpOptions::default());
    // Every tenth is heard 50 ms later than those behind it, and every twentieth after its acknowledgment.
    let packets = (0..200).flat_map(|n| {
        let at_ns = u64::from(n) * 10 * MILLISECOND;
        let late = n % 10 == 5;
        let transmission = if late { Transmission::Overtaken } else { Transmission::First };
        let heard = (at_ns + if late { 52 * MILLISECOND } else { 0 }, data(n, transmission));
        let acknowledged = (n % 20 == 15).then(|| (at_ns + 51 * MILLISECOND, ack(n + 5)));
        [heard].into_iter().chain(acknowledged)
    });
    let mut packets: Vec<_> = packets.collect();
    packets.sort_by_key(|packet| packet.0);
    let direction = &read(packets)[0].directions[0];
    let known = (
        direction.packets,
        direction.octets,
        direction.retransmissions.segments(),
        direction.uncaptured.octets,
    );
    assert_eq!(known, (200, 20_000, 0, 0));
    assert_eq!(direction.reordered.total(), 10);
}

#[test]
fn what_may_have_arrived_before_it_was_heard_makes_no_round_trip() {
    let stamps = |value: u32, echo: u32| TcpOptions {
        timestamps: Some(Timestamps { value, echo }),
        ..TcpOptions::default()
    };
    let packets = (0..100_u32).flat_map(|n| {
        let at_ns = u64::from(n) * 10 * MILLISECOND;
        // Every third transmission is heard as its acknowledgment is on its way already.
        let (transmission, late_ns) =
            if n % 3 == 0 { (Transmission::Later, 5 * MILLISECOND - 1000) } else { (Transmission::First, 0) };
        let data = packet((1, 2), n * 100, 1, TcpFlags::ACK, 100, stamps(n + 1, 1));
        let ack = packet((2, 1), 1, (n + 1) * 100, TcpFlags::ACK, 0, stamps(1, n + 1));
        [(at_ns + late_ns, Packet { transmission, ..data }), (at_ns + 5 * MILLISECOND, ack)]
    });
    let connection = &read(packets)[0];
    let direction = &connection.directions[0];
    assert_eq!(direction.packets, 100);
    for trips in [&direction.trips.acknowledged, &direction.trips.echoed] {
        assert_eq!((trips.count(), trips.least_ns()), (66, Some(5 * MILLISECOND)));
    }
    assert_eq!(connection.distance_ns[1], Some(5 * MILLISECOND));
}

#[test]
fn what_was_acknowledged_but_never_captured_is_missing() {
    let data = |n: u32| packet((1, 2), n * 100, 1, TcpFlags::ACK, 100, TcpOptions::default());
    let ack = |n: u32| packet((2, 1), 1, n * 100, TcpFlags::ACK, 0, TcpOptions::default());
    let packets = (0..100).flat_map(|n| {
        let at_ns = u64::from(n) * MILLISECOND;
        let data = (n % 10 != 5).then(|| (at_ns, data(n)));
        data.into_iter().chain([(at_ns + 1000, ack(n + 1))])
    });
    let direction = &read(packets)[0].directions[0];
    assert_eq!(
        (direction.uncaptured.octets, direction.uncaptured.acks, direction.retransmissions.segments()),
        (1000, 10, 0)
    );
}

#[test]
fn a_full_segment_is_as_long_as_packets_are_where_nobody_said() {
    let none = TcpOptions::default();
    let data = |n: u32| packet((1, 2), n * 1448, 1, TcpFlags::ACK, 1448, none);
    let handshake = [
        packet((1, 2), u32::MAX, 0, TcpFlags::SYN, 0, none),
        packet((2, 1), 0, 0, TcpFlags::SYN | TcpFlags::ACK, 0, none),
        packet((1, 2), 0, 1, TcpFlags::ACK, 0, none),
    ];
    let packets = handshake.into_iter().chain((0..10).map(data)).chain([data(0)]);
    let direction = &read((0..).map(|n| n * 20 * MILLISECOND).zip(packets))[0].directions[0];
    // A segment of 536 octets would make three of each packet.
    assert_eq!(direction.retransmissions.segments(), 1);
}

/// A stream of which each segment is acknowledged at once where the capture is made, with clock values in milliseconds and their
/// echoes; what the sender says was sent `age(n)` ms ago, as of its echo of the receiver's clock.
fn at_the_receiver(age: impl Fn(u32) -> u32) -> Vec<(u64, Packet)> {
    let stamped = |value: u32, echo: u32| TcpOptions {
        timestamps: Some(Timestamps { value, echo }),
        ..TcpOptions::default()
    };
    let exchange = |n: u32| {
        let now = 1000 + 10 * n;
        let data = packet((1, 2), n * 1000, 1, TcpFlags::ACK, 1000, stamped(now, now - age(n)));
        let ack = packet((2, 1), 1, (n + 1) * 1000, TcpFlags::ACK, 0, stamped(now, now));
        [(u64::from(now) * MILLISECOND, data), (u64::from(now) * MILLISECOND + 1000, ack)]
    };
    (0..200).flat_map(exchange).collect()
}

#[test]
fn a_sender_s_round_trips_are_seen_by_its_echoes() {
    // A queue fills before the capture from the hundredth segment on.
    let connections = read(at_the_receiver(|n| if n < 100 { 30 } else { 90 }));
    let trips = &connections[0].directions[0].trips.to_sender;
    let within = |of: Option<f64>, ms: f64| of.is_some_and(|of| (of - ms).abs() < 0.02 * ms);
    assert!(within(trips.quantile_ms(0.25), 30.0), "{:?}", trips.quantile_ms(0.25));
    assert!(within(trips.quantile_ms(0.75), 90.0), "{:?}", trips.quantile_ms(0.75));
    // The records of the later half stand for the long ones: each exchange has two.
    assert!(
        !trips.slow().is_empty() && trips.slow().iter().all(|&number| number > 200),
        "{:?}",
        trips.slow()
    );
}

/// What the last twenty segments of such a stream were sent again for, 60 ms behind the last acknowledgment; before them the receiver has asked for the
/// first of them, or not.
fn sent_again(asked: bool) -> Vec<Trigger> {
    let mut packets = at_the_receiver(|_| 30);
    let last_ns = packets.last().expect("there are packets").0;
    let first = packets.len() - 40;
    if asked {
        // The acknowledgment before it once more, beside data that is outstanding.
        let (at_ns, repeated) = packets[first - 1];
        packets.insert(first + 1, (at_ns + 10 * MILLISECOND, repeated));
    }
    let again: Vec<_> = packets
        .iter()
        .rev()
        .filter(|one| matches!(one.1.transport, Transport::Tcp(data) if data.payload > 0))
        .take(20)
        .copied()
        .collect();
    packets.extend(
        (0..).zip(again.into_iter().rev()).map(|(n, (_, packet))| (last_ns + (60 + n) * MILLISECOND, packet)),
    );
    read(packets)[0].directions[0].retransmissions.list().iter().map(|one| one.trigger).collect()
}

#[test]
fn what_the_receiver_has_and_never_asked_for_was_sent_by_a_timer() {
    let triggers = sent_again(false);
    assert_eq!(triggers.len(), 20);
    assert_eq!(triggers[0], Trigger::Timeout);
    assert!(
        triggers.iter().all(|trigger| matches!(trigger, Trigger::Timeout | Trigger::AfterTimeout)),
        "{triggers:?}"
    );
    assert_eq!(sent_again(true)[0], Trigger::Fast);
}

#[test]
fn a_probe_that_comes_after_all_has_arrived_is_one_at_the_receiver_too() {
    let mut packets = at_the_receiver(|_| 30);
    let &(last_ns, _) = packets.last().expect("there are packets");
    let last = packets[packets.len() - 2].1;
    packets.push((last_ns + 5 * MILLISECOND, last));
    let again = read(packets)[0].directions[0].retransmissions.clone();
    assert_eq!((again.segments(), again.by_trigger(Trigger::Probe), again.needless()), (1, 1, 1));
}

#[test]
fn what_waited_for_the_program_is_shown() {
    // A short segment every tenth time, and nothing for a while behind it.
    let length = |n: u32| if n % 10 == 9 { 100 } else { 1000 };
    let start = |n: u32| (0..n).map(length).sum::<u32>();
    let at = |n: u32| u64::from(n + 20 * (n / 10)) * 10 * MILLISECOND;
    let packets = (0..100).flat_map(|n| {
        let data = packet((1, 2), start(n), 1, TcpFlags::ACK, length(n), TcpOptions::default());
        let ack = packet((2, 1), 1, start(n + 1), TcpFlags::ACK, 0, TcpOptions::default());
        [(at(n), data), (at(n) + 5 * MILLISECOND, ack)]
    });
    let connections = read(packets);
    let shown = connections[0].directions[0].limits.shown(Limit::Application);
    // Behind each pause comes the record of a segment whose number is a multiple of ten.
    assert!(shown.len() >= 8 && shown.iter().any(|number| number % 20 == 1), "{shown:?}");
}

/// Requests at a sender, each acknowledged late and sent as soon as the one before it is; some receivers answer in between.
fn held(answers: bool) -> Connection {
    const REQUEST: u32 = 100;
    const HELD: u64 = 40 * MILLISECOND;
    let offer = TcpOptions { mss: Some(1460), ..TcpOptions::default() };
    let mut packets = vec![
        (0, packet((1, 2), u32::MAX, 0, TcpFlags::SYN, 0, offer)),
        (ROUND, packet((2, 1), 0, 0, TcpFlags::SYN | TcpFlags::ACK, 0, offer)),
        (ROUND, packet((1, 2), 0, 1, TcpFlags::ACK, 0, TcpOptions::default())),
    ];
    for request in 0..20 {
        let at_ns = 2 * ROUND + u64::from(request) * (ROUND + HELD + MILLISECOND);
        // The first ones are acknowledged at once, which shows how long the way is.
        let late = if request < 4 { 0 } else { HELD };
        let ack = (request + 1) * REQUEST;
        packets.push((
            at_ns,
            packet((1, 2), request * REQUEST, 1, TcpFlags::ACK, REQUEST, TcpOptions::default()),
        ));
        packets.push((at_ns + ROUND + late, packet((2, 1), 1, ack, TcpFlags::ACK, 0, TcpOptions::default())));
        if answers {
            let answer = packet((2, 1), 1 + request, ack, TcpFlags::ACK, 1, TcpOptions::default());
            packets.push((at_ns + ROUND + late + MILLISECOND / 2, answer));
        }
    }
    read(packets).swap_remove(0)
}

#[test]
fn who_waits_for_an_answer_does_not_wait_for_an_acknowledgment() {
    let waits = |connection: &Connection| connection.directions[0].stalls.count(Pause::DelayedAck);
    assert_eq!((waits(&held(false)), waits(&held(true))), (15, 0));
}

#[test]
fn what_waits_for_an_acknowledgment_does_not_wait_for_its_program() {
    let shares = |answers: bool| {
        let limits = &held(answers).directions[0].limits;
        [Limit::Congestion, Limit::Application].map(|limit| (100.0 * limits.share(limit)).round())
    };
    // Of 19 pauses of 61 ms 15 have a wait of 41 ms in them.
    assert_eq!([shares(false), shares(true)], [[53.0, 47.0], [0.0, 100.0]]);
}

/// Pairs of full segments at their receiver, acknowledged at once. Behind every tenth pair comes a full segment alone, whose acknowledgment is held back,
/// and a round trip later what the sender sends then.
fn alone(then: u32) -> Connection {
    const FULL: u32 = 1448;
    let offer = TcpOptions { mss: Some(FULL as u16), ..TcpOptions::default() };
    let mut packets = vec![
        (0, packet((1, 2), u32::MAX, 0, TcpFlags::SYN, 0, offer)),
        (0, packet((2, 1), 0, 0, TcpFlags::SYN | TcpFlags::ACK, 0, offer)),
        (ROUND, packet((1, 2), 0, 1, TcpFlags::ACK, 0, TcpOptions::default())),
    ];
    let (mut at_ns, mut next) = (2 * ROUND, 0);
    let mut passes = |at_ns: u64, payload: u32, ack_ns: u64| {
        packets.push((at_ns, packet((1, 2), next, 1, TcpFlags::ACK, payload, TcpOptions::default())));
        next += payload;
        let ack = packet((2, 1), 1, next, TcpFlags::ACK, 0, TcpOptions::default());
        packets.extend((ack_ns > 0).then_some((ack_ns, ack)));
    };
    for pair in 0..200 {
        passes(at_ns, FULL, 0);
        passes(at_ns, FULL, at_ns);
        at_ns += ROUND;
        if pair % 10 == 9 {
            passes(at_ns, FULL, at_ns + 40 * MILLISECOND);
            at_ns += 40 * MILLISECOND + ROUND;
            passes(at_ns, then, at_ns);
            at_ns += ROUND;
        }
    }
    read(packets).swap_remove(0)
}

#[test]
fn what_a_queue_delays_is_not_held_by_nagle() {
    let waits = |then: u32| alone(then).directions[0].stalls.count(Pause::DelayedAck);
    assert_eq!((waits(1448), waits(300)), (0, 20));
}

/// As `tunnelbear.pcap` of nDPI has it: some connections of the captured host have nothing but acknowledgments that it held back.
#[test]
fn where_a_host_was_captured_holds_for_all_of_its_connections() {
    const HELD: u64 = 50 * MILLISECOND;
    let between = |host: u8, other: u8, packet: Packet| Packet {
        src: IpAddr::V4(Ipv4Addr::new(10, 0, 0, host)),
        dst: IpAddr::V4(Ipv4Addr::new(10, 0, 0, other)),
        ..packet
    };
    let none = TcpOptions::default();
    // Host 1 opens a connection to another, and answers in so many nanoseconds.
    let opens = |other: u8, port: u16, at_ns: u64, answers_ns: u64| {
        let up = |seq: u32, ack: u32, flags: TcpFlags| {
            between(1, other, packet((port, 80), seq, ack, flags, 0, none))
        };
        let down = |seq: u32, flags: TcpFlags, octets: u32| {
            between(other, 1, packet((80, port), seq, 1, flags, octets, none))
        };
        let mut packets = vec![
            (at_ns, up(0, 0, TcpFlags::SYN)),
            (at_ns + ROUND, down(0, TcpFlags::SYN | TcpFlags::ACK, 0)),
            (at_ns + ROUND + answers_ns, up(1, 1, TcpFlags::ACK)),
        ];
        for n in 0..10 {
            let sent_ns = at_ns + 2 * ROUND + u64::from(n) * 2 * HELD;
            packets.push((sent_ns, down(1 + 100 * n, TcpFlags::ACK, 100)));
            packets.push((sent_ns + answers_ns.max(HELD), up(1, 101 + 100 * n, TcpFlags::ACK)));
        }
        packets
    };
    let seen = |first: &[(u64, Packet)], more: &[Vec<(u64, Packet)>]| {
        let mut packets = [first, &more.concat()].concat();
        packets.sort_by_key(|packet| packet.0);
        let all = read(packets);
        let one = all.iter().find(|one| one.ends.iter().any(|end| end.port() == 9)).unwrap();
        one.vantage(usize::from(one.ends[0].port() == 9)).name()
    };
    let held = opens(2, 9, 0, 10_000).split_off(3);
    assert_eq!(seen(&held, &[]), "unknown");
    assert_eq!(seen(&held, &[opens(2, 10, 1, 10_000)]), "receiver");
    // Its short frames are filled to the least that Ethernet carries, as no host captures those that it sends.
    let mut filled = opens(2, 10, 1, 10_000);
    for (_, packet) in filled.iter_mut().filter(|(_, packet)| packet.src == held[1].1.src) {
        packet.identity.filled = Some(true);
    }
    assert_eq!(seen(&held, &[filled]), "unknown");
    // Another connection of that host never has an answer so soon: the address is that of several places.
    assert_eq!(seen(&held, &[opens(2, 10, 1, 10_000), opens(2, 11, 2, 5 * MILLISECOND)]), "unknown");
    // What answers for the other end is as near, such as a tunnel's program: by itself that looks like the place of the capture.
    let mut near = held;
    for n in 0..10_u32 {
        let at_ns = 2 * ROUND + u64::from(2 * n + 1) * HELD + HELD / 2;
        near.push((at_ns, between(1, 2, packet((9, 80), 1 + 100 * n, 1001, TcpFlags::ACK, 100, none))));
        near.push((
            at_ns + 20_000,
            between(2, 1, packet((80, 9), 1001, 101 + 100 * n, TcpFlags::ACK, 0, none)),
        ));
    }
    near.sort_by_key(|packet| packet.0);
    assert_eq!(seen(&near, &[]), "sender");
    let others: Vec<_> = (3..6).map(|other| opens(other, 10, u64::from(other), 10_000)).collect();
    assert_eq!(seen(&near, &others), "receiver");
}
