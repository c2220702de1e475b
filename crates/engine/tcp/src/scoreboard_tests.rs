use super::*;
use proptest::prelude::*;

fn at(n: u64) -> Time {
    Time::from_nanos(n)
}

/// A board with `n` segments of ten, sent at 0, 1, ….
fn board(n: u64) -> Scoreboard {
    let mut b = Scoreboard::default();
    (0..n).for_each(|i| b.push(i * 10, 10, at(i), false));
    b
}

/// Acknowledges up to `una`, in an ACK without SACKs.
fn ack(b: &mut Scoreboard, una: u64) -> Acked {
    let edge = b.sacked_edge(una);
    b.acknowledge(una, edge)
}

fn lost(b: &Scoreboard) -> Vec<u64> {
    b.queue.iter().filter(|s| s.marks & LOST != 0).map(|s| s.seq / 10).collect()
}

#[test]
fn three_sacked_above_make_a_loss() {
    let mut b = board(10);
    b.selectively_acknowledge(&mut [(20, 40)]);
    b.mark_lost_below_sacks(3);
    assert_eq!(lost(&b), []);
    b.selectively_acknowledge(&mut [(20, 40), (50, 60)]);
    b.mark_lost_below_sacks(3);
    assert_eq!(lost(&b), [0, 1], "segment 4 has but one above it");
    b.selectively_acknowledge(&mut [(50, 80), (20, 40)]);
    b.mark_lost_below_sacks(3);
    assert_eq!(lost(&b), [0, 1, 4]);
    assert_eq!((b.sacked(), b.lost(), b.in_flight()), (5, 3, 2));
}

#[test]
fn retransmissions_go_in_order_and_count_as_in_flight() {
    let mut b = board(6);
    b.selectively_acknowledge(&mut [(20, 60)]);
    b.mark_lost_below_sacks(3);
    assert_eq!(b.in_flight(), 0);
    let id = b.next_lost().unwrap();
    assert_eq!(b.resend(id, at(99), b.end() * 10), Resend { seq: 0, length: 10, pushed: false });
    let id = b.next_lost().unwrap();
    assert_eq!(b.resend(id, at(99), b.end() * 10).seq, 10);
    assert_eq!((b.next_lost(), b.in_flight()), (None, 2));
    b.unsend_retransmission(10);
    assert_eq!((b.next_lost(), b.in_flight()), (Some(1), 1));
}

#[test]
fn karns_rule_and_sacked_segments_give_no_sample() {
    let mut b = board(6);
    assert_eq!(b.selectively_acknowledge(&mut [(10, 40)]).first, Some(at(1)));
    b.mark_lost_below_sacks(3);
    let id = b.next_lost().unwrap();
    b.resend(id, at(99), b.end() * 10);
    let acked = ack(&mut b, 50);
    assert_eq!((acked.segments, acked.retransmitted), (5, true));
    assert_eq!(
        (acked.first, acked.first_end, acked.last, acked.last_end),
        (Some(at(4)), 50, Some(at(4)), 50)
    );
    assert_eq!((acked.last_repeat, acked.reordered), (Some((at(99), 10)), None));
}

#[test]
fn a_retransmission_is_lost_when_data_sent_after_it_is_sacked() {
    let mut b = board(6);
    b.selectively_acknowledge(&mut [(10, 40)]);
    b.mark_lost_below_sacks(3);
    b.resend(0, at(50), 60);
    b.selectively_acknowledge(&mut [(10, 60)]);
    b.mark_lost_retransmissions();
    assert_eq!((b.next_lost(), b.retransmitted()), (None, 1), "segments 4 and 5 were sent before it");
    b.push(60, 10, at(51), false);
    b.push(70, 10, at(51), false);
    b.selectively_acknowledge(&mut [(10, 70)]);
    b.mark_lost_retransmissions();
    assert_eq!(b.retransmitted(), 1, "Linux waits for the second");
    b.selectively_acknowledge(&mut [(10, 80)]);
    b.mark_lost_retransmissions();
    assert_eq!((b.next_lost(), b.retransmitted(), b.lost()), (Some(0), 0, 1));
    // The second retransmission is judged by its own time.
    b.resend(0, at(52), 80);
    b.mark_lost_retransmissions();
    assert_eq!((b.next_lost(), b.retransmitted()), (None, 1));
}

#[test]
fn a_hole_is_sent_again_when_there_is_nothing_else() {
    let mut b = board(5);
    b.selectively_acknowledge(&mut [(10, 20), (30, 40)]);
    assert_eq!(b.next_hole(), Some(0));
    b.resend(0, at(9), b.end() * 10);
    assert_eq!(b.next_hole(), Some(2));
    b.resend(2, at(9), b.end() * 10);
    assert_eq!(b.next_hole(), None, "segment 4 is above the highest SACK");
}

#[test]
fn a_timeout_loses_everything_but_what_is_sacked() {
    let mut b = board(6);
    b.selectively_acknowledge(&mut [(20, 40)]);
    b.mark_all_lost(true);
    assert_eq!(lost(&b), [0, 1, 4, 5]);
    assert_eq!(b.in_flight(), 0);
    // A peer that acknowledges up to a SACKed segment, and then lets the timer expire, has thrown it away.
    ack(&mut b, 20);
    b.mark_all_lost(true);
    assert_eq!(lost(&b), [2, 3, 4, 5]);
    assert_eq!(b.sacked(), 0);
}

