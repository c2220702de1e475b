//! Checks before a run whether it fits into memory.
//!
//! Series and captures are written during the run; a series of more rows than can be read at once is refused nevertheless. Memory
//! grows with the length of a run only by data for its summary:
//! every round trip of a ping, for the quantiles, and every scan.

use airloom_scenario::{Flow, FlowKind, Recording, RemedyPolicy, Role, Scan, Scenario, Station};
use airloom_sim::{Bytes, Duration};
use rustix::process::{Resource, getrlimit};
use std::fs;
use std::path::Path;

/// A round trip, and its copy that is sorted.
const PING: u64 = 16;
/// A request for a scan, as it is kept and as JSON; a trip off the channel likewise.
const REQUEST: u64 = 900;
const TRIP: u64 = 1100;
/// A host with its queues, sockets and meters.
const HOST: u64 = 30_000;
/// No trip off the channel is shorter, with the time until the next.
const SHORTEST_TRIP: Duration = Duration::from_millis(20);

/// Rows of the longest series that is finer than seconds: a gigabyte or two once it is read.
const MOST_ROWS: u64 = 1 << 24;

/// Makes sure that `scenario` can be run here.
///
/// # Errors
/// Memory needed and available, and what to change.
pub fn check(scenario: &Scenario) -> Result<(), String> {
    readable(scenario)?;
    let needed = needed(scenario);
    match available().filter(|&available| available < needed) {
        None => Ok(()),
        Some(available) => Err(format!(
            "this run needs about {} of memory, and {} are left; make `duration` shorter, pings rarer or scans fewer",
            said(needed),
            said(available)
        )),
    }
}

/// Makes sure that a series finer than seconds can be read again.
fn readable(scenario: &Scenario) -> Result<(), String> {
    let every = scenario.record.every;
    let bins = scenario.duration.as_nanos().div_ceil(every.as_nanos().max(1));
    let rows = bins.saturating_mul(rows_of_a_bin(scenario));
    if every >= Recording::USUAL.every || rows <= MOST_ROWS {
        return Ok(());
    }
    let (millions, most) = (rows as f64 * 1e-6, MOST_ROWS as f64 * 1e-6);
    Err(format!(
        "this run's series would have about {millions:.0} million rows, at most {most:.1} can be read again; make \
         `record.every` longer, `duration` shorter or stations fewer"
    ))
}

/// The most rows that a bin of the series has: one for each metric of each node and flow.
fn rows_of_a_bin(scenario: &Scenario) -> u64 {
    let node = |role| match role {
        Role::AccessPoint(_) => 11,
        Role::Station(Station { adapter, .. }) => {
            if adapter.usb.is_some() {
                16
            } else {
                12
            }
        }
        Role::Server(_) => 5,
    };
    let flow = |flow: &Flow| match flow.kind {
        FlowKind::Tcp { .. } => 8,
        FlowKind::Udp { .. } | FlowKind::Publish { .. } => 2,
        FlowKind::Ping { .. } => 1,
    };
    scenario.nodes().map(|(_, role)| node(role)).chain(scenario.flow.iter().map(flow)).sum()
}

/// An estimate of the memory of a run, its end included.
pub fn needed(scenario: &Scenario) -> Bytes {
    let hosts = (scenario.station.len() + scenario.server.len()) as u64 * HOST;
    let pings: u64 = scenario.flow.iter().map(|flow| pings(flow, scenario.duration) * PING).sum();
    let scans = |Station { scan, .. }: &Station| scan.as_ref().map_or(0, |s| scans(s, scenario.duration));
    Bytes(hosts + pings + scenario.station.iter().map(scans).sum::<u64>())
}

fn pings(flow: &Flow, duration: Duration) -> u64 {
    match flow.kind {
        FlowKind::Ping { interval, .. } => {
            let lasts = flow.stop.unwrap_or(duration).min(duration).saturating_sub(flow.start);
            lasts.as_nanos() / interval.as_nanos().max(1)
        }
        FlowKind::Tcp { .. } | FlowKind::Udp { .. } | FlowKind::Publish { .. } => 0,
    }
}

/// The least memory for the scans of a station; a remedy may skip all of them.
fn scans(scan: &Scan, duration: Duration) -> u64 {
    let lasts = duration.saturating_sub(scan.first.unwrap_or(scan.longest)).as_nanos();
    let requests = lasts / scan.longest.as_nanos().max(1);
    let trips = match scan.remedy.policy {
        RemedyPolicy::None => (requests * u64::from(scan.channels)).min(lasts / SHORTEST_TRIP.as_nanos()),
        RemedyPolicy::SkipIfMoved => 0,
    };
    requests * REQUEST + trips * TRIP
}

/// Memory available to this process, where the system reports it (Linux): limited by free memory, by its control group
/// and by its limit on address space.
fn available() -> Option<Bytes> {
    let free = field("/proc/meminfo", "MemAvailable:");
    let group = fs::read_to_string("/proc/self/cgroup").ok();
    let group = group.as_deref().and_then(|groups| groups.lines().find_map(|line| line.strip_prefix("0::/")));
    let group = group.and_then(|name| left_to(Path::new("/sys/fs/cgroup"), name));
    let space = getrlimit(Resource::As)
        .current
        .map(|limit| limit.saturating_sub(field("/proc/self/status", "VmSize:").unwrap_or(0)));
    [free, group, space].into_iter().flatten().min().map(Bytes)
}

/// Memory available in a control group and its parents up to `root`: limits less usage, not counting the page cache,
/// which the kernel frees on demand (cgroup v2, `memory.max`, `memory.current`, `memory.stat`).
fn left_to(root: &Path, name: &str) -> Option<u64> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let left = |group: &Path| {
        let read = |file| fs::read_to_string(group.join(file)).ok();
        let max = number(&read("memory.max")?)?;
        let stat = read("memory.stat").unwrap_or_default();
        let files = ["active_file ", "inactive_file "];
        let files = files.iter().filter_map(|name| number(stat.lines().find_map(|l| l.strip_prefix(name))?));
        Some(max.saturating_sub(number(&read("memory.current")?)?.saturating_sub(files.sum())))
    };
    let group = root.join(name);
    group.ancestors().take_while(|group| group.starts_with(root)).filter_map(left).min()
}

/// A line of a file of /proc, from kB.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn said(bytes: Bytes) -> String {
    match bytes.0 as f64 {
        b if b < 1e9 => format!("{:.0} MB", b * 1e-6),
        b => format!("{:.1} GB", b * 1e-9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_the_least_of_all_groups_above_and_files_do_not_count() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |group: &str, max: &str, current: u64, files: u64| {
            let group = root.path().join(group);
            fs::create_dir_all(&group).expect("a folder");
            let stat = format!("anon 5\ninactive_file {files}\nactive_file 10\n");
            for (file, text) in
                [("memory.max", max), ("memory.current", &current.to_string()), ("memory.stat", &stat)]
            {
                fs::write(group.join(file), format!("{text}\n")).expect("a file");
            }
        };
        write("a/b", "max", 500, 0);
        assert_eq!(left_to(root.path(), "a/b"), None);
        write("a", "1000", 990, 600);
        assert_eq!(left_to(root.path(), "a/b"), Some(1000 - (990 - 610)));
        write("a/b", "600", 500, 0);
        assert_eq!(left_to(root.path(), "a/b"), Some(600 - 490));
    }
}
