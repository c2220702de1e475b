//! A chain of rates for the attempts at a PPDU.

use crate::id::RateId;

/// Times that hardware sends a frame at one rate before it goes on to the next, or hands the frame back: `max_rate_tries` of
/// ath9k (drivers/net/wireless/ath/ath9k/init.c), taken for every adapter.
pub(crate) const MOST_TRIES: u32 = 10;

/// A rate of a chain, and its number of attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    /// Which of the rates.
    pub(super) rate: RateId,
    /// How many; none if no PPDU comes to it.
    pub(super) attempts: u16,
    /// The medium is reserved for them by RTS and CTS.
    pub(super) reserves: bool,
}

/// Attempts without end.
const FOREVER: u16 = u16::MAX;

/// The rates of a PPDU by attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    pub(super) stages: [Stage; 4],
    /// The first stage is a sample: one MPDU and one attempt.
    pub(crate) sample: bool,
}

impl Chain {
    /// This rate at every attempt.
    pub fn always(rate: RateId) -> Self {
        let none = Stage { rate, attempts: 0, reserves: false };
        Self { stages: [Stage { attempts: FOREVER, ..none }, none, none, none], sample: false }
    }

    /// Up to four rates with their numbers of attempts, of which the last one lasts; hardware sends a PPDU so often in all.
    /// None if there is no rate, more than four, or no attempt at one.
    pub fn of(stages: &[(RateId, u16)]) -> Option<Self> {
        let &(last, _) = stages.last()?;
        let sound = stages.len() <= 4 && stages.iter().all(|&(_, attempts)| (1..FOREVER).contains(&attempts));
        let mut all = [Stage { rate: last, attempts: 0, reserves: false }; 4];
        for (stage, &(rate, attempts)) in all.iter_mut().zip(stages) {
            *stage = Stage { rate, attempts, reserves: false };
        }
        sound.then_some(Self { stages: all, sample: false })
    }

    /// These three, of which the last one lasts.
    pub(super) fn of_three([first, second, last]: [Stage; 3]) -> Self {
        Self { stages: [first, second, last, Stage { attempts: 0, ..last }], sample: false }
    }

    /// A sample at `rate` falls back to what others fall back to (mac80211 `rate_control_fill_sta_table()`).
    pub(super) fn trying(&self, rate: RateId) -> Self {
        let Self { stages: [_, second, third, last], .. } = *self;
        let sample = Stage { rate, attempts: 1, reserves: false };
        Self { stages: [sample, second, third, last], sample: true }
    }

    /// The stage of attempt `n`, counted from zero; the last one lasts.
    fn stage(&self, n: u32) -> usize {
        let [first, second, third, _] = self.stages.map(|stage| u32::from(stage.attempts));
        usize::from(n >= first) + usize::from(n >= first + second) + usize::from(n >= first + second + third)
    }

    /// The rate of attempt `n`.
    pub fn rate(&self, n: u32) -> RateId {
        self.stages[self.stage(n)].rate
    }

    /// Whether attempt `n` is to reserve the medium.
    pub(crate) fn reserves(&self, n: u32) -> bool {
        self.stages[self.stage(n)].reserves
    }

    /// How often hardware sends a PPDU before it hands it back: `u32::MAX` if it does not by itself.
    pub(crate) fn attempts(&self) -> u32 {
        if self.stages[0].attempts == FOREVER {
            return u32::MAX;
        }
        self.stages.iter().map(|stage| u32::from(stage.attempts)).sum()
    }

    /// All its rates.
    pub(crate) fn rates(&self) -> impl Iterator<Item = RateId> {
        self.stages.into_iter().take_while(|stage| stage.attempts > 0).map(|stage| stage.rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Index;

    #[test]
    fn a_chain_falls_back_to_the_safest_rate() {
        let stage = |rate, attempts, reserves| Stage { rate: RateId(rate), attempts, reserves };
        let chain = Chain::of_three([stage(9, 3, false), stage(7, 2, true), stage(2, 2, true)]);
        assert_eq!((0..8).map(|n| chain.rate(n).place()).collect::<Vec<_>>(), [9, 9, 9, 7, 7, 2, 2, 2]);
        assert_eq!((chain.attempts(), chain.reserves(2), chain.reserves(3)), (7, false, true));
        let tried = chain.trying(RateId(5));
        assert_eq!((0..6).map(|n| tried.rate(n).place()).collect::<Vec<_>>(), [5, 7, 7, 2, 2, 2]);
        let always = Chain::always(RateId(4));
        assert_eq!((always.rate(1000).place(), always.attempts(), always.reserves(1)), (4, u32::MAX, false));
    }
}
