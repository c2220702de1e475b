//! Times that keep to the grid of an access point's beacons, as a host's clock has it.

use std::f64::consts::TAU;

/// Between two beacons, in seconds: 100 time units of 1024 us, what nearly all access points have.
pub(crate) const INTERVAL: f64 = 0.1024;
/// How much faster or slower the host's clock may run than the access point's.
const DRIFT: f64 = 1e-4;
/// Steps of the drift, in turns over the whole time.
const TURN: f64 = 0.125;

/// How closely times keep to the grid at its best drift, and how closely others do there: from 0, of times at random about the root of one over their
/// number, to 1. The third is how many of five beacons in a row were met: a timer of five intervals (512 ms) meets one.
pub(crate) fn closeness(times: &[f64], others: &[f64]) -> (f64, f64, usize) {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return (0.0, 0.0, 0) };
    let turns = (last - first) / INTERVAL;
    let steps = (DRIFT * turns / TURN).ceil() as i32;
    let drifts = (-steps..=steps).map(|step| f64::from(step) * TURN / turns.max(1.0));
    let at =
        |times: &[f64], drift: f64| mean(times.iter().map(|time| (time - first) / INTERVAL * (1.0 + drift)));
    let length = |(x, y): (f64, f64)| libm::hypot(x, y);
    let best = drifts.max_by(|&one, &other| length(at(times, one)).total_cmp(&length(at(times, other))));
    let drift = best.unwrap_or_default();
    let (x, y) = at(times, drift);
    let offset = libm::atan2(y, x) / TAU;
    let beacon = |time: &f64| ((time - first) / INTERVAL * (1.0 + drift) - offset).round() as i64;
    let met = (0..5).filter(|&place| times.iter().any(|time| beacon(time).rem_euclid(5) == place)).count();
    (length((x, y)), length(at(others, drift)), met)
}

/// The mean of the directions into which these turns point.
fn mean(turns: impl ExactSizeIterator<Item = f64>) -> (f64, f64) {
    let count = turns.len().max(1) as f64;
    let (x, y) = turns.fold((0.0, 0.0), |(x, y), turn| {
        let (sin, cos) = libm::sincos(TAU * turn.fract());
        (x + cos, y + sin)
    });
    (x / count, y / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times at which beacons of a clock that drifts come, one in seven or so, and a little behind them.
    fn on_grid(drift: f64, step: u32) -> Vec<f64> {
        (0..60_u32)
            .map(|n| f64::from(n * step + n % 3) * INTERVAL * (1.0 + drift) + 0.002 * f64::from(n % 4))
            .collect()
    }

    #[test]
    fn a_grid_is_found_whatever_the_clock_does() {
        let others: Vec<f64> = (0..60_u32).map(|n| 0.7781 * f64::from(n)).collect();
        for drift in [0.0, 4e-5, -9e-5] {
            let (times, sent, met) = closeness(&on_grid(drift, 7), &others);
            assert!(times > 0.95 && sent < 0.4 && met == 5, "{times} {sent} {met}");
        }
    }

    #[test]
    fn other_timers_keep_to_no_beacon() {
        for period in [0.1, 0.2, 0.04, 0.25, 1.0, 0.0333] {
            let times: Vec<f64> = (0..100_u32).map(|n| f64::from(n * 7 + n % 3) * period).collect();
            let (close, ..) = closeness(&times, &[]);
            assert!(close < 0.5, "{close} at {period} s");
        }
        let ticks: Vec<f64> = (0..100_u32).map(|n| f64::from(n) * 0.512).collect();
        assert_eq!(closeness(&ticks, &[]).2, 1);
        assert_eq!(closeness(&[], &[]), (0.0, 0.0, 0));
    }
}
