//! A run is a pure function of its scenario and seed: byte for byte, twice, and on every build.

use crate::scenarios::upload;
use crate::temporary::Temporary;
use airloom_lab::capture::Settings;
use airloom_lab::run::{self, Options, Outcome};
use airloom_lab::scenario::Scenario;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;

/// The files of a scenario's bundle.
fn bundle(scenario: &Scenario) -> BTreeMap<String, Vec<u8>> {
    let folder = Temporary::new();
    let out = folder.path().join("run");
    let options = Options { capture: Some(Settings::default()), ..Options::default() };
    run::run_to_bundle(scenario, &out, &options, &mut |_| true).unwrap_or_else(|e| panic!("{e}"));
    let files = fs::read_dir(&out).expect("a bundle");
    files
        .map(|file| {
            let file = file.expect("an entry");
            let bytes = fs::read(file.path()).expect("a file");
            (file.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

#[test]
fn a_bundle_is_the_same_twice_and_another_with_another_seed() {
    let (first, second, other) = (bundle(&upload(1)), bundle(&upload(1)), bundle(&upload(2)));
    assert!(first.len() >= 4, "{:?}", first.keys());
    assert!(first.keys().eq(second.keys()) && first.keys().eq(other.keys()));
    for (name, bytes) in &first {
        assert!(*bytes == second[name], "{name} differs");
        assert!(*bytes != other[name], "{name} does not depend on the seed");
    }
}

/// Every MPDU of this upload is far too fast for the remedy, which therefore only observes thousands of damaged MPDUs.
#[test]
fn a_remedy_that_finds_nothing_to_remedy_changes_nothing() {
    let plain = upload(1);
    let mut remedied = plain.clone();
    remedied.ap[0].pseudo_retry_out = true;
    let (plain, mut remedied) = (bundle(&plain), bundle(&remedied));
    for name in ["scenario.toml", "manifest.json"] {
        assert!(remedied[name] != plain[name], "{name} shows that the remedy is on");
        remedied.insert(name.to_owned(), plain[name].clone());
    }
    assert!(plain == remedied);
}

/// SHA-256 over the summary, but for the version, and the exact values of the series.
fn fingerprint(outcome: &Outcome) -> String {
    let mut summary = outcome.summary.to_value();
    summary.as_object_mut().expect("a table").remove("airloom");
    let mut hash = Sha256::new();
    hash.update(summary.to_string());
    for row in &outcome.series.rows {
        let (metric, unit) = row.metric.name_and_unit();
        let entity = &outcome.series.entities[usize::from(row.entity)];
        hash.update(format!("{} {entity} {metric} {unit} {:x}\n", row.time, row.value.to_bits()));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Held by every build, with `--release` or without: that is what makes runs comparable across machines.
///
/// The file has a line for each results version. When behaviour changes on purpose, run this test once with
/// `AIRLOOM_REFRESH=1`, which appends the new fingerprint, and commit the file with the change.
#[test]
fn the_upload_is_pinned_on_every_build() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/world/upload.sha256");
    let outcome = run::run(&upload(1), &mut |_| true).expect("not interrupted");
    let now = fingerprint(&outcome);
    let pinned = fs::read_to_string(file).expect("pinned fingerprints");
    let same = pinned.lines().last() == Some(&now);
    if !same && std::env::var_os("AIRLOOM_REFRESH").is_some() {
        return fs::write(file, format!("{pinned}{now}\n")).expect("a writable file");
    }
    assert!(
        same,
        "the upload's numbers changed; if that is meant, run this test once with AIRLOOM_REFRESH=1 and commit {file}"
    );
}

/// The changelog lists every results version with its change, so no fingerprint may replace another.
#[test]
fn every_results_version_is_in_the_changelog() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let changelog = fs::read_to_string(format!("{root}/CHANGELOG.md")).expect("a changelog");
    let pinned =
        fs::read_to_string(format!("{root}/crates/lab/tests/world/upload.sha256")).expect("fingerprints");
    assert_eq!(pinned.lines().count(), airloom_lab::RESULTS as usize);
    for (version, fingerprint) in (1..).zip(pinned.lines()) {
        let entry = format!("- Results version {version} (`{}`): ", &fingerprint[..8]);
        assert!(changelog.contains(&entry), "CHANGELOG.md lacks \"{entry}\", and what it changed");
    }
}
