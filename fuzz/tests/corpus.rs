//! The targets on inputs that are known: on every change, without libFuzzer.

use airloom_sim::Stream;
use std::fs;
use std::path::{Path, PathBuf};

/// Enough for every kind of configuration, and few seconds.
const RANDOM_TESTS: u32 = 5000;

/// The files of a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

/// Feeds each file to `target`. The name of one that fails is the last one printed.
fn feed(folder: &str, target: impl Fn(&[u8])) {
    for path in files(folder) {
        println!("{}", path.display());
        target(&fs::read(path).unwrap());
    }
}

/// As libFuzzer hands text over: invalid text is not tried.
fn text(target: impl Fn(&str)) -> impl Fn(&[u8]) {
    move |octets| _ = str::from_utf8(octets).map(&target)
}

#[test]
fn captures() {
    feed("fuzz/corpus/capture", airloom_fuzz::capture);
}

#[test]
fn frames() {
    feed("fuzz/corpus/frame", airloom_fuzz::frame);
}

#[test]
fn scenarios() {
    feed("fuzz/corpus/scenario", text(airloom_fuzz::scenario));
}

/// The repository's own scenarios are seeds as they are. The other files beside them are scenarios to be refused.
#[test]
fn scenarios_of_examples_and_papers() {
    feed("examples", text(airloom_fuzz::scenario));
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../papers");
    for paper in fs::read_dir(papers).unwrap().map(Result::unwrap) {
        feed(&format!("papers/{}", paper.file_name().display()), text(airloom_fuzz::scenario));
    }
}

#[test]
fn tcp() {
    feed("fuzz/corpus/tcp", airloom_fuzz::tcp);
}

/// The same random octets each time.
#[test]
fn tcp_at_random() {
    let mut random = Stream::new(1, "tcp", "octets");
    for test in 0..RANDOM_TESTS {
        println!("{test}");
        let length = random.up_to(1500);
        let octets: Vec<u8> = (0..length).map(|_| random.up_to(255) as u8).collect();
        airloom_fuzz::tcp(&octets);
    }
}
