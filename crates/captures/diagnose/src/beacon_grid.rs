//! Times that keep to the grid of an access point's beacons, as a host's clock has it.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

/// Between two beacons, in seconds: 100 time units of 1024 us, what nearly all access points have.
pub(crate) const INTERVAL: f64 = 0.1024;
/// How much faster or slower the host's clock may run than the access point's.
const DRIFT: f64 = 1e-4;
/// Steps of the drift, in turns over the whole time.
const TURN: f64 = 0.125;

/// How far from its place on the grid an answer lies that came with a beacon, as a part of the interval: 5 ms, for what the access point sends first.
const NEAR: f64 = 0.005 / INTERVAL;

/// How closely times keep to the grid at its best drift, and how closely others do there: from 0, of times at random about the root of one over their
/// number, to 1. The third is how many of five beacons in a row were met: a timer of five intervals (512 ms) meets one.
pub(crate) fn closeness(times: &[f64], others: &[f64]) -> (f64, f64, usize) {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return (0.0, 0.0, 0) };
    let at =
        |times: &[f64], drift: f64| mean(times.iter().map(|time| (time - first) / INTERVAL * (1.0 + drift)));
    let length = |(x, y): (f64, f64)| libm::hypot(x, y);
    let best = drifts(first, last)
        .max_by(|&one, &other| length(at(times, one)).total_cmp(&length(at(times, other))));
    let drift = best.unwrap_or_default();
    let (x, y) = at(times, drift);
    let offset = libm::atan2(y, x) / TAU;
    let beacons = times.iter().map(|time| (time - first) / INTERVAL * (1.0 + drift) - offset);
    (length((x, y)), length(at(others, drift)), met(beacons))
}

/// Times that come with beacons, among some that do not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gathered {
    /// The chance, at most, that as many of times at random lie as near to one place on the grid, as its natural logarithm.
    pub(crate) chance_ln: f64,
    /// The same of the others, on the same grid.
    pub(crate) others_ln: f64,
    /// Which of the times come with beacons: their places in the list.
    pub(crate) places: Vec<usize>,
    /// How many of five beacons in a row these meet.
    pub(crate) met: usize,
}

/// Those of some times that lie within 5 ms of one place on the grid, where and at the drift at which they are most.
pub(crate) fn gathered(times: &[f64], others: &[f64]) -> Gathered {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Gathered::default() };
    let turns = |times: &[f64], drift: f64| -> Vec<f64> {
        times.iter().map(|time| (time - first) / INTERVAL * (1.0 + drift)).collect()
    };
    let grids = drifts(first, last).count();
    let windows = drifts(first, last).map(|drift| (drift, fullest(&turns(times, drift))));
    let Some((drift, (begin, many))) = windows.max_by_key(|&(_, (_, many))| many) else {
        return Gathered::default();
    };
    let turns_of_others = turns(others, drift);
    let turns = turns(times, drift);
    let is_in = |turn: f64| (turn - begin).rem_euclid(1.0) <= 2.0 * NEAR;
    let places: Vec<usize> = (0..turns.len()).filter(|&place| is_in(turns[place])).collect();
    Gathered {
        chance_ln: chance_ln(turns.len(), many, grids),
        others_ln: chance_ln(turns_of_others.len(), fullest(&turns_of_others).1, 1),
        met: met(places.iter().map(|&place| turns[place] - begin - NEAR)),
        places,
    }
}

/// The drifts that are looked at from a time to another, in seconds.
fn drifts(first: f64, last: f64) -> impl Iterator<Item = f64> {
    let turns = (last - first) / INTERVAL;
    let steps = (DRIFT * turns / TURN).ceil() as i32;
    (-steps..=steps).map(move |step| f64::from(step) * TURN / turns.max(1.0))
}

/// How many of five beacons in a row are met, by times in turns of the grid.
fn met(times: impl Iterator<Item = f64>) -> usize {
    times.map(|time| (time.round() as i64).rem_euclid(5)).collect::<BTreeSet<_>>().len()
}

/// Where on the grid a window of 10 ms begins that holds most of these turns, and how many.
fn fullest(turns: &[f64]) -> (f64, usize) {
    let mut places: Vec<f64> = turns.iter().map(|turn| turn.rem_euclid(1.0)).collect();
    places.sort_by(f64::total_cmp);
    let until = |end: f64| places.partition_point(|&place| place <= end);
    let from = |(before, &begin): (usize, &f64)| {
        let end = begin + 2.0 * NEAR;
        (begin, until(end) - before + until(end - 1.0))
    };
    places.iter().enumerate().map(from).max_by_key(|&(_, many)| many).unwrap_or_default()
}

/// A bound of the chance that one window, which begins with one of some times at random, holds so many of them, on any of so many grids: that of Chernoff (1952)
/// for a binomial distribution, times the windows that were looked at. As its natural logarithm.
fn chance_ln(times: usize, within: usize, grids: usize) -> f64 {
    let [all, more] = [times, within].map(|many| many.saturating_sub(1) as f64);
    let (share, likely) = (more / all.max(1.0), 2.0 * NEAR);
    if share <= likely {
        return 0.0;
    }
    let part = |share: f64, likely: f64| if share > 0.0 { share * libm::log(share / likely) } else { 0.0 };
    let apart = part(share, likely) + part(1.0 - share, 1.0 - likely);
    (libm::log((times * grids) as f64) - all * apart).min(0.0)
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
    fn what_comes_with_beacons_is_found_among_what_does_not() {
        let sent: Vec<f64> = (0..40_u32).map(|n| 0.7781 * f64::from(n)).collect();
        // Every third answer comes 40 ms behind its question.
        let late = |(n, &sent): (usize, &f64)| {
            if n % 3 == 0 { sent + 0.04 } else { (sent / INTERVAL).ceil() * INTERVAL }
        };
        let came: Vec<f64> = sent.iter().enumerate().map(late).collect();
        let found = gathered(&came, &sent);
        assert!(found.chance_ln < -21.0 && found.others_ln > -1.0 && found.met == 5, "{found:?}");
        assert!((26..32).contains(&found.places.len()));
        let none = gathered(&sent, &sent);
        assert!(none.chance_ln > -1.0, "{none:?}");
        assert_eq!(gathered(&[], &[]), Gathered::default());
    }

    #[test]
    fn the_bound_of_a_chance_is_above_it_and_not_far() {
        // Of 29 others 20 and more within a window of 10 in 102.4 ms, by the binomial distribution, times 30 windows.
        let exact_ln = -27.88;
        let bound_ln = chance_ln(30, 21, 1);
        assert!((exact_ln..exact_ln + 3.0).contains(&bound_ln), "{bound_ln}");
        assert!(chance_ln(30, 3, 1) >= 0.0 && chance_ln(0, 0, 1) >= 0.0);
        assert!(chance_ln(30, 30, 1) < -60.0);
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
