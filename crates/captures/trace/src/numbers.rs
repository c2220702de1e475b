//! The sequence numbers of one stream of frames, as far as they were heard.

use crate::packet::Transmission;

/// Sequence numbers (802.11-2020 clause 9.2.4.4.2).
pub(crate) const MODULO: u16 = 4096;
/// A BlockAck's window has at most so many numbers (802.11be): what lies farther behind is of a sender that counts anew.
const WINDOW: u16 = 1024;
/// No sender tries so long, in nanoseconds: what was heard before such a silence says nothing of what comes after it.
const SILENCE: u64 = 10_000_000_000;
/// Numbers that are left out, so many at once at most and within so long, were of frames that were given up: more, or later, may be of
/// frames on another channel. In nanoseconds.
pub(crate) const LEFT_OUT: u16 = 8;
const LEFT_OUT_WITHIN: u64 = 500_000_000;
/// As many as an A-MPDU has at most (802.11-2020 clause 9.3.1.8: 64, 802.11ax: 256) may have been given up together, within so long: a monitor that goes from channel to channel is
/// away for longer. In nanoseconds.
const ROW: u16 = 256;
const ROW_WITHIN: u64 = 50_000_000;

/// The last numbers of QoS data of one sender, of whatever stream, and when they were heard. A program that writes frames itself may count all of them
/// together (those of the capture `ping_D_BP___bcast_ra-fromap` of FragAttacks, Vanhoef 2021, do), so that what is missing of one stream may be of another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lately {
    last: [(u64, u16); 16],
    next: usize,
}

impl Lately {
    /// Takes a frame.
    pub(crate) const fn heard(&mut self, at_ns: u64, number: u16) {
        self.last[self.next] = (at_ns, number);
        self.next = (self.next + 1) % self.last.len();
    }

    /// Whether a number was heard since a time.
    fn has(&self, number: u16, since_ns: u64) -> bool {
        self.last.iter().any(|&(at_ns, one)| one == number && at_ns >= since_ns && at_ns > 0)
    }
}

/// The numbers that were heard, of one stream.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    /// A bit for each number from half of all behind `newest` to it; those ahead of it are cleared as it moves on.
    heard: [u64; MODULO as usize / 64],
    newest: u16,
    at_ns: u64,
    /// Numbers of which no frame was heard, though frames with lower and with higher ones were.
    pub(crate) left_out: u64,
    /// The same of longer rows, within a short time: a whole A-MPDU that was given up, or records that the capture lost together.
    pub(crate) left_out_in_rows: u64,
    /// The same of rows that are longer than an A-MPDU or took longer: frames that were given up while nothing came through, or a monitor that was away.
    pub(crate) skipped: u64,
    /// The first number of the last row, how many it has, and whether it is one of those that took long.
    row: (u16, u16, bool),
}

impl Numbers {
    /// A stream that was not heard before this number.
    pub(crate) const fn from(at_ns: u64, number: u16) -> Self {
        Self {
            heard: [0; MODULO as usize / 64],
            newest: number % MODULO,
            at_ns,
            left_out: 0,
            left_out_in_rows: 0,
            skipped: 0,
            row: (0, 0, false),
        }
    }

    /// How far a number is ahead of the newest, if it is not behind.
    pub(crate) const fn ahead(&self, number: u16) -> u16 {
        (number % MODULO + MODULO - self.newest) % MODULO
    }

    /// Takes a frame: which transmission it is, if none of the same number was heard before.
    ///
    /// A frame without the retry bit is never a duplicate. One with it may be the first that is heard.
    pub(crate) fn take(&mut self, at_ns: u64, number: u16, retry: bool) -> Option<Transmission> {
        self.take_beside(at_ns, number, retry, &Lately::default())
    }

