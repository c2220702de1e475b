//! A rate that follows a script: this one from now on, that one from then on.

use airloom_sim::Time;
use std::collections::VecDeque;

/// See the module; rates are indices.
pub(crate) struct Script {
    now: usize,
    /// What is to come, in order of time.
    next: VecDeque<(Time, usize)>,
}

impl Script {
    /// Begins with `first`; each of `steps` lets another rate begin.
    pub(crate) fn new(first: usize, steps: impl IntoIterator<Item = (Time, usize)>) -> Self {
        Self { now: first, next: steps.into_iter().collect() }
    }

    /// The rate of the moment.
    pub(super) fn now(&self) -> usize {
        self.now
    }

    /// When the next step is due.
    pub(crate) fn due(&self) -> Option<Time> {
        self.next.front().map(|&(at, _)| at)
    }

    /// Takes every step that is due by `now`.
    pub(crate) fn step(&mut self, now: Time) {
        while let Some(&(at, rate)) = self.next.front()
            && at <= now
        {
            self.next.pop_front();
            self.now = rate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_when_they_are_due() {
        let at = |ns| Time::from_nanos(ns);
        let mut script = Script::new(3, [(at(20), 0), (at(30), 1), (at(70), 3)]);
        let rates: Vec<usize> = [0, 19, 20, 35, 69, 70, 100]
            .map(at)
            .into_iter()
            .map(|now| {
                script.step(now);
                script.now()
            })
            .collect();
        assert_eq!(rates, [3, 3, 0, 1, 1, 3, 3]);
        assert_eq!(script.due(), None);
    }
}
