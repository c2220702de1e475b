//! What is outstanding: octets that were sent, or should have been, and are not acknowledged yet.

use super::sizes::Sizes;
use std::collections::VecDeque;

/// A sender that counts its packets gives numbers as near as this to those of one flight; of numbers at random one in 256 is.
const IN_SEQUENCE: u16 = 256;

/// What a sender marked a packet with.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mark {
    /// Its clock (RFC 7323).
    pub(super) stamp: Option<u32>,
    /// IPv4's identification, unless it is zero.
    pub(super) number: Option<u16>,
}

impl Mark {
    /// How far the sender's clock went on from another packet to this one; zero if that does not show.
    pub(super) fn ticks_since(self, other: Self) -> i32 {
        match (self.stamp, other.stamp) {
            (Some(stamp), Some(other)) => stamp.wrapping_sub(other) as i32,
            _ => 0,
        }
    }

    /// Whether its number is shortly before that of another packet.
    pub(super) fn is_before(self, other: Self) -> bool {
        match (self.number, other.number) {
            (Some(number), Some(other)) => (1..=IN_SEQUENCE).contains(&other.wrapping_sub(number)),
            _ => false,
        }
    }
}

/// Octets that are outstanding and have had the same fate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sent {
    pub(super) start: u64,
    pub(super) end: u64,
    /// When they first passed; of a gap, when what lies above it first passed.
    pub(super) first_ns: u64,
    /// When they last passed.
    pub(super) last_ns: u64,
    /// What the sender marked them with then: in `first_ns`; and its clock as they were first sent again.
    pub(super) mark: Mark,
    pub(super) again: Option<u32>,
    /// How often they passed. None of a gap has.
    pub(super) times: u16,
    /// Octets of payload in the packet that last had them.
    pub(super) payload: u32,
    /// They may have passed before `first_ns`, or before `last_ns`.
    pub(super) earlier: bool,
    pub(super) sacked: bool,
}

/// How octets pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing {
    pub(super) now_ns: u64,
    /// What the sender marked their packet with.
    pub(super) mark: Mark,
    /// They may have passed before, unseen.
    pub(super) earlier: bool,
    /// Octets of payload in their packet.
    pub(super) payload: u32,
}

/// What an acknowledgment took in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    /// Octets that never passed.
    pub(super) unseen: u64,
    /// When the newest of the octets passed, if all passed exactly once and none was reported before (Karn's rule).
    pub(super) clean_ns: Option<u64>,
    /// The oldest of them that were sent again.
    pub(super) again: Option<Sent>,
    /// When the youngest of them last passed.
    pub(super) delivered_ns: Option<u64>,
}

/// What is known of octets that pass below the highest that passed before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// The gap that they fill, if they never passed.
    pub(super) gap: Option<Sent>,
    /// When any of them last passed; none if they are no longer known.
    pub(super) last_ns: Option<u64>,
    /// When they first passed.
    pub(super) first_ns: u64,
    /// The sender's clock as they passed for the first time.
    pub(super) stamp: Option<u32>,
    /// How often they passed.
    pub(super) times: u16,
    /// Whether all of them had been reported as received.
    pub(super) received: bool,
}

/// The octets from the first that is not acknowledged to the last that was sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Scoreboard {
    /// In order, without gaps and without overlap.
    outstanding: VecDeque<Sent>,
    /// The first octet that is not acknowledged.
    pub(super) una: u64,
    /// The octet after the last that passed.
    pub(super) next: u64,
    /// The octet after the highest that was reported by SACK.
    pub(super) highest_sacked: u64,
    /// The blocks of the last report.
    reported: [(u64, u64); 4],
    /// The longest piece that has arrived, in octets.
    pub(super) longest_arrived: u64,
    /// What became of packets by their size.
    pub(super) sizes: Sizes,
    /// Pieces that were dropped for want of room.
    pub(super) forgotten: u64,
}

impl Scoreboard {
    /// The first octet that is expected.
    pub(super) fn begin(at: u64) -> Self {
        Self { una: at, next: at, highest_sacked: at, ..Self::default() }
    }

    /// Octets that are not acknowledged.
    pub(super) const fn flight(&self) -> u64 {
        self.next - self.una
    }