    /// The same, of a sender of which these numbers were heard lately: a number that another stream had meanwhile is not left out of this one.
    pub(crate) fn take_beside(
        &mut self,
        at_ns: u64,
        number: u16,
        retry: bool,
        lately: &Lately,
    ) -> Option<Transmission> {
        let number = number % MODULO;
        let ahead = self.ahead(number);
        let behind = (MODULO - ahead) % MODULO;
        let silent = at_ns.saturating_sub(self.at_ns) > SILENCE;
        let anew = (WINDOW..MODULO / 2).contains(&behind);
        if silent || anew {
            let Self { left_out, left_out_in_rows, skipped, .. } = *self;
            *self = Self { left_out, left_out_in_rows, skipped, ..Self::from(at_ns, number) };
        } else if (1..=MODULO / 2).contains(&ahead) {
            (1..=ahead).for_each(|step| self.clear(self.newest + step));
            let passed_ns = at_ns.saturating_sub(self.at_ns);
            let mut missing = (1..ahead).map(|step| (self.newest + step) % MODULO);
            let is_missing = |one: &u16| !lately.has(*one, self.at_ns);
            if passed_ns < LEFT_OUT_WITHIN && ahead <= LEFT_OUT + 1 {
                self.left_out += missing.filter(is_missing).count() as u64;
            } else if ahead > 1 && missing.all(|one| is_missing(&one)) {
                let is_long = passed_ns >= ROW_WITHIN || ahead > ROW + 1;
                *(if is_long { &mut self.skipped } else { &mut self.left_out_in_rows }) +=
                    u64::from(ahead - 1);
                self.row = ((self.newest + 1) % MODULO, ahead - 1, is_long);
            }
            self.newest = number;
            if (number + MODULO - self.row.0) % MODULO > WINDOW {
                self.row = (0, 0, false);
            }
        }
        self.at_ns = self.at_ns.max(at_ns);
        let new = self.set(number);
        if new && number != self.newest {
            let (first, many, is_long) = self.row;
            let counted = match ((number + MODULO - first) % MODULO < many, is_long) {
                (true, true) => &mut self.skipped,
                (true, false) => &mut self.left_out_in_rows,
                (false, _) => &mut self.left_out,
            };
            *counted = counted.saturating_sub(1);
        }
        match (retry, number == self.newest) {
            (false, _) => Some(Transmission::First),
            (true, true) => new.then_some(Transmission::Later),
            (true, false) => new.then_some(Transmission::Overtaken),
        }
    }