#[test]
fn what_never_left_is_taken_back() {
    let mut b = board(6);
    assert_eq!(b.unsend(40), 2);
    assert_eq!((b.packets_out(), b.in_flight()), (4, 4));
    b.push(40, 10, at(7), false);
    assert_eq!(ack(&mut b, 50).last, Some(at(7)));
}

#[test]
fn duplicates_stand_for_segments_received() {
    let mut b = board(5);
    (0..4).for_each(|_| assert!(b.count_duplicate()));
    (0..5).for_each(|_| assert!(!b.count_duplicate(), "one of five must be missing"));
    assert_eq!((b.sacked(), b.delivered()), (4, 4));
    ack(&mut b, 30);
    // The hole itself arrives, and two that were counted before.
    assert!(!b.uncount_duplicates(3), "one of two must be missing");
    assert_eq!((b.sacked(), b.delivered()), (1, 5));
    b.reset_duplicates();
    assert_eq!(b.in_flight(), 2);
}

#[test]
fn a_duplicate_report_counts_what_was_sent_again() {
    let mut b = board(6);
    b.selectively_acknowledge(&mut [(10, 50)]);
    b.mark_lost_below_sacks(3);
    let id = b.next_lost().unwrap();
    b.resend(id, at(99), 60);
    // Once it is not held for lost any more, its retransmission counts until it is reported.
    b.mark_none_lost();
    b.selectively_acknowledge(&mut [(0, 50)]);
    assert_eq!((b.retransmitted(), b.in_flight()), (1, 2));
    assert_eq!(b.report_duplicates(0, 30), (1, Some(0)));
    assert_eq!((b.retransmitted(), b.in_flight()), (0, 1));
}

proptest! {
    /// Against marks recomputed from scratch after every step.
    #[test]
    fn agrees_with_a_board_recomputed(
        steps in prop::collection::vec((0u8..8, 0u64..40, 1u64..8, 0u64..40), 1..120),
        forward: bool,
    ) {
        let mut b = Scoreboard::default();
        let (mut una, mut next) = (0u64, 0u64);
        let mut sacked = std::collections::BTreeSet::new();
        let mut missing = std::collections::BTreeSet::new();
        let mut again = std::collections::BTreeSet::new();
        for (what, offset, length, second) in steps {
            match what {
                0 | 1 => {
                    for _ in 0..length {
                        b.push(next * 10, 10, at(next), false);
                        next += 1;
                    }
                }
                2 if una < next => {
                    una += 1 + offset % (next - una).min(3);
                    ack(&mut b, una * 10);
                    sacked.retain(|i| *i >= una);
                    missing.retain(|i| *i >= una);
                    again.retain(|i| *i >= una);
                }
                3 | 4 if una < next => {
                    let block = |from: u64| {
                        let left = una + from % (next - una);
                        (left, (left + length).min(next))
                    };
                    let both = [block(offset), block(second)];
                    let news = both.iter().flat_map(|r| r.0..r.1).collect::<std::collections::BTreeSet<_>>();
                    let news: Vec<u64> = news.difference(&sacked).copied().collect();
                    let acked = b.selectively_acknowledge(&mut both.map(|r| (r.0 * 10, r.1 * 10)));
                    prop_assert_eq!(acked.segments as usize, news.len());
                    for i in news {
                        sacked.insert(i);
                        if missing.remove(&i) {
                            again.remove(&i);
                        }
                    }
                    if forward {
                        b.mark_lost_below_forward(3);
                    } else {
                        b.mark_lost_below_sacks(3);
                    }
                    let highest = sacked.last().copied().unwrap_or(0);
                    for i in una..next {
                        let lost = if forward { i + 3 <= highest } else { sacked.range(i..).count() >= 3 };
                        if !sacked.contains(&i) && lost {
                            missing.insert(i);
                        }
                    }
                }
                5 => {
                    let expected = missing.iter().copied().find(|i| !again.contains(i));
                    let id = b.next_lost();
                    prop_assert_eq!(id, expected);
                    if let Some(id) = id {
                        b.resend(id, at(1000), b.end() * 10);
                        again.insert(id);
                    }
                }
                7 if offset < 8 => {
                    b.mark_none_lost();
                    missing.clear();
                }
                6 if offset < 3 => {
                    b.mark_all_lost(true);
                    if sacked.contains(&una) {
                        sacked.clear();
                    }
                    missing = (una..next).filter(|i| !sacked.contains(i)).collect();
                    again.clear();
                }
                6 if sacked.iter().next_back().is_none_or(|s| s + 1 < next) && una < next && again.is_empty() => {
                    b.unsend((next - 1) * 10);
                    next -= 1;
                    missing.remove(&next);
                }
                _ => {}
            }
            prop_assert_eq!(b.packets_out() as u64, next - una);
            prop_assert_eq!(b.sacked() as usize, sacked.len());
            prop_assert_eq!(lost(&b), missing.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(b.lost() as usize, missing.len());
            prop_assert_eq!(b.retransmitted() as usize, again.len());
        }
    }
}