    /// The oldest of what is outstanding.
    pub(super) fn head(&self) -> Option<&Sent> {
        self.outstanding.front()
    }

    /// Takes octets before the first that was seen for outstanding: they passed unseen, or are still to come. Whether there is room for one more piece of so many.
    pub(super) fn reach_back(&mut self, at: u64, now_ns: u64, room: usize) -> bool {
        if self.outstanding.len() >= room {
            return false;
        }
        let mark = self.outstanding.front().map_or_else(Mark::default, |above| above.mark);
        self.outstanding.push_front(Sent {
            start: at,
            end: self.una,
            first_ns: self.outstanding.front().map_or(now_ns, |above| above.first_ns),
            last_ns: now_ns,
            mark,
            again: None,
            times: 0,
            payload: 0,
            earlier: false,
            sacked: false,
        });
        (self.una, self.highest_sacked) = (at, at);
        true
    }

    /// Takes octets that begin at or beyond the highest so far, or none, but that all before them were sent; `room` is how many pieces may be
    /// remembered.
    pub(super) fn extend(&mut self, start: u64, end: u64, passing: Passing, room: usize) {
        let Passing { now_ns, mark, earlier, payload } = passing;
        let sent = Sent {
            start,
            end,
            first_ns: now_ns,
            last_ns: now_ns,
            mark,
            again: None,
            times: 1,
            payload,
            earlier,
            sacked: false,
        };
        if start > self.next {
            self.outstanding.push_back(Sent { start: self.next, end: start, times: 0, ..sent });
        }
        if start < end {
            self.outstanding.push_back(sent);
        }
        self.next = end;
        while self.outstanding.len() > room {
            self.outstanding.pop_front();
            self.forgotten += 1;
        }
    }

    /// Takes octets below the highest so far.
    pub(super) fn pass(&mut self, start: u64, end: u64, passing: Passing) -> Before {
        let Passing { now_ns, mark, earlier, payload } = passing;
        let mut before =
            Before { gap: None, last_ns: None, first_ns: u64::MAX, stamp: None, times: 0, received: true };
        let (from, to) = (start.max(self.una), end.min(self.next));
        let mut any_seen = start < self.una;
        for place in self.cut(from, to) {
            let sent = &mut self.outstanding[place];
            if sent.times == 0 {
                before.gap = before.gap.or(Some(*sent));
                *sent = Sent { first_ns: now_ns, last_ns: now_ns, mark, times: 1, payload, earlier, ..*sent };
                before.received &= sent.sacked;
                continue;
            }
            any_seen = true;
            if !sent.sacked {
                self.sizes.lost(sent.payload, sent.end - sent.start);
            }
            before.last_ns = before.last_ns.max(Some(sent.last_ns));
            before.first_ns = before.first_ns.min(sent.first_ns);
            before.stamp = before.stamp.or(sent.mark.stamp);
            before.times = before.times.max(sent.times);
            before.received &= sent.sacked;
            if sent.times == 1 {
                sent.again = mark.stamp;
            }
            sent.times = sent.times.saturating_add(1);
            sent.payload = payload;
            sent.earlier |= earlier;
            sent.last_ns = now_ns;
        }
        if any_seen {
            before.gap = None;
        }
        before
    }

    /// Takes in that a receiver has everything before an octet. What of it never passed is given to `unseen`.
    pub(super) fn acknowledge(&mut self, upto: u64, mut unseen: impl FnMut(u64, u64)) -> Taken {
        let mut taken = Taken::default();
        let mut clean = true;
        let mut newest = 0;
        if upto > self.next {
            taken.unseen += upto - self.next;
            unseen(self.next, upto);
            self.next = upto;
        }
        while let Some(sent) = self.outstanding.front_mut()
            && sent.start < upto
        {
            let whole = sent.end <= upto;
            if sent.times == 0 {
                taken.unseen += sent.end.min(upto) - sent.start;
                unseen(sent.start, sent.end.min(upto));
            } else {
                taken.delivered_ns = taken.delivered_ns.max(Some(sent.last_ns));
            }
            if !sent.sacked && sent.times > 0 {
                self.sizes.arrived(sent.payload, sent.end.min(upto) - sent.start);
            }
            clean &= sent.times == 1 && !sent.earlier && !sent.sacked;
            newest = newest.max(sent.first_ns);
            if sent.times > 1 && !sent.earlier && taken.again.is_none() {
                taken.again = Some(*sent);
            }
            if !whole {
                sent.start = upto;
                break;
            }
            if sent.times > 0 {
                self.longest_arrived = self.longest_arrived.max(sent.end - sent.start);
            }
            self.outstanding.pop_front();
        }
        taken.clean_ns = (clean && newest > 0).then_some(newest);
        self.una = upto;
        self.highest_sacked = self.highest_sacked.max(upto);
        taken
    }

