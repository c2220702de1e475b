//! wpa_supplicant, over D-Bus: the state of an interface, and `bgscan`, the background scanning of its network.

use crate::bus;
use crate::supplicant::{Link, Network, Supplicant};
use std::collections::HashMap;
use zbus::blocking::Connection;
use zbus::fdo;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

/// Its name on the system bus.
pub(crate) const NAME: &str = "fi.w1.wpa_supplicant1";
/// The interface whose properties show the state of a link.
pub(crate) const INTERFACE: &str = "fi.w1.wpa_supplicant1.Interface";
const ROOT: &str = "/fi/w1/wpa_supplicant1";
const NETWORK: &str = "fi.w1.wpa_supplicant1.Network";

/// One interface of wpa_supplicant.
pub(crate) struct WpaSupplicant {
    bus: Connection,
    /// The interface asked for, or any.
    wanted: Option<String>,
}

impl WpaSupplicant {
    pub(crate) fn new(bus: Connection, wanted: Option<String>) -> Self {
        Self { bus, wanted }
    }

    /// The interface and whether its link is up; an error says why there is none.
    pub(crate) fn link(&self) -> Result<Link, String> {
        let owner = bus::owner(&self.bus, NAME)?.ok_or("wpa_supplicant is not running")?;
        let path = self.path(&owner)?;
        let interface: String = self.get(&owner, &path, INTERFACE, "Ifname")?;
        let state: String = self.get(&owner, &path, INTERFACE, "State")?;
        let network: OwnedObjectPath = self.get(&owner, &path, INTERFACE, "CurrentNetwork")?;
        let network = Network { owner, path: network.to_string() };
        Ok(Link { interface, completed: state == "completed", network })
    }

    fn path(&self, owner: &str) -> Result<String, String> {
        if let Some(name) = &self.wanted {
            let reply = self.bus.call_method(Some(owner), ROOT, Some(NAME), "GetInterface", &name.as_str());
            let path = reply.and_then(|reply| reply.body().deserialize::<OwnedObjectPath>());
            return path.map(|path| path.to_string()).map_err(say);
        }
        let all: Vec<OwnedObjectPath> = self.get(owner, ROOT, NAME, "Interfaces")?;
        all.first().map(ToString::to_string).ok_or_else(|| "wpa_supplicant has no interface".to_owned())
    }

    fn get<T>(&self, owner: &str, path: &str, interface: &'static str, property: &str) -> Result<T, String>
    where
        T: TryFrom<OwnedValue>,
        T::Error: std::fmt::Display,
    {
        let value = bus::get(&self.bus, owner, path, interface, property).map_err(say)?;
        T::try_from(value).map_err(say)
    }
}

impl Supplicant for WpaSupplicant {
    fn owner(&self, _: &str) -> Result<Option<String>, String> {
        bus::owner(&self.bus, NAME)
    }

    fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String> {
        let settings = match bus::get(&self.bus, owner, network, NETWORK, "Properties") {
            Ok(value) => HashMap::<String, OwnedValue>::try_from(value).map_err(say)?,
            Err(fdo::Error::UnknownObject(_) | fdo::Error::UnknownMethod(_)) => return Ok(None),
            Err(e) => return Err(say(e)),
        };
        let Some(value) = settings.get("bgscan") else { return Ok(None) };
        let value: &str = value.downcast_ref().map_err(say)?;
        Ok(Some(unquoted(value).to_owned()))
    }

    fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String> {
        let settings = HashMap::from([("bgscan", Value::from(value))]);
        bus::set(&self.bus, owner, network, NETWORK, "Properties", Value::from(settings)).map_err(say)
    }
}

/// `Properties` shows strings as a configuration file would, in quotes, and takes them without.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

fn say(error: impl std::fmt::Display) -> String {
    format!("wpa_supplicant: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_taken_off_in_pairs() {
        assert_eq!(unquoted("\"simple:30:-70:86400\""), "simple:30:-70:86400");
        assert_eq!(unquoted("\"\""), "");
        assert_eq!(unquoted("\""), "\"");
        assert_eq!(unquoted("simple"), "simple");
    }
}
