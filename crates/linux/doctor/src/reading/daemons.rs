//! What wpa_supplicant and NetworkManager have set: over wpa_supplicant's control socket, and over D-Bus by `busctl`.

use super::files::line;
use crate::snapshot::{Interface, Manager, Supplicant};
use airloom_daemon::control::Control;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

/// An answer that is later than this was lost.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// Reads what the daemons have set for an associated station.
pub(super) fn ask(interface: &mut Interface, note: &mut impl FnMut(&str, String)) {
    interface.manager = manager(&interface.name);
    interface.iwd = is_of_iwd(&interface.name);
    match control(&interface.name).or_else(|because| over_bus(&interface.name).ok_or(because)) {
        Ok(supplicant) => interface.supplicant = Some(supplicant),
        Err(because) => note(&format!("wpa_supplicant's bgscan for {}", interface.name), because),
    }
}

/// The network's `bgscan`, by wpa_supplicant's control interface.
fn control(interface: &str) -> Result<Supplicant, String> {
    let words = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::PermissionDenied => {
            "only root and the group netdev may ask wpa_supplicant".to_owned()
        }
        std::io::ErrorKind::NotFound => "no wpa_supplicant answers for it".to_owned(),
        _ => format!("wpa_supplicant: {error}"),
    };
    let control = Control::of(interface, ANSWER_WITHIN).map_err(words)?;
    let ask = |command: &str| control.ask(command).map_err(words);
    let status = ask("STATUS")?;
    let id = status.lines().find_map(|line| line.strip_prefix("id=")?.parse().ok());
    let network: u32 = id.ok_or("wpa_supplicant has no network for it")?;
    let bgscan = ask(&format!("GET_NETWORK {network} bgscan"))?;
    let set = bgscan.trim_matches('"');
    Ok(Supplicant { network, bgscan: if set == "FAIL" { String::new() } else { set.to_owned() } })
}

/// The same over D-Bus.
fn over_bus(interface: &str) -> Option<Supplicant> {
    const NAME: &str = "fi.w1.wpa_supplicant1";
    let path = call(NAME, "/fi/w1/wpa_supplicant1", NAME, "GetInterface", &["s", interface])?;
    let network = property(NAME, path[0].as_str()?, &format!("{NAME}.Interface"), "CurrentNetwork")?;
    let properties = property(NAME, network.as_str()?, &format!("{NAME}.Network"), "Properties")?;
    let bgscan = properties["bgscan"]["data"].as_str().unwrap_or("").trim_matches('"').to_owned();
    // The path ends in the network's number.
    Some(Supplicant { network: network.as_str()?.rsplit('/').next()?.parse().ok()?, bgscan })
}

/// Whether iwd has an interface: its device is among those that it names (doc/device-api.txt).
fn is_of_iwd(interface: &str) -> bool {
    let all = call("net.connman.iwd", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", &[]);
    let named = |object: &Value| object["net.connman.iwd.Device"]["Name"]["data"] == interface;
    all.as_ref().and_then(|all| all[0].as_object()).is_some_and(|objects| objects.values().any(named))
}

/// NetworkManager's part, if it is there and has the interface.
fn manager(interface: &str) -> Option<Manager> {
    const NAME: &str = "org.freedesktop.NetworkManager";
    const ROOT: &str = "/org/freedesktop/NetworkManager";
    let device = call(NAME, ROOT, NAME, "GetDeviceByIpIface", &["s", interface])?;
    let device = device[0].as_str()?;
    let wireless = |name: &str| property(NAME, device, &format!("{NAME}.Device.Wireless"), name);
    let active = property(NAME, device, &format!("{NAME}.Device"), "ActiveConnection");
    let connection = active.and_then(|active| {
        property(NAME, active.as_str()?, &format!("{NAME}.Connection.Active"), "Connection")
    });
    let settings = connection
        .and_then(|path| {
            call(NAME, path.as_str()?, &format!("{NAME}.Settings.Connection"), "GetSettings", &[])
        })
        .unwrap_or_default();
    let wifi = |key: &str| &settings[0]["802-11-wireless"][key]["data"];
    // In ms of the clock that counts time in suspend too; -1 for never.
    let scanned = wireless("LastScan").and_then(|at| u64::try_from(at.as_i64()?).ok());
    let now: Option<f64> = line("/proc/uptime").and_then(|line| line.split(' ').next()?.parse().ok());
    Some(Manager {
        version: property(NAME, ROOT, NAME, "Version")?.as_str()?.to_owned(),
        connection: settings[0]["connection"]["id"]["data"].as_str().map(str::to_owned),
        powersave: wifi("powersave").as_u64(),
        bound: wifi("bssid").is_array(),
        scanned_ms_ago: scanned.zip(now).map(|(at, now)| ((now * 1e3) as u64).saturating_sub(at)),
    })
}

/// What a method returns.
fn call(name: &str, path: &str, interface: &str, method: &str, arguments: &[&str]) -> Option<Value> {
    let words = [&["call", name, path, interface, method], arguments].concat();
    Some(busctl(&words)?["data"].take())
}

fn property(name: &str, path: &str, interface: &str, property: &str) -> Option<Value> {
    Some(busctl(&["get-property", name, path, interface, property])?["data"].take())
}

/// What systemd's `busctl` answers; nothing where it, the bus or the service is not there, or refuses.
fn busctl(words: &[&str]) -> Option<Value> {
    let options = ["--system", "--json=short", "--timeout=2", "--auto-start=no"];
    let done = Command::new("busctl").args(options).args(words).output().ok()?;
    serde_json::from_slice(&done.stdout).ok()
}
