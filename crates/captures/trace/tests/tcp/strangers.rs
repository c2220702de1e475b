//! Connections that begin anew, numbers that belong to no window, timers in the midst of a recovery.

use crate::{MILLISECOND, ROUND, packet, read};
use airloom_trace::tcp::{Connection, Direction, Trigger};
use airloom_trace::{Identity, Packet};
use airloom_wire::{SackBlocks, TcpFlags, TcpOptions, Timestamps};

const OCTETS: u32 = 1000;
const FIRST: u32 = 3_000_000_000;

fn offer() -> TcpOptions {
    TcpOptions { mss: Some(1460), window_scale: Some(7), sack_permitted: true, ..TcpOptions::default() }
}

fn syn() -> Packet {
    packet((1, 2), FIRST - 1, 0, TcpFlags::SYN, 0, offer())
}

fn answer(number: u32) -> Packet {
    packet((2, 1), number, FIRST, TcpFlags::SYN | TcpFlags::ACK, 0, offer())
}

/// The client's packet that ends the handshake, or any later acknowledgment of it.
fn confirms(number: u32) -> Packet {
    packet((1, 2), FIRST, number, TcpFlags::ACK, 0, TcpOptions::default())
}

/// So many segments down from a number on, one in a millisecond, acknowledged a round trip later.
fn download(begin_ns: u64, from: u32, count: u32) -> impl Iterator<Item = (u64, Packet)> {
    let segment = move |n: u32| {
        packet((2, 1), from.wrapping_add(n * OCTETS), FIRST, TcpFlags::ACK, OCTETS, TcpOptions::default())
    };
    (0..count).flat_map(move |n| {
        let at_ns = begin_ns + u64::from(n) * MILLISECOND;
        [(at_ns, segment(n)), (at_ns + ROUND, confirms(from.wrapping_add((n + 1) * OCTETS)))]
    })
}

/// What a capture shows of the download.
fn down(packets: impl IntoIterator<Item = (u64, Packet)>) -> Direction {
    let mut packets: Vec<_> = packets.into_iter().collect();
    packets.sort_by_key(|packet| packet.0);
    let connections = read(packets);
    assert_eq!(connections.len(), 1);
    connections[0].directions[1].clone()
}

/// Segments, octets that are missing, data that was sent again, and what lies outside of the window.
fn counts(direction: &Direction) -> (u64, u64, u64, u64) {
    let again = &direction.retransmissions;
    let data = again.segments() - again.by_trigger(Trigger::Handshake);
    (direction.packets, direction.uncaptured.octets, data, direction.outside)
}

#[test]
fn the_client_names_the_number_of_several_that_a_server_gave() {
    let given = [1_000_000, 3_900_000_000, 700_000_000];
    for taken in 0..given.len() {
        // All three come before the client confirms one; the others are repeated while data flows.
        let answers = given.into_iter().enumerate();
        let answers = answers.map(|(n, number)| (n as u64 * MILLISECOND + 1, answer(number)));
        let again = [(60 * MILLISECOND, answer(given[0])), (70 * MILLISECOND, answer(given[2]))];
        let from = given[taken] + 1;
        let packets = [(0, syn())].into_iter().chain(answers).chain([(10 * MILLISECOND, confirms(from))]);
        let direction = down(packets.chain(download(20 * MILLISECOND, from, 100)).chain(again));
        let (packets, missing, again, _) = counts(&direction);
        assert_eq!((packets, missing, again), (100, 0, 0), "{taken}");
    }
}

#[test]
fn the_same_numbers_after_the_end_are_another_connection() {
    let one = |begin_ns: u64| {
        let ends = packet((1, 2), FIRST, 1, TcpFlags::RST, 0, TcpOptions::default());
        let handshake = [(begin_ns, syn()), (begin_ns + 1, answer(0)), (begin_ns + 2, confirms(1))];
        let data = download(begin_ns + 3, 1, 20);
        handshake.into_iter().chain(data).chain([(begin_ns + 500 * MILLISECOND, ends)])
    };
    let mut packets: Vec<_> = one(0).chain(one(1000 * MILLISECOND)).collect();
    packets.sort_by_key(|packet| packet.0);
    let connections = read(packets);
    assert_eq!(connections.len(), 2);
    assert!(connections.iter().all(|one| counts(&one.directions[1]) == (20, 0, 0, 0)));
}

