//! The sets of checks: each is for a machine that has just booted, or that [`crate::bed::down`] has made one.

mod attacked;
mod captures;
mod current;
mod days;
mod doctor;
mod iwd;
mod rate;
mod requests;
mod roams;
mod soak;
mod streams;
mod transfer;

use crate::check::{check, run};
use std::fs;
use std::process::Command;
pub(crate) use streams::serve as serve_streams;

/// The sets by their names.
pub(crate) const SETS: [(&str, fn()); 12] = [
    ("attacked", attacked::checks),
    ("captures", captures::checks),
    ("current", current::checks),
    ("days", days::checks),
    ("doctor", doctor::checks),
    ("iwd", iwd::checks),
    ("rate", rate::checks),
    ("requests", requests::checks),
    ("roams", roams::checks),
    ("soak", soak::checks),
    ("streams", streams::checks),
    ("transfer", transfer::checks),
];

/// The serial port over which files leave the machine.
const PORT: &str = "/dev/ttyS2";

/// Installs the package and leaves its service stopped, unless a set before this one has done so.
fn install() {
    if fs::exists("/usr/bin/airloom-guard").unwrap_or(false) {
        return;
    }
    let said = run("dpkg -i /opt/airloom-guard.deb");
    let active = run("systemctl is-active airloom-guard");
    check("the package installs and its unit starts", active == "active", &format!("the unit is {active}"));
    if active != "active" {
        println!("{said}\n{}", run("journalctl --no-pager --lines 20 --unit airloom-guard"));
    }
    run("systemctl stop airloom-guard");
}

/// Sends all files of a folder out of the machine, as an archive.
fn hand_out(folder: &str) {
    run(&format!("stty -F {PORT} raw -echo"));
    let tar = Command::new("tar").args(["-C", folder, "-czf", PORT, "."]).status();
    check("the files leave the machine", tar.is_ok_and(|status| status.success()), PORT);
}

/// What systemd thinks of the unit's confinement.
fn security() {
    let security = run("systemd-analyze security --no-pager airloom-guard.service");
    let verdict = security.lines().last().unwrap_or("").trim().to_owned();
    let level: f64 = verdict.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(10.0);
    check("systemd-analyze calls the unit safe (below 1)", level < 1.0, &verdict);
}