    /// Takes in that a receiver has the octets of some blocks. What was not known before is given to `new`.
    pub(super) fn report(&mut self, blocks: &[(u64, u64)], mut new: impl FnMut(&Sent)) {
        let mut reported = [(0, 0); 4];
        for (&(left, right), kept) in blocks.iter().zip(&mut reported) {
            let right = right.min(self.next);
            *kept = (left, right);
            self.highest_sacked = self.highest_sacked.max(right);
            // A block mostly is one of the last report that has grown.
            let known = self.reported.into_iter().find(|known| known.0 < right && left < known.1);
            match known {
                Some((from, to)) => {
                    self.mark(left, from.min(right), &mut new);
                    self.mark(to.max(left), right, &mut new);
                }
                None => self.mark(left, right, &mut new),
            }
        }
        self.reported = reported;
    }

    fn mark(&mut self, left: u64, right: u64, new: &mut impl FnMut(&Sent)) {
        for place in self.cut(left.max(self.una), right.min(self.next)) {
            let sent = &mut self.outstanding[place];
            if !sent.sacked {
                new(sent);
                sent.sacked = true;
                if sent.times > 0 {
                    self.sizes.arrived(sent.payload, sent.end - sent.start);
                }
                self.longest_arrived = self.longest_arrived.max(sent.end - sent.start);
            }
        }
    }

    /// The capture ends: what lies before the last that was reported and was not reported itself did not arrive.
    pub(super) fn finish(&mut self) {
        let overtaken = self.outstanding.iter().take_while(|sent| sent.end <= self.highest_sacked);
        for sent in overtaken.filter(|sent| sent.times > 0 && !sent.sacked) {
            self.sizes.lost(sent.payload, sent.end - sent.start);
        }
    }

    /// Whether a receiver is known to have none, or all, of the octets from one to another.
    pub(super) fn knows(&self, from: u64, to: u64) -> [bool; 2] {
        let first = self.outstanding.partition_point(|sent| sent.end <= from);
        let within = || self.outstanding.range(first..).take_while(|sent| sent.start < to);
        let outside = from < self.una || to > self.next;
        [!outside && !within().any(|sent| sent.sacked), to <= self.next && within().all(|sent| sent.sacked)]
    }

    /// The places of the pieces from one octet to another, after pieces were cut there.
    fn cut(&mut self, from: u64, to: u64) -> std::ops::Range<usize> {
        if from >= to {
            return 0..0;
        }
        let first = self.outstanding.partition_point(|sent| sent.end <= from);
        let first = self.split(first, from);
        let last = first + self.outstanding.range(first..).take_while(|sent| sent.end <= to).count();
        first..self.split(last, to)
    }

    /// Cuts the piece at a place if an octet lies within it. The place from which on all is at or above the octet.
    fn split(&mut self, place: usize, at: u64) -> usize {
        match self.outstanding.get_mut(place) {
            Some(sent) if sent.start < at && at < sent.end => {
                let upper = Sent { start: at, ..*sent };
                sent.end = at;
                self.outstanding.insert(place + 1, upper);
                place + 1
            }
            _ => place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scoreboard;

    #[test]
    fn what_lies_before_the_first_octets_has_no_more_pieces_than_there_is_room_for() {
        let mut board = Scoreboard::begin(1000);
        assert_eq!([900, 800, 700].map(|at| board.reach_back(at, 0, 2)), [true, true, false]);
        assert_eq!(board.flight(), 200);
    }
}
