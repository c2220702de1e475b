//! Checks that are counted and shown, and waiting for what shall come.

use std::cell::Cell;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A condition is looked at this often at first, and after longer and longer times up to the longest: looking is work.
const SHORTEST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Whose last words are shown where the machine ends early.
const DAEMONS: &str = "--unit airloom-guard --unit NetworkManager --unit wpa_supplicant --unit iwd";

thread_local! {
    static FAILED: Cell<usize> = const { Cell::new(0) };
}

/// Shows a check and what was measured.
pub(crate) fn check(claim: &str, holds: bool, measured: &str) {
    println!("{} {claim}: {measured}", if holds { "ok  " } else { "FAIL" });
    FAILED.set(FAILED.get() + usize::from(!holds));
}

/// How many checks have failed.
pub(crate) fn failed() -> usize {
    FAILED.get()
}

/// Waits until something is so and says how long that took, or `None` if it was not within `limit`.
pub(crate) fn until(limit: Duration, mut so: impl FnMut() -> bool) -> Option<Duration> {
    let began = Instant::now();
    loop {
        if so() {
            return Some(began.elapsed());
        }
        if began.elapsed() >= limit {
            return None;
        }
        sleep((began.elapsed() / 20).clamp(SHORTEST_WAIT, LONGEST_WAIT));
    }
}

/// Waits for what has to come before anything else makes sense; ends the machine if it does not.
pub(crate) fn expect(what: &str, limit: Duration, so: impl FnMut() -> bool) -> Duration {
    until(limit, so).unwrap_or_else(|| {
        check(what, false, &format!("not within {} s", limit.as_secs()));
        println!("{}", run(&format!("journalctl --no-pager --lines 200 {DAEMONS}")));
        println!("failed: what follows depends on it");
        std::process::exit(1);
    })
}

/// How long the machine has been on, and how much of that it was at work: what its sets cost, whatever machine it is emulated on.
pub(crate) fn work() -> String {
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    let seconds: Vec<f64> = uptime.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [on, idle] = seconds[..] else { return uptime };
    format!("{on:.0} s after the start, {:.0} s of them at work", on - idle)
}

/// Runs a command line, words separated by spaces, and gives what it says; errors too.
pub(crate) fn run(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    run_words(&words)
}

/// The same of words that may have spaces in them.
pub(crate) fn run_words(words: &[&str]) -> String {
    match Command::new(words[0]).args(&words[1..]).output() {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            String::from_utf8_lossy(&text).trim().to_owned()
        }
        Err(e) => format!("{}: {e}", words.join(" ")),
    }
}

/// Writes a file of the system.
pub(crate) fn write(path: &str, text: &str) {
    std::fs::write(path, text).unwrap_or_else(|e| check("a file is written", false, &format!("{path}: {e}")));
}

/// Whole seconds.
pub(crate) const fn s(n: u64) -> Duration {
    Duration::from_secs(n)
}
