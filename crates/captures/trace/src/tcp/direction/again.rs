//! Octets that pass again: what was behind, what was overtaken, what was sent again, and why.

use super::{AT_ONCE, Context, Direction, RELEASED, Recovery};
use crate::Transmission;
use crate::tcp::retransmission::{Filled, Needless, Reordered, Retransmission, Trigger};
use crate::tcp::scoreboard::{Before, Mark, Passing, Sent};

/// What Linux adds to the smoothed round trip for its retransmission timer at least (`TCP_RTO_MIN`), in nanoseconds.
const RTO_MIN: u64 = 200_000_000;
/// Acknowledgments that repeat the last ask for what is missing once there are so many of them (RFC 5681 section 3.2).
const DUPLICATES: u32 = 3;
/// No timer for data that goes around in more than this expires sooner, in nanoseconds: those of Linux and the BSDs tick in milliseconds, and are a round trip
/// at least (RFC 6298 section 2).
const TIMED: u64 = 10_000_000;
/// A hole that is filled sooner was reordered, where the round trip is not known, in nanoseconds.
const REORDERED_WITHIN: u64 = 3_000_000;
/// A receiver from which nothing has come for so long, and the way to the sender, has asked for nothing, in nanoseconds; sooner where
/// [`RTO_MIN`] and a round trip are less.
const UNASKED: u64 = 300_000_000;

/// Octets that were acknowledged and pass more often again than this, with nothing new in between, are no news to their sender: the
/// acknowledgment was lost behind the capture, or on a way that leads past it. A hold of an adapter or a radio ends before
/// (the timer doubles with each: RFC 6298 section 5.5).
const IN_VAIN: u32 = 2;

/// Octets that passed again after they had been acknowledged, and how often so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InVain {
    start: u64,
    /// The octet after the highest that had been sent: with new data the sender shows that it goes on.
    next: u64,
    times: u32,
}

/// Octets that pass again, beside what is outstanding.
#[derive(Clone, Copy, Debug)]
struct Again {
    start: u64,
    /// Whether they are the first and the last of what is outstanding, and when the first last passed.
    head: bool,
    tail: bool,
    head_ns: u64,
    /// Whether the receiver has reported a loss.
    evidence: bool,
    /// Whether all of them have been acknowledged.
    received: bool,
}

impl Direction {
    /// Whether octets never passed before and were acknowledged just now: what switches and adapters with several queues record may lie
    /// behind its acknowledgment.
    pub(super) fn is_behind(&mut self, context: &Context, start: u64, end: u64) -> bool {
        let within = context.to_sender_ns.map_or(REORDERED_WITHIN, |round| REORDERED_WITHIN.max(round / 2));
        self.uncaptured.came(start, end, |acknowledged_ns| {
            context.now_ns.saturating_sub(acknowledged_ns) < within
                || context.transmission == Transmission::Overtaken
        })
    }

    /// Octets passed below the highest that passed before; those up to `payload_end` are data, what follows is a FIN. `thrown_away` if they had gone beyond
    /// the receiver's window. Whether their sender waited for its timer, with all of them outstanding for all that it knew.
    pub(super) fn again(
        &mut self,
        context: &Context,
        (start, end): (u64, u64),
        passing: Passing,
        (payload_end, thrown_away): (u64, bool),
    ) -> bool {
        let now_ns = context.now_ns;
        let again = self.found_again(start, end);
        let Again { head, received, .. } = again;
        let octets = payload_end.min(self.board.next).saturating_sub(start) as u32;
        self.may_shorten(start, end);
        let before = self.board.pass(start, end, passing);
        self.new_octets += if before.gap.is_some() { octets.into() } else { 0 };
        if let Some(gap) = before.gap
            && reordered(context, &gap, passing.mark)
        {
            self.came_late(context, gap.first_ns, end);
            return false;
        }
        let trigger = if before.last_ns.is_some_and(|last_ns| self.refused.holds(start, end, last_ns)) {
            Trigger::TooBig
        } else {
            self.timed(self.trigger(context, again, &before), start, &before, now_ns)
        };
        let all_received = received || before.received && before.gap.is_none();
        let overtaken_ns = self.retransmissions.late(start, end, |filled| {
            is_original(context, filled, passing.mark)
                .unwrap_or_else(|| is_unasked(context, filled, trigger, all_received))
        });
        if let Some(since_ns) = overtaken_ns {
            self.came_late(context, since_ns, end);
            return false;
        }
        // What ends a recovery is not seen where nothing of the receiver is.
        if context.both_ways {
            self.recovers(trigger, head);
        }
        if head || trigger == Trigger::Probe {
            self.timer_ns = now_ns;
        }
        // A FIN alone is no data.
        if octets == 0 {
            self.fins_again += 1;
            return false;
        }
        let sent_again = Retransmission {
            at_ns: now_ns,
            number: context.number,
            octets,
            segments: octets.div_ceil(self.segment()),
            trigger,
            after_ns: before.last_ns.map(|last_ns| now_ns.saturating_sub(last_ns)),
            after_ticks: ticks_since(passing.mark, &before),
            hole_ns: before.gap.map(|gap| now_ns.saturating_sub(gap.first_ns)),
            needless: (all_received && !self.is_in_vain(start)).then_some(Needless::Acknowledged),
            thrown_away,
        };
        self.batches.again();
        self.retransmissions.note((start, end), sent_again, passing.mark, before.gap);
        match trigger {
            Trigger::Timeout => before.gap.is_none(),
            // An acknowledgment that passed here had not come to it: no sender repeats what it knows to have arrived (RFC 6298 section 5).
            Trigger::Probe => received,
            _ => false,
        }
    }