#[test]
fn the_same_numbers_long_after_a_fin_are_another_connection() {
    let many = |pause_ns: u64| {
        let one = |begin_ns: u64| {
            let ends = packet((2, 1), 1, FIRST, TcpFlags::FIN | TcpFlags::ACK, 0, TcpOptions::default());
            let handshake = [(begin_ns, syn()), (begin_ns + 1, answer(0)), (begin_ns + 2, confirms(1))];
            handshake.into_iter().chain([(begin_ns + 3, ends)])
        };
        read(one(0).chain(one(pause_ns))).len()
    };
    assert_eq!([20_000, 20].map(|ms| many(ms * MILLISECOND)), [2, 1], "made up, or captured twice");
}

#[test]
fn what_no_window_covers_is_noise() {
    let handshake = || [(0, syn()), (1, answer(0)), (2, confirms(1))].into_iter();
    for by in [400_000_000, 2_000_000_000, 3_900_000_000] {
        let wild = (50 * MILLISECOND + 5, {
            let number = 50 * OCTETS + by;
            packet((2, 1), number, FIRST, TcpFlags::ACK, 12, TcpOptions::default())
        });
        let direction = down(handshake().chain(download(10, 1, 100)).chain([wild]));
        assert_eq!(counts(&direction), (100, 0, 0, 1), "{by}");
        let direction = down(handshake().chain(download(10, 1, 100)).chain([(wild.0, confirms(by))]));
        assert_eq!(counts(&direction), (100, 0, 0, 1), "an acknowledgment of {by}");
    }
}

#[test]
fn a_stream_that_goes_on_elsewhere_is_believed() {
    let handshake = [(0, syn()), (1, answer(0)), (2, confirms(1))].into_iter();
    // The ports were used again, and neither end's SYN was captured.
    let direction =
        down(handshake.clone().chain(download(10, 1, 100)).chain(download(1000 * MILLISECOND, 2 << 30, 100)));
    let (packets, missing, again, outside) = counts(&direction);
    assert_eq!((missing, again), (0, 0));
    assert!(packets + outside >= 200 && outside <= 3, "{packets} {outside}");
    // The capture has a gap of 100 MB.
    let direction =
        down(handshake.chain(download(10, 1, 100)).chain(download(1000 * MILLISECOND, 100_000_000, 100)));
    let (_, missing, again, outside) = counts(&direction);
    assert_eq!(again, 0);
    assert!((99_900_000..100_000_000).contains(&missing) && outside <= 3, "{missing} {outside}");
}

#[test]
fn data_behind_its_acknowledgment_is_new() {
    // Switches and adapters with several queues record so; each segment has a number of its own.
    let handshake = [(0, syn()), (1, answer(0)), (2, confirms(1))];
    let late: Vec<_> = (0..100)
        .flat_map(|n: u32| {
            let at_ns = u64::from(n) * MILLISECOND + 10;
            let data = packet((2, 1), 1 + n * OCTETS, FIRST, TcpFlags::ACK, OCTETS, TcpOptions::default());
            [(at_ns, confirms(1 + (n + 1) * OCTETS)), (at_ns + 20_000, data)]
        })
        .collect();
    assert_eq!(counts(&down(handshake.into_iter().chain(late.clone()))), (100, 0, 0, 0));
    // Of what an adapter has joined the acknowledgment may be of the first part.
    let joined = packet((2, 1), 1 + 100 * OCTETS, FIRST, TcpFlags::ACK, 10 * OCTETS, TcpOptions::default());
    let early = [(200 * MILLISECOND, confirms(1 + 102 * OCTETS)), (200 * MILLISECOND + 1, joined)];
    let direction = down(handshake.into_iter().chain(late.clone()).chain(early));
    assert_eq!(counts(&direction), (101, 0, 0, 0));
    // What comes a round trip later is sent again: the capture does not have the first.
    let again = (500 * MILLISECOND, late[101].1);
    let without = late.iter().enumerate().filter(|(place, _)| *place != 101).map(|(_, one)| *one);
    assert_eq!(counts(&down(handshake.into_iter().chain(without).chain([again]))), (100, 1000, 1, 0));
}

