//! Runs whose numbers every build has to find again, to the last bit. Together they touch what there is.
//!
//! `pinned/fingerprints.txt` is their history: a line for each results version, with the runs that it moved, and every run
//! where it was pinned first. A run's fingerprint is the last that is there.

use crate::scenarios::good;
use airloom_lab::run::{self, Outcome};
use airloom_lab::scenario::Scenario;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
const HISTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world/determinism/pinned/fingerprints.txt");

/// The pinned runs, each with its name in the history.
fn runs() -> Vec<(&'static str, Scenario)> {
    vec![
        ("upload", good(include_str!("pinned/upload.toml"))),
        ("usb", good(include_str!("pinned/usb.toml"))),
        ("shares", good(include_str!("pinned/shares.toml"))),
        ("hidden", good(include_str!("pinned/hidden.toml"))),
        ("bbr", good(include_str!("pinned/bbr.toml"))),
        ("bbr3", good(include_str!("pinned/bbr3.toml"))),
        ("shaped", good(include_str!("pinned/shaped.toml"))),
        ("remedy", good(include_str!("pinned/remedy.toml"))),
        ("wide", good(include_str!("pinned/wide.toml"))),
        ("roams", good(include_str!("pinned/roams.toml"))),
        ("eht", good(include_str!("pinned/eht.toml"))),
        ("links", good(include_str!("pinned/links.toml"))),
    ]
}

/// SHA-256 over the summary, but for the version, what it warns of, what it concludes of trends and standstills, which time each goodput is over, and means of
/// series; and the exact values of the series; both without what waits before wires, which is seen only, as nothing comes of its being seen.
fn fingerprint(outcome: &Outcome) -> String {
    let mut summary = outcome.summary.to_value();
    for left_out in ["airloom", "trends", "standstills"] {
        summary.as_object_mut().expect("a table").remove(left_out);
    }
    // They are of the scenario, and no numbers.
    summary["warnings"] = Vec::<String>::new().into();
    for flow in summary["flows"].as_array_mut().expect("a list") {
        for left_out in ["start_s", "end_s", "time_share", "in_flight_mean"] {
            flow.as_object_mut().expect("a table").remove(left_out);
        }
    }
    without_waits_before_wires(&mut summary);
    let mut hash = Sha256::new();
    hash.update(summary.to_string());
    for row in &outcome.series.rows {
        let (metric, unit) = row.metric.name_and_unit();
        if metric.starts_with("link_") {
            continue;
        }
        let entity = &outcome.series.entities[usize::from(row.entity)];
        hash.update(format!("{} {entity} {metric} {unit} {:x}\n", row.time, row.value.to_bits()));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A server has the drops of its own queue alone.
fn without_waits_before_wires(summary: &mut Value) {
    for node in summary["nodes"].as_array_mut().expect("a list") {
        let queues = node["queues"].as_array_mut().expect("a list");
        queues.retain(|queue| queue["layer"] != "link_to");
        for queue in queues.iter_mut().filter(|queue| queue["layer"] == "link") {
            let table = queue.as_object_mut().expect("a table");
            table.retain(|key, _| ["layer", "drops"].contains(&key.as_str()));
        }
    }
}

/// The runs that a line of the history names, each with its fingerprint.
fn pins(line: &str) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    line.split(' ').map(|pin| pin.split_once(':').expect("run:fingerprint"))
}

/// The history with these runs: where one has moved, they are a new line, and thus a new results version; those that were
/// never pinned have moved nothing and join the last line.
fn with_pins(history: &str, now: &[(&str, String)]) -> String {
    let pinned = |run: &str| {
        let mut pins = history.lines().flat_map(pins);
        pins.rfind(|(name, _)| *name == run).map(|(_, fingerprint)| fingerprint)
    };
    let differ = || now.iter().filter(|(run, print)| pinned(run) != Some(print));
    let more: Vec<String> = differ().map(|(run, print)| format!("{run}:{print}")).collect();
    if more.is_empty() {
        return history.to_owned();
    }
    let moved = differ().any(|(run, _)| pinned(run).is_some());
    format!("{}{}{}\n", history.trim_end(), if moved { "\n" } else { " " }, more.join(" "))
}

/// Held by every build, with `--release` or without: that is what makes runs comparable across machines.
///
/// When behaviour changes on purpose, run this test once with `AIRLOOM_REFRESH=1`, which appends the new fingerprints, and
/// commit the file with the change.
#[test]
fn runs_have_the_pinned_fingerprints() {
    let print =
        |scenario: &Scenario| fingerprint(&run::run(scenario, &mut |_| true).expect("not interrupted"));
    let now: Vec<_> = runs().iter().map(|(name, scenario)| (*name, print(scenario))).collect();
    let history = fs::read_to_string(HISTORY).expect("pinned fingerprints");
    let meant = with_pins(&history, &now);
    if std::env::var_os("AIRLOOM_REFRESH").is_some() {
        return fs::write(HISTORY, meant).expect("a writable file");
    }
    let differs = meant.strip_prefix(history.trim_end()).expect("a history that is only added to").trim();
    assert!(
        differs.is_empty(),
        "the numbers of these runs changed: {differs}\nif that is meant, run this test once with AIRLOOM_REFRESH=1 and \
         commit {HISTORY}"
    );
}

#[test]
fn a_run_that_moves_makes_a_version_and_a_new_run_does_not() {
    let now = |pins: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        pins.iter().map(|(run, print)| (*run, (*print).to_owned())).collect()
    };
    let history = "a:1\na:2 b:5\n";
    assert_eq!(with_pins(history, &now(&[("a", "2"), ("b", "5")])), history);
    assert_eq!(with_pins(history, &now(&[("a", "2"), ("b", "5"), ("c", "7")])), "a:1\na:2 b:5 c:7\n");
    assert_eq!(with_pins(history, &now(&[("a", "2"), ("b", "6")])), "a:1\na:2 b:5\nb:6\n");
    assert_eq!(with_pins(history, &now(&[("a", "1"), ("b", "5"), ("c", "7")])), "a:1\na:2 b:5\na:1 c:7\n");
}

/// The changelog lists every results version with its change, so no fingerprint may replace another.
#[test]
fn every_results_version_is_in_the_changelog() {
    let changelog = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).expect("a changelog");
    let history = fs::read_to_string(HISTORY).expect("pinned fingerprints");
    assert_eq!(history.lines().count(), airloom_lab::RESULTS as usize);
    for (version, line) in (1..).zip(history.lines()) {
        let (_, first) = pins(line).next().expect("a pin");
        let entry = format!("- Results version {version} (`{}`): ", &first[..8]);
        assert!(changelog.contains(&entry), "CHANGELOG.md lacks \"{entry}\", and what it changed");
    }
}