    /// Why octets were sent again that passed before so: where no packet of the receiver tells, the sender's own timer may, which doubles.
    fn timed(&mut self, trigger: Trigger, start: u64, before: &Before, now_ns: u64) -> Trigger {
        let after_ns = before.last_ns.map_or(0, |last_ns| now_ns.saturating_sub(last_ns));
        let doubles = trigger == Trigger::Unclear && self.retransmissions.doubles(start, after_ns);
        if doubles { Trigger::Timeout } else { trigger }
    }

    /// Where octets that are sent again lie, and what is known of them.
    fn found_again(&self, start: u64, end: u64) -> Again {
        Again {
            start,
            head: start <= self.board.una,
            tail: end >= self.board.next,
            head_ns: self.board.head().map_or(0, |head| head.last_ns),
            evidence: self.board.highest_sacked > end.max(self.board.una) || self.repeated > 0,
            received: end <= self.board.una,
        }
    }

    /// Whether octets that had been acknowledged pass again so often that their sender cannot have got the acknowledgment.
    const fn is_in_vain(&mut self, start: u64) -> bool {
        let next = self.board.next;
        let times =
            if self.in_vain.start == start && self.in_vain.next == next { self.in_vain.times } else { 0 };
        self.in_vain = InVain { start, next, times: times + 1 };
        times >= IN_VAIN
    }

    /// Begins a recovery, if what made the sender send octets again does.
    const fn recovers(&mut self, trigger: Trigger, head: bool) {
        match trigger {
            Trigger::Fast if matches!(self.recovery, Recovery::None) => {
                (self.recovery, self.recover) = (Recovery::Fast, self.board.next);
            }
            Trigger::Timeout => (self.recovery, self.recover) = (Recovery::Timeout, self.board.next),
            Trigger::Unclear if head => (self.recovery, self.recover) = (Recovery::Unclear, self.board.next),
            _ => {}
        }
    }

    /// Octets pass for the first time up to an end, though others that were sent later have passed since a time.
    fn came_late(&mut self, context: &Context, since_ns: u64, end: u64) {
        let late_ns = context.now_ns.saturating_sub(since_ns);
        let behind = self.board.next.saturating_sub(end).div_ceil(u64::from(self.segment().max(1)));
        let segments = behind.clamp(1, u64::from(u32::MAX)) as u32;
        self.reordered.push(Reordered { at_ns: context.now_ns, number: context.number, late_ns, segments });
    }

    /// What made the sender send octets again that have passed before so.
    fn trigger(&self, context: &Context, again: Again, before: &Before) -> Trigger {
        let now_ns = context.now_ns;
        let Again { start, head, tail, head_ns, evidence, received } = again;
        let waited = now_ns.saturating_sub(self.timer_ns.max(head_ns));
        // The timer of a sender that is not seen begins anew unseen, with each retransmission that is lost.
        let silent = before.gap.is_none() || now_ns.saturating_sub(self.last_sent_ns) >= RTO_MIN / 2;
        let expired = silent && waited >= self.least_timeout(context);
        let heard_ns = before.last_ns.map(|last_ns| last_ns.max(self.told_ns));
        let least_ns = self.trips.acknowledged.least_ns().unwrap_or(UNASKED);
        let unasked_ns = UNASKED.min(RTO_MIN + least_ns) + context.to_sender_ns.unwrap_or(0);
        let unasked = heard_ns.is_some_and(|heard_ns| now_ns.saturating_sub(heard_ns) >= unasked_ns);
        // A timer hardly ever expires just after a report of loss has come: the report has asked for it, however long it took.
        let asked = evidence && now_ns.saturating_sub(self.told_ns) <= RELEASED;
        match self.recovery {
            _ if head && expired && !asked => Trigger::Timeout,
            // Whatever round trips were measured: no acknowledgment can have asked for it.
            Recovery::Fast | Recovery::Timeout if head && unasked => Trigger::Timeout,
            Recovery::Fast => Trigger::Fast,
            Recovery::Timeout => Trigger::AfterTimeout,
            Recovery::Unclear => Trigger::Unclear,
            Recovery::None if received && start < self.recover && self.ended == Recovery::Timeout => {
                Trigger::AfterTimeout
            }
            // Nothing above it was ever sent, and all has arrived: no acknowledgment can have asked for it.
            Recovery::None if received && tail => Trigger::Probe,
            // A timer that is shorter than Linux's, or a sender that took a longer way for a loss: what it waited for had passed here by then.
            Recovery::None if received && !self.was_asked_for(start) && !self.was_recovering(start) => {
                Trigger::Timeout
            }
            // Too few acknowledgments have asked, no SACK has, and the last came long before.
            Recovery::None if head && self.is_unhurried(context, before) => Trigger::Timeout,
            Recovery::None if evidence || before.last_ns < self.youngest_ns => Trigger::Fast,
            // No round trip is known to hold its time against, and whether the receiver has SACK (RFC 8985 sections 7.2 and 7.3), where nothing of it is captured.
            Recovery::None if tail && before.times <= 1 && context.both_ways => Trigger::Probe,
            // A sender that learned of a smaller packet size sends at once what it has just sent (RFC 1191 section 6.4).
            Recovery::None
                if head && waited >= TIMED.min(self.trips.acknowledged.least_ns().unwrap_or(0)) =>
            {
                Trigger::Timeout
            }
            Recovery::None => Trigger::Unclear,
        }
    }

