//! Segments that were sent again though the first had arrived, without timestamps or SACKs.

use crate::{MILLISECOND, packet, read};
use airloom_trace::Packet;
use airloom_trace::tcp::{Retransmissions, Trigger};
use airloom_wire::{TcpFlags, TcpOptions};

const OCTETS: u32 = 1000;

/// Segments are sent, and acknowledgments say how many the receiver has: each at its millisecond. What of the repetitions is proven needless.
fn proven(sent: &[(u64, u32)], told: &[(u64, u32)]) -> [u64; 2] {
    let again = repetitions(sent, told);
    [again.segments(), again.needless()]
}

/// The same, and what is sent again.
fn repetitions(sent: &[(u64, u32)], told: &[(u64, u32)]) -> Retransmissions {
    let none = TcpOptions::default();
    let syn = packet((1, 2), 0, 0, TcpFlags::SYN, 0, none);
    let answer = packet((2, 1), 0, 1, TcpFlags::SYN | TcpFlags::ACK, 0, none);
    let data = |n: u32| packet((1, 2), 1 + n * OCTETS, 1, TcpFlags::ACK, OCTETS, none);
    let ack = |n: u32| packet((2, 1), 1, 1 + n * OCTETS, TcpFlags::ACK, 0, none);
    let mut packets: Vec<(u64, Packet)> = vec![(0, syn), (10 * MILLISECOND, answer)];
    packets.extend(sent.iter().map(|&(at, n)| (at * MILLISECOND, data(n))));
    packets.extend(told.iter().map(|&(at, n)| (at * MILLISECOND, ack(n))));
    packets.sort_by_key(|packet| packet.0);
    read(packets)[0].directions[0].retransmissions.clone()
}

#[test]
fn acknowledgments_that_account_for_each_copy_prove_that_nothing_was_lost() {
    // A queue that takes 400 ms for a segment, and a timer of 320 ms.
    let sent = [(100, 0), (520, 1), (521, 2), (850, 1), (930, 2), (1300, 3), (1301, 4)];
    let told = [(510, 1), (920, 2), (1290, 3), (1690, 3), (2090, 3), (2490, 4), (2890, 5)];
    assert_eq!(proven(&sent, &told), [2, 2]);
    // The first copy of the second segment is lost: the third is answered by a duplicate, the second's repetition by both.
    let told = [(510, 1), (1290, 1), (1690, 3), (2090, 3), (2490, 4), (2890, 5)];
    assert_eq!(proven(&sent, &told), [2, 0]);
    // Both are lost, and come as they are sent again.
    let told = [(510, 1), (1690, 2), (2090, 3), (2490, 4), (2890, 5)];
    assert_eq!(proven(&sent, &told), [2, 0]);
}

#[test]
fn a_receiver_that_acknowledges_every_second_segment_accounts_for_what_came_twice() {
    let sent = [(100, 0), (520, 1), (521, 2), (850, 1), (1300, 3)];
    let told = [(510, 1), (1290, 3), (1690, 3), (2100, 4)];
    assert_eq!(proven(&sent, &told), [1, 1]);
    let told = [(510, 1), (1690, 3), (2100, 4)];
    assert_eq!(proven(&sent, &told), [1, 0]);
}

#[test]
fn copies_of_all_that_was_sent_are_accounted_for_when_nothing_is_outstanding_any_more() {
    // A way that holds everything up for two seconds; all goes again, its first segment twice.
    let sent = [(100, 0), (520, 1), (521, 2), (850, 1), (851, 2), (1500, 1)];
    let told = [(510, 1), (2500, 2), (2501, 3), (2502, 3), (2503, 3), (2504, 3)];
    assert_eq!(proven(&sent, &told), [3, 3]);
    // One of the copies is lost: the last is not accounted for, nor need it be.
    assert_eq!(proven(&sent, &told[..5]), [3, 3]);
    // All are lost but the last of each.
    assert_eq!(proven(&sent, &[(510, 1), (2500, 2), (2501, 3)]), [3, 0]);
}

#[test]
fn what_is_sent_again_at_once_was_sent_by_no_timer() {
    // Round trips of 100 ms; two segments go again 5 ms later, as behind a tunnel that has become narrower.
    let again = repetitions(
        &[(100, 0), (300, 1), (300, 2), (305, 1), (305, 2)],
        &[(200, 1), (400, 2), (401, 3), (401, 3), (402, 3)],
    );
    let by = [Trigger::Timeout, Trigger::AfterTimeout, Trigger::Unclear, Trigger::Fast];
    assert_eq!(by.map(|trigger| again.by_trigger(trigger)), [0, 0, 2, 0]);
    assert_eq!(again.needless(), 2);
}

/// `tcp-reassembly.pcap` of PcapPlusPlus: the first answer took 78 ms, the handshake 35, and the answer to a request that was sent twice comes 45 ms behind the
/// second time.
#[test]
fn an_answer_that_takes_longer_than_the_handshake_is_not_too_soon() {
    let sent = [(36, 0), (120, 1), (425, 1)];
    assert_eq!(proven(&sent, &[(114, 1), (470, 2)]), [1, 0]);
    assert_eq!(proven(&sent, &[(114, 1), (432, 2)]), [1, 1]);
}
