//! What runs inside the emulated machine; see `run.sh`.

mod attack;
mod bed;
mod call;
mod capture;
mod check;
mod desktop;
mod doze;
mod guard;
mod sets;
mod unit;

use std::process::{Command, ExitCode};

/// This program, as the machine has it.
pub(crate) const PROGRAM: &str = "/opt/airloom-testbed";

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sink"] => bed::sink(),
        ["listen"] => bed::listen(),
        ["streams"] => sets::serve_streams(),
        ["call", local, remote, each, sockets] => return call::perform(local, remote, each, sockets),
        ["desktop"] => return desktop::perform(),
        ["attack", kind, process, seconds] => return attack::perform(kind, process, seconds),
        ["set", set] => return perform(set),
        _ => {}
    }
    let boot = std::fs::read_to_string("/proc/cmdline").unwrap_or_default();
    let sets = boot.split_whitespace().find_map(|word| word.strip_prefix("testbed=")).unwrap_or("none");
    for (before, set) in sets.split('+').enumerate() {
        if before > 0 {
            bed::down();
        }
        println!("-- {set}");
        // Its threads end with its process.
        let _ = Command::new(PROGRAM).args(["set", set]).status();
    }
    ExitCode::SUCCESS
}

/// One set of checks.
fn perform(set: &str) -> ExitCode {
    match sets::SETS.iter().find(|(name, _)| *name == set) {
        Some((_, checks)) => checks(),
        None => check::check("the set of checks is known", false, set),
    }
    match check::failed() {
        0 => println!("passed: {set}, {}", check::work()),
        n => println!("failed: {n} of {set}, {}", check::work()),
    }
    ExitCode::from(u8::from(check::failed() > 0))
}
