//! The sets of checks, one machine each.

pub(crate) mod attacked;
pub(crate) mod captures;
pub(crate) mod days;
pub(crate) mod requests;
pub(crate) mod soak;
pub(crate) mod transfer;

use crate::check::{check, run};

/// Installs the package and leaves its service stopped.
fn install() {
    let said = run("dpkg -i /opt/airloom-guard.deb");
    let active = run("systemctl is-active airloom-guard");
    check("the package installs and its unit starts", active == "active", &format!("the unit is {active}"));
    if active != "active" {
        println!("{said}\n{}", run("journalctl --no-pager --lines 20 --unit airloom-guard"));
    }
    run("systemctl stop airloom-guard");
}
