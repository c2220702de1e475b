//! What is sent to a radio of which there is no sign meanwhile: requests for a BlockAck, or data.

use std::collections::BTreeSet;

/// Requests with a longer pause in between are two spells, in nanoseconds.
const PAUSE: u64 = 5_000_000_000;
/// So many signs of a radio show that it would give some if it were there.
const SIGNS: u64 = 20;

/// PPDUs in a row, between which there was no sign of their receiver: neither a frame of it nor an acknowledgment to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// How many.
    pub frames: u64,
    /// How many sequence numbers they had: as many MPDUs, each tried again and again. None of requests.
    pub mpdus: u64,
    /// Their air time in nanoseconds.
    pub airtime_ns: u64,
    /// When the first and the last ended, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
}

/// The requests, or the data, to one radio.
#[derive(Clone, Debug, Default)]
pub(super) struct Unheard {
    now: Option<Unanswered>,
    most: Option<Unanswered>,
    signs: u64,
    /// The sequence numbers of those of now.
    numbers: BTreeSet<u16>,
}

impl Unheard {
    /// Something was sent to it, of such an air time, and with a sequence number if it has one.
    pub(super) fn sent(&mut self, at_ns: u64, airtime_ns: u64, number: Option<u16>) {
        if self.signs < SIGNS {
            return;
        }
        let paused = |one: &Unanswered| at_ns.saturating_sub(one.span_ns.1) > PAUSE;
        if self.now.as_ref().is_some_and(paused) {
            self.ends();
        }
        let none = Unanswered { frames: 0, mpdus: 0, airtime_ns: 0, span_ns: (at_ns, at_ns) };
        self.numbers.extend(number);
        let now = self.now.get_or_insert(none);
        now.mpdus = self.numbers.len() as u64;
        now.frames += 1;
        now.airtime_ns += airtime_ns;
        now.span_ns.1 = at_ns;
    }

    /// A frame of it was heard, or an acknowledgment to it.
    pub(super) fn heard(&mut self) {
        self.signs += 1;
        self.ends();
    }

    fn ends(&mut self) {
        (self.now, self.most) = (None, self.most());
        self.numbers.clear();
    }

    /// The most in a row.
    pub(super) fn most(&self) -> Option<Unanswered> {
        self.most.into_iter().chain(self.now).max_by_key(|one| one.frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_row_without_a_sign_of_the_receiver_counts() {
        let mut requests = Unheard::default();
        // Who was never heard may answer unheard.
        (0..9).for_each(|at| requests.sent(at, 10, None));
        assert_eq!(requests.most(), None);
        (0..SIGNS).for_each(|_| requests.heard());
        (0..3).for_each(|at| requests.sent(at, 10, None));
        requests.heard();
        (10..15).for_each(|at| requests.sent(at, 10, None));
        requests.sent(15 + PAUSE, 10, None);
        let most = Unanswered { frames: 5, mpdus: 0, airtime_ns: 50, span_ns: (10, 14) };
        assert_eq!(requests.most(), Some(most));
    }

    #[test]
    fn tries_of_one_mpdu_are_one_mpdu() {
        let mut data = Unheard::default();
        (0..SIGNS).for_each(|_| data.heard());
        [4095, 4095, 0, 4095, 0].into_iter().for_each(|number| data.sent(7, 10, Some(number)));
        assert_eq!(data.most().map(|most| (most.frames, most.mpdus)), Some((5, 2)));
    }
}
