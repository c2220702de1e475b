//! Shadowing as a field over the plan: how much better or worse a path is than its distance and the walls would give.
//!
//! It is a pure function of the seed and of the places of both ends, so that a place is the same when somebody comes back. Over
//! the places of either end its correlation is `exp(-d / d_corr)` (Gudmundson 1991), of both the product (Wang, Tameh and Nix, "Joint
//! Shadowing Process in Urban Peer-to-Peer Radio Channels", IEEE TVT 57(1), 2008). It is a sum of waves in random directions, as there: where wave
//! vectors are drawn from a Cauchy distribution, whose characteristic function is exponential, the correlation is the one wanted.

use crate::track::Point;
use airloom_sim::Stream;

/// The distance at which the correlation has decayed to 1/e, in metres: that of indoor offices without line of sight (3GPP TR 38.901,
/// table 7.5-6).
const CORRELATION_METRES: f64 = 6.0;

/// Waves of a field: so many that their sum is Gaussian.
const WAVES: usize = 256;

/// A wave over the places of both ends.
#[derive(Clone, Copy, Debug)]
struct Wave {
    one: Point,
    other: Point,
    phase: f64,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Shadowing {
    /// The height of a wave in dB.
    height_db: f64,
    waves: Vec<Wave>,
}

impl Shadowing {
    /// Of this standard deviation, in dB, in the run with this seed.
    pub fn new(deviation_db: f64, seed: u64) -> Self {
        let mut chance = Stream::new(seed, "plan", "shadowing");
        let waves = (0..WAVES).map(|_| {
            let [one, other] = [(); 2].map(|()| cauchy(&mut chance));
            Wave { one, other, phase: 2.0 * std::f64::consts::PI * chance.uniform() }
        });
        let waves = waves.collect();
        Self { height_db: deviation_db * libm::sqrt(2.0 / WAVES as f64), waves }
    }

    /// Its value in dB between two places, of which the first is that of the radio with the lower number.
    pub fn db(&self, one: Point, other: Point) -> f64 {
        let along = |wave: Point, at: Point| wave.x * at.x + wave.y * at.y + wave.z * at.z;
        let wave = |wave: &Wave| libm::cos(along(wave.one, one) + along(wave.other, other) + wave.phase);
        self.height_db * self.waves.iter().map(wave).sum::<f64>()
    }
}

/// A wave vector of a Cauchy distribution in three dimensions, in radians per metre: a Gaussian one over another Gaussian number.
fn cauchy(chance: &mut Stream) -> Point {
    let [x, y, z] = [(); 3].map(|()| chance.normal());
    let scale = 1.0 / (CORRELATION_METRES * chance.normal().abs().max(1e-9));
    Point { x: x * scale, y: y * scale, z: z * scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AP: Point = Point { x: 1.0, y: 2.0, z: 2.5 };

    /// Deviation of the values at two places, and their correlation, over many runs.
    fn moments(ends: [(Point, Point); 2]) -> (f64, f64) {
        const RUNS: u64 = 4_000;
        let pairs = (0..RUNS).map(|seed| {
            let field = Shadowing::new(5.0, seed);
            ends.map(|(one, other)| field.db(one, other))
        });
        let (mut squares, mut products) = (0.0, 0.0);
        for [a, b] in pairs {
            squares += (a * a + b * b) / 2.0;
            products += a * b;
        }
        (libm::sqrt(squares / RUNS as f64), products / squares)
    }

    #[test]
    fn it_has_its_deviation_and_its_correlation_decays_with_distance() {
        let sta = |x: f64, z: f64| Point { x, y: 7.0, z };
        for (other, expected) in [(sta(6.0, 0.0), 0.3679), (sta(1.5, 0.0), 0.7788), (sta(0.0, 3.0), 0.6065)] {
            let (deviation, correlation) = moments([(AP, sta(0.0, 0.0)), (AP, other)]);
            assert!((deviation - 5.0).abs() < 0.2, "{deviation}");
            assert!((correlation - expected).abs() < 0.05, "{other:?}: {correlation}, not {expected}");
        }
        // Both ends elsewhere: the product.
        let (_, both) = moments([(AP, sta(0.0, 0.0)), (Point { x: 2.5, ..AP }, sta(1.5, 0.0))]);
        assert!((both - 0.7788 * 0.7788).abs() < 0.05, "{both}");
    }

    /// Of the values at one place over many runs, 68.3 % lie within one standard deviation, 95.4 % within two.
    #[test]
    fn its_values_are_gaussian() {
        let values: Vec<f64> =
            (0..4_000).map(|seed| Shadowing::new(1.0, seed).db(AP, Point::default())).collect();
        for (within, expected) in [(1.0, 0.683), (2.0, 0.954)] {
            let share = values.iter().filter(|v| v.abs() < within).count() as f64 / values.len() as f64;
            assert!((share - expected).abs() < 0.025, "{within}: {share}");
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the same to the last bit is meant")]
    fn whoever_comes_back_finds_the_same() {
        let field = Shadowing::new(6.0, 3);
        let place = Point { x: 4.0, y: 0.5, z: 1.0 };
        let before = field.db(AP, place);
        field.db(AP, Point { x: 9.0, ..place });
        assert_eq!(field.db(AP, place), before);
        assert_eq!(Shadowing::new(6.0, 3).db(AP, place), before);
        assert_ne!(Shadowing::new(6.0, 4).db(AP, place), before);
    }
}
