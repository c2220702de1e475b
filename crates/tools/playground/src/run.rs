//! A run: its summary as JSON, and its series as columns behind it.

use crate::message::Message;
use crate::scenario::{Asked, placed};
use airloom_lab::memory;
use airloom_lab::metrics::{Metric, SeriesRow};
use airloom_lab::run;
use airloom_lab::scenario::Scenario;
use serde_json::json;

/// Rows of a series: more of them would hold a page up while they are drawn.
const MOST_ROWS: u64 = 1_000_000;

/// Runs a scenario; what is refused has an `error`, and a `hint` of what to do.
///
/// The octets are the series, a row each in four columns: all times and all values as 64-bit floats, the entities as 16-bit numbers
/// and the metrics as 8-bit ones, whose names the JSON has; the lowest octet first.
pub(crate) fn run(asked: &Asked, progress: &mut dyn FnMut(f64) -> bool) -> Message {
    let scenario = match asked.load() {
        Ok((scenario, _)) => scenario,
        Err(mistakes) => return Message::of(json!({ "mistakes": placed(mistakes.all()) })),
    };
    if let Some(refusal) = too_long(&scenario) {
        return Message::of(refusal);
    }
    let outcome = match run::run(&scenario, progress) {
        Ok(outcome) => outcome,
        Err(error) => return Message::of(json!({ "error": error.to_string() })),
    };
    let metrics = Metric::OF_FLOWS.iter().chain(&Metric::OF_NODES);
    let (metrics, units): (Vec<_>, Vec<_>) = metrics.map(|metric| metric.name_and_unit()).unzip();
    let json = json!({
        "summary": outcome.summary.to_document(),
        "bin_s": scenario.record.every.as_secs_f64(),
        "events": outcome.events,
        "results": airloom_lab::RESULTS,
        "series": {
            "rows": outcome.series.rows.len(),
            "entities": outcome.series.entities,
            "metrics": metrics,
            "units": units,
        },
    });
    Message { json, octets: columns(&outcome.series.rows) }
}

fn too_long(scenario: &Scenario) -> Option<serde_json::Value> {
    let rows = memory::rows(scenario);
    (rows > MOST_ROWS).then(|| {
        let millions = |rows: u64| rows as f64 * 1e-6;
        json!({
            "error": format!("this run's series would have {:.1} million rows, and a page draws {:.1} at most", millions(rows), millions(MOST_ROWS)),
            "hint": "make `duration` shorter, `record.every` longer or stations fewer; `airloom run` has no such limit",
        })
    })
}

fn columns(rows: &[SeriesRow]) -> Vec<u8> {
    let metric = |row: &SeriesRow| {
        let place = Metric::OF_FLOWS.iter().chain(&Metric::OF_NODES).position(|&one| one == row.metric);
        place.and_then(|place| u8::try_from(place).ok()).expect("all metrics are in these lists")
    };
    let times = rows.iter().flat_map(|row| row.time.to_le_bytes());
    let values = rows.iter().flat_map(|row| row.value.to_le_bytes());
    let entities = rows.iter().flat_map(|row| row.entity.to_le_bytes());
    times.chain(values).chain(entities).chain(rows.iter().map(metric)).collect()
}
