//! The guard under test, as its package installs it.

use crate::check::{expect, run, s, write};
use crate::unit::Unit;

pub(crate) const UNIT: Unit = Unit("airloom-guard");

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
    expect("the guard runs", s(20), || UNIT.active());
}

/// Stops it.
pub(crate) fn stop() {
    run("systemctl stop airloom-guard");
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

/// The most memory that the unit has had since it was started, in bytes, and its limit.
pub(crate) fn peak() -> (usize, usize) {
    let read = |file: &str| {
        let path = format!("/sys/fs/cgroup/system.slice/airloom-guard.service/{file}");
        std::fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok())
    };
    (read("memory.peak").unwrap_or(usize::MAX), read("memory.max").unwrap_or(0))
}