#[test]
fn a_stale_acknowledgment_names_no_number() {
    // The server still has another connection with these ports, and challenges the SYN (RFC 9293 section 3.10.7.4).
    let challenge = packet((2, 1), 500_000, 77_000, TcpFlags::ACK, 0, TcpOptions::default());
    let reset = packet((1, 2), 77_000, 0, TcpFlags::RST, 0, TcpOptions::default());
    let begin = 1000 * MILLISECOND;
    let packets =
        [(0, syn()), (1, challenge), (2, reset), (begin, syn()), (begin + 1, answer(2_000_000_000))];
    let first = 2_000_000_001;
    let packets = packets.into_iter().chain([(begin + 2, confirms(first))]);
    let upload = (0..50).map(|n| {
        let data = packet((1, 2), FIRST + n * OCTETS, first, TcpFlags::ACK, OCTETS, TcpOptions::default());
        (begin + 3 + u64::from(n) * MILLISECOND, data)
    });
    let mut packets: Vec<_> = packets.chain(upload).chain(download(begin + 10, first, 50)).collect();
    packets.sort_by_key(|packet| packet.0);
    let connections = read(packets);
    assert_eq!(connections.len(), 1);
    for direction in &connections[0].directions {
        let (packets, missing, again, _) = counts(direction);
        assert_eq!((packets, missing, again), (50, 0, 0));
    }
}

#[test]
fn a_large_connection_that_is_over_outlives_small_ones() {
    let end = packet((1, 2), FIRST, 3_000_001, TcpFlags::RST, 0, TcpOptions::default());
    let download = download(10, 1, 3000).chain([(4000 * MILLISECOND, end)]);
    let mut packets: Vec<_> =
        [(0, syn()), (1, answer(0)), (2, confirms(1))].into_iter().chain(download).collect();
    // A scan of ports, then many small connections, the last of which grows.
    packets.extend((10..20_000_u16).map(|port| {
        let syn = packet((1, port), 7, 0, TcpFlags::SYN, 0, offer());
        (5000 * MILLISECOND + u64::from(port) * 1000, syn)
    }));
    let small =
        |n: u16, at: u32| packet((n, 443), at * OCTETS, 1, TcpFlags::ACK, OCTETS, TcpOptions::default());
    packets.extend((0..10_000_u16).map(|n| (6000 * MILLISECOND + u64::from(n) * 1000, small(n + 10, 0))));
    packets.extend((1..400).map(|n| (7000 * MILLISECOND + u64::from(n) * 1000, small(10_009, n))));
    packets.sort_by_key(|packet| packet.0);
    let connections = read(packets);
    let mut octets: Vec<_> = connections.iter().map(Connection::octets).collect();
    octets.sort_unstable();
    assert!(octets.ends_with(&[400_000, 3_000_000]), "{:?}", octets.last_chunk::<4>());
    assert!(octets.iter().filter(|&&octets| octets > 0).count() > 1000);
}

/// The head of a window is lost again and again: it goes after duplicate acknowledgments, and `later` once more, so often as given,
/// without a word from the receiver in between.
fn lost_again(later_ns: u64, times: u64) -> Direction {
    let upload = |n: u32| packet((1, 2), FIRST + n * OCTETS, 1, TcpFlags::ACK, OCTETS, TcpOptions::default());
    let sack = |n: u32| {
        let mut sack = SackBlocks::NONE;
        sack.push(FIRST + OCTETS, FIRST + n * OCTETS);
        packet((2, 1), 1, FIRST, TcpFlags::ACK, 0, TcpOptions { sack, ..TcpOptions::default() })
    };
    // Round trips vary so much that the timer of RFC 6298 would take half a second.
    let handshake =
        [(0, syn()), (100 * MILLISECOND, answer(0)), (100 * MILLISECOND + 1, confirms(1))].into_iter();
    let window = (0..10).map(|n| (200 * MILLISECOND + u64::from(n), upload(n)));
    let sacks = (2..10).map(|n| ((280 + 20 * u64::from(n)) * MILLISECOND, sack(n)));
    let later = (1..=times).map(|time| 460 * MILLISECOND + time * later_ns);
    let again = [380 * MILLISECOND].into_iter().chain(later).map(|at_ns| (at_ns, upload(0)));
    let mut packets: Vec<_> = handshake.chain(window).chain(sacks).chain(again).collect();
    packets.sort_by_key(|packet| packet.0);
    read(packets)[0].directions[0].clone()
}