    /// Sets a number's bit; returns whether it was not set.
    const fn set(&mut self, number: u16) -> bool {
        let (word, bit) = (&mut self.heard[(number % MODULO / 64) as usize], 1 << (number % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    const fn clear(&mut self, number: u16) {
        self.heard[(number % MODULO / 64) as usize] &= !(1 << (number % 64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Transmission::{First, Later, Overtaken};
    use proptest::prelude::*;

    /// What becomes of one frame after another of a stream, each with its number and its retry bit.
    fn heard(frames: &[(u16, bool)]) -> Vec<Option<Transmission>> {
        let mut cache = Numbers::from(0, frames[0].0);
        frames.iter().map(|&(number, retry)| cache.take(0, number, retry)).collect()
    }

    #[test]
    fn a_retry_is_new_if_the_first_transmission_was_not_heard() {
        let frames = [(7, false), (7, true), (8, true), (8, true), (9, false)];
        assert_eq!(heard(&frames), [Some(First), None, Some(Later), None, Some(First)]);
    }

    #[test]
    fn what_an_a_mpdu_has_again_behind_later_ones_is_told_from_what_was_not_heard() {
        let first: Vec<_> = (4090..4096).chain(0..10).filter(|&number| number != 4093).collect();
        let mut frames: Vec<_> = first.iter().map(|&number| (number, false)).collect();
        frames.extend([(4092, true), (4093, true), (4094, true), (5, true), (4093, true)]);
        let again = heard(&frames).split_off(first.len());
        assert_eq!(again, [None, Some(Overtaken), None, None, None]);
    }

    #[test]
    fn a_number_is_forgotten_before_it_comes_round() {
        let frames: Vec<_> = (0..4096).map(|number| (number, false)).chain([(0, true)]).collect();
        assert_eq!(heard(&frames).last(), Some(&Some(Later)));
    }

    #[test]
    fn a_sender_that_counts_anew_or_was_silent_for_long_has_no_past() {
        let anew = [(0, false), (1, false), (1500, false), (0, false), (1, true)];
        assert_eq!(heard(&anew)[3..], [Some(First), Some(Later)]);
        let mut cache = Numbers::from(0, 3);
        let silence = [0, SILENCE + 1].map(|at_ns| cache.take(at_ns, 3, true));
        assert_eq!(silence, [Some(Later), Some(Later)]);
    }

    #[test]
    fn numbers_between_those_heard_are_left_out_unless_they_come_late_or_are_many() {
        let mut numbers = Numbers::from(0, 4094);
        let heard = [4094, 1, 0, 2, 5, 500, 501];
        heard.iter().for_each(|&number| _ = numbers.take(0, number, true));
        // 4095, 3 and 4.
        assert_eq!(numbers.left_out, 3);
        numbers.take(LEFT_OUT_WITHIN, 503, false);
        assert_eq!(numbers.left_out, 3);
    }

    #[test]
    fn a_row_of_which_another_stream_had_a_number_is_none() {
        let mut numbers = Numbers::from(1, 4090);
        let mut lately = Lately::default();
        lately.heard(2, 3);
        numbers.take_beside(2, 20, false, &lately);
        assert_eq!((numbers.left_out, numbers.left_out_in_rows), (0, 0));
    }

    #[test]
    fn a_row_is_forgotten_before_its_numbers_come_round() {
        let mut numbers = Numbers::from(0, 4090);
        (10..MODULO + 4093).for_each(|number| _ = numbers.take(1, number, false));
        numbers.take(1, 4094, false);
        assert_eq!((numbers.left_out, numbers.left_out_in_rows), (1, 15));
        numbers.take(1, 4093, true);
        assert_eq!((numbers.left_out, numbers.left_out_in_rows), (0, 15));
    }

    #[test]
    fn a_row_of_numbers_is_left_out_if_it_passes_in_the_time_of_an_a_mpdu() {
        let mut numbers = Numbers::from(0, 4090);
        numbers.take(1, 10, false);
        assert_eq!((numbers.left_out, numbers.left_out_in_rows), (0, 15));
        // Three of them come late.
        [4091, 9, 8].iter().for_each(|&number| _ = numbers.take(2, number, true));
        assert_eq!((numbers.left_out, numbers.left_out_in_rows), (0, 12));
        numbers.take(ROW_WITHIN + 2, 40, false);
        numbers.take(ROW_WITHIN + 3, 600, false);
        assert_eq!(numbers.left_out_in_rows, 12, "a monitor that was away, and more than an A-MPDU");
        assert_eq!(numbers.skipped, 29 + 559, "which are counted by themselves");
        [12, 600 - 4].iter().for_each(|&number| _ = numbers.take(ROW_WITHIN + 4, number, true));
        assert_eq!((numbers.left_out, numbers.skipped), (0, 29 + 559 - 1), "one of the last row comes late");
    }

    proptest! {
        /// Of what a sender sends until it is acknowledged, in a window and each MPDU up to five times, everything of which any transmission
        /// is heard is new once.
        #[test]
        fn whatever_is_heard_is_new_once(
            window in 1..=256_usize,
            chances in prop::collection::vec((1..5_u8, 0..32_u8), 6000),
        ) {
            let mut cache = Numbers::from(0, 0);
            let (mut waiting, mut next, mut at_ns) = (Vec::new(), 0, 0);
            let mut new = vec![0; chances.len()];
            let mut any = vec![false; chances.len()];
            while next < chances.len() || !waiting.is_empty() {
                while next < chances.len()
                    && waiting.first().is_none_or(|&(first, _)| next - first < window)
                {
                    waiting.push((next, 0_u8));
                    next += 1;
                }
                for &(one, times) in &waiting {
                    at_ns += 1000;
                    if chances[one].1 >> times & 1 == 0 {
                        let found = cache.take(at_ns, (one % 4096) as u16, times > 0);
                        any[one] = true;
                        new[one] += u32::from(found.is_some());
                    }
                }
                waiting.iter_mut().for_each(|(_, times)| *times += 1);
                waiting.retain(|&(one, times)| times < chances[one].0);
            }
            for (new, any) in new.into_iter().zip(any) {
                prop_assert_eq!(new, u32::from(any));
            }
        }
    }
}
