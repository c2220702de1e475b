//! The retransmit queue: segments sent and not yet acknowledged, each with Linux's marks.
//!
//! Counters follow `tcp_sock`: `packets_out` is the queue's length, and in flight is `packets_out - sacked_out -
//! lost_out + retrans_out` (`tcp_packets_in_flight`). Segments are addressed by an id that counts them from the
//! beginning, so that hints stay valid while the queue moves. No ACK walks the whole queue: only new parts of SACK
//! blocks are applied, and the walks for losses and retransmissions continue where they last stopped.

use airloom_sim::Time;
use std::collections::VecDeque;

/// Selectively acknowledged (`TCPCB_SACKED_ACKED`).
const SACKED: u16 = 1;
/// Marked as lost (`TCPCB_LOST`).
const LOST: u16 = 2;
/// Its retransmission is in flight (`TCPCB_SACKED_RETRANS`).
const RETRANSMITTED: u16 = 4;
/// It was retransmitted at some time (`TCPCB_EVER_RETRANS`).
const EVER: u16 = 8;

#[derive(Clone, Copy)]
struct Sent {
    seq: u64,
    at: Time,
    length: u32,
    marks: u16,
    /// It has PSH, with which it is sent again too.
    pushed: bool,
}

impl Sent {
    fn end(&self) -> u64 {
        self.seq + u64::from(self.length)
    }

    /// Whether its last retransmission, sent at `at`, is still in flight.
    fn is_resent(&self, at: Time) -> bool {
        self.at == at && self.marks & SACKED == 0 && self.marks & (LOST | RETRANSMITTED) != LOST
    }
}

/// The segments that a cumulative or selective acknowledgment covered.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(crate) struct Acked {
    /// Segments newly covered.
    pub(crate) segments: u32,
    /// Those of them that were in no SACK before.
    pub(crate) fresh: u32,
    /// When the first of those that were sent only once and not SACKed before left.
    pub(crate) first: Option<Time>,
    /// Where that one ends.
    pub(crate) first_end: u64,
    /// When the last of them left.
    pub(crate) last: Option<Time>,
    /// Where that one ends.
    pub(crate) last_end: u64,
    /// When the last of those that were retransmitted and not SACKed before left, and where it ends.
    pub(crate) last_repeat: Option<(Time, u64)>,
    /// Where the first of them begins that was sent only once and lay below another that was SACKed earlier.
    pub(crate) reordered: Option<u64>,
    /// One of them had been retransmitted (`FLAG_RETRANS_DATA_ACKED`): no timing by Karn's rule.
    pub(crate) retransmitted: bool,
}

impl Acked {
    fn sample(&mut self, sent: &Sent) {
        if self.first.is_none() {
            self.first = Some(sent.at);
            self.first_end = sent.end();
        }
        self.last = Some(sent.at);
        self.last_end = sent.end();
    }

    /// When the last sent of them left, as far as they were not SACKed before.
    pub(crate) fn newest(&self) -> Option<Time> {
        self.last.max(self.last_repeat.map(|repeat| repeat.0))
    }

    /// Whether a segment that ends at or below `edge` and was sent only once is among them (`FLAG_ORIG_SACK_ACKED`).
    pub(crate) fn original_below(&self, edge: u64) -> bool {
        self.first.is_some() && self.first_end <= edge
    }
}

/// A segment to be retransmitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resend {
    pub(crate) seq: u64,
    pub(crate) length: u32,
    pub(crate) pushed: bool,
}

