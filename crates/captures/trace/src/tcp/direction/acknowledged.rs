//! What the receiver says: acknowledgments, their SACK blocks, its window.

use super::{Context, Direction, NEAR, Recovery, is_quiet};
use crate::Segment;
use crate::tcp::connection::accurate;
use crate::tcp::interruptions::Answer;
use crate::tcp::limits::AckReport;
use crate::tcp::retransmission::Needless;
use crate::tcp::round_trips::RoundTrips;
use crate::tcp::scoreboard::{Sent, Taken};
use crate::tcp::sequence;
use crate::tcp::stall::{Pause, Stall};
use crate::tcp::stuck::Stuck;

/// The most stretches that a receiver asked for that are remembered.
const MOST_ASKED: usize = 64;
/// Of so many outstanding segments none waits for a second one that it is acknowledged with.
const FEWEST: u64 = 4;
/// What a timer for delayed acknowledgments adds to the round trip, in nanoseconds: 40 ms in Linux (`TCP_DELACK_MIN`), 200 ms in
/// Windows, up to 500 ms (RFC 1122 section 4.2.3.2), and what a capture's clock may be off.
pub(in crate::tcp) const DELAYED: std::ops::RangeInclusive<u64> = 30_000_000..=550_000_000;

impl Direction {
    /// Takes a segment of the receiver with an acknowledgment; no copy and no SYN. Whether it says more than its last, and whether it asks for an answer.
    pub(in crate::tcp) fn told(&mut self, context: &Context, segment: &Segment, says_more: bool, asks: bool) {
        let (header, now_ns) = (&segment.header, context.now_ns);
        if self.first.is_none() {
            self.begin(sequence::first(header.ack));
        }
        let pure = segment.sequence_length() == 0;
        self.acks.packets += u64::from(pure);
        self.marks.told(context.accurate_ecn, segment);
        let ack = sequence::near(self.board.next, header.ack);
        if !self.believes(context, ack, ack) {
            return;
        }
        self.reaches_back(ack, now_ns, context.room);
        self.is_assumed = false;
        self.goes_on(ack, context.room);
        let heard_ns = std::mem::replace(&mut self.told_ns, now_ns);
        if says_more {
            self.news_ns = now_ns;
        }
        let window = u64::from(header.window) << context.scale.unwrap_or(0).min(14);
        self.limits.catch_up(now_ns);
        self.sacks.acknowledged(now_ns, ack);
        let twice = self.reported(context, segment, ack);
        if ack > self.board.una {
            self.advanced(context, segment, (ack, heard_ns), twice);
        } else if ack == self.board.una && pure && self.last_window == Some(header.window) {
            self.repeats(ack, asks);
        }
        if !pure {
            // An answer: the sender may have waited for it, not for the acknowledgment before it.
            self.waited = None;
            self.batches.answered();
        }
        if ack == self.board.una {
            self.window_is(context, window);
            self.last_window = Some(header.window);
        }
        if context.scale.is_some() {
            self.belief.told(self.board.una.max(ack), window);
        }
        // A window of zero is zero in any scale (RFC 7323 section 2.2).
        let shows_edge = context.scale.is_some() || header.window == 0;
        self.limits.told(AckReport {
            passed_ns: now_ns,
            at_ns: now_ns + context.recent_to_sender_ns,
            una: self.board.una,
            edge: shows_edge.then_some(self.board.una.max(ack) + window),
        });
    }

    /// An acknowledgment says the same as the last: of a hole, or of what arrived twice, unless it asks whether the sender is there.
    fn repeats(&mut self, ack: u64, asks: bool) {
        if !asks && let Some((start, end, since_ns)) = self.arrivals.repeated(self.board.next) {
            self.retransmissions.prove(start, end, since_ns, Needless::Counted);
        }
        if self.board.flight() > 0 {
            self.overrun.stays();
            self.repeated += 1;
            self.acks.repeated += 1;
            self.asks(ack, ack + 1);
        }
    }

