//! Outages of a path: somebody or something stands in the way for a while, and the ratio is lower by a fixed depth.
//!
//! A process of two states, each of which lasts for an exponential time (Gilbert 1960). Its next change is drawn ahead, so
//! that a path that is asked for it compares two times; however often it is asked, the outages are the same.

use airloom_sim::{Duration, Stream, Time};

/// Outages of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outages {
    /// The mean time from the end of one to the beginning of the next.
    pub between: Duration,
    /// How long one lasts on average.
    pub lasting: Duration,
    /// By how many dB the ratio is lower meanwhile.
    pub depth_db: f64,
}

/// The state of one path's outages.
pub struct Obstacle {
    outages: Outages,
    chance: Stream,
    there: bool,
    /// When that changes.
    until: Time,
}

impl Obstacle {
    /// Of a path that has these outages, drawn by `chance`; it may begin in the middle of one.
    pub fn new(outages: Outages, mut chance: Stream) -> Self {
        let Outages { between, lasting, .. } = outages;
        let there = chance.chance(lasting.as_secs_f64() / (between + lasting).as_secs_f64());
        // What is left of an exponential time is as long as all of one.
        let mut obstacle = Self { outages, chance, there, until: Time::ZERO };
        obstacle.stay();
        obstacle
    }

    /// By how many dB the ratio is lower now. Time does not go back from one call to the next.
    #[inline]
    pub fn depth_db(&mut self, now: Time) -> f64 {
        while self.until <= now {
            self.there = !self.there;
            self.stay();
        }
        if self.there { self.outages.depth_db } else { 0.0 }
    }

    /// Draws how long the state lasts that begins at `until`.
    fn stay(&mut self) {
        let mean = if self.there { self.outages.lasting } else { self.outages.between };
        let stay = (mean.as_nanos() as f64 * self.chance.exponential()) as u64;
        self.until += Duration::from_nanos(stay.max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTAGES: Outages =
        Outages { between: Duration::from_secs(8), lasting: Duration::from_secs(2), depth_db: 20.0 };

    /// Whether there is an outage at each of these times, from zero on.
    fn states(seed: u64, name: &str, gap: Duration, count: u64) -> Vec<bool> {
        let mut obstacle = Obstacle::new(OUTAGES, Stream::new(seed, name, "outages"));
        let mut now = Time::ZERO;
        (0..count)
            .map(|_| {
                let depth = obstacle.depth_db(now);
                now += gap;
                assert!(depth < 0.1 || (depth - OUTAGES.depth_db).abs() < 0.1, "{depth}");
                depth > 0.1
            })
            .collect()
    }

    fn share(states: &[bool]) -> f64 {
        states.iter().filter(|&&out| out).count() as f64 / states.len() as f64
    }

    /// From any state the chance of an outage goes to the stationary one as exp(-t (1 / between + 1 / lasting)).
    #[test]
    fn outages_have_their_share_of_time_and_their_memory() {
        let states = states(1, "sta", Duration::from_millis(500), 400_000);
        let p = 0.2;
        assert!((share(&states) - p).abs() < 0.006, "{}", share(&states));
        for lag in [1, 3, 8] {
            let later: Vec<bool> = states.windows(lag + 1).filter(|w| w[0]).map(|w| w[lag]).collect();
            let expected = p + (1.0 - p) * libm::exp(-0.5 * lag as f64 * (1.0 / 8.0 + 1.0 / 2.0));
            assert!((share(&later) - expected).abs() < 0.012, "{lag}: {} {expected}", share(&later));
        }
    }

    /// The beginning is like any other time.
    #[test]
    fn a_run_begins_in_an_outage_as_often_as_there_are_any() {
        let first: Vec<bool> =
            (0..20_000).map(|seed| states(seed, "sta", Duration::from_millis(1), 1)[0]).collect();
        assert!((share(&first) - 0.2).abs() < 0.01, "{}", share(&first));
    }

    #[test]
    fn outages_do_not_depend_on_how_often_they_are_asked_for() {
        let often = states(5, "sta", Duration::from_millis(1), 300_000);
        let rarely = states(5, "sta", Duration::from_millis(100), 3_000);
        assert_eq!(often.into_iter().step_by(100).collect::<Vec<_>>(), rarely);
    }

    /// Both are in an outage for the product of their shares.
    #[test]
    fn stations_have_outages_of_their_own() {
        let one = states(1, "one", Duration::from_secs(1), 200_000);
        let other = states(1, "other", Duration::from_secs(1), 200_000);
        let both: Vec<bool> = one.iter().zip(&other).map(|(a, b)| *a && *b).collect();
        assert!((share(&both) - 0.04).abs() < 0.004, "{}", share(&both));
    }
}
