//! The guard under test, as its package installs it.

use crate::check::{expect, run, s, write};

/// A cap short enough to be seen, in seconds; everything else as it comes.
pub(crate) const CAP: u64 = 120;

/// Starts it, or starts it anew.
pub(crate) fn start(abort: bool) {
    write("/etc/airloom/guard.toml", &format!("cap = \"{CAP} s\"\nabort = {abort}\n"));
    let drop_in = "/etc/systemd/system/airloom-guard.service.d";
    run(&format!("mkdir -p {drop_in}"));
    match abort {
        true => run(&format!("cp /opt/abort.conf {drop_in}/abort.conf")),
        false => run(&format!("rm -f {drop_in}/abort.conf")),
    };
    run("systemctl daemon-reload");
    run("systemctl restart airloom-guard");
    expect("the guard runs", s(20), running);
}

/// Stops it.
pub(crate) fn stop() {
    run("systemctl stop airloom-guard");
}

/// Whether it runs.
pub(crate) fn running() -> bool {
    run("systemctl is-active airloom-guard") == "active"
}

/// One of the things that it shows of itself.
pub(crate) fn shows(what: &str) -> String {
    let status = run("airloom-guard status");
    status
        .lines()
        .find_map(|line| line.strip_prefix(what))
        .map_or(status.clone(), |value| value.trim().to_owned())
}

/// Whether it holds.
pub(crate) fn holds() -> bool {
    shows("State ") == "holding"
}

/// A line of `/proc/PID/status` of the daemon, in KiB.
pub(crate) fn memory(line: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process())).unwrap_or_default();
    let value = status.lines().find_map(|text| text.strip_prefix(line)).unwrap_or("");
    value.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(usize::MAX)
}

/// The daemon's process.
pub(crate) fn process() -> String {
    run("systemctl show --property MainPID --value airloom-guard")
}

/// The most memory that the unit has had since it was started, in bytes, and its limit.
pub(crate) fn peak() -> (usize, usize) {
    let read = |file: &str| {
        let path = format!("/sys/fs/cgroup/system.slice/airloom-guard.service/{file}");
        std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok())
    };
    (read("memory.peak").unwrap_or(usize::MAX), read("memory.max").unwrap_or(0))
}

/// The CPU time that it has used, in nanoseconds.
pub(crate) fn cpu() -> u64 {
    run("systemctl show --property CPUUsageNSec --value airloom-guard").parse().unwrap_or(u64::MAX)
}
