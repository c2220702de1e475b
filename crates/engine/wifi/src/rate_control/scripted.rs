//! A rate that follows a script: each rate from its time on.

use super::RateControl;
use crate::id::RateId;
use airloom_rate::Rate;
use airloom_sim::{Duration, IndexVec, Time};
use std::collections::VecDeque;

/// See the module.
pub(super) struct Script {
    now: RateId,
    /// The steps to come, in order of time.
    next: VecDeque<(Time, RateId)>,
}

impl Script {
    /// The rates of a script and the control that follows it; its first step is at zero.
    pub(super) fn control(steps: &[(Duration, Rate)]) -> (Vec<Rate>, Box<dyn RateControl>) {
        // A script may come back to a rate any number of times; there are few.
        let mut rates = IndexVec::<RateId, Rate>::default();
        let mut index =
            |rate: Rate| rates.position(|&known| known == rate).unwrap_or_else(|| rates.push(rate));
        let steps: Vec<_> = steps.iter().map(|&(at, rate)| (Time::ZERO + at, index(rate))).collect();
        (rates.into_iter().collect(), Box::new(Self::new(steps[0].1, steps[1..].iter().copied())))
    }

    /// Begins with `first`; each of `steps` lets another rate begin.
    pub(super) fn new(first: RateId, steps: impl IntoIterator<Item = (Time, RateId)>) -> Self {
        Self { now: first, next: steps.into_iter().collect() }
    }
}

impl RateControl for Script {
    fn preferred(&self) -> RateId {
        self.now
    }

    fn is_in_hardware(&self) -> bool {
        true
    }

    fn due(&self) -> Option<Time> {
        self.next.front().map(|&(at, _)| at)
    }

    fn step(&mut self, now: Time) {
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
    use airloom_sim::Index;

    #[test]
    fn steps_are_taken_when_they_are_due() {
        let at = |ns| Time::from_nanos(ns);
        let mut script =
            Script::new(RateId(3), [(20, 0), (30, 1), (70, 3)].map(|(ns, rate)| (at(ns), RateId(rate))));
        let rates: Vec<usize> = [0, 19, 20, 35, 69, 70, 100]
            .map(at)
            .into_iter()
            .map(|now| {
                script.step(now);
                script.preferred().place()
            })
            .collect();
        assert_eq!(rates, [3, 3, 0, 1, 1, 3, 3]);
        assert_eq!(script.due(), None);
    }

    #[test]
    fn a_script_of_many_steps_is_followed_to_its_end() {
        let (slow, fast) = (Rate::ofdm(6).unwrap(), Rate::ofdm(54).unwrap());
        let rate = |n: u64| if n.is_multiple_of(2) { slow } else { fast };
        let steps: Vec<_> = (0..1000).map(|n| (Duration::from_nanos(n), rate(n))).collect();
        let (rates, mut control) = Script::control(&steps);
        assert_eq!(rates, [slow, fast]);
        for n in 1..1000 {
            control.step(Time::from_nanos(n));
            assert_eq!(rates[control.choose(None).rate(5).place()], rate(n), "step {n}");
            assert_eq!(control.choose(None).rate(0), control.preferred());
        }
    }

    #[test]
    fn a_fixed_rate_stays() {
        let (rates, mut fixed) = Script::control(&[(Duration::ZERO, Rate::ofdm(6).unwrap())]);
        fixed.attempted(10, 0);
        assert_eq!((rates.len(), fixed.choose(None).rate(5).place(), fixed.due()), (1, 0, None));
    }
}
