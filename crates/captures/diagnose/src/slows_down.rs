//! A flow that goes slower from some time on, to its end.

use crate::flow::Flow;
use airloom_trace::tcp::Limit;

/// In nanoseconds.
const SECOND: u64 = 1_000_000_000;
/// The seconds on either side that tell a rate, at least, and those of slow start before them.
const FEWEST: usize = 3;
const STARTS: usize = 1;
/// The rate behind that time as a part of that before it, at most: what TCP takes from second to second differs by less.
const SLOWER: f64 = 0.6;
/// The part of the seconds on either side that may be as fast or as slow as those on the other.
const STRAY: f64 = 0.1;
/// A second with less than this part of what its fastest one carries has nothing of what went: a reply that keeps a connection, no data.
const NOTHING: f64 = 0.01;
/// A sender that had nothing to send for this share of its time goes as its program does.
const PROGRAMS: f64 = 0.25;

/// When a flow became slower, in nanoseconds since 1970, and the medians of its seconds before and behind that, in Mbit/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlowsDown {
    pub(crate) at_ns: u64,
    pub(crate) before_mbps: f64,
    pub(crate) behind_mbps: f64,
}

/// Whether a flow that a program does not limit, as far as that shows, becomes slower for good.
pub(crate) fn slows_down(flow: &Flow<'_>) -> Option<SlowsDown> {
    let data = flow.data();
    let (first_ns, last_ns) = data.span_ns?;
    if data.limits.share(Limit::Application) >= PROGRAMS && flow.is_near_sender() {
        return None;
    }
    let piece_ns = SECOND.max(2 * data.delivered.width_ns());
    let count = (last_ns.saturating_sub(first_ns) / piece_ns) as usize;
    // Nothing is told of what was captured long apart.
    let told = data.delivered.bins().len() as u64 * data.delivered.width_ns() / piece_ns + 2;
    let begins = |place: usize| first_ns + place as u64 * piece_ns;
    if count as u64 > told {
        return None;
    }
    let mbps = |place: usize| data.delivered.sum(begins(place), begins(place + 1)) * 8e3 / piece_ns as f64;
    let rates: Vec<f64> = (STARTS..count).map(mbps).collect();
    let (split, [before_mbps, behind_mbps]) = falls(&rates)?;
    Some(SlowsDown { at_ns: begins(STARTS + split), before_mbps, behind_mbps })
}

/// From which of some rates on they are lower to the end, and the medians of those before it and of the rest. What comes behind the last second that carries something is behind
/// the end; where more of the slow ones carry nothing, what went before may have ended, too.
fn falls(rates: &[f64]) -> Option<(usize, [f64; 2])> {
    let least = NOTHING * rates.iter().copied().fold(0.0, f64::max);
    let goes = |rate: &f64| *rate > least;
    let rates = &rates[..=rates.iter().rposition(goes)?];
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    // Where what lies between the two parts is the most of how rates differ (Otsu 1979).
    let between = |split: &usize| {
        let (before, behind) = rates.split_at(*split);
        let apart = mean(before) - mean(behind);
        before.len() as f64 * behind.len() as f64 * apart * apart.abs()
    };
    let splits = FEWEST..(rates.len() + 1).saturating_sub(FEWEST);
    let split = splits.max_by(|one, other| between(one).total_cmp(&between(other)))?;
    let [before, behind] = [&rates[..split], &rates[split..]].map(sorted);
    let [usual, slow] = [&before, &behind].map(|part| quantile(part, 0.5));
    let are_apart = quantile(&behind, 1.0 - STRAY) < quantile(&before, STRAY);
    let silent = behind.iter().filter(|rate| !goes(rate)).count();
    let goes_on = silent as f64 <= STRAY * behind.len() as f64;
    (are_apart && goes_on && slow <= SLOWER * usual).then_some((split, [usual, slow]))
}

fn sorted(rates: &[f64]) -> Vec<f64> {
    let mut rates = rates.to_vec();
    rates.sort_by(f64::total_cmp);
    rates
}

/// The value below which such a part of some values lies, which are in order; 0 without any.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = (part * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_falls_and_stays_low_is_told_with_both() {
        let walks = [500.0, 510.0, 480.0, 505.0, 490.0, 300.0, 90.0, 80.0, 85.0, 88.0, 70.0];
        let (split, [before, behind]) = falls(&walks).expect("it falls");
        assert!((5..=6).contains(&split), "{split}");
        assert!((485.0..=505.0).contains(&before) && (80.0..=90.0).contains(&behind), "{before} {behind}");
    }

    #[test]
    fn what_has_ended_does_not_fall() {
        let kept = [23.0, 23.0, 22.0, 23.0, 24.0, 23.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.001];
        let and_more = [23.0, 23.0, 22.0, 23.0, 24.0, 23.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0];
        let falls_and_ends = [23.0, 23.0, 23.0, 24.0, 4.0, 4.0, 4.0, 5.0, 0.0, 0.0, 0.001];
        assert_eq!((falls(&kept), falls(&and_more)), (None, None));
        assert_eq!(falls(&falls_and_ends), Some((4, [23.0, 4.0])));
    }

    #[test]
    fn what_recovers_or_swings_or_grows_does_not_fall() {
        let recovers = [500.0, 500.0, 500.0, 90.0, 80.0, 90.0, 500.0, 500.0, 490.0];
        let swings = [500.0, 200.0, 480.0, 210.0, 490.0, 190.0, 505.0, 205.0, 200.0, 210.0];
        let grows = [10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 320.0, 320.0];
        let falls_little = [500.0, 500.0, 500.0, 500.0, 400.0, 400.0, 400.0, 400.0];
        let ends = [500.0, 500.0, 500.0, 500.0, 500.0, 80.0, 90.0];
        for rates in [&recovers[..], &swings, &grows, &falls_little, &ends, &[], &[1.0]] {
            assert_eq!(falls(rates), None, "{rates:?}");
        }
    }
}
