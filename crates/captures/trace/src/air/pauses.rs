//! The pauses of a station's data: whether one more is as the others were.

/// Shorter ones are told apart from none, in nanoseconds.
const SHORT: u64 = 50_000_000;
/// So many of the last ones are known.
const KNOWN: usize = 32;
/// The time before a pause in which others are looked for, in lengths of it.
const BEFORE: u64 = 10;
/// So many as long are usual.
const USUAL: usize = 3;
/// A pause is as long as another one if it lasts up to this part of it longer: programs with a timer are not exact.
const ALIKE: u64 = 10;

/// The last pauses.
#[derive(Clone, Debug, Default)]
pub(super) struct Pauses {
    /// When each ended and how long it was, in nanoseconds; behind [`KNOWN`] the next one takes the place of the oldest.
    known: Vec<(u64, u64)>,
    next: usize,
}

impl Pauses {
    /// Takes the time between data and the next.
    pub(super) fn take(&mut self, from_ns: u64, to_ns: u64) {
        let length_ns = to_ns.saturating_sub(from_ns);
        if length_ns < SHORT {
            return;
        }
        match self.known.get_mut(self.next) {
            Some(oldest) => *oldest = (to_ns, length_ns),
            None => self.known.push((to_ns, length_ns)),
        }
        self.next = (self.next + 1) % KNOWN;
    }

    /// Whether others not long before a time between data were as long: then nothing shows that data waited in it.
    pub(super) fn are_as_long(&self, from_ns: u64, to_ns: u64) -> bool {
        let length_ns = to_ns.saturating_sub(from_ns);
        let least_ns = length_ns - length_ns / ALIKE;
        let since_ns = from_ns.saturating_sub(length_ns.saturating_mul(BEFORE));
        let alike = self
            .known
            .iter()
            .filter(|&&(ended, length)| length >= least_ns && since_ns <= ended && ended <= from_ns);
        length_ns < SHORT || alike.count() >= USUAL
    }

    /// The same of a time behind which others were taken: as usual, too, if those before it may be forgotten.
    pub(super) fn may_be_as_long(&self, from_ns: u64, to_ns: u64) -> bool {
        let since_ns = from_ns.saturating_sub(to_ns.saturating_sub(from_ns).saturating_mul(BEFORE));
        let is_forgotten = self.known.len() == KNOWN && self.known.iter().all(|&(ended, _)| ended > since_ns);
        is_forgotten || self.are_as_long(from_ns, to_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_pause_is_usual_if_three_not_long_before_were_as_long() {
        let mut pauses = Pauses::default();
        for second in 0..40 {
            pauses.take(second * 1000 * MS, (second * 1000 + 998) * MS);
            pauses.take((second * 1000 + 998) * MS, (second + 1) * 1000 * MS);
        }
        assert!(pauses.are_as_long(40_000 * MS, 41_010 * MS), "a ping a second");
        assert!(!pauses.are_as_long(40_000 * MS, 41_200 * MS), "longer than any");
        assert!(!pauses.are_as_long(60_000 * MS, 60_800 * MS), "they are long ago");
        assert!(!Pauses::default().are_as_long(0, 100 * MS));
        assert!(Pauses::default().are_as_long(0, 20 * MS), "no pause");
        assert!(pauses.may_be_as_long(10_000 * MS, 11_000 * MS), "those before are forgotten");
        assert!(!pauses.may_be_as_long(40_000 * MS, 41_200 * MS), "longer than any of a time that is known");
    }
}
