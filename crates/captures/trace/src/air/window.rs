//! What BlockAcks tell of one stream of sequence numbers: what was lost, what the monitor missed, and what waited for what.

use super::repeats::Repeats;
use crate::numbers::{Lately, MODULO, Numbers};
use crate::packet::Transmission;
use crate::{BlockAck, Capped};
use std::collections::BTreeMap;

/// A sequence number that was missing while later ones had arrived, so that these waited for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// When a BlockAck first showed it, in nanoseconds since 1970.
    pub from_ns: u64,
    /// When a BlockAck showed that it is over: the frame had come, or the window had moved on.
    pub to_ns: u64,
    /// Whether the frame had come.
    pub filled: bool,
    /// The record of the first BlockAck.
    pub number: u32,
}

/// One stream of sequence numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    /// Which numbers the monitor heard since they were last used, and which were acknowledged.
    heard: Bits,
    acknowledged: Bits,
    /// Numbers that may have been sent before the capture began: those up to the last of the first BlockAck. None before that.
    before: Option<Box<Bits>>,
    /// The numbers that were heard, in their order.
    numbers: Option<Numbers>,
    /// Missing numbers.
    missing: BTreeMap<u16, Missing>,
    /// The highest that was acknowledged.
    top: u16,
    /// The longest bitmap, if it is longer than [`LONGEST`].
    longer: u16,
    /// Where the last BlockAck began.
    start: u16,
    /// Whether the receiver keeps partial state, and has no word any more of what it acknowledged before (802.11-2020 clause 10.25.6.4).
    forgets: bool,
    /// Numbers acknowledged for the first time, and those of them that the monitor had not heard; without those that it had not heard and
    /// that may have been sent before the capture began.
    pub(super) arrived: u64,
    pub(super) unheard: u64,
    /// Numbers that were heard, and missing when the window moved on.
    pub(super) passed: u64,
    /// See [`Hole`].
    pub(super) holes: Capped<Hole>,
    /// What went together.
    pub(super) repeats: Repeats,
}

/// A number that has not come though a later one has.
#[derive(Clone, Copy, Debug)]
struct Missing {
    /// The time and the record of the BlockAck that first showed that.
    from_ns: u64,
    number: u32,
    /// Whether a BlockAck spoke of it; else it was heard, and none acknowledged it.
    shown: bool,
}

/// The most numbers that a window has, unless a BlockAck speaks of more (802.11-2020 clause 10.25.6, 802.11ax).
const LONGEST: u16 = 256;
/// The shortest hole that is kept, in nanoseconds: two PPDUs and what is between them. What is missing for longer than the longest does not keep
/// others waiting any more: receivers wait for 100 to 200 ms (Linux `net/mac80211/rx.c`: HT_RX_REORDER_BUF_TIMEOUT).
const KEPT: std::ops::RangeInclusive<u64> = 15_000_000..=200_000_000;

impl Window {
    /// The monitor heard an MPDU with this number.
    pub(super) fn heard(&mut self, sequence: u16) {
        self.heard.set(sequence);
        self.repeats.heard(sequence);
    }

    /// The same of QoS data, which is numbered by itself: how far it is ahead of the newest, and which transmission it is, if none of it was heard before.
    pub(super) fn numbered(
        &mut self,
        at_ns: u64,
        sequence: u16,
        retry: bool,
        lately: &Lately,
    ) -> (u16, Option<Transmission>) {
        let numbers = self.numbers.get_or_insert_with(|| Numbers::from(at_ns, sequence));
        (numbers.ahead(sequence), numbers.take_beside(at_ns, sequence, retry, lately))
    }

    /// Numbers of which no frame was heard, though frames with lower and with higher ones were.
    pub(super) fn left_out(&self) -> u64 {
        self.numbers.as_ref().map_or(0, |numbers| numbers.left_out)
    }

    /// The same of longer rows within a short time.
    pub(super) fn left_out_in_rows(&self) -> u64 {
        self.numbers.as_ref().map_or(0, |numbers| numbers.left_out_in_rows)
    }

    /// The same of rows that are longer than an A-MPDU, or took longer.
    pub(super) fn skipped(&self) -> u64 {
        self.numbers.as_ref().map_or(0, |numbers| numbers.skipped)
    }

