//! Which programs want a scan: callers on the bus, and programs that speak to the Wi-Fi stack past it.

use super::program::Program;
use crate::bus;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;
use zbus::blocking::fdo::{DBusProxy, MonitoringProxy};
use zbus::blocking::{Connection, MessageIterator};
use zbus::message::Type;
use zbus::names::BusName;
use zbus::{MatchRule, Message};

/// The calls that ask for a scan: interface and method.
const CALLS: [(&str, &str); 3] = [
    ("org.freedesktop.NetworkManager.Device.Wireless", "RequestScan"),
    ("fi.w1.wpa_supplicant1.Interface", "Scan"),
    ("net.connman.iwd.Station", "Scan"),
];

/// Programs that always have a socket to the Wi-Fi stack, and ask over the bus or not at all. The kernel cuts names off.
const USUAL: [&str; 6] =
    ["wpa_supplicant", "NetworkManager", "iwd", "hostapd", "airloom-guard", "systemd-network"];
/// Users below this are the system's own (`FIRST_SYSTEM_UID` and `FIRST_UID`, adduser.conf(5)).
const FIRST_PERSON: u32 = 1000;

const PROC: &str = "/proc";
/// Generic netlink's number among the netlink protocols.
const GENERIC: &str = "16";
/// The process in a netlink address: all of it where the kernel chose, the low bits where libnl did (`nl_socket_alloc`).
const PROCESS: u32 = (1 << 22) - 1;

/// Calls back with the name of each program that asks for a scan over the bus. Seeing other programs' calls is root's.
pub(crate) fn monitor(ask: &Connection, report: impl Fn(String) + Send + 'static) -> Result<(), String> {
    let refused =
        |e| format!("requests on the bus cannot be seen, so requesters stay unknown ({e}); run it as root");
    let monitor = bus::system()?;
    let messages = MessageIterator::from(&monitor);
    MonitoringProxy::new(&monitor)
        .and_then(|proxy| Ok(proxy.become_monitor(&calls()?, 0)?))
        .map_err(|e| refused(e.to_string()))?;
    let names = DBusProxy::new(ask).map_err(|e| e.to_string())?;
    thread::spawn(move || {
        for message in messages.flatten() {
            if let Some(caller) = caller(&message) {
                let name = BusName::try_from(caller.as_str()).ok();
                let process = name.and_then(|name| names.get_connection_unix_process_id(name).ok());
                report(process.map_or_else(|| format!("a program that is gone ({caller})"), name_of));
            }
        }
    });
    Ok(())
}

fn calls() -> zbus::Result<Vec<MatchRule<'static>>> {
    let rule = |(interface, member)| {
        Ok(MatchRule::builder().msg_type(Type::MethodCall).interface(interface)?.member(member)?.build())
    };
    CALLS.into_iter().map(rule).collect()
}

fn caller(message: &Message) -> Option<String> {
    let header = message.header();
    let call = (header.interface()?.as_str(), header.member()?.as_str());
    CALLS.contains(&call).then_some(header.sender()?.to_string())
}

/// Programs with a generic netlink socket at this moment that are not the usual ones.
pub(crate) fn wireless_programs() -> Vec<String> {
    let sockets = fs::read_to_string("/proc/net/netlink").unwrap_or_default();
    let processes: BTreeSet<u32> = sockets.lines().filter_map(generic_socket).collect();
    processes.into_iter().filter(|process| !is_usual(*process)).filter_map(told).collect()
}

/// Whether a process is one of the usual programs. Any program may take such a name, so its user has to be the system's and
/// its file the system's, as far as that can be seen.
fn is_usual(process: u32) -> bool {
    let folder = Path::new(PROC).join(process.to_string());
    let name = fs::read_to_string(folder.join("comm")).unwrap_or_default();
    let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
    let user =
        status.lines().find_map(|line| line.strip_prefix("Uid:")?.split_whitespace().next()?.parse().ok());
    usual(name.trim_end(), user, fs::read_link(folder.join("exe")).ok().as_deref())
}

/// The same, from a process's name, its real user and its file. Where the file cannot be seen, the user has to do.
fn usual(name: &str, user: Option<u32>, file: Option<&Path>) -> bool {
    let installed = |file: &Path| {
        file.starts_with("/usr")
            && !file.starts_with("/usr/local")
            && file.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
    };
    USUAL.contains(&name) && user.is_some_and(|user| user < FIRST_PERSON) && file.is_none_or(installed)
}

/// The process that has a generic netlink socket, from its line in /proc/net/netlink.
fn generic_socket(line: &str) -> Option<u32> {
    let mut fields = line.split_whitespace().skip(1);
    let generic = fields.next()? == GENERIC;
    let address: u32 = fields.next()?.parse().ok()?;
    (generic && address != 0).then_some(address & PROCESS)
}

/// What a program is called; its process id alone when it is gone.
fn name_of(process: u32) -> String {
    told(process).unwrap_or_else(|| process.to_string())
}

fn told(process: u32) -> Option<String> {
    Program::of(Path::new(PROC), process).map(|program| program.told())
}

#[cfg(test)]
mod tests {
    use super::{generic_socket, usual};
    use std::path::Path;

    #[test]
    fn generic_netlink_sockets_differ_from_others() {
        let line = |protocol, address| {
            format!(
                "00000000f2f4a1c3 {protocol:<3} {address:<10} 00000000 0        0        0     2        0        20841"
            )
        };
        assert_eq!(generic_socket(&line(16, "812")), Some(812));
        assert_eq!(generic_socket(&line(16, "1300235052")), Some(812));
        assert_eq!(generic_socket(&line(16, "0")), None);
        assert_eq!(generic_socket(&line(0, "812")), None);
        assert_eq!(generic_socket("sk               Eth Pid        Groups"), None);
    }

    #[test]
    fn a_usual_name_alone_makes_no_usual_program() {
        let file = |path| Some(Path::new(path));
        assert!(usual("iwd", Some(0), file("/usr/libexec/iwd")));
        assert!(usual("systemd-network", Some(998), file("/usr/lib/systemd/systemd-networkd")));
        assert!(usual("wpa_supplicant", Some(0), file("/usr/sbin/wpa_supplicant (deleted)")));
        assert!(usual("wpa_supplicant", Some(0), None));
        assert!(!usual("iwd-not-really", Some(0), file("/usr/libexec/iwd-not-really")));
        assert!(!usual("iwd", Some(1000), file("/usr/libexec/iwd")));
        assert!(!usual("iwd", Some(65534), None));
        assert!(!usual("iwd", None, None));
        assert!(!usual("iwd", Some(33), file("/tmp/iwd")));
        assert!(!usual("iwd", Some(33), file("/usr/bin/perl")));
    }
}
