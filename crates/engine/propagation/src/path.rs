//! The path between two radios: how far its signal-to-noise ratio is off its mean, and what that
//! does to frames.
//!
//! Two things make it vary. Small-scale fading is drawn anew for every PPDU and moves the ratio that the receiver sees
//! after everything else. Slow fading, of people and doors, moves the ratio at the antenna: a Gaussian process in dB whose
//! correlation decays exponentially with time (Gudmundson 1991). It costs no event: whenever the path is used, its
//! value is drawn given the one before and the time since, which is exact. Outages lower the ratio further at times.

use crate::error;
use crate::interference::{Hardiness, Signal};
use crate::outage::Obstacle;
use airloom_rate::Rate;
use airloom_sim::{Duration, Stream, Time};

/// Slow fading is quantised in steps of this many dB.
const STEP_DB: f64 = 0.5;

/// Slow fading of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlowFading {
    /// Its standard deviation in dB.
    pub deviation_db: f64,
    /// The time after which its correlation has decayed to 1/e.
    pub coherence: Duration,
}

/// The deviation of a path from its mean when a PPDU is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fade {
    /// Slow fading and outages, in steps.
    slow: i16,
    /// Small-scale fading, one of its equally likely values.
    quick: u8,
}

impl Fade {
    /// Equally likely values of small-scale fading.
    const QUICK: u32 = 16;

    /// Slow fading and outages in dB.
    pub fn slow_db(self) -> f64 {
        f64::from(self.slow) * STEP_DB
    }

    /// Its place in a list of all fades, which begins with those of little slow fading.
    fn index(self) -> usize {
        let slow = 2 * usize::from(self.slow.unsigned_abs()) + usize::from(self.slow < 0);
        slow * Self::QUICK as usize + usize::from(self.quick)
    }

    /// Small-scale fading in dB, if its standard deviation is `deviation_db`: quantiles of a normal distribution; 0 without any.
    #[inline]
    fn quick_db(self, deviation_db: f64) -> f64 {
        /// Quantiles of the standard normal distribution at (2k + 1) / 32, k from 8 to 15.
        const UPPER: [f64; 8] = [0.078, 0.237, 0.402, 0.579, 0.776, 1.010, 1.318, 1.863];
        if deviation_db <= 0.0 {
            return 0.0;
        }
        let z = UPPER[usize::from(self.quick / 2)];
        if self.quick.is_multiple_of(2) { -z * deviation_db } else { z * deviation_db }
    }
}

/// The path between an access point's radio and a station's: what varies is the same in both directions, the means may differ.
pub struct Path {
    /// The mean signal-to-noise ratio of the station, in dB.
    pub snr_db: f64,
    /// By how many dB that of the access point is higher, or lower if it is negative.
    pub up_db: f64,
    /// The standard deviation of small-scale fading, in dB.
    pub fading_db: f64,
    slow: Option<Slow>,
    obstacle: Option<Obstacle>,
}

struct Slow {
    fading: SlowFading,
    chance: Stream,
    /// Its value in standard deviations, and when that was drawn.
    last: Option<(f64, Time)>,
}

impl Path {
    /// A path of `snr_db` that varies by `fading_db` from PPDU to PPDU, by slow fading that `chance` draws, and by
    /// outages.
    pub fn new(
        (snr_db, fading_db): (f64, f64),
        slow: Option<SlowFading>,
        chance: Stream,
        obstacle: Option<Obstacle>,
    ) -> Self {
        Self {
            snr_db,
            up_db: 0.0,
            fading_db,
            slow: slow.map(|fading| Slow { fading, chance, last: None }),
            obstacle,
        }
    }

    /// The mean ratio in dB of frames to the access point, or to the station.
    pub fn mean_db(&self, upward: bool) -> f64 {
        if upward { self.snr_db + self.up_db } else { self.snr_db }
    }

    /// What a PPDU sent now meets; small-scale fading is drawn from `chance`.
    pub fn fade(&mut self, now: Time, chance: &mut Stream) -> Fade {
        let quick = if self.fading_db > 0.0 { chance.up_to(Fade::QUICK - 1) as u8 } else { 0 };
        Fade { quick, ..self.slow(now) }
    }

