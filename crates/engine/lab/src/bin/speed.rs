//! How fast a scenario runs, for profilers and benchmarks: `cargo run --release --bin speed -- SCENARIO [key=value…]`.
//!
//! Prints simulated seconds, wall seconds, their ratio, events, nanoseconds per delivered TCP segment, the most memory that
//! was ever resident, and how many frames were on the air. With `BUNDLE=FOLDER` in the environment it makes a bundle there
//! instead, and prints how many segments were delivered.
#![expect(clippy::disallowed_types, reason = "it measures how long a run takes")]

use airloom_lab::summary::{FlowNumbers, Summary};
use airloom_lab::{run, scenario};
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a scenario file");
    let overrides: Vec<(String, String)> =
        args.filter_map(|a| a.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned()))).collect();
    let text = std::fs::read_to_string(&file).expect("a readable scenario");
    let scenario = scenario::load(&text, &file, &overrides, None).unwrap_or_else(|e| panic!("{e}"));
    if let Some(folder) = std::env::var_os("BUNDLE") {
        let options = run::Options { replace: true, ..run::Options::default() };
        let summary =
            run::run_to_bundle(&scenario, folder.as_ref(), &options, &mut |_| true).expect("a bundle");
        let summary: serde_json::Value = serde_json::from_str(&summary).expect("a summary");
        let flows = summary["flows"].as_array().expect("flows");
        let bytes: u64 = flows.iter().filter_map(|flow| flow["bytes_delivered"].as_u64()).sum();
        return println!("{} TCP segments", bytes / 1448);
    }
    let begin = Instant::now();
    let outcome = run::run(&scenario, &mut |_| true).expect("not interrupted");
    let wall = begin.elapsed().as_secs_f64();
    let simulated = scenario.duration.as_secs_f64();
    let bytes: u64 = outcome.summary.flows.iter().map(|flow| delivered(&flow.numbers)).sum();
    let segments = (bytes / 1448).max(1);
    println!(
        "{simulated:.0} s simulated in {wall:.3} s: {:.0} x real time, {:.1} M events, {:.0} ns per TCP segment",
        simulated / wall,
        outcome.events as f64 * 1e-6,
        wall * 1e9 / segments as f64,
    );
    match most_memory() {
        Some(kib) => println!("{segments} TCP segments, at most {:.1} MiB of memory", kib as f64 / 1024.0),
        None => println!("{segments} TCP segments"),
    }
    println!("{} frames on the air", frames(&outcome.summary));
    if std::env::var_os("SUMMARY").is_some() {
        println!("{:#}", outcome.summary.to_value());
    }
}

/// Frames that all nodes sent.
fn frames(summary: &Summary) -> u64 {
    summary.nodes.iter().filter_map(|node| node.radio.as_ref()).flat_map(|radio| radio.frames.values()).sum()
}

/// Bytes of a flow that reached the receiving application.
fn delivered(numbers: &FlowNumbers) -> u64 {
    match numbers {
        FlowNumbers::Tcp(tcp) => tcp.bytes_delivered,
        FlowNumbers::Udp(udp) => udp.bytes_delivered,
        FlowNumbers::Ping(_) => 0,
    }
}

/// The peak resident memory in KiB, where the system reports it (Linux, proc_pid_status(5)).
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