/// The retransmit queue.
#[derive(Default)]
pub(crate) struct Scoreboard {
    queue: VecDeque<Sent>,
    /// Id of the queue's front.
    base: u64,
    sacked: u32,
    lost: u32,
    /// Count of all segments ever marked as lost (`tp->lost`).
    all_lost: u64,
    /// Count of all segments known to have arrived (`tp->delivered`).
    delivered: u64,
    /// Count of all retransmissions (`tp->total_retrans`), and of those that D-SACKs called needless (`tp->dsack_dups`).
    all_resent: u64,
    needless: u64,
    retransmitted: u32,
    /// Everything before it was seen by `mark_lost_below_sacks` (`lost_skb_hint`).
    loss_hint: u64,
    /// SACKed segments of the queue before `loss_hint` (`lost_cnt_hint`).
    sacked_before_hint: u32,
    /// Nothing before it waits for retransmission (`retransmit_skb_hint`).
    resend_hint: u64,
    /// Everything before it is SACKed or retransmitted.
    hole_hint: u64,
    /// Nothing from it on is lost.
    lost_end: u64,
    /// Nothing from it on is SACKed.
    sacked_end: u64,
    /// Retransmissions in the order they were sent: id, time, and what was next to be sent then.
    resent: VecDeque<(u64, Time, u64)>,
    /// Where the highest SACKed segment begins.
    highest: u64,
    /// Where it ends (`tcp_highest_sack_seq`).
    highest_end: u64,
    /// Blocks of the last ACK (`recv_sack_cache`), sorted.
    known: [(u64, u64); 4],
    /// Where the segments end that were marked as lost since this was last asked, if it is asked at all.
    newly_lost: Option<Vec<u64>>,
}

impl Scoreboard {
    /// An empty queue, which remembers the segments marked as lost until they are asked for, or does not.
    pub(crate) fn new(remembers_lost: bool) -> Self {
        Self { newly_lost: remembers_lost.then(Vec::new), ..Self::default() }
    }

    pub(crate) fn packets_out(&self) -> u32 {
        self.queue.len() as u32
    }

    pub(crate) fn sacked(&self) -> u32 {
        self.sacked
    }

    pub(crate) fn lost(&self) -> u32 {
        self.lost
    }

    pub(crate) fn all_lost(&self) -> u64 {
        self.all_lost
    }

    pub(crate) fn delivered(&self) -> u64 {
        self.delivered
    }

    /// So many segments more have arrived.
    pub(crate) fn count_delivered(&mut self, segments: u32) {
        self.delivered += u64::from(segments);
    }

    /// A D-SACK reports that `segments` arrived twice. False if more did so than were sent again: the network has repeated
    /// some, or the peer is wrong (`tcp_dsack_seen`).
    pub(crate) fn count_needless(&mut self, segments: u32) -> bool {
        self.needless += u64::from(segments);
        self.needless <= self.all_resent
    }