    /// How far such a fade takes the ratio off its mean, in dB.
    #[inline]
    pub fn off_mean_db(&self, fade: Fade) -> f64 {
        fade.slow_db() + fade.quick_db(self.fading_db)
    }

    /// What a control frame sent now meets.
    pub fn slow(&mut self, now: Time) -> Fade {
        if self.slow.is_none() && self.obstacle.is_none() {
            return Fade::default();
        }
        let slow = self.slow.as_mut().map_or(0.0, |slow| slow.db(now));
        let lower = self.obstacle.as_mut().map_or(0.0, |obstacle| obstacle.depth_db(now));
        Fade { slow: libm::round((slow - lower) / STEP_DB) as i16, quick: 0 }
    }
}

impl Slow {
    fn db(&mut self, now: Time) -> f64 {
        let value = match self.last {
            Some((value, at)) if at == now => value,
            Some((value, at)) => {
                let kept = libm::exp(-(now - at).as_secs_f64() / self.fading.coherence.as_secs_f64());
                value * kept + (1.0 - kept * kept).sqrt() * self.chance.normal()
            }
            None => self.chance.normal(),
        };
        self.last = Some((value, now));
        value * self.fading.deviation_db
    }
}

/// Probability that an MPDU survives, with the last few lengths remembered: a flow has few.
#[derive(Clone, Debug)]
pub struct Survival {
    bit_error: f64,
    known: [(u32, f64); 4],
    next: usize,
}

impl Survival {
    /// At `rate`, with this signal-to-noise ratio per stream in dB.
    pub fn new(rate: Rate, snr_db: f64) -> Self {
        Self { bit_error: error::bit_error(rate, snr_db), known: [(0, 1.0); 4], next: 0 }
    }

    /// For an MPDU of `bytes`.
    #[inline]
    pub fn of(&mut self, bytes: u32) -> f64 {
        match self.known.iter().find(|k| k.0 == bytes) {
            Some(&(_, p)) => p,
            None => self.meet(bytes),
        }
    }

    /// Works it out for a length that is not remembered.
    #[cold]
    fn meet(&mut self, bytes: u32) -> f64 {
        let p = error::survival(self.bit_error, bytes);
        self.known[self.next] = (bytes, p);
        self.next = (self.next + 1) % self.known.len();
        p
    }
}

/// How MPDUs fare in a fade.
struct Known {
    survival: Survival,
    /// How hardy they are amid others, once they have met any.
    hardiness: Option<Box<Hardiness>>,
}

/// How MPDUs at one rate fare, by the fade that their PPDU meets; worked out when one first meets it.
pub struct Curve {
    rate: Rate,
    snr_db: f64,
    evm_db: f64,
    streams: u32,
    fading_db: f64,
    known: Vec<Known>,
    /// Where in `known` what is known of a fade lies, by the index of the fade.
    places: Vec<Option<u32>>,
}

impl Curve {
    /// At `rate` over a path of `snr_db` that varies by `fading_db`, from a transmitter with this error vector
    /// magnitude that splits its power over `streams`.
    pub fn new(rate: Rate, (snr_db, fading_db): (f64, f64), evm_db: f64, streams: u32) -> Self {
        Self { rate, snr_db, evm_db, streams, fading_db, known: Vec::new(), places: Vec::new() }
    }

    /// From now on over a path that is so many dB better, or worse.
    pub fn shift(&mut self, db: f64) {
        self.snr_db += db;
        self.known.clear();
        self.places.clear();
    }

    /// In this fade.
    #[inline]
    pub fn at(&mut self, fade: Fade) -> &mut Survival {
        let place = self.place_of(fade);
        &mut self.known[place as usize].survival
    }

    /// In this fade, and how hardy they are there amid others.
    pub fn amid(&mut self, fade: Fade) -> (&mut Survival, &mut Hardiness) {
        let (place, signal) = (self.place_of(fade), self.signal(fade));
        let Known { survival, hardiness } = &mut self.known[place as usize];
        (survival, hardiness.get_or_insert_with(|| Box::new(Hardiness::new(signal))))
    }

    /// Where in `known` what is known of a fade lies.
    #[inline]
    fn place_of(&mut self, fade: Fade) -> u32 {
        match self.places.get(fade.index()) {
            Some(&Some(place)) => place,
            _ => self.meet(fade),
        }
    }

