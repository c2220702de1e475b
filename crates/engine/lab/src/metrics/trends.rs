//! Whether a run ends before its figures have settled: what still rises or falls towards its end.

use super::flows::takes_what_it_gets;
use super::series::{Metric, SeriesRow};
use crate::summary::Trend;
use airloom_scenario::{FlowKind, Scenario};
use airloom_sim::{Duration, Time};

/// The second half of what is measured, or its last seconds, is looked at in so many parts, each the mean of its bins: what swings within one is no trend.
const PARTS: usize = 10;
/// With fewer parts nothing is said.
const FEWEST: usize = 6;
/// Student's t that chance exceeds once in a hundred times, by the degrees of freedom that 6 to 10 parts leave a slope.
const EXCEEDED: [f64; PARTS - FEWEST + 1] = [4.604, 4.032, 3.707, 3.499, 3.355];
/// A smaller change over them, as a share of its mean, matters to nobody.
const LEAST: f64 = 0.1;
/// Bins of the series are taken together up to this width: finer ones say no more here.
const STEP: Duration = Duration::from_secs(1);
/// What is looked at is at least as long.
const LAST: Duration = Duration::from_secs(FEWEST as u64);

/// The goodput of TCP flows that take what they get, and what they have in flight, over the whole run. Where stations walk nothing settles, and nothing is watched.
pub(super) struct Trends {
    /// By entity of the series, whether it is such a flow, under way during all that is looked at.
    watched: Vec<bool>,
    goodput: Steps,
    in_flight: Steps,
}

/// The means of steps of the run.
#[derive(Default)]
struct Steps {
    /// Each with its start.
    done: Vec<(Time, f64)>,
    start: Time,
    sum: f64,
    length: f64,
}

impl Steps {
    /// A bin with this value, if there is one.
    fn bin(&mut self, start: Time, end: Time, value: Option<f64>) {
        if self.length == 0.0 {
            self.start = start;
        }
        if let Some(value) = value {
            let length = end.since(start).as_secs_f64();
            self.sum += value * length;
            self.length += length;
        }
        if end.since(self.start) >= STEP && self.length > 0.0 {
            self.done.push((self.start, self.sum / self.length));
            (self.sum, self.length) = (0.0, 0.0);
        }
    }

    /// Those of the second half of what is measured; of its last seconds where that has too few.
    fn late(&self, from: Time, until: Time) -> Vec<f64> {
        let since = |time: Time| self.done.iter().filter(move |(start, _)| *start >= time);
        let many = since(middle(from, until)).count().max(FEWEST);
        let measured = since(from).count();
        since(from).skip(measured.saturating_sub(many)).map(|(_, value)| *value).collect()
    }
}

impl Trends {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let end = Time::ZERO + scenario.duration;
        let half = middle(Time::ZERO + scenario.warm_up.unwrap_or_default(), end);
        let looked_at = half.min(Time::ZERO + scenario.duration.saturating_sub(LAST));
        let walks = scenario.station.iter().any(|station| station.path.is_some());
        let nodes = scenario.nodes().map(|_| false).chain(scenario.node_links().into_iter().map(|_| false));
        let flows = scenario.flow.iter().map(|flow| {
            let tcp = matches!(flow.kind, FlowKind::Tcp { .. });
            let throughout =
                Time::ZERO + flow.start <= looked_at && flow.stop.is_none_or(|stop| Time::ZERO + stop >= end);
            tcp && takes_what_it_gets(flow) && throughout && !walks
        });
        Self { watched: nodes.chain(flows).collect(), goodput: Steps::default(), in_flight: Steps::default() }
    }

    /// The rows of a bin.
    pub(super) fn bin(&mut self, start: Time, end: Time, rows: &[SeriesRow]) {
        if !self.watched.contains(&true) {
            return;
        }
        let sum = |metric: Metric| {
            let own = rows.iter().filter(|row| row.metric == metric && self.is_watched(row.entity));
            own.map(|row| row.value).reduce(|sum, value| sum + value)
        };
        let (goodput, in_flight) = (sum(Metric::Goodput), sum(Metric::InFlight));
        self.goodput.bin(start, end, goodput);
        self.in_flight.bin(start, end, in_flight);
    }

    fn is_watched(&self, entity: u16) -> bool {
        self.watched.get(usize::from(entity)) == Some(&true)
    }

    /// What still changes, measured from `from` to `until`.
    pub(super) fn found(&self, from: Time, until: Time) -> Vec<Trend> {
        [("goodput", &self.goodput), ("in_flight", &self.in_flight)]
            .into_iter()
            .filter_map(|(of, steps)| change(&steps.late(from, until)).map(|change| Trend { of, change }))
            .collect()
    }
}

