//! A run is a pure function of its scenario and seed: byte for byte, twice, and on every build.

mod pinned;

use crate::scenarios::upload;
use crate::temporary::Temporary;
use airloom_lab::capture::Settings;
use airloom_lab::run::{self, Options};
use airloom_lab::scenario::Scenario;
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

#[test]
fn captures_in_memory_are_those_of_a_bundle() {
    let on_disk = bundle(&upload(1));
    let in_memory = run::captured_in_memory(&upload(1), &Settings::default(), &mut |_| true);
    let in_memory = in_memory.unwrap_or_else(|e| panic!("{e}"));
    assert!(in_memory.iter().any(|(name, _)| name == "air.pcapng"));
    for (name, bytes) in &in_memory {
        assert!(*bytes == on_disk[name], "{name} differs");
    }
    let captures = |name: &&String| name.ends_with(".pcapng");
    assert_eq!(on_disk.keys().filter(captures).count(), in_memory.len());
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
