//! Who wants a scan: callers on the bus, and programs that speak to the Wi-Fi stack past it.

use crate::bus;
use std::collections::BTreeSet;
use std::fs;
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

/// Programs that always have a socket to the Wi-Fi stack, and ask over the bus or not at all.
const USUAL: [&str; 6] =
    ["wpa_supplicant", "NetworkManager", "iwd", "hostapd", "airloom-guard", "systemd-network"];

/// Generic netlink's number among the netlink protocols.
const GENERIC: &str = "16";
/// The process in a netlink address: all of it where the kernel chose, the low bits where libnl did (`nl_socket_alloc`).
const PROCESS: u32 = (1 << 22) - 1;

/// Calls back with the name of each program that asks for a scan over the bus. Seeing other programs' calls is root's.
pub(crate) fn monitor(ask: &Connection, told: impl Fn(String) + Send + 'static) -> Result<(), String> {
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
                told(process.map_or_else(|| format!("somebody who is gone ({caller})"), name_of));
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

/// Calls back whenever wpa_supplicant says that it scans.
pub(crate) fn on_supplicant_scanning(
    bus: &Connection,
    told: impl Fn() + Send + 'static,
) -> Result<(), String> {
    let changes = bus::property_changes()
        .and_then(|rule| MessageIterator::for_match_rule(rule, bus, None))
        .map_err(|e| e.to_string())?;
    thread::spawn(move || {
        for message in changes.flatten() {
            let scanning =
                bus::changed(&message).and_then(|changed| changed.get("Scanning")?.downcast_ref().ok());
            if scanning == Some(true) {
                told();
            }
        }
    });
    Ok(())
}

/// Programs with a generic netlink socket at this moment that are not the usual ones.
pub(crate) fn wireless_programs() -> Vec<String> {
    let sockets = fs::read_to_string("/proc/net/netlink").unwrap_or_default();
    let processes: BTreeSet<u32> = sockets.lines().filter_map(generic_socket).collect();
    let program = |process: u32| Some(name_of(process)).filter(|name| name.contains('('));
    let usual = |name: &String| USUAL.iter().any(|usual| name.starts_with(usual));
    processes.into_iter().filter_map(program).filter(|name| !usual(name)).collect()
}

/// The process that has a generic netlink socket, from its line in /proc/net/netlink.
fn generic_socket(line: &str) -> Option<u32> {
    let mut fields = line.split_whitespace().skip(1);
    let generic = fields.next()? == GENERIC;
    let address: u32 = fields.next()?.parse().ok()?;
    (generic && address != 0).then_some(address & PROCESS)
}

/// A program's name and process id; the id alone when it is gone.
fn name_of(process: u32) -> String {
    match fs::read_to_string(format!("/proc/{process}/comm")) {
        Ok(name) => format!("{} ({process})", name.trim_end()),
        Err(_) => process.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::generic_socket;

    #[test]
    fn generic_netlink_sockets_are_told_from_others() {
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
}