    /// What the SACK blocks of an acknowledgment tell: the octets among them that came twice.
    fn reported(&mut self, context: &Context, segment: &Segment, ack: u64) -> Option<(u64, u64)> {
        let blocks = segment.header.options.sack.as_slice();
        if blocks.is_empty() {
            return None;
        }
        let next = self.board.next;
        let mut known = [(0, 0); 4];
        for (block, known) in blocks.iter().zip(&mut known) {
            let left = sequence::near(next, block.left);
            *known = (left, left + u64::from(block.right.wrapping_sub(block.left)));
        }
        let mut known = &known[..blocks.len()];
        let (left, right) = known[0];
        let is_new = self.is_new(ack, left, right);
        if is_new && self.sacks.merges {
            known = &known[1..];
            if !known.is_empty() {
                self.behind_holes(context, known, ack);
            }
            return None;
        }
        let is_twice =
            right <= ack || known.get(1).is_some_and(|second| second.0 <= left && right <= second.1);
        let twice = is_twice.then_some((left, right));
        if is_twice {
            if !self.retransmissions.prove_last(left, right, is_new) {
                self.sacks.came_twice(right.saturating_sub(left), is_new);
            }
            known = &known[1..];
        }
        if !known.is_empty() {
            self.behind_holes(context, known, ack);
        }
        twice
    }

    /// Whether the first block is of octets that the same packet acknowledges first, and that had not all been reported. Some receivers report what came last there, though it has
    /// filled a hole and is acknowledged with what lies behind that: one such block that is longer than any packet shows one, and then no block of this kind reports octets that
    /// came twice, neither before nor behind it.
    fn is_new(&mut self, ack: u64, left: u64, right: u64) -> bool {
        let [has_none, has_all] = self.board.knows(left, right);
        let is_new = right <= ack && left >= self.board.una && !has_all;
        if is_new && !has_none && right - left > u64::from(self.longest) && self.longest > 0 {
            self.sacks.found_merging();
            self.retransmissions.withdraw_doubtful();
        }
        is_new
    }

    /// A receiver has the octets of some blocks, behind one that it lacks.
    fn behind_holes(&mut self, context: &Context, known: &[(u64, u64)], ack: u64) {
        let highest = known.iter().map(|block| block.1).max().unwrap_or(ack);
        self.asks(ack, highest);
        let (round_trips, retransmissions) = (&mut self.trips.acknowledged, &mut self.retransmissions);
        let soon = soonest(context, round_trips);
        let youngest_ns = &mut self.youngest_ns;
        let (mut newest, mut oldest) = (None, context.now_ns);
        self.board.report(known, |sent| {
            if sent.times > 0 {
                *youngest_ns = (*youngest_ns).max(Some(sent.last_ns));
            }
            if sent.times == 1 && !sent.earlier {
                newest = newest.max(Some(sent.first_ns));
                oldest = oldest.min(sent.first_ns);
            } else if sent.times > 1 && !sent.earlier {
                retransmissions.prove(
                    sent.start,
                    sent.end,
                    (context.now_ns + 1).saturating_sub(soon),
                    Needless::TooSoon,
                );
            }
        });
        if highest > ack {
            // At the receiver data arrives as it is captured, however late it is reported.
            let at_receiver = context.to_receiver_ns.is_some_and(|there_ns| there_ns <= NEAR);
            self.sacks.waits(if at_receiver { oldest } else { context.now_ns }, highest);
        }
        if let Some(sent_ns) = newest {
            round_trips.add(context.now_ns, context.number, context.now_ns.saturating_sub(sent_ns), false);
            self.progress_ns = Some(context.now_ns);
        }
    }

    /// The receiver asks for what is missing from an octet on, before another one.
    fn asks(&mut self, from: u64, to: u64) {
        if let Some(last) = self.asked.back_mut().filter(|last| last.0 == from) {
            last.1 = last.1.max(to);
            return;
        }
        if self.asked.len() == MOST_ASKED {
            self.asked.pop_front();
        }
        self.asked.push_back((from, to));
    }