#[test]
fn what_nobody_asked_for_a_timer_sent() {
    let triggers = |later: u64, times: u64| {
        let again = lost_again(later * MILLISECOND, times).retransmissions;
        [Trigger::Fast, Trigger::Timeout].map(|trigger| again.by_trigger(trigger))
    };
    assert_eq!(triggers(310, 1), [1, 1]);
    assert_eq!(triggers(310, 3), [1, 3]);
    // So soon it may be the recovery's.
    assert_eq!(triggers(50, 1), [2, 0]);
}

/// The first of twenty segments is lost. Reports of others, with SACKs or without, come at these times, in ms after the handshake's
/// 40 ms, and the first goes again so long after the last.
fn reported(with_sacks: bool, at_ms: [u64; 3], again_us: &[u64]) -> [u64; 2] {
    let upload = |n: u32| packet((1, 2), FIRST + n * OCTETS, 1, TcpFlags::ACK, OCTETS, TcpOptions::default());
    let sack = |n: u32| {
        let mut sack = SackBlocks::NONE;
        if with_sacks {
            sack.push(FIRST + OCTETS, FIRST + n * OCTETS);
        }
        packet((2, 1), 1, FIRST, TcpFlags::ACK, 0, TcpOptions { sack, ..TcpOptions::default() })
    };
    let begin = 40 * MILLISECOND;
    let handshake = [(0, syn()), (begin, answer(0)), (begin + 1, confirms(1))].into_iter();
    let window = (0..20).map(|n| (begin + 2 + u64::from(n), upload(n)));
    let sacks = (2..).zip(at_ms).map(|(n, at_ms)| (begin + at_ms * MILLISECOND, sack(n)));
    let again = again_us.iter().map(|us| (begin + at_ms[2] * MILLISECOND + us * 1000, upload(0)));
    let packets = handshake.chain(window).chain(sacks).chain(again);
    let again = read(packets)[0].directions[0].clone().retransmissions;
    [Trigger::Fast, Trigger::Timeout].map(|trigger| again.by_trigger(trigger))
}

#[test]
fn what_a_report_has_asked_for_no_timer_sent() {
    for with_sacks in [false, true] {
        assert_eq!(reported(with_sacks, [41, 42, 43], &[50]), [1, 0]);
        // The reports took seconds, and the segment went with the last of them.
        assert_eq!(reported(with_sacks, [110, 1670, 3060], &[50]), [1, 0]);
        // Nothing came before it.
        assert_eq!(reported(with_sacks, [41, 42, 43], &[400_000]), [0, 1]);
    }
    // Linux's shortest timer and a round trip after it had gone fast, however much the round trips vary.
    assert_eq!(reported(true, [41, 300, 600], &[50, 250_000]), [1, 1]);
}

/// The head of a window is lost and sent again, waits, and is sent again once more; both arrive, which is reported `after_ns` behind the last.
fn arrived_twice(after_ns: u64) -> Direction {
    let upload = |n: u32| packet((1, 2), FIRST + n * OCTETS, 1, TcpFlags::ACK, OCTETS, TcpOptions::default());
    let answers = |ack: u32, block: (u32, u32)| {
        let mut sack = SackBlocks::NONE;
        sack.push(FIRST + block.0 * OCTETS, FIRST + block.1 * OCTETS);
        packet(
            (2, 1),
            1,
            FIRST + ack * OCTETS,
            TcpFlags::ACK,
            0,
            TcpOptions { sack, ..TcpOptions::default() },
        )
    };
    let handshake =
        [(0, syn()), (100 * MILLISECOND, answer(0)), (100 * MILLISECOND + 1, confirms(1))].into_iter();
    let window = (0..10).map(|n| (200 * MILLISECOND + u64::from(n), upload(n)));
    let sacks = (2..=10).map(|n| ((280 + 10 * u64::from(n)) * MILLISECOND, answers(0, (1, n))));
    let again = [400, 900].map(|at| (at * MILLISECOND, upload(0))).into_iter();
    let reported = 900 * MILLISECOND + after_ns;
    let told = [(reported, answers(10, (10, 10))), (reported + 1, answers(10, (0, 1)))].into_iter();
    let packets = handshake.chain(window).chain(sacks).chain(again).chain(told);
    read(packets)[0].directions[0].clone()
}

#[test]
fn what_arrived_once_too_often_was_sent_again_once_without_need() {
    for after_ns in [5 * MILLISECOND, 120 * MILLISECOND] {
        let again = arrived_twice(after_ns).retransmissions;
        assert_eq!((again.segments(), again.needless()), (2, 1), "{after_ns}");
        assert_eq!(again.list().iter().map(|one| one.needless.is_some()).collect::<Vec<_>>(), [false, true]);
    }
}

