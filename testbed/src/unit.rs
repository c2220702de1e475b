//! A daemon as systemd knows it.

use crate::check::run;

/// A unit, by its name.
pub(crate) struct Unit(pub(crate) &'static str);

impl Unit {
    /// Whether it runs.
    pub(crate) fn active(&self) -> bool {
        run(&format!("systemctl is-active {}", self.0)) == "active"
    }

    /// Its process.
    pub(crate) fn process(&self) -> String {
        run(&format!("systemctl show --property MainPID --value {}", self.0))
    }

    /// A line of `/proc/PID/status` of its process, in KiB.
    pub(crate) fn memory(&self, line: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process())).unwrap_or_default();
        let value = status.lines().find_map(|text| text.strip_prefix(line)).unwrap_or("");
        value.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(usize::MAX)
    }

    /// The CPU time that it has used, in nanoseconds.
    pub(crate) fn cpu(&self) -> u64 {
        run(&format!("systemctl show --property CPUUsageNSec --value {}", self.0)).parse().unwrap_or(u64::MAX)
    }
}
