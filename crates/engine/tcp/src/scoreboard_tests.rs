use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

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
        let mut model = Model::default();
        for (what, offset, length, second) in steps {
            match what {
                0 | 1 => model.push(length),
                2 if model.una < model.next => model.acknowledge(offset),
                3 | 4 if model.una < model.next => model.sack([offset, second], length, forward)?,
                5 => model.resend()?,
                7 if offset < 8 => {
                    model.board.mark_none_lost();
                    model.missing.clear();
                }
                6 if offset < 3 => model.time_out(),
                6 if model.may_unsend() => model.unsend(),
                _ => {}
            }
            model.agrees()?;
        }
    }
}

/// A board, and what it must hold, recomputed segment by segment. Each segment has ten bytes.
#[derive(Default)]
struct Model {
    board: Scoreboard,
    una: u64,
    next: u64,
    sacked: BTreeSet<u64>,
    missing: BTreeSet<u64>,
    again: BTreeSet<u64>,
}

impl Model {
    fn push(&mut self, segments: u64) {
        for _ in 0..segments {
            self.board.push(self.next * 10, 10, at(self.next), false);
            self.next += 1;
        }
    }

    fn acknowledge(&mut self, offset: u64) {
        self.una += 1 + offset % (self.next - self.una).min(3);
        ack(&mut self.board, self.una * 10);
        for known in [&mut self.sacked, &mut self.missing, &mut self.again] {
            known.retain(|i| *i >= self.una);
        }
    }

    fn sack(&mut self, from: [u64; 2], length: u64, forward: bool) -> Result<(), TestCaseError> {
        let (una, next) = (self.una, self.next);
        let both = from.map(|from| {
            let left = una + from % (next - una);
            (left, (left + length).min(next))
        });
        let news = both.iter().flat_map(|r| r.0..r.1).collect::<BTreeSet<_>>();
        let news: Vec<u64> = news.difference(&self.sacked).copied().collect();
        let acked = self.board.selectively_acknowledge(&mut both.map(|r| (r.0 * 10, r.1 * 10)));
        prop_assert_eq!(acked.segments as usize, news.len());
        for i in news {
            self.sacked.insert(i);
            if self.missing.remove(&i) {
                self.again.remove(&i);
            }
        }
        if forward {
            self.board.mark_lost_below_forward(3);
        } else {
            self.board.mark_lost_below_sacks(3);
        }
        let highest = self.sacked.last().copied().unwrap_or(0);
        for i in una..next {
            let lost = if forward { i + 3 <= highest } else { self.sacked.range(i..).count() >= 3 };
            if !self.sacked.contains(&i) && lost {
                self.missing.insert(i);
            }
        }
        Ok(())
    }

    fn resend(&mut self) -> Result<(), TestCaseError> {
        let expected = self.missing.iter().copied().find(|i| !self.again.contains(i));
        let id = self.board.next_lost();
        prop_assert_eq!(id, expected);
        if let Some(id) = id {
            self.board.resend(id, at(1000), self.board.end() * 10);
            self.again.insert(id);
        }
        Ok(())
    }

    fn time_out(&mut self) {
        self.board.mark_all_lost(true);
        if self.sacked.contains(&self.una) {
            self.sacked.clear();
        }
        self.missing = (self.una..self.next).filter(|i| !self.sacked.contains(i)).collect();
        self.again.clear();
    }

    fn may_unsend(&self) -> bool {
        let last_is_out = self.sacked.last().is_none_or(|s| s + 1 < self.next);
        last_is_out && self.una < self.next && self.again.is_empty()
    }

    fn unsend(&mut self) {
        self.next -= 1;
        self.board.unsend(self.next * 10);
        self.missing.remove(&self.next);
    }

    fn agrees(&self) -> Result<(), TestCaseError> {
        let board = &self.board;
        prop_assert_eq!(u64::from(board.packets_out()), self.next - self.una);
        prop_assert_eq!(board.sacked() as usize, self.sacked.len());
        prop_assert_eq!(lost(board), self.missing.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(board.lost() as usize, self.missing.len());
        prop_assert_eq!(board.retransmitted() as usize, self.again.len());
        Ok(())
    }
}
