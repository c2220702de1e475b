//! Requests for a BlockAck to a radio of which there is no sign meanwhile.

/// Requests with a longer pause in between are two spells, in nanoseconds.
const PAUSE: u64 = 5_000_000_000;
/// So many signs of a radio show that it would give some if it were there.
const SIGNS: u64 = 20;

/// Requests for a BlockAck in a row, between which there was no sign of their receiver: neither a frame of it nor an acknowledgment to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unanswered {
    /// How many.
    pub frames: u64,
    /// Their air time in nanoseconds.
    pub airtime_ns: u64,
    /// When the first and the last ended, in nanoseconds since 1970.
    pub span_ns: (u64, u64),
}

/// The requests to one radio.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Requests {
    now: Option<Unanswered>,
    most: Option<Unanswered>,
    signs: u64,
}

impl Requests {
    /// A request was sent to it, of such an air time.
    pub(super) fn asked(&mut self, at_ns: u64, airtime_ns: u64) {
        if self.signs < SIGNS {
            return;
        }
        let paused = |one: &Unanswered| at_ns.saturating_sub(one.span_ns.1) > PAUSE;
        if self.now.as_ref().is_some_and(paused) {
            (self.now, self.most) = (None, self.most());
        }
        let now = self.now.get_or_insert(Unanswered { frames: 0, airtime_ns: 0, span_ns: (at_ns, at_ns) });
        now.frames += 1;
        now.airtime_ns += airtime_ns;
        now.span_ns.1 = at_ns;
    }

    /// A frame of it was heard, or an acknowledgment to it.
    pub(super) fn heard(&mut self) {
        self.signs += 1;
        (self.now, self.most) = (None, self.most());
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
        let mut requests = Requests::default();
        // Who was never heard may answer unheard.
        (0..9).for_each(|at| requests.asked(at, 10));
        assert_eq!(requests.most(), None);
        (0..SIGNS).for_each(|_| requests.heard());
        (0..3).for_each(|at| requests.asked(at, 10));
        requests.heard();
        (10..15).for_each(|at| requests.asked(at, 10));
        requests.asked(15 + PAUSE, 10);
        let most = Unanswered { frames: 5, airtime_ns: 50, span_ns: (10, 14) };
        assert_eq!(requests.most(), Some(most));
    }
}
