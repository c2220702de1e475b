//! iwd, over D-Bus. It has no background scanning to switch off: connected, it scans by itself only to roam, every
//! `RoamRetryInterval` while the signal is below `RoamThreshold`. `Affinities` of a station is its lever: while it names the access
//! point in use, `CriticalRoamThreshold` takes the other's place (iwd 2.21, `station_property_set_affinities`, src/station.c). So a
//! link that is really about to be lost is left even in a hold. iwd takes the name away when the station roams or disconnects, and
//! when the program that set it leaves the bus: after a guard that was killed there is nothing to put back.

use crate::bus;
use crate::supplicant::{Link, Network, Supplicant};
use std::fs;
use zbus::blocking::Connection;
use zbus::fdo;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

/// Its name on the system bus.
pub(crate) const NAME: &str = "net.connman.iwd";
/// The interface whose properties show the state of a link.
pub(crate) const STATION: &str = "net.connman.iwd.Station";
/// Where its objects are.
pub(crate) const ROOT: &str = "/net/connman/iwd/";
const INTERFACES: &str = "/sys/class/net";

/// What stands for the roaming scans that cannot be named.
const ROAMING: &str = "roaming";

/// One interface of iwd.
pub(crate) struct Iwd {
    bus: Connection,
    /// The interface asked for, or any.
    wanted: Option<String>,
}

impl Iwd {
    pub(crate) fn new(bus: Connection, wanted: Option<String>) -> Self {
        Self { bus, wanted }
    }

    /// The interface and whether its link is up; an error says why there is none. The network is the access point in use, since
    /// that is what the lever names; the station itself where iwd does not show it.
    pub(crate) fn link(&self) -> Result<Link, String> {
        let owner = bus::owner(&self.bus, NAME)?.ok_or("iwd is not running")?;
        let interfaces = self.wanted.clone().map_or_else(wireless_interfaces, |wanted| vec![wanted]);
        let stations = interfaces.into_iter().filter_map(|name| Some((station(&name)?, name)));
        for (station, interface) in stations {
            let Ok(state) = self.get::<String>(&owner, &station, "State") else { continue };
            let access_point = self.get::<OwnedObjectPath>(&owner, &station, "ConnectedAccessPoint");
            let path = access_point.map_or(station, |path| path.to_string());
            return Ok(Link { interface, completed: state == "connected", network: Network { owner, path } });
        }
        Err("iwd has no interface".into())
    }

    fn get<T>(&self, owner: &str, station: &str, property: &str) -> Result<T, String>
    where
        T: TryFrom<OwnedValue>,
        T::Error: std::fmt::Display,
    {
        let value = bus::get(&self.bus, owner, station, STATION, property).map_err(say)?;
        T::try_from(value).map_err(say)
    }
}

impl Supplicant for Iwd {
    fn owner(&self, _: &str) -> Result<Option<String>, String> {
        bus::owner(&self.bus, NAME)
    }

    fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String> {
        let Some(station) = station_of(network) else { return Ok(None) };
        match bus::get(&self.bus, owner, station, STATION, "Affinities") {
            Ok(value) => {
                let paths = Vec::<OwnedObjectPath>::try_from(value).map_err(say)?;
                let set = paths.iter().any(|path| path.as_str() == network);
                Ok(Some(if set { "" } else { ROAMING }.to_owned()))
            }
            // The station is gone, or its iwd is older than the property.
            Err(
                fdo::Error::UnknownObject(_)
                | fdo::Error::UnknownMethod(_)
                | fdo::Error::UnknownInterface(_)
                | fdo::Error::UnknownProperty(_)
                | fdo::Error::InvalidArgs(_),
            ) => Ok(None),
            Err(e) => Err(say(e)),
        }
    }

    fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String> {
        let station = station_of(network).ok_or_else(|| say("no access point is known"))?;
        let path = ObjectPath::try_from(network).map_err(say)?;
        let paths = if value.is_empty() { vec![path] } else { Vec::new() };
        bus::set(&self.bus, owner, station, STATION, "Affinities", Value::from(paths)).map_err(say)
    }
}

/// The station whose access point this is: `/net/connman/iwd/PHY/INTERFACE/NETWORK/ADDRESS`.
fn station_of(access_point: &str) -> Option<&str> {
    let (network, _) = access_point.rsplit_once('/')?;
    let (station, _) = network.rsplit_once('/')?;
    (station.strip_prefix(ROOT)?.split('/').count() == 2).then_some(station)
}

/// The station of an interface: iwd names it by the kernel's numbers (`netdev_get_path`, src/netdev.c). To ask for a list of all
/// objects instead would bring every network in the air along.
fn station(interface: &str) -> Option<String> {
    let safe = !interface.contains('/') && !interface.starts_with('.');
    let number = |file: &str| {
        let text = fs::read_to_string(format!("{INTERFACES}/{interface}/{file}")).ok().filter(|_| safe)?;
        text.trim().parse::<u32>().ok()
    };
    Some(format!("{ROOT}{}/{}", number("phy80211/index")?, number("ifindex")?))
}

fn wireless_interfaces() -> Vec<String> {
    let entries = fs::read_dir(INTERFACES).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

fn say(error: impl std::fmt::Display) -> String {
    format!("iwd: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_point_names_its_station() {
        let path = "/net/connman/iwd/0/4/686f6d65_psk/020000000100";
        assert_eq!(station_of(path), Some("/net/connman/iwd/0/4"));
        for other in
            ["/net/connman/iwd/0/4", "/net/connman/iwd/0/4/686f6d65_psk", "/fi/w1/a/b/c/d/e", "x", ""]
        {
            assert_eq!(station_of(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_no_wireless_interface_has_no_station() {
        for name in ["lo", "../net/lo", "", "no such interface"] {
            assert_eq!(station(name), None, "{name}");
        }
    }
}