    /// The receiver sent a BlockAck.
    pub(super) fn acknowledged(&mut self, at_ns: u64, number: u32, told: BlockAck) {
        self.repeats.acknowledged(told);
        let (highest, size) = (told.bitmap.span(), told.bitmap.size());
        self.longer = self.longer.max(size);
        let longest = self.longest();
        if self.before.is_none() {
            self.before = Some(Bits::up_to((told.start + highest) % MODULO, longest));
        }
        // What was noted of numbers far ahead is of their last use: it is forgotten. Numbers that a BlockAck reports, or that may be sent before
        // the next one, are nearer than that.
        let advance = (told.start + MODULO - self.start) % MODULO;
        if advance < MODULO / 2 {
            for ahead in MODULO / 4 - advance.min(MODULO / 4)..MODULO / 4 {
                let sequence = told.start + ahead;
                self.acknowledged.clear(sequence % MODULO);
                self.before.iter_mut().for_each(|before| before.clear(sequence % MODULO));
                self.heard.clear((sequence + MODULO / 4) % MODULO);
            }
            self.start = told.start;
        }
        // If the last bit is set, the window may have been placed to end with the newest MPDU. Then a zero below the first set bit may mean that the
        // receiver forgot the MPDU, not that it is missing.
        let first = if highest == size { (0..size).find(|&bit| told.bitmap.contains(bit)) } else { None };
        let shows = first.unwrap_or_default()..highest;
        for bit in 0..size {
            let sequence = (told.start + bit) % MODULO;
            if told.bitmap.contains(bit) {
                self.arrives(sequence);
            } else if self.acknowledged.is_set(sequence) {
                self.forgets = true;
            } else if shows.contains(&bit) {
                self.missing
                    .entry(sequence)
                    .or_insert(Missing { from_ns: at_ns, number, shown: true })
                    .shown = true;
            }
        }
        if highest > 0 {
            let top = (told.start + highest - 1) % MODULO;
            // A top up to a window behind the old one is from an older report. One farther behind belongs to numbers that began anew.
            let behind = (self.top + MODULO - top) % MODULO;
            self.top = if (1..=longest).contains(&behind) { self.top } else { top };
            let Self { heard, acknowledged, missing, top, .. } = self;
            heard.without(acknowledged, (*top + MODULO - longest) % MODULO, longest, |sequence| {
                missing.entry(sequence).or_insert(Missing { from_ns: at_ns, number, shown: false });
            });
        }
        self.settle(at_ns, told);
    }

    /// The most numbers that the window has, as far as is known.
    fn longest(&self) -> u16 {
        self.longer.max(LONGEST)
    }

    /// A BlockAck shows that a number has arrived.
    fn arrives(&mut self, sequence: u16) {
        if !self.acknowledged.set(sequence) {
            return;
        }
        let heard = self.heard.is_set(sequence);
        if heard || !self.before.as_ref().is_some_and(|before| before.is_set(sequence)) {
            self.arrived += 1;
            self.unheard += u64::from(!heard);
        }
    }

    /// Takes out of what is missing what has come, what has been given up, and what is too far behind.
    fn settle(&mut self, at_ns: u64, told: BlockAck) {
        let longest = self.longest();
        let Self { missing, holes, top, forgets, passed: all, heard, .. } = self;
        missing.retain(|&sequence, missing| {
            let bit = (sequence + MODULO - told.start) % MODULO;
            let filled = told.bitmap.contains(bit);
            // Where the receiver forgets, what fills a hole may have gone by unheard.
            let passed = bit >= told.bitmap.size() && missing.shown && !*forgets;
            if (filled || passed) && KEPT.contains(&at_ns.saturating_sub(missing.from_ns)) {
                let Missing { from_ns, number, .. } = *missing;
                holes.push(Hole { from_ns, to_ns: at_ns, filled, number });
            }
            *all += u64::from(passed && !filled && heard.is_set(sequence));
            let behind = (*top + MODULO - sequence) % MODULO;
            !filled && !passed && behind <= longest
        });
    }
}

/// A bit for each sequence number.
#[derive(Clone, Debug)]
struct Bits([u64; MODULO as usize / 64]);

impl Default for Bits {
    fn default() -> Self {
        Self([0; MODULO as usize / 64])
    }
}

impl Bits {
    /// So many numbers before one.
    fn up_to(end: u16, longest: u16) -> Box<Self> {
        let mut bits = Box::<Self>::default();
        (1..=longest).for_each(|behind| _ = bits.set((end + MODULO - behind) % MODULO));
        bits
    }

