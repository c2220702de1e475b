//! What the kernel tells in files: hardware, debugfs, settings and counters.

use crate::debugfs;
use crate::snapshot::Radio;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The first line of a file.
pub(super) fn line(path: impl AsRef<Path>) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.lines().next()?.trim().to_owned())
}

fn device(radio: &Radio) -> PathBuf {
    Path::new("/sys/class/ieee80211").join(&radio.name).join("device")
}

/// A file of a radio's USB adapter; the radio's device is one of the adapter's interfaces.
fn adapter(radio: &Radio, file: &str) -> Option<String> {
    line(fs::canonicalize(device(radio)).ok()?.parent()?.join(file))
}

/// The number of the USB bus that a radio's adapter is on.
pub(crate) fn usb_bus(radio: &Radio) -> Option<u32> {
    adapter(radio, "busnum")?.parse().ok()
}

/// Reads driver, bus and what debugfs has of a radio.
pub(super) fn hardware(radio: &mut Radio, note: &mut impl FnMut(&str, String)) {
    let device = device(radio);
    let name = |link: &Path| Some(fs::read_link(link).ok()?.file_name()?.to_string_lossy().into_owned());
    radio.driver = name(&device.join("driver/module")).or_else(|| name(&device.join("driver")));
    radio.bus = name(&device.join("subsystem"));
    if radio.bus.as_deref() == Some("usb") {
        radio.usb_mbps = adapter(radio, "speed").and_then(|speed| speed.parse().ok());
    }
    let folder = PathBuf::from(debugfs::of_radio(&radio.name));
    let mut read = |file: &str| match fs::read_to_string(folder.join(file)) {
        Ok(text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        Err(error) => {
            let because = match error.kind() {
                ErrorKind::PermissionDenied => "only root may read debugfs",
                _ => "the kernel has no such file in debugfs, or debugfs is not mounted",
            };
            note(&format!("{} of {}", file, radio.name), because.to_owned());
            None
        }
    };
    if radio.airtime_limits {
        radio.aql_enable = read("aql_enable");
    }
    if radio.airtime_fairness {
        radio.airtime_flags = read("airtime_flags");
    }
}

/// Interfaces that are up and hear the air rather than packets: `ARPHRD_IEEE80211_RADIOTAP`.
pub(crate) fn monitors() -> Vec<String> {
    const RADIOTAP: &str = "803";
    let mut found: Vec<_> = fs::read_dir("/sys/class/net")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|interface| line(interface.path().join("type")).is_some_and(|kind| kind == RADIOTAP))
        .filter(|interface| line(interface.path().join("operstate")).is_some_and(|state| state != "down"))
        .map(|interface| interface.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    found
}

/// Settings of TCP that are looked at.
const SETTINGS: [&str; 14] = [
    "core/default_qdisc",
    "core/rmem_max",
    "core/wmem_max",
    "ipv4/tcp_congestion_control",
    "ipv4/tcp_dsack",
    "ipv4/tcp_early_retrans",
    "ipv4/tcp_ecn",
    "ipv4/tcp_moderate_rcvbuf",
    "ipv4/tcp_recovery",
    "ipv4/tcp_rmem",
    "ipv4/tcp_sack",
    "ipv4/tcp_timestamps",
    "ipv4/tcp_window_scaling",
    "ipv4/tcp_wmem",
];

/// Reads TCP's settings.
pub(super) fn settings() -> BTreeMap<String, String> {
    let read = |name: &str| Some((name.to_owned(), line(format!("/proc/sys/net/{name}"))?));
    SETTINGS.into_iter().filter_map(read).collect()
}

/// Counters of TCP that are looked at.
const COUNTERS: [&str; 6] =
    ["OutSegs", "RetransSegs", "TCPTimeouts", "TCPDSACKRecv", "TCPSACKReorder", "TCPTSReorder"];

/// Reads TCP's counters: pairs of lines, names and numbers.
pub(super) fn counters() -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for file in ["/proc/net/snmp", "/proc/net/netstat"] {
        let text = fs::read_to_string(file).unwrap_or_default();
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("Tcp")).collect();
        for pair in lines.chunks_exact(2) {
            for (name, number) in pair[0].split_whitespace().zip(pair[1].split_whitespace()).skip(1) {
                if let (true, Ok(number)) = (COUNTERS.contains(&name), number.parse()) {
                    found.insert(name.to_owned(), number);
                }
            }
        }
    }
    found
}

/// Parameters of drivers that let hardware forward packets, and OpenWrt's setting for it.
pub(super) fn offloads() -> Vec<String> {
    let mut found = Vec::new();
    let modules = fs::read_dir("/sys/module").into_iter().flatten().flatten();
    for module in modules {
        let parameter = module.path().join("parameters/wed_enable");
        if line(&parameter).is_some_and(|value| value == "Y") {
            found.push(parameter.display().to_string());
        }
    }
    let firewall = "/etc/config/firewall";
    let text = fs::read_to_string(firewall).unwrap_or_default();
    let on = |line: &str| {
        let words: Vec<_> = line.split_whitespace().map(|word| word.trim_matches(['\'', '"'])).collect();
        words == ["option", "flow_offloading_hw", "1"]
    };
    if text.lines().any(on) {
        found.push(format!("{firewall}: option flow_offloading_hw '1'"));
    }
    found.sort();
    found
}
