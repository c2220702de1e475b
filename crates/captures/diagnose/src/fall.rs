//! A signal that falls until its station is out of reach.

use airloom_trace::Bins;

/// How far a signal falls from its best of the last minute, in dB, and how weak it is then, in dBm, where a station is carried out of reach: the
/// slowest rates take some -90 dBm.
const FALLS: f64 = 20.0;
const WEAK: f64 = -78.0;
/// In nanoseconds: that minute, and how long before the end the signal is looked at.
const MINUTE: u64 = 60_000_000_000;
const LATELY: u64 = 3_000_000_000;

/// The signal at the monitor at its best of the last minute and as it was last heard before a time, in dBm, if it fell until it was weak.
pub(crate) fn fall(signal: &Bins, at_ns: u64) -> Option<[f64; 2]> {
    let heard = |place: &usize| {
        let begin_ns = signal.begin_ns(*place);
        begin_ns <= at_ns && begin_ns + MINUTE >= at_ns && signal.bins()[*place].count > 0
    };
    let places: Vec<_> = (0..signal.bins().len()).filter(heard).collect();
    let mean = |from_ns: u64, to_ns: u64| {
        let of_these = places.iter().filter(|place| (from_ns..=to_ns).contains(&signal.begin_ns(**place)));
        let (sum, count) = of_these.fold((0.0, 0), |(sum, count), place| {
            let bin = signal.bins()[*place];
            (sum + bin.sum, count + bin.count)
        });
        (count >= 3).then(|| sum / f64::from(count))
    };
    let end_ns = signal.begin_ns(*places.last()?);
    let last = mean(end_ns.saturating_sub(LATELY), end_ns)?;
    let all = places.iter().filter_map(|place| {
        let from_ns = signal.begin_ns(*place);
        mean(from_ns, from_ns + LATELY)
    });
    let best = all.max_by(f64::total_cmp)?;
    (best - last >= FALLS && last <= WEAK).then_some([best, last])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    /// A signal that is noted every 100 ms for 60 s.
    fn signal(dbm: impl Fn(f64) -> f64) -> Bins {
        let mut bins = Bins::from(0);
        (0..600).for_each(|tenth| bins.note(tenth * SECOND / 10, dbm(tenth as f64 / 10.0)));
        bins
    }

    #[test]
    fn a_station_that_is_carried_away_falls_and_one_that_was_weak_all_along_does_not() {
        let walks = signal(|at| if at < 30.0 { -50.0 } else { -50.0 - 1.4 * (at - 30.0) });
        let [best, last] = fall(&walks, 60 * SECOND).expect("it falls");
        assert!((best + 50.0).abs() < 1.0 && (last + 90.0).abs() < 3.0, "{best} {last}");
        assert_eq!(fall(&walks, 35 * SECOND), None);
        assert_eq!([fall(&signal(|_| -85.0), 60 * SECOND), fall(&Bins::default(), 0)], [None, None]);
        let stronger = signal(|at| -90.0 + 0.5 * at);
        assert_eq!(fall(&stronger, 60 * SECOND), None);
    }
}
