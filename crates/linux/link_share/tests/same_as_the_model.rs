//! The arithmetic of the kernel's congestion controls, held against that of the simulator's TCP, event by event.

use airloom_sim::BitRate;
use airloom_tcp::LinkShare;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// What happens to a flow.
#[derive(Clone, Copy, Debug)]
enum Event {
    Link { current: u64, highest: u64, whole: u32 },
    Grow { whole: u32 },
}

fn rate() -> impl Strategy<Value = u64> {
    prop_oneof![
        prop::sample::select(vec![1, 2, 5, 11, 54, 300]).prop_map(|mbps| mbps * 1_000_000),
        (0_u64..20_000).prop_map(|tenths| tenths * 100_000),
        any::<u64>(),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let whole = || prop_oneof![1_u32..200, 1..=u32::MAX];
    prop_oneof![
        (rate(), rate(), whole()).prop_map(|(a, b, whole)| Event::Link {
            current: a.min(b),
            highest: a.max(b),
            whole
        }),
        whole().prop_map(|whole| Event::Grow { whole }),
    ]
}

/// `share.h` as a program, compiled once: a file that is being written cannot be executed. The compiler is the one that links Rust's
/// programs.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("share");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arithmetic.c");
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, &source])
        .status()
        .unwrap();
    assert!(compiled.success());
    program
});

/// What the program makes of lines.
fn kernels(lines: &str) -> Vec<u32> {
    let mut child = Command::new(&*PROGRAM).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let given = lines.to_owned();
    let writer = std::thread::spawn(move || input.write_all(given.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn ten_thousand_events_give_the_same_windows() {
    let mut runner = TestRunner::new(Config { cases: 50, ..Config::default() });
    runner
        .run(&prop::collection::vec(event(), 200), |events| {
            let lines: Vec<_> = events.iter().map(|event| line(event, 1)).collect();
            let mut share = LinkShare::WHOLE;
            let ours: Vec<u32> = events.iter().map(|event| model(&mut share, event)).collect();
            prop_assert_eq!(ours, kernels(&lines.concat()));
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_floor_holds_where_the_window_is_larger_and_changes_nothing_else() {
    let mut runner = TestRunner::new(Config { cases: 20, ..Config::default() });
    runner
        .run(&(prop::collection::vec(event(), 200), 1_u32..50), |(events, floor)| {
            let lines: Vec<_> = events.iter().map(|event| line(event, floor)).collect();
            let mut share = LinkShare::WHOLE;
            let ours: Vec<u32> = events
                .iter()
                .map(|event| match (model(&mut share, event), event) {
                    (used, Event::Link { whole, .. }) => used.max(floor.min(*whole)),
                    (grown, Event::Grow { .. }) => grown,
                })
                .collect();
            prop_assert_eq!(ours, kernels(&lines.concat()));
            Ok(())
        })
        .unwrap();
}

fn line(event: &Event, floor: u32) -> String {
    match *event {
        Event::Link { current, highest, whole } => {
            format!("link {current} {highest} {whole} {floor}\n")
        }
        Event::Grow { whole } => format!("grow {whole}\n"),
    }
}

fn model(share: &mut LinkShare, event: &Event) -> u32 {
    match *event {
        Event::Link { current, highest, whole } => {
            *share = share.turned(BitRate::from_bps(current), BitRate::from_bps(highest), Some(whole));
            share.window(whole)
        }
        Event::Grow { whole } => share.grown(whole),
    }
}
