//! How much memory is left on this machine.

use airloom_sim::Bytes;
use rustix::process::{Resource, getrlimit};
use std::fs;
use std::path::Path;

/// Memory available to this process, where the system reports it (Linux): limited by free memory, by its control group
/// and by its limit on address space.
pub(super) fn available() -> Option<Bytes> {
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