    /// An acknowledgment takes in data, and may tell of octets that came twice; the receiver had been heard before at a time.
    fn advanced(
        &mut self,
        context: &Context,
        segment: &Segment,
        (ack, heard_ns): (u64, u64),
        twice: Option<(u64, u64)>,
    ) {
        let now_ns = context.now_ns;
        let una = self.board.una;
        if context.accurate_ecn {
            let packets = (ack - una).div_ceil(u64::from(self.segment().max(1)));
            self.marks.count(accurate(segment.header.flags), packets);
        }
        let flight = self.board.flight();
        let held = self.may_be_held();
        let first = una;
        let gave_up = |one: &Stuck| self.ended_ns.is_some_and(|ended_ns| ended_ns > one.span_ns.1);
        if ack == self.board.next
            && let Some(one) = self.standing().filter(gave_up)
        {
            self.given_up = Some(Stuck { answered_ns: Some(now_ns), heard_ns, ..one });
        }
        self.may_have_shortened(now_ns, ack);
        self.overrun.acknowledged(ack);
        let is_late = segment.sequence_length() > 0
            && !self.is_prompt(context, now_ns.saturating_sub(heard_ns.max(self.last_sent_ns)));
        if is_late && self.progress_ns.is_some_and(|since_ns| self.last_sent_ns <= since_ns) {
            // Nothing was sent again: an acknowledgment that is not in the capture had come long before, and the data waited for nothing meanwhile.
            self.progress_ns = Some(now_ns);
        }
        self.progressed(context, false);
        let uncaptured = &mut self.uncaptured;
        let taken = self.board.acknowledge(ack, |start, end| uncaptured.missed(start, end, now_ns));
        self.arrivals.acknowledged(ack, self.board.next);
        self.acknowledged += ack - una;
        let pause_ns = self.acks.last_ns().map(|last_ns| now_ns.saturating_sub(last_ns));
        let is_behind_silence = pause_ns.is_some_and(|pause_ns| is_quiet(context, pause_ns) == Some(true));
        self.acknowledged_trains.passed(now_ns, ack - una, self.segment(), is_behind_silence);
        self.acks.advanced(context, segment.sequence_length() == 0);
        self.delivered.note(now_ns, (ack - una) as f64);
        self.repeated = 0;
        self.timer_ns = now_ns + context.to_sender_ns.unwrap_or(0);
        self.uncaptured.acknowledged(taken.unseen);
        self.mark_needless(context, segment, first, &taken);
        // What came twice was sent again unseen: which of both is answered does not show (RFC 6298 section 3, RFC 2883 section 4).
        let is_clean = !twice.is_some_and(|(left, right)| left < ack && una < right);
        if let Some(sent_ns) = taken.clean_ns.filter(|_| is_clean) {
            let sample_ns = now_ns.saturating_sub(sent_ns);
            if held {
                self.maybe_delayed(context, sample_ns, flight);
            }
            let trip_before_ns = self.trip_ns.replace(sample_ns);
            self.answer = trip_before_ns
                .filter(|_| flight >= FEWEST * u64::from(self.segment()))
                .map(|trip_before_ns| Answer { before_ns: heard_ns, trip_ns: sample_ns, trip_before_ns });
            let quiet_ns = now_ns.saturating_sub(heard_ns.max(sent_ns));
            if segment.sequence_length() == 0 || self.is_prompt(context, quiet_ns) {
                self.trips.acknowledged.add(now_ns, context.number, sample_ns, held);
            }
        } else if let Some(sent_ns) = first_named(segment, first, &taken) {
            self.trips.acknowledged.add(now_ns, context.number, now_ns.saturating_sub(sent_ns), held);
        }
        self.youngest_ns = self.youngest_ns.max(taken.delivered_ns);
        if ack >= self.recover && self.recovery != Recovery::None {
            self.ended = std::mem::take(&mut self.recovery);
        }
    }

