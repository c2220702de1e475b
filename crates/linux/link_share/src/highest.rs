//! The highest rate of a link within a window of time, in memory that does not grow.

use airloom_sim::{Duration, Time};

const SPELLS: usize = 60;

/// The highest rate of each of the last spells, sixty of which make the time that is remembered.
#[derive(Clone, Debug)]
pub struct Highest {
    spell: Duration,
    rates: [u64; SPELLS],
    /// The number of the spell that was seen last, from the clock's zero on.
    last: u64,
}

impl Highest {
    /// Remembers for `within`, and for up to a sixtieth of it less.
    pub fn new(within: Duration) -> Self {
        let spell = Duration::from_nanos((within.as_nanos() / SPELLS as u64).max(1));
        Self { spell, rates: [0; SPELLS], last: 0 }
    }

    /// Takes the rate that the link has now, and returns the highest within the window, this one included.
    pub fn seen(&mut self, now: Time, rate: u64) -> u64 {
        let spell = (now.as_nanos() / self.spell.as_nanos()).max(self.last);
        for past in (self.last + 1..=spell).rev().take(SPELLS) {
            self.rates[place(past)] = 0;
        }
        self.last = spell;
        let of_spell = &mut self.rates[place(spell)];
        *of_spell = rate.max(*of_spell);
        self.rates.iter().copied().max().unwrap_or(rate)
    }
}

fn place(spell: u64) -> usize {
    (spell % SPELLS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_highest_of_a_window_as_long_as_asked_for_or_a_sixtieth_less(
            steps in prop::collection::vec((0_u64..5_000, 0_u64..100), 1..200),
        ) {
            let within = 6_000;
            let mut highest = Highest::new(Duration::from_millis(within));
            let (mut now, mut all) = (0, Vec::new());
            for (step, rate) in steps {
                now += step;
                all.push((now, rate));
                let of = |ms: u64| all.iter().filter(|(at, _)| at + ms > now).map(|(_, r)| *r).max().unwrap();
                let found = highest.seen(Time::from_nanos(now * 1_000_000), rate);
                prop_assert!((of(within - within / 60)..=of(within)).contains(&found), "{found} at {now}");
            }
        }
    }
}