fn middle(from: Time, until: Time) -> Time {
    from + Duration::from_nanos(until.since(from).as_nanos() / 2)
}

/// How far a series rises along a straight line, as a share of its mean; nothing unless that is beyond its scatter and worth a
/// word. The slope's error is that of the parts around the line (ordinary least squares, Student's t at 1 %).
fn change(values: &[f64]) -> Option<f64> {
    let n = values.len().min(PARTS);
    let freedom = n.checked_sub(FEWEST)?;
    let begins = |part: usize| part * values.len() / n;
    let parts: Vec<f64> = (0..n).map(|part| mean_of(&values[begins(part)..begins(part + 1)])).collect();
    let (n, mean) = (n as f64, mean_of(&parts));
    let at = |place: usize| place as f64 - (n - 1.0) / 2.0;
    let spread = n * (n * n - 1.0) / 12.0;
    let slope =
        parts.iter().enumerate().map(|(place, value)| at(place) * (value - mean)).sum::<f64>() / spread;
    let residue = |(place, value): (usize, &f64)| {
        let off = value - mean - slope * at(place);
        off * off
    };
    let residues: f64 = parts.iter().enumerate().map(residue).sum();
    let error = (residues / (n - 2.0) / spread).sqrt();
    let change = slope * n / mean;
    (mean > 0.0 && slope.abs() > EXCEEDED[freedom] * error && change.abs() > LEAST).then_some(change)
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use airloom_sim::Stream;

    /// A line with scatter, in steps.
    fn line(from: f64, to: f64, scatter: f64, n: usize, chance: &mut Stream) -> Vec<f64> {
        let value = |place: usize| {
            let along = place as f64 / (n - 1) as f64;
            from + (to - from) * along + scatter * (chance.uniform() - 0.5)
        };
        (0..n).map(value).collect()
    }

    #[test]
    fn what_rises_or_falls_beyond_its_scatter_is_told() {
        let mut chance = Stream::new(1, "trends", "scatter");
        for n in [6, 10, 11, 19, 60, 600] {
            let up = change(&line(10.0, 20.0, 2.0, n, &mut chance)).expect("it rises");
            assert!((0.5..0.9).contains(&up), "{up} of {n}");
            assert!(change(&line(20.0, 10.0, 2.0, n, &mut chance)).expect("it falls") < -0.5);
        }
    }

    #[test]
    fn the_last_seconds_are_looked_at_where_half_of_what_is_measured_is_short() {
        let at = |second: u64| Time::ZERO + Duration::from_secs(second);
        let steps = |seconds: u64| {
            let mut steps = Steps::default();
            (0..seconds).for_each(|second| steps.bin(at(second), at(second + 1), Some(second as f64)));
            steps
        };
        assert_eq!(steps(10).late(at(3), at(10)), [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(steps(20).late(at(0), at(20)).len(), 10);
        assert_eq!(steps(5).late(at(0), at(5)).len(), 5);
    }

    #[test]
    fn scatter_and_swings_are_no_trend() {
        let mut chance = Stream::new(1, "trends", "scatter");
        let of_chance = (0..1000).filter(|_| change(&line(10.0, 10.0, 8.0, 30, &mut chance)).is_some());
        assert!(of_chance.count() < 20, "one in a hundred");
        // A saw tooth that is as long as the half, at any phase but where it rises along all of it.
        for phase in 2..=8 {
            let tooth: Vec<f64> = (0..60)
                .map(|place| 0.7 + 0.3 * (f64::from(place) / 60.0 + f64::from(phase) / 10.0).fract())
                .collect();
            assert_eq!(change(&tooth), None, "{phase}");
        }
    }

    #[test]
    fn little_or_short_or_nothing_says_nothing() {
        let slow: Vec<f64> = (0..30).map(|place| 100.0 + 0.1 * f64::from(place)).collect();
        let few = [1.0, 2.0, 3.0, 4.0, 5.0];
        for values in [&slow[..], &few, &[0.0; 30], &[7.0; 30], &[]] {
            assert_eq!(change(values), None, "{values:?}");
        }
    }
}
