//! The greatest delivery rate of this cycle of probing and of the last (`BBR.max_bw_filter`).

/// The greatest rates of the last cycle and of this one.
#[derive(Clone, Copy, Default)]
pub(super) struct MaxRate {
    last: u64,
    present: u64,
}

impl MaxRate {
    pub(super) fn get(&self) -> u64 {
        self.last.max(self.present)
    }

    pub(super) fn take(&mut self, rate: u64) {
        self.present = self.present.max(rate);
    }

    /// A cycle is over; one without a sample does not count (`AdvanceMaxBwFilter`).
    pub(super) fn advance(&mut self) {
        if self.present > 0 {
            (self.last, self.present) = (self.present, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_counts_for_two_cycles() {
        let mut max = MaxRate::default();
        max.take(9);
        max.take(7);
        assert_eq!(max.get(), 9);
        max.advance();
        max.take(5);
        assert_eq!(max.get(), 9);
        max.advance();
        max.advance();
        assert_eq!(max.get(), 5, "a cycle without samples forgets nothing");
    }
}
