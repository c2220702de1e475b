//! wpa_supplicant, over D-Bus: in what state the link is, and the background scanning of its network.

use std::collections::HashMap;
use zbus::blocking::Connection;
use zbus::blocking::fdo::{DBusProxy, PropertiesProxy};
use zbus::fdo;
use zbus::names::{BusName, InterfaceName};
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

/// Its name on the system bus.
pub(crate) const NAME: &str = "fi.w1.wpa_supplicant1";
const ROOT: &str = "/fi/w1/wpa_supplicant1";
pub(crate) const INTERFACE: &str = "fi.w1.wpa_supplicant1.Interface";
const NETWORK: &str = "fi.w1.wpa_supplicant1.Network";

/// A network's background scanning, as far as the lever needs it.
pub(crate) trait Supplicant {
    /// The unique name of the process that is wpa_supplicant now.
    fn owner(&self) -> Result<String, String>;
    /// The network in use, by its object path.
    fn network(&self) -> Result<String, String>;
    /// A network's `bgscan`; `None` if it has none or is gone.
    fn bgscan(&self, network: &str) -> Result<Option<String>, String>;
    /// Sets a network's `bgscan`, at once and without reassociation.
    fn set_bgscan(&self, network: &str, value: &str) -> Result<(), String>;
}

/// One interface of wpa_supplicant.
pub(crate) struct OverDBus {
    bus: Connection,
    /// The interface asked for, or any.
    wanted: Option<String>,
}

/// Where an interface stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) interface: String,
    pub(crate) completed: bool,
}

impl OverDBus {
    pub(crate) fn new(bus: Connection, wanted: Option<String>) -> Self {
        Self { bus, wanted }
    }

    /// The interface and whether its link is up; an error says why there is none.
    pub(crate) fn link(&self) -> Result<Link, String> {
        let path = self.path()?;
        let interface: String = self.get(&path, INTERFACE, "Ifname")?;
        let state: String = self.get(&path, INTERFACE, "State")?;
        Ok(Link { interface, completed: state == "completed" })
    }

    fn path(&self) -> Result<OwnedObjectPath, String> {
        // A call to a name without owner would have the bus start wpa_supplicant, which is not this program's to decide.
        self.owner()?;
        if let Some(name) = &self.wanted {
            let reply = self.bus.call_method(Some(NAME), ROOT, Some(NAME), "GetInterface", &name.as_str());
            return reply.and_then(|reply| reply.body().deserialize()).map_err(say);
        }
        let root = OwnedObjectPath::try_from(ROOT).expect("well-formed");
        let all: Vec<OwnedObjectPath> = self.get(&root, NAME, "Interfaces")?;
        all.into_iter().next().ok_or_else(|| "wpa_supplicant has no interface".to_owned())
    }

    fn properties<'a>(&self, path: impl Into<ObjectPath<'a>>) -> Result<PropertiesProxy<'a>, String> {
        PropertiesProxy::builder(&self.bus)
            .destination(NAME)
            .and_then(|proxy| proxy.path(path.into()))
            .and_then(|proxy| proxy.cache_properties(zbus::proxy::CacheProperties::No).build())
            .map_err(say)
    }

    fn get<T>(&self, path: &OwnedObjectPath, interface: &'static str, property: &str) -> Result<T, String>
    where
        T: TryFrom<OwnedValue>,
        T::Error: std::fmt::Display,
    {
        let interface = InterfaceName::from_static_str_unchecked(interface);
        let value = self.properties(path)?.get(interface, property).map_err(say)?;
        T::try_from(value).map_err(say)
    }
}

impl Supplicant for OverDBus {
    fn owner(&self) -> Result<String, String> {
        let bus = DBusProxy::new(&self.bus).map_err(say)?;
        let name = BusName::try_from(NAME).expect("well-formed");
        bus.get_name_owner(name).map(|owner| owner.to_string()).map_err(say)
    }

    fn network(&self) -> Result<String, String> {
        let network: OwnedObjectPath = self.get(&self.path()?, INTERFACE, "CurrentNetwork")?;
        Ok(network.to_string())
    }

    fn bgscan(&self, network: &str) -> Result<Option<String>, String> {
        let path = ObjectPath::try_from(network).map_err(say)?;
        let interface = InterfaceName::from_static_str_unchecked(NETWORK);
        let settings = match self.properties(path)?.get(interface, "Properties") {
            Ok(value) => HashMap::<String, OwnedValue>::try_from(value).map_err(say)?,
            Err(fdo::Error::UnknownObject(_) | fdo::Error::UnknownMethod(_)) => return Ok(None),
            Err(e) => return Err(say(e)),
        };
        let Some(value) = settings.get("bgscan") else { return Ok(None) };
        let value: &str = value.downcast_ref().map_err(say)?;
        Ok(Some(unquoted(value).to_owned()))
    }

    fn set_bgscan(&self, network: &str, value: &str) -> Result<(), String> {
        let path = ObjectPath::try_from(network).map_err(say)?;
        let settings = HashMap::from([("bgscan", Value::from(value))]);
        let interface = InterfaceName::from_static_str_unchecked(NETWORK);
        self.properties(path)?.set(interface, "Properties", Value::from(settings)).map_err(say)
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
    use super::unquoted;

    #[test]
    fn quotes_are_taken_off_in_pairs() {
        assert_eq!(unquoted("\"simple:30:-70:86400\""), "simple:30:-70:86400");
        assert_eq!(unquoted("\"\""), "");
        assert_eq!(unquoted("\""), "\"");
        assert_eq!(unquoted("simple"), "simple");
    }
}