    /// Where the segments end that were marked as lost since this was last asked.
    pub(crate) fn take_newly_lost(&mut self) -> Vec<u64> {
        self.newly_lost.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Counts a segment that is marked as lost, perhaps again.
    fn count_lost(&mut self, end: u64) {
        self.all_lost += 1;
        if let Some(newly) = &mut self.newly_lost {
            newly.push(end);
        }
    }

    pub(crate) fn retransmitted(&self) -> u32 {
        self.retransmitted
    }

    pub(crate) fn in_flight(&self) -> u32 {
        debug_assert!(self.sacked + self.lost <= self.packets_out());
        self.packets_out() + self.retransmitted - self.sacked - self.lost
    }

    /// Id after the last segment sent.
    fn end(&self) -> u64 {
        self.base + self.queue.len() as u64
    }

    fn get(&mut self, id: u64) -> &mut Sent {
        &mut self.queue[(id - self.base) as usize]
    }

    pub(crate) fn push(&mut self, seq: u64, length: u32, at: Time, pushed: bool) {
        self.queue.push_back(Sent { seq, at, length, marks: 0, pushed });
    }

    /// Where the highest SACKed segment ends, or `una` if none is SACKed (`tcp_highest_sack_seq`).
    pub(crate) fn sacked_edge(&self, una: u64) -> u64 {
        if self.sacked == 0 { una } else { self.highest_end }
    }

    /// Removes segments below `una`. Those below `edge` that were in no SACK before are reordered (`tcp_clean_rtx_queue`).
    pub(crate) fn acknowledge(&mut self, una: u64, edge: u64) -> Acked {
        let mut acked = Acked::default();
        while let Some(front) = self.queue.front_mut() {
            if front.end() > una {
                if front.seq < una {
                    front.length -= (una - front.seq) as u32;
                    front.seq = una;
                }
                break;
            }
            let sent = *front;
            let marks = sent.marks;
            acked.fresh += u32::from(marks & SACKED == 0);
            if marks == 0 {
                if sent.seq < edge {
                    acked.reordered.get_or_insert(sent.seq);
                }
                acked.sample(&sent);
            } else {
                acked.retransmitted |= marks & (RETRANSMITTED | EVER) != 0;
                if marks & (RETRANSMITTED | EVER | SACKED) == 0 {
                    if sent.seq < edge {
                        acked.reordered.get_or_insert(sent.seq);
                    }
                    acked.sample(&sent);
                } else if marks & SACKED == 0 {
                    acked.last_repeat = acked.last_repeat.max(Some((sent.at, sent.end())));
                }
                self.unmark(self.base, marks);
            }
            acked.segments += 1;
            self.queue.pop_front();
            self.base += 1;
        }
        while self.resent.front().is_some_and(|r| r.0 < self.base) {
            self.resent.pop_front();
        }
        self.loss_hint = self.loss_hint.max(self.base);
        self.resend_hint = self.resend_hint.max(self.base);
        self.hole_hint = self.hole_hint.max(self.base);
        acked
    }

    /// Subtracts a segment with these marks from the counters.
    fn unmark(&mut self, id: u64, marks: u16) {
        if marks & SACKED != 0 {
            self.sacked -= 1;
            self.sacked_before_hint -= u32::from(id < self.loss_hint);
        }
        self.lost -= u32::from(marks & LOST != 0);
        self.retransmitted -= u32::from(marks & RETRANSMITTED != 0);
    }

    /// Applies SACK blocks (`tcp_sacktag_write_queue`), which may come in any order and overlap.
    pub(crate) fn selectively_acknowledge(&mut self, blocks: &mut [(u64, u64)]) -> Acked {
        let mut acked = Acked::default();
        let known = self.known;
        blocks.sort_unstable();
        for &(left, right) in blocks.iter() {
            let mut left = left;
            for &(known_left, known_right) in &known {
                if left < known_left && known_left < right {
                    self.mark_sacked(left, known_left, &mut acked);
                }
                if known_left < right && left < known_right {
                    left = known_right;
                }
            }
            if left < right {
                self.mark_sacked(left, right, &mut acked);
            }
        }
        self.known = [(0, 0); 4];
        let places = self.known.iter_mut().rev().zip(blocks.iter().rev());
        places.for_each(|(place, block)| *place = *block);
        acked
    }

    fn mark_sacked(&mut self, left: u64, right: u64, acked: &mut Acked) {
        let first = self.queue.partition_point(|s| s.seq < left);
        for i in first..self.queue.len() {
            let sent = &mut self.queue[i];
            if sent.end() > right {
                break;
            }
            if sent.marks & SACKED != 0 {
                continue;
            }
            if sent.marks & (RETRANSMITTED | EVER) == 0 {
                if sent.seq < self.highest {
                    acked.reordered.get_or_insert(sent.seq);
                }
                acked.sample(sent);
            } else {
                acked.last_repeat = acked.last_repeat.max(Some((sent.at, sent.end())));
            }
            // A retransmission of a segment not marked as lost stays in the count, as in Linux: it is still in flight.
            if sent.marks & LOST != 0 {
                self.lost -= 1;
                if sent.marks & RETRANSMITTED != 0 {
                    self.retransmitted -= 1;
                }
                sent.marks &= !(LOST | RETRANSMITTED);
            }
            sent.marks |= SACKED;
            self.sacked += 1;
            acked.segments += 1;
            acked.fresh += 1;
            let id = self.base + i as u64;
            self.sacked_before_hint += u32::from(id < self.loss_hint);
            self.sacked_end = self.sacked_end.max(id + 1);
            self.highest = self.highest.max(self.queue[i].seq);
            self.highest_end = self.highest_end.max(self.queue[i].end());
        }
    }

    /// Segments up to the highest that is SACKed (`fackets_out`).
    pub(crate) fn forward(&self) -> u32 {
        if self.sacked == 0 { 0 } else { self.sacked_end.min(self.end()).saturating_sub(self.base) as u32 }
    }

    /// Marks as lost the segments at least `threshold` segments below the highest SACKed one (forward acknowledgment;
    /// `tcp_update_scoreboard` with FACK, Linux 2.4 to 4.14). Cost: amortised one step per segment sent.
    pub(crate) fn mark_lost_below_forward(&mut self, threshold: u32) {
        let end = self.base + u64::from(self.forward().saturating_sub(threshold));
        while self.loss_hint < end {
            let id = self.loss_hint;
            self.mark_lost(id);
            self.sacked_before_hint += u32::from(self.get(id).marks & SACKED != 0);
            self.loss_hint += 1;
        }
    }

    /// Marks as lost the segments with at least `threshold` SACKed segments above (RFC 6675 `IsLost`, counted in
    /// segments;
    /// `tcp_update_scoreboard` without FACK). Cost: amortised one step per segment sent.
    pub(crate) fn mark_lost_below_sacks(&mut self, threshold: u32) {
        if self.sacked < threshold {
            return;
        }
        let allowed = self.sacked - threshold;
        while self.sacked_before_hint <= allowed && self.loss_hint < self.sacked_end.min(self.end()) {
            let id = self.loss_hint;
            if self.get(id).marks & SACKED == 0 {
                self.mark_lost(id);
            } else if self.sacked_before_hint == allowed {
                break;
            } else {
                self.sacked_before_hint += 1;
            }
            self.loss_hint += 1;
        }
    }

    /// Marks a retransmission as lost if new data sent after it has been SACKed (`tcp_mark_lost_retrans`).
    pub(crate) fn mark_lost_retransmissions(&mut self) {
        while let Some(&(id, at, next)) = self.resent.front()
            && next < self.highest
        {
            self.resent.pop_front();
            if id < self.base || id >= self.end() {
                continue;
            }
            let sent = self.get(id);
            if sent.at == at && sent.marks & (RETRANSMITTED | SACKED) == RETRANSMITTED {
                self.lose_again(id);
            }
        }
    }

    /// Marks a segment as lost, sent once or again (`tcp_mark_skb_lost`).
    fn lose(&mut self, id: u64) {
        if self.get(id).marks & RETRANSMITTED != 0 { self.lose_again(id) } else { self.mark_lost(id) }
    }

    /// Marks a retransmission as lost, whether or not the original was.
    fn lose_again(&mut self, id: u64) {
        let sent = self.get(id);
        let (again, end) = (sent.marks & LOST != 0, sent.end());
        sent.marks &= !RETRANSMITTED;
        self.retransmitted -= 1;
        if again {
            self.count_lost(end);
        }
        self.mark_lost(id);
        self.resend_hint = self.resend_hint.min(id);
    }

    /// Marks as lost the segments sent before `newest`, a time and an end, that are `overdue`, originals and
    /// retransmissions alike. Returns when the last of the others that were sent before it left. Cost: amortised one step per
    /// segment sent, and while segments are late those above the last of them.
    pub(crate) fn mark_lost_sent_before(
        &mut self,
        newest: (Time, u64),
        overdue: impl Fn(Time) -> bool,
    ) -> Option<Time> {
        let (mut waits, mut waits_again) = (false, false);
        while self.loss_hint < self.end() {
            let id = self.loss_hint;
            let &mut sent = self.get(id);
            if sent.marks & (SACKED | LOST | EVER) == 0 {
                if (sent.at, sent.end()) >= newest {
                    break;
                }
                if !overdue(sent.at) {
                    waits = true;
                    break;
                }
                self.mark_lost(id);
            }
            self.sacked_before_hint += u32::from(sent.marks & SACKED != 0);
            self.loss_hint += 1;
        }
        while let Some(&(id, at, _)) = self.resent.front() {
            if id >= self.base && id < self.end() {
                let &mut sent = self.get(id);
                if sent.is_resent(at) {
                    if (at, sent.end()) >= newest {
                        break;
                    }
                    if !overdue(at) {
                        waits_again = true;
                        break;
                    }
                    self.lose(id);
                }
            }
            self.resent.pop_front();
        }
        let once = if waits { self.last_sent_before(newest) } else { None };
        once.max(if waits_again { self.last_resent_before(newest) } else { None })
    }

    /// When the last segment left that was sent once, before `newest`, and is neither SACKed nor lost.
    fn last_sent_before(&self, newest: (Time, u64)) -> Option<Time> {
        let first = (self.loss_hint - self.base) as usize;
        let late = |sent: &&Sent| sent.marks & (SACKED | LOST | EVER) == 0 && (sent.at, sent.end()) < newest;
        self.queue.range(first..).rev().find(late).map(|sent| sent.at)
    }

    /// When the last retransmission left that is in flight and was sent before `newest`.
    fn last_resent_before(&self, newest: (Time, u64)) -> Option<Time> {
        let late = |&&(id, at, _): &&(u64, Time, u64)| {
            let place = id.checked_sub(self.base).and_then(|place| self.queue.get(place as usize));
            place.is_some_and(|sent| sent.is_resent(at) && (at, sent.end()) < newest)
        };
        self.resent.iter().rev().find(late).map(|resent| resent.1)
    }

    /// Marks the first segment as lost unless it is SACKed (`tcp_mark_head_lost` of one).
    pub(crate) fn mark_head_lost(&mut self) {
        if !self.queue.is_empty() {
            self.mark_lost(self.base);
        }
    }

    fn mark_lost(&mut self, id: u64) {
        let sent = self.get(id);
        if sent.marks & (LOST | SACKED) == 0 {
            sent.marks |= LOST;
            let end = sent.end();
            self.lost += 1;
            self.count_lost(end);
            self.lost_end = self.lost_end.max(id + 1);
            self.resend_hint = self.resend_hint.min(id);
        }
    }

    /// Marks everything not SACKed as lost and clears retransmissions (`tcp_enter_loss`). A SACKed head means that the
    /// peer has discarded SACKed data (reneging), and then no SACK counts (`how` in Linux).
    pub(crate) fn mark_all_lost(&mut self, sack: bool) {
        let renege = !sack || self.queue.front().is_some_and(|s| s.marks & SACKED != 0);
        if renege {
            self.known = [(0, 0); 4];
            self.sacked = 0;
            self.sacked_end = self.base;
            self.highest = 0;
            self.highest_end = 0;
        }
        for id in self.base..self.end() {
            let sent = self.get(id);
            let (before, end) = (sent.marks, sent.end());
            sent.marks &= if renege { EVER } else { EVER | SACKED };
            if sent.marks & SACKED == 0 {
                sent.marks |= LOST;
                if before & (LOST | RETRANSMITTED) != LOST {
                    self.count_lost(end);
                }
            }
        }
        self.lost = self.packets_out() - self.sacked;
        self.retransmitted = 0;
        self.resent.clear();
        self.loss_hint = self.end();
        self.sacked_before_hint = self.sacked;
        self.resend_hint = self.base;
        self.hole_hint = self.base;
        self.lost_end = self.end();
    }

    /// Marks the head as lost, and what is `overdue` by the time it was sent; the rest stays in flight. Only if the peer has
    /// discarded SACKed data everything is lost (`tcp_timeout_mark_lost`, Linux 4.18).
    pub(crate) fn mark_overdue_lost(&mut self, overdue: impl Fn(Time) -> bool) {
        if self.queue.front().is_none_or(|s| s.marks & SACKED != 0) {
            return self.mark_all_lost(true);
        }
        for id in self.base..self.end() {
            let sent = *self.get(id);
            if sent.marks & SACKED != 0 || (id != self.base && !overdue(sent.at)) {
                continue;
            }
            self.lose(id);
        }
        self.resend_hint = self.base;
        self.hole_hint = self.base;
        // What was spared is looked at again, from the head on.
        self.loss_hint = self.base;
        self.sacked_before_hint = 0;
    }

    /// Clears all loss marks (`tcp_undo_cwnd_reduction` with `unmark_loss`).
    pub(crate) fn mark_none_lost(&mut self) {
        self.queue.iter_mut().for_each(|sent| sent.marks &= !LOST);
        self.lost = 0;
        self.lost_end = self.base;
        self.loss_hint = self.base;
        self.sacked_before_hint = 0;
    }

    /// Whether retransmissions are in flight, or the first segment was ever retransmitted (`tcp_any_retrans_done`).
    pub(crate) fn repeats(&self) -> bool {
        self.retransmitted > 0 || self.queue.front().is_some_and(|sent| sent.marks & EVER != 0)
    }

    /// Whether any segment in the queue was ever retransmitted.
    pub(crate) fn any_repeated(&self) -> bool {
        self.queue.iter().any(|sent| sent.marks & EVER != 0)
    }

    /// A D-SACK reports the range from `left` to `right`: counts its retransmitted segments, whose retransmissions are
    /// no longer in flight. Returns also where the first of them begins that was SACKed before: its original came late
    /// (`tcp_sacktag_one` with `dup_sack`).
    pub(crate) fn report_duplicates(&mut self, left: u64, right: u64) -> (u32, Option<u64>) {
        let first = self.queue.partition_point(|s| s.seq < left);
        let (mut count, mut late) = (0, None);
        for sent in self.queue.range_mut(first..).take_while(|s| s.end() <= right) {
            count += u32::from(sent.marks & EVER != 0);
            if sent.marks & EVER != 0 && sent.marks & SACKED != 0 {
                late = late.or(Some(sent.seq));
            }
            if sent.marks & (RETRANSMITTED | SACKED) == RETRANSMITTED | SACKED {
                sent.marks &= !RETRANSMITTED;
                self.retransmitted -= 1;
            }
        }
        (count, late)
    }

    /// The first segment that is lost and waits for retransmission, with its id.
    pub(crate) fn next_lost(&mut self) -> Option<u64> {
        while self.resend_hint < self.lost_end.min(self.end()) {
            let id = self.resend_hint;
            if self.get(id).marks & (LOST | RETRANSMITTED) == LOST {
                return Some(id);
            }
            self.resend_hint += 1;
        }
        None
    }

    /// The first segment that is below the highest SACK, unSACKed and not retransmitted (RFC 6675 `NextSeg` rule 3;
    /// `tcp_can_forward_retransmit`).
    pub(crate) fn next_hole(&mut self) -> Option<u64> {
        while self.hole_hint < self.sacked_end.min(self.end()) {
            let id = self.hole_hint;
            if self.get(id).marks & (SACKED | RETRANSMITTED) == 0 {
                return Some(id);
            }
            self.hole_hint += 1;
        }
        None
    }

    /// When the first segment in the queue was last sent.
    pub(crate) fn head_sent(&self) -> Option<Time> {
        self.queue.front().map(|s| s.at)
    }

    /// Id of the first segment in the queue.
    pub(crate) fn head(&self) -> Option<u64> {
        (!self.queue.is_empty()).then_some(self.base)
    }

    /// Marks a segment as retransmitted at `now`, when `next` was next to be sent. Returns what to send.
    pub(crate) fn resend(&mut self, id: u64, now: Time, next: u64) -> Resend {
        let sent = self.get(id);
        let again = sent.marks & RETRANSMITTED != 0;
        sent.marks |= RETRANSMITTED | EVER;
        sent.at = now;
        let resend = Resend { seq: sent.seq, length: sent.length, pushed: sent.pushed };
        self.resent.push_back((id, now, next));
        self.retransmitted += u32::from(!again);
        self.all_resent += 1;
        resend
    }

    /// Retransmits the last segment without marking it as lost; its first transmission is still in flight. `next` is next
    /// to be sent.
    pub(crate) fn resend_last(&mut self, now: Time, next: u64) -> Option<Resend> {
        let id = self.end().checked_sub(1)?;
        let sent = self.queue.back_mut()?;
        sent.marks |= EVER;
        sent.at = now;
        let resend = Resend { seq: sent.seq, length: sent.length, pushed: sent.pushed };
        self.resent.push_back((id, now, next));
        self.all_resent += 1;
        Some(resend)
    }

    /// A retransmission did not get past the local queue: the segment waits for another. False if there was none.
    pub(crate) fn unsend_retransmission(&mut self, seq: u64) -> bool {
        let i = self.queue.partition_point(|s| s.seq < seq);
        if let Some(sent) = self.queue.get_mut(i)
            && sent.seq == seq
            && sent.marks & RETRANSMITTED != 0
        {
            sent.marks &= !RETRANSMITTED;
            self.retransmitted -= 1;
            self.all_resent -= 1;
            self.resend_hint = self.resend_hint.min(self.base + i as u64);
            self.hole_hint = self.hole_hint.min(self.base + i as u64);
            return true;
        }
        false
    }

    /// Removes all segments from `seq` on, which never left. Returns how many they were.
    pub(crate) fn unsend(&mut self, seq: u64) -> u32 {
        let mut count = 0;
        while let Some(back) = self.queue.back()
            && back.seq >= seq
        {
            let marks = back.marks;
            self.unmark(self.end() - 1, marks);
            self.queue.pop_back();
            count += 1;
        }
        self.loss_hint = self.loss_hint.min(self.end());
        self.resend_hint = self.resend_hint.min(self.end());
        self.hole_hint = self.hole_hint.min(self.end());
        count
    }

    /// Without SACK, a duplicate ACK stands for one segment received. False if there cannot be so many
    /// (`tcp_add_reno_sack`).
    pub(crate) fn count_duplicate(&mut self) -> bool {
        let before = self.sacked;
        self.sacked += 1;
        let fits = self.limit_duplicates();
        self.count_delivered(self.sacked.saturating_sub(before));
        fits
    }

    /// Without SACK, an ACK for `acked` segments covers one hole and duplicates. False if more of these remain than there can
    /// be (`tcp_remove_reno_sacks`).
    pub(crate) fn uncount_duplicates(&mut self, acked: u32) -> bool {
        if acked > 0 {
            self.count_delivered(acked.saturating_sub(self.sacked).max(1));
            self.sacked = self.sacked.saturating_sub(acked - 1);
        }
        self.limit_duplicates()
    }

    /// Duplicates are of segments that are outstanding and not lost, nor the first (`tcp_limit_reno_sacked`).
    fn limit_duplicates(&mut self) -> bool {
        let most = self.packets_out() - self.lost.max(1).min(self.packets_out());
        let fits = self.sacked <= most;
        self.sacked = self.sacked.min(most);
        fits
    }

    /// Without SACK, clears the duplicates (`tcp_reset_reno_sack`).
    pub(crate) fn reset_duplicates(&mut self) {
        self.sacked = 0;
    }
}

#[cfg(test)]
#[path = "scoreboard_tests.rs"]
mod tests;