    /// Sets one; returns whether it was not set.
    const fn set(&mut self, sequence: u16) -> bool {
        let (word, bit) = (&mut self.0[(sequence % MODULO / 64) as usize], 1 << (sequence % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    const fn clear(&mut self, sequence: u16) {
        self.0[(sequence % MODULO / 64) as usize] &= !(1 << (sequence % 64));
    }

    /// Calls `each` for every number that is set here and not in `there`, of the `longest` numbers from `from` on.
    fn without(&self, there: &Self, from: u16, longest: u16, mut each: impl FnMut(u16)) {
        let words = MODULO / 64;
        for place in 0..=longest / 64 {
            let word = (from / 64 + place) % words;
            let mut bits = self.0[usize::from(word)] & !there.0[usize::from(word)];
            while bits != 0 {
                let sequence = word * 64 + bits.trailing_zeros() as u16;
                bits &= bits - 1;
                if (sequence + MODULO - from) % MODULO < longest {
                    each(sequence);
                }
            }
        }
    }

    const fn is_set(&self, sequence: u16) -> bool {
        self.0[(sequence % MODULO / 64) as usize] >> (sequence % 64) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_wire::ieee80211::Acknowledged;

    const MILLISECOND: u64 = 1_000_000;

    /// The holes among MPDUs of which the monitor hears these, each with the time in milliseconds, and these BlockAcks of times, first
    /// numbers and bits.
    fn holes(heard: &[u16], told: &[(u64, u16, u64)]) -> Vec<(u64, u64, bool)> {
        let mut window = Window::default();
        heard.iter().for_each(|&sequence| window.heard(sequence));
        for &(at, start, bits) in told {
            let told = BlockAck { tid: 0, start, bitmap: Acknowledged::Of64(bits) };
            window.acknowledged(at * MILLISECOND, 0, told);
        }
        let told = |hole: &Hole| (hole.from_ns / MILLISECOND, hole.to_ns / MILLISECOND, hole.filled);
        window.holes.kept().iter().map(told).collect()
    }

    #[test]
    fn what_is_missing_below_what_came_is_a_hole_until_it_comes_or_the_window_moves_on() {
        assert_eq!(holes(&[], &[(0, 100, 0b101), (30, 100, 0b111)]), [(0, 30, true)]);
        assert_eq!(holes(&[], &[(0, 100, 0b101), (100, 102, 0b1)]), [(0, 100, false)]);
    }

    /// How many arrived of MPDUs of which the monitor hears these, by BlockAcks of first numbers and bits, and how many of them it had not heard.
    fn arrived(heard: &[u16], told: &[(u16, u64)]) -> (u64, u64) {
        let mut window = Window::default();
        heard.iter().for_each(|&sequence| window.heard(sequence));
        for &(start, bits) in told {
            window.acknowledged(0, 0, BlockAck { tid: 0, start, bitmap: Acknowledged::Of64(bits) });
        }
        (window.arrived, window.unheard)
    }

    #[test]
    fn what_the_first_block_ack_tells_of_a_time_before_the_capture_counts_neither_way() {
        // 40 to 103 arrived, of which the capture has the last four.
        let heard = [100, 101, 102, 103];
        assert_eq!(arrived(&heard, &[(40, u64::MAX)]), (4, 0));
        // A later one may go farther back; what it tells of later numbers counts.
        assert_eq!(arrived(&heard, &[(100, 0xf), (42, u64::MAX)]), (6, 2));
        assert_eq!(arrived(&[], &[(4090, 0xff), (2, 0xff)]), (8, 8));
    }

    #[test]
    fn a_number_of_before_the_capture_counts_as_it_comes_round() {
        let told: Vec<_> = (0..130).map(|step| (step * 64 % MODULO, u64::MAX)).collect();
        let all = 129 * 64;
        assert_eq!(arrived(&[], &told), (all, all));
    }

    #[test]
    fn nothing_waits_for_longer_than_a_receiver_does() {
        assert_eq!(holes(&[], &[(0, 100, 0b101), (300, 100, 0b111)]), []);
    }

    #[test]
    fn what_a_window_that_ends_with_the_last_has_not_kept_is_not_missing() {
        // Each BlockAck speaks of the PPDU before it alone: four MPDUs, then two, then three.
        let told = [(0, 104 - 64, 0xf << 60), (20, 106 - 64, 0x3 << 62), (60, 109 - 64, 0x7 << 61)];
        let heard: Vec<u16> = (100..109).collect();
        assert_eq!(holes(&heard, &told), []);
        // The same with a window that begins with what it acknowledges first.
        assert_eq!(holes(&heard, &[(0, 100, 0xf), (20, 100, 0x30), (60, 106, 0x7)]), []);
    }

    #[test]
    fn a_receiver_that_forgets_shows_what_was_sent_and_did_not_come() {
        let heard: Vec<u16> = (100..112).collect();
        // 100 to 103 came, then 106 without 105, which comes 30 ms later with 107.
        let told = [(0, 40, 0xf << 60), (20, 43, 0x5 << 61), (50, 44, 0x5 << 61), (60, 100, 0xff00)];
        assert_eq!(holes(&heard, &told), [(20, 50, true)]);
    }

    #[test]
    fn a_ppdu_that_is_lost_as_a_whole_is_a_hole_though_no_window_covers_it() {
        let heard: Vec<u16> = (100..120).collect();
        let told = [(0, 100, 0xf), (5, 112, 0xff), (40, 104, 0xff), (50, 112, 0xff)];
        assert_eq!(holes(&heard, &told), [(5, 40, true); 8]);
    }

    #[test]
    fn of_two_streams_that_share_one_table_neither_has_holes() {
        // The other stream's MPDUs came in between, and the table of this one begins anew each time.
        let told = [(0, 37, 1 << 63), (30, 38, 1 << 63), (60, 39, 1 << 63), (90, 43, 0x9 << 60)];
        assert_eq!(holes(&(100..103).chain([103, 106]).collect::<Vec<_>>(), &told), []);
    }
}
