//! The earliest of many times, each of which may change at any time.
//!
//! A tournament: each pair of neighbours has a winner, and so have pairs of winners, up to the earliest of all. A change costs a look at
//! each round, of which one time alone has none.

use airloom_sim::{Index, Time};
use std::marker::PhantomData;

/// For each `I` a time, or none.
pub(super) struct Earliest<I> {
    /// The earliest of all is at 1, the winners of the pairs below any other place `n` at `2 n` and `2 n + 1`; the times themselves take up the
    /// second half. [`Time::NEVER`] stands for none.
    rounds: Vec<Time>,
    index: PhantomData<fn(I)>,
}

impl<I> Default for Earliest<I> {
    fn default() -> Self {
        Self { rounds: vec![Time::NEVER; 2], index: PhantomData }
    }
}

impl<I: Index> Earliest<I> {
    /// Where the times begin, and how many there is room for.
    #[inline]
    fn first_place(&self) -> usize {
        self.rounds.len() / 2
    }

    /// This one comes then, or not at all. O(log n).
    #[inline]
    pub(super) fn set(&mut self, id: I, at: Option<Time>) {
        while id.place() >= self.first_place() {
            self.grow();
        }
        let mut place = self.first_place() + id.place();
        self.rounds[place] = at.unwrap_or(Time::NEVER);
        while place > 1 {
            let winner = self.rounds[place].min(self.rounds[place ^ 1]);
            place /= 2;
            if self.rounds[place] == winner {
                break;
            }
            self.rounds[place] = winner;
        }
    }

    /// When the first of all comes.
    #[inline]
    pub(super) fn first(&self) -> Option<Time> {
        Some(self.rounds[1]).filter(|&at| at != Time::NEVER)
    }

    /// Takes out one that comes now, of several the first in their order; none comes before. O(log n).
    #[inline(always)]
    pub(super) fn take(&mut self, now: Time) -> Option<I> {
        if self.rounds[1] != now {
            return None;
        }
        let mut place = 1;
        while place < self.first_place() {
            place *= 2;
            place += usize::from(self.rounds[place] != now);
        }
        let id = I::new(place - self.first_place());
        self.set(id, None);
        Some(id)
    }

    /// Makes room for twice as many.
    #[cold]
    fn grow(&mut self) {
        let times = self.rounds.split_off(self.first_place());
        let room = 2 * times.len();
        self.rounds = vec![Time::NEVER; 2 * room];
        self.rounds[room..room + times.len()].copy_from_slice(&times);
        for place in (1..room).rev() {
            self.rounds[place] = self.rounds[2 * place].min(self.rounds[2 * place + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Duration;
    use proptest::prelude::*;

    airloom_sim::index_type! {
        struct Id(u16);
    }

    proptest! {
        /// Against a plain list, whatever is changed in which order.
        #[test]
        fn agrees_with_a_list(changes in prop::collection::vec((0u16..40, prop::option::of(0u64..9)), 1..200)) {
            let (mut earliest, mut list) = (Earliest::default(), vec![None; 40]);
            for (id, at) in changes {
                let at = at.map(Time::from_nanos);
                earliest.set(Id(id), at);
                list[usize::from(id)] = at;
                let first = list.iter().copied().flatten().min();
                prop_assert_eq!(earliest.first(), first);
                prop_assert_eq!(earliest.take(first.map_or(Time::ZERO, |at| at + Duration::from_nanos(1))), None);
            }
            while let Some(first) = list.iter().copied().flatten().min() {
                let expected = list.iter().position(|&at| at == Some(first));
                prop_assert_eq!(earliest.take(first).map(|id| usize::from(id.0)), expected);
                list[expected.unwrap_or(0)] = None;
            }
            prop_assert_eq!(earliest.first(), None);
        }
    }
}