/// How a packet of the sender is marked: its clock, in milliseconds, and its number.
type Marks = fn(at_ms: u32, count: u16) -> (Option<u32>, Option<u16>);

/// A hundred segments a millisecond apart at their receiver, which acknowledges each; each twentieth one is sent again after a round trip, and
/// so many milliseconds later the original arrives, or it arrives once more.
fn late_originals(marks: Marks, original_ms: Option<u32>, again_ms: &[u32]) -> Direction {
    let upload = |segment: u32, sent_ms: u32, count: u32| {
        let (stamp, number) = marks(sent_ms, count as u16);
        let timestamps = stamp.map(|value| Timestamps { value, echo: 1 });
        let options = TcpOptions { timestamps, ..TcpOptions::default() };
        let data = packet((1, 2), FIRST + segment * OCTETS, 1, TcpFlags::ACK, OCTETS, options);
        Packet { identity: Identity { number, ..data.identity }, ..data }
    };
    let mut arrivals: Vec<(u32, Packet, u32)> = Vec::new();
    for n in 0..100 {
        let sent_ms = 100 + n;
        if n % 20 != 10 {
            arrivals.push((sent_ms, upload(n, sent_ms, 1 + 2 * n), n));
            continue;
        }
        arrivals.push((sent_ms + 12, upload(n, sent_ms + 12, 2 + 2 * (n + 12)), n));
        arrivals.extend(original_ms.map(|late| (sent_ms + 12 + late, upload(n, sent_ms, 1 + 2 * n), n)));
        arrivals.extend(
            again_ms.iter().map(|&late| {
                (sent_ms + 12 + late, upload(n, sent_ms + 12 + late, 2 + 2 * (n + 12 + late)), n)
            }),
        );
    }
    arrivals.sort_by_key(|one| one.0);
    let mut packets = vec![(0, syn()), (0, answer(0)), (10 * MILLISECOND, confirms(1))];
    let mut arrived = [false; 100];
    for (at_ms, data, n) in arrivals {
        let at_ns = u64::from(at_ms) * MILLISECOND;
        packets.push((at_ns, data));
        arrived[n as usize] = true;
        let next = arrived.iter().take_while(|&&arrived| arrived).count() as u32;
        let ack = packet((2, 1), 1, FIRST + next * OCTETS, TcpFlags::ACK, 0, TcpOptions::default());
        packets.push((at_ns + 1000, ack));
    }
    read(packets)[0].directions[0].clone()
}

#[test]
fn a_late_original_was_not_sent_again_and_what_overtook_it_replaced_nothing_lost() {
    let unmarked: Marks = |_, _| (None, None);
    let all: [Marks; 4] = [
        unmarked,
        |at_ms, _| (Some(at_ms), None),
        |_, count| (None, Some(1 + count)),
        // A clock that hardly ticks, and numbers at random.
        |at_ms, count| (Some(at_ms / 500), Some(count.wrapping_mul(24_989).max(1))),
    ];
    let counted = |marks: Marks, original_ms: Option<u32>, again_ms: &[u32]| {
        let Direction { retransmissions: again, reordered, .. } =
            late_originals(marks, original_ms, again_ms);
        assert_eq!(again.needless(), again.list().iter().filter(|one| one.needless.is_some()).count() as u64);
        assert_eq!(again.inferred, again.list().iter().filter(|one| one.hole_ns.is_some()).count() as u64);
        [again.segments(), again.needless(), again.inferred, reordered.total()]
    };
    for marks in all {
        assert_eq!(counted(marks, None, &[]), [5, 0, 5, 0], "lost and sent again");
        assert_eq!(counted(marks, Some(18), &[]), [5, 5, 0, 5], "late");
        assert_eq!(counted(marks, Some(18), &[8]), [10, 10, 0, 5], "late, and sent again twice");
        assert_eq!(counted(marks, Some(8), &[18]), [10, 10, 0, 5], "late, and sent again behind it");
    }
    // What was lost and sent again twice has no original: the marks show it.
    for marks in &all[1..3] {
        assert_eq!(counted(*marks, None, &[8]), [10, 5, 5, 0], "lost, and sent again twice");
    }
    // Nothing shows it without marks; that one was sent again without need is certain.
    assert_eq!(counted(unmarked, None, &[8]), [5, 5, 0, 5]);
}