    /// The signal in this fade.
    fn signal(&self, fade: Fade) -> Signal {
        let quick_db = fade.quick_db(self.fading_db);
        let Self { rate, evm_db, streams, .. } = *self;
        Signal { rate, snr_db: self.snr_db + fade.slow_db(), evm_db, streams, quick_db }
    }

    /// Works out how MPDUs fare in a fade that none has met yet, and says where that is kept.
    #[cold]
    fn meet(&mut self, fade: Fade) -> u32 {
        let Signal { rate, snr_db, evm_db, streams, quick_db } = self.signal(fade);
        let ratio = error::effective_snr_db(snr_db, evm_db, streams);
        let place = self.known.len() as u32;
        self.known.push(Known { survival: Survival::new(rate, ratio + quick_db), hardiness: None });
        if self.places.len() <= fade.index() {
            self.places.resize(fade.index() + 1, None);
        }
        self.places[fade.index()] = Some(place);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// Values of slow fading in dB, one every `gap` ms.
    fn values(deviation_db: f64, coherence_ms: u64, gap: u64, count: u64) -> Vec<f64> {
        let fading = SlowFading { deviation_db, coherence: Duration::from_millis(coherence_ms) };
        let mut slow = Slow { fading, chance: Stream::new(1, "sta", "slow fading"), last: None };
        (0..count).map(|n| slow.db(at(n * gap))).collect()
    }

    /// Deviation, and correlation of values `lag` apart.
    fn moments(values: &[f64], lag: usize) -> (f64, f64) {
        let n = (values.len() - lag) as f64;
        let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
        let product: f64 = values.iter().zip(&values[lag..]).map(|(a, b)| a * b).sum();
        (variance.sqrt(), product / n / variance)
    }

    #[test]
    fn slow_fading_has_its_deviation_and_its_correlation_decays_exponentially() {
        let values = values(6.0, 200, 50, 200_000);
        for (lag, expected) in [(1, 0.7788), (4, 0.3679), (12, 0.0498)] {
            let (deviation, correlation) = moments(&values, lag);
            assert!((deviation - 6.0).abs() < 0.1, "{deviation}");
            assert!((correlation - expected).abs() < 0.015, "{lag}: {correlation}");
        }
    }

    /// Sampling more often changes neither: the process does not depend on its sampling.
    #[test]
    fn slow_fading_does_not_depend_on_how_often_it_is_asked() {
        let often = values(6.0, 200, 5, 1_000_000);
        let (deviation, correlation) = moments(&often, 40);
        assert!(
            (deviation - 6.0).abs() < 0.15 && (correlation - 0.3679).abs() < 0.02,
            "{deviation} {correlation}"
        );
    }

    #[test]
    fn a_path_without_fading_draws_nothing() {
        let mut path = Path::new((20.0, 0.0), None, Stream::new(1, "sta", "slow fading"), None);
        let (mut used, mut fresh) = (Stream::new(1, "sta", "losses"), Stream::new(1, "sta", "losses"));
        assert_eq!(path.fade(at(5), &mut used), Fade::default());
        assert_eq!(used.up_to(u32::MAX), fresh.up_to(u32::MAX));
    }

    #[test]
    fn a_shifted_curve_is_that_of_the_other_path() {
        let rate = Rate::ofdm(54).expect("a rate");
        let mut carried = Curve::new(rate, (30.0, 4.0), -30.0, 1);
        let fade = Fade { slow: 0, quick: 3 };
        carried.at(fade).of(1500);
        carried.shift(-12.0);
        let there = Curve::new(rate, (18.0, 4.0), -30.0, 1).at(fade).of(1500);
        assert!((carried.at(fade).of(1500) - there).abs() < 1e-12);
    }

    #[test]
    fn a_deep_fade_is_what_a_lower_ratio_would_be() {
        let rate = Rate::ofdm(54).expect("a rate");
        let mut mean = Curve::new(rate, (30.0, 4.0), -30.0, 1);
        let mut low = Curve::new(rate, (20.0, 4.0), -30.0, 1);
        for quick in 0..16 {
            let deep = mean.at(Fade { slow: -20, quick }).of(1500);
            assert!((deep - low.at(Fade { slow: 0, quick }).of(1500)).abs() < 1e-12);
        }
    }
}