    /// Whether what is sent again answers no acknowledgment: without SACK fewer repeated the last than ask for anything, and a sender answers sooner.
    fn is_unhurried(&self, context: &Context, before: &Before) -> bool {
        let since_ns = context.now_ns.saturating_sub(self.told_ns);
        let answers_ns = AT_ONCE + context.to_sender_ns.unwrap_or(u64::MAX / 4) / 2 * 3;
        let few = (1..DUPLICATES).contains(&self.repeated) && self.board.highest_sacked <= self.board.una;
        few && before.gap.is_none() && since_ns > answers_ns
    }

    /// Whether the receiver had asked for octets from this one on.
    fn was_asked_for(&self, start: u64) -> bool {
        self.asked.iter().any(|&(from, to)| from <= start && start < to)
    }

    /// Whether an octet belongs to a fast recovery that ended last: what is on its way from the sender may still be of that.
    fn was_recovering(&self, start: u64) -> bool {
        self.ended == Recovery::Fast && start < self.recover
    }

    /// The retransmission timer cannot be shorter, as Linux computes it (RFC 6298 with a floor of 200 ms), but for a tenth.
    fn least_timeout(&self, context: &Context) -> u64 {
        let trips = &self.trips.acknowledged;
        let variation = (4 * trips.variation_ns()).max(RTO_MIN);
        (trips.smoothed_ns().unwrap_or(0) + context.to_sender_ns.unwrap_or(0) + variation) / 10 * 9
    }
}

/// How far a sender's clock went on from the one time that octets had passed before to this; none if that does not show.
fn ticks_since(mark: Mark, before: &Before) -> Option<u32> {
    let first = Mark { stamp: before.stamp, number: None };
    let ticks = (before.times == 1).then(|| mark.ticks_since(first))?;
    u32::try_from(ticks).ok().filter(|&ticks| ticks > 0)
}

/// Whether what fills a gap was overtaken by what lies above it, rather than sent again: by the sender's clock if it ticked in
/// between, by its numbers if what fills the gap has one shortly before, otherwise by what its radio tells, or by its age: to send it again takes a
/// round trip to the sender, of which the shortest that was seen may be twice too long.
fn reordered(context: &Context, gap: &Sent, mark: Mark) -> bool {
    let age = context.now_ns.saturating_sub(gap.first_ns);
    match mark.ticks_since(gap.mark) {
        0 if context.transmission == Transmission::Overtaken => true,
        0 => {
            mark.is_before(gap.mark) || age < context.to_sender_ns.map_or(REORDERED_WITHIN, |round| round / 2)
        }
        ticks => ticks < 0,
    }
}

/// Whether octets that a retransmission overtook are the originals, rather than sent once more: these were sent before what lies above them. None if
/// neither the sender's clock, nor its numbers, nor its radio tell.
fn is_original(context: &Context, filled: &Filled, mark: Mark) -> Option<bool> {
    let (above, again) = (filled.gap.mark, filled.mark);
    match [mark.ticks_since(above), mark.ticks_since(again)] {
        [0, 0] if context.transmission == Transmission::Overtaken || mark.is_before(above) => Some(true),
        [0, 0] if above.is_before(mark) || again.is_before(mark) => Some(false),
        [0, 0] => None,
        [0, ticks] | [ticks, _] => Some(ticks < 0),
    }
}

/// Whether nothing can have asked for octets once more that filled a gap when they last passed. Of the two, one is then the original.
fn is_unasked(context: &Context, filled: &Filled, trigger: Trigger, received: bool) -> bool {
    let round_ns = context.to_sender_ns.unwrap_or(0) + context.to_receiver_ns.unwrap_or(0);
    let soon = context.now_ns.saturating_sub(filled.at_ns) < round_ns;
    let expired = match trigger {
        Trigger::Timeout | Trigger::Probe => true,
        // The timer that sent the one has sent the rest once.
        Trigger::AfterTimeout => !matches!(filled.trigger, Trigger::Timeout | Trigger::AfterTimeout),
        _ => false,
    };
    !expired && (received || soon)
}
