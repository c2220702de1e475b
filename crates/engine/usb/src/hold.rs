//! Spells in which an adapter receives frames and does not pass them on.

use crate::config::Holding;
use airloom_sim::{Duration, Stream, Time};
use std::collections::VecDeque;

/// The spells of one adapter.
pub(crate) struct Hold {
    /// When the scripted spells to come begin.
    scripted: VecDeque<Time>,
    every: Option<Duration>,
    shortest: Duration,
    longest: Duration,
    stream: Stream,
    /// The spell that is on or comes next.
    spell: (Time, Time),
}

impl Hold {
    pub(crate) fn new(holding: &Holding, stream: Stream) -> Self {
        let mut hold = Self {
            scripted: holding.at.iter().flatten().map(|&at| Time::ZERO + at).collect(),
            every: holding.every,
            shortest: holding.shortest,
            longest: holding.longest,
            stream,
            spell: (Time::ZERO, Time::ZERO),
        };
        hold.spell = hold.after(Time::ZERO);
        hold
    }

    /// The spell that holds back what is received at `now`, if there is one: when it began and when it ends.
    pub(crate) fn spell(&mut self, now: Time) -> Option<(Time, Time)> {
        while self.spell.1 <= now {
            self.spell = self.after(self.spell.1);
        }
        (self.spell.0 <= now).then_some(self.spell)
    }

    /// The first spell after `end`, the end of the one before.
    fn after(&mut self, end: Time) -> (Time, Time) {
        if let Some(start) = self.scripted.pop_front() {
            return (start.max(end), start + self.longest);
        }
        let Some(every) = self.every else { return (Time::NEVER, Time::NEVER) };
        // A memoryless wait: the inverse of its distribution at a uniform draw.
        let wait = -libm::log(1.0 - self.stream.uniform()) * every.as_secs_f64();
        let variation = self.longest.saturating_sub(self.shortest).as_secs_f64();
        let length = self.shortest.as_secs_f64() + self.stream.uniform() * variation;
        let start = end + Duration::from_secs_f64(wait);
        (start, start + Duration::from_secs_f64(length).max(Duration::from_nanos(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn hold(at: Option<Vec<Duration>>, every: Option<Duration>, (shortest, longest): (u64, u64)) -> Hold {
        let holding = Holding { at, every, shortest: ms(shortest), longest: ms(longest) };
        Hold::new(&holding, Stream::new(1, "adapter", "holding"))
    }

    #[test]
    fn a_script_is_followed_and_nothing_else() {
        let at = Time::ZERO + ms(100);
        let mut hold = hold(Some(vec![ms(100)]), None, (100, 300));
        assert_eq!(hold.spell(Time::ZERO + ms(99)), None);
        assert_eq!(hold.spell(Time::ZERO + ms(100)), Some((at, at + ms(300))));
        assert_eq!(hold.spell(Time::ZERO + ms(399)), Some((at, at + ms(300))));
        assert_eq!(hold.spell(Time::ZERO + ms(400)), None);
    }

    /// Over many spells: the mean wait and the mean length are those that were asked for, within four standard errors.
    #[test]
    fn spells_come_as_often_and_last_as_long_as_asked() {
        let mut hold = hold(None, Some(ms(900)), (200, 400));
        let (mut now, mut waits, mut lengths, n) = (Time::ZERO, 0.0, 0.0, 10_000);
        for _ in 0..n {
            let (start, end) = hold.spell;
            waits += start.since(now).as_secs_f64();
            lengths += end.since(start).as_secs_f64();
            now = end;
            hold.spell(end);
        }
        let n = f64::from(n);
        assert!((waits / n - 0.9).abs() < 4.0 * 0.9 / n.sqrt(), "{}", waits / n);
        assert!((lengths / n - 0.3).abs() < 4.0 * 0.2 / (12.0 * n).sqrt(), "{}", lengths / n);
    }
}