    /// Whether data of a receiver that was silent for so long may be its first acknowledgment: a timer would have sent one without data. Later it
    /// shows how long its program paused, and the acknowledgment itself is not in the capture.
    fn is_prompt(&self, context: &Context, quiet_ns: u64) -> bool {
        let least_ns = self.trips.acknowledged.least_ns().or(context.to_receiver_ns).unwrap_or(0);
        quiet_ns.saturating_sub(least_ns) <= *DELAYED.end()
    }

    /// Marks the last transmission as needless if the acknowledgment is of an earlier one.
    fn mark_needless(&mut self, context: &Context, segment: &Segment, una: u64, taken: &Taken) {
        let Some(again) = taken.again else { return };
        let echo = segment.header.options.timestamps.map(|stamps| stamps.echo);
        let earlier = |echo: u32, stamp: u32| (echo.wrapping_sub(stamp) as i32) < 0;
        if again.start == una
            && let (Some(echo), Some(stamp)) = (echo, again.again)
            && earlier(echo, stamp)
        {
            self.retransmissions.prove(again.start, again.end, 0, Needless::Timestamps);
        }
        let since_ns = context.now_ns.saturating_sub(soonest(context, &self.trips.acknowledged));
        if again.last_ns > since_ns {
            self.retransmissions.prove(again.start, again.end, since_ns + 1, Needless::TooSoon);
        }
    }

    /// Keeps a wait for a delayed acknowledgment in mind.
    fn maybe_delayed(&mut self, context: &Context, sample_ns: u64, flight: u64) {
        let Some(least_ns) = self.trips.acknowledged.least_ns().or(context.to_receiver_ns) else { return };
        let delay = sample_ns.saturating_sub(least_ns.min(context.to_receiver_ns.unwrap_or(u64::MAX)));
        if context.shows_held
            && DELAYED.contains(&delay)
            && self.board.flight() == 0
            && self.recovery == Recovery::None
        {
            self.waited = Some(Stall {
                pause: Pause::DelayedAck,
                from_ns: context.now_ns - delay,
                to_ns: context.now_ns,
                number: Some(context.number),
                outstanding: flight,
            });
        }
    }

    /// Notes how large the receiver's window is, and the pause that ends if it was closed.
    fn window_is(&mut self, context: &Context, window: u64) {
        match self.closed_since {
            None if window == 0 => self.closed_since = Some((context.now_ns, self.board.flight())),
            Some((from_ns, outstanding)) if window > 0 => {
                self.closed_since = None;
                self.progress_ns = Some(context.now_ns);
                self.stalls.note(Stall {
                    pause: Pause::ZeroWindow,
                    from_ns,
                    to_ns: context.now_ns,
                    number: Some(context.number),
                    outstanding,
                });
            }
            _ => {}
        }
    }
}

/// When octets from the first that was outstanding on first passed, in nanoseconds, if they were sent again and the acknowledgment names the clock of
/// that first time: then Karn's rule has no say (RFC 7323 section 4.1; `tcp_ack_update_rtt` of Linux).
fn first_named(segment: &Segment, una: u64, taken: &Taken) -> Option<u64> {
    let echo = segment.header.options.timestamps?.echo;
    let Sent { mark, again, start, first_ns, earlier, sacked, .. } = taken.again?;
    let is_told = mark.stamp == Some(echo) && again.is_some_and(|stamp| stamp != echo);
    (segment.sequence_length() == 0 && start == una && is_told && !earlier && !sacked).then_some(first_ns)
}

/// An acknowledgment cannot come sooner after what it acknowledges, in nanoseconds: three quarters of the shortest round trip, the handshake's among them, if
/// that is long enough to be told from none.
fn soonest(context: &Context, trips: &RoundTrips) -> u64 {
    let least_ns = trips.least_ns().map(|least| least.min(context.to_receiver_ns.unwrap_or(least)));
    least_ns.filter(|&least| least > 1_000_000).map_or(0, |least| least / 4 * 3)
}
