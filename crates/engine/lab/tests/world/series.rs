//! The series says the same at any width of its bins.

use crate::scenarios::{any_world, good};
use airloom_lab::metrics::{Metric, SeriesRow};
use airloom_lab::run::{self, Outcome};
use airloom_lab::scenario::Scenario;
use airloom_sim::Duration;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A frame that lasts longer than a bin may fill the next ones, too: no frame lasts longer (802.11-2020 table 19-25, aPPDUMaxTime).
const LONGEST_FRAME_S: f64 = 0.006;

/// By entity and metric, the bins: when each starts, and its value.
type Bins = BTreeMap<(u16, &'static str), Vec<(f64, f64)>>;

fn outcome(scenario: &Scenario, every: Duration) -> Outcome {
    let mut scenario = scenario.clone();
    scenario.record.every = every;
    run::run(&scenario, &mut |_| true).expect("not interrupted")
}

fn bins(rows: &[SeriesRow], wanted: fn(Metric) -> bool) -> Bins {
    let mut bins = Bins::new();
    for row in rows.iter().filter(|row| wanted(row.metric)) {
        bins.entry((row.entity, row.metric.name_and_unit().0)).or_default().push((row.time, row.value));
    }
    bins
}

/// Whether a metric is per time, or a mean over time; others are means over packets or samples.
fn over_time(metric: Metric) -> bool {
    !matches!(
        metric,
        Metric::Rtt
            | Metric::Load
            | Metric::Delay
            | Metric::MpdusPerAmpdu
            | Metric::MacRate
            | Metric::ReceivedRate
            | Metric::Sojourn
            | Metric::LinkSojourn
            | Metric::LinkToSojourn
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn fine_bins_add_up_to_coarse_ones(drawn in any_world(), part in prop::sample::select(vec![4u64, 10, 25, 100])) {
        let mut scenario = good(&drawn.text);
        scenario.duration = Duration::from_millis(2300);
        let (width, coarse) = (0.5, outcome(&scenario, Duration::from_millis(500)));
        let fine = outcome(&scenario, Duration::from_millis(500 / part));
        let end = scenario.duration.as_secs_f64();
        let (wide, narrow) = (bins(&coarse.series.rows, over_time), bins(&fine.series.rows, over_time));
        prop_assert!(wide.keys().eq(narrow.keys()));
        for (key, values) in &wide {
            // A value that is first set within a bin counts from then on.
            for &(start, value) in values.iter().skip_while(|bin| bin.1 == 0.0).skip(1) {
                let until = (start + width).min(end);
                let inside = narrow[key].iter().filter(|(at, _)| start - 1e-9 < *at && *at < until - 1e-9);
                let step = width / part as f64;
                let sum: f64 = inside.map(|(at, value)| value * ((at + step).min(end) - at)).sum();
                let mean = sum / (until - start);
                let slack = if key.1 == "airtime" { LONGEST_FRAME_S / (until - start) } else { 1e-9 * (1.0 + value.abs()) };
                prop_assert!((mean - value).abs() <= slack, "{key:?} from {start} s: {mean} of bins, {value}");
            }
        }
        for row in fine.series.rows.iter().filter(|row| row.metric == Metric::Airtime) {
            prop_assert!(row.value <= 1.0 + 1e-12, "{row:?}");
        }
    }
}

#[test]
fn the_last_bin_ends_with_the_run_however_long_a_bin_is() {
    let scenario = good(&crate::scenarios::around(1, 100, ""));
    for (every, count) in [(300, 4), (1000, 1), (86_400_000, 1)] {
        let rows = outcome(&scenario, Duration::from_millis(every)).series.rows;
        let ampdus: Vec<_> =
            rows.iter().filter(|row| row.entity == 0 && row.metric == Metric::Ampdus).collect();
        assert_eq!(ampdus.len(), count, "{every} ms: {ampdus:?}");
    }
}

#[test]
fn a_series_that_cannot_be_read_again_is_refused() {
    let mut scenario = good(&crate::scenarios::around(86_400, 100, ""));
    assert_eq!(airloom_lab::memory::check(&scenario), Ok(()));
    scenario.record.every = Duration::from_millis(1);
    let message = airloom_lab::memory::check(&scenario).expect_err("950 million rows");
    assert!(message.contains("make `record.every` longer"), "{message}");
}
