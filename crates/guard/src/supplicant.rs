//! wpa_supplicant, over D-Bus: in what state the link is, and the background scanning of its network.
//!
//! It is always addressed by its unique name. Its well-known name may pass to another process between two calls, and a call to
//! a name without owner would have the bus start wpa_supplicant, which is not this program's to decide.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use zbus::blocking::fdo::{DBusProxy, PropertiesProxy};
use zbus::blocking::{Connection, MessageIterator};
use zbus::message::Type;
use zbus::names::{BusName, InterfaceName};
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};
use zbus::{MatchRule, Message, fdo};

/// Its name on the system bus.
const NAME: &str = "fi.w1.wpa_supplicant1";
const ROOT: &str = "/fi/w1/wpa_supplicant1";
const INTERFACE: &str = "fi.w1.wpa_supplicant1.Interface";
const NETWORK: &str = "fi.w1.wpa_supplicant1.Network";
const DBUS: &str = "org.freedesktop.DBus";

/// A network's background scanning, as far as the lever needs it. An error means that nothing is known: not even whether the
/// call was heard.
pub(crate) trait Supplicant {
    /// The unique name of the process that is wpa_supplicant now; `None` if it is known that there is none.
    fn owner(&self) -> Result<Option<String>, String>;
    /// A network's `bgscan`; `None` if it has none or is gone.
    fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String>;
    /// Sets a network's `bgscan`, at once and without reassociation.
    fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String>;
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
    /// The network in use.
    pub(crate) network: Network,
}

/// A network of one wpa_supplicant. Another process may have another network at the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The process, by its unique name on the bus.
    pub(crate) owner: String,
    /// The object's path.
    pub(crate) path: String,
}

impl OverDBus {
    pub(crate) fn new(bus: Connection, wanted: Option<String>) -> Self {
        Self { bus, wanted }
    }

    /// The interface and whether its link is up; an error says why there is none.
    pub(crate) fn link(&self) -> Result<Link, String> {
        let owner = self.owner()?.ok_or("wpa_supplicant is not running")?;
        let path = self.path(&owner)?;
        let interface: String = self.get(&owner, &path, INTERFACE, "Ifname")?;
        let state: String = self.get(&owner, &path, INTERFACE, "State")?;
        let network: OwnedObjectPath = self.get(&owner, &path, INTERFACE, "CurrentNetwork")?;
        let network = Network { owner, path: network.to_string() };
        Ok(Link { interface, completed: state == "completed", network })
    }

    fn path(&self, owner: &str) -> Result<OwnedObjectPath, String> {
        if let Some(name) = &self.wanted {
            let reply = self.bus.call_method(Some(owner), ROOT, Some(NAME), "GetInterface", &name.as_str());
            return reply.and_then(|reply| reply.body().deserialize()).map_err(say);
        }
        let root = OwnedObjectPath::try_from(ROOT).expect("well-formed");
        let all: Vec<OwnedObjectPath> = self.get(owner, &root, NAME, "Interfaces")?;
        all.into_iter().next().ok_or_else(|| "wpa_supplicant has no interface".to_owned())
    }

    fn properties<'a>(
        &self,
        owner: &str,
        path: impl Into<ObjectPath<'a>>,
    ) -> Result<PropertiesProxy<'a>, String> {
        PropertiesProxy::builder(&self.bus)
            .destination(owner.to_owned())
            .and_then(|proxy| proxy.path(path.into()))
            .and_then(|proxy| proxy.cache_properties(zbus::proxy::CacheProperties::No).build())
            .map_err(say)
    }

    fn get<T>(
        &self,
        owner: &str,
        path: &OwnedObjectPath,
        interface: &'static str,
        property: &str,
    ) -> Result<T, String>
    where
        T: TryFrom<OwnedValue>,
        T::Error: std::fmt::Display,
    {
        let interface = InterfaceName::from_static_str_unchecked(interface);
        let value = self.properties(owner, path)?.get(interface, property).map_err(say)?;
        T::try_from(value).map_err(say)
    }
}

impl Supplicant for OverDBus {
    fn owner(&self) -> Result<Option<String>, String> {
        owner(&self.bus)
    }

    fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String> {
        let path = ObjectPath::try_from(network).map_err(say)?;
        let interface = InterfaceName::from_static_str_unchecked(NETWORK);
        let settings = match self.properties(owner, path)?.get(interface, "Properties") {
            Ok(value) => HashMap::<String, OwnedValue>::try_from(value).map_err(say)?,
            Err(fdo::Error::UnknownObject(_) | fdo::Error::UnknownMethod(_)) => return Ok(None),
            Err(e) => return Err(say(e)),
        };
        let Some(value) = settings.get("bgscan") else { return Ok(None) };
        let value: &str = value.downcast_ref().map_err(say)?;
        Ok(Some(unquoted(value).to_owned()))
    }

    fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String> {
        let path = ObjectPath::try_from(network).map_err(say)?;
        let settings = HashMap::from([("bgscan", Value::from(value))]);
        let interface = InterfaceName::from_static_str_unchecked(NETWORK);
        self.properties(owner, path)?.set(interface, "Properties", Value::from(settings)).map_err(say)
    }
}

fn owner(bus: &Connection) -> Result<Option<String>, String> {
    let name = BusName::try_from(NAME).expect("well-formed");
    match DBusProxy::new(bus).map_err(say)?.get_name_owner(name) {
        Ok(owner) => Ok(Some(owner.to_string())),
        Err(fdo::Error::NameHasNoOwner(_)) => Ok(None),
        Err(e) => Err(say(e)),
    }
}

/// What is heard of wpa_supplicant.
#[derive(Debug)]
pub(crate) enum Heard {
    /// It came or went.
    Owner,
    /// Properties of one of its interfaces have changed, by name.
    Changed(HashMap<String, OwnedValue>),
    /// Nothing will be heard any more: the bus is gone.
    TheEnd,
}

/// Calls back with what is heard of wpa_supplicant, from threads of their own.
///
/// Any program may send signals that look like wpa_supplicant's. A signal is believed if it comes from the one connection that
/// owns its name, and the bus alone says which connection that is.
pub(crate) fn listen(bus: &Connection, heard: impl Fn(Heard) + Clone + Send + 'static) -> Result<(), String> {
    let signals = |rule: zbus::Result<MatchRule<'static>>| {
        rule.and_then(|rule| MessageIterator::for_match_rule(rule, bus, None)).map_err(say)
    };
    let owners = signals(owner_changes())?;
    let changes = signals(property_changes())?;
    let owner = Arc::new(Mutex::new(owner(bus)?.unwrap_or_default()));
    let (now, report) = (Arc::clone(&owner), heard.clone());
    thread::spawn(move || {
        for signal in owners.flatten() {
            if let Some(new) = new_owner(&signal) {
                *now.lock().unwrap_or_else(PoisonError::into_inner) = new;
                report(Heard::Owner);
            }
        }
        report(Heard::TheEnd);
    });
    thread::spawn(move || {
        for signal in changes.flatten() {
            let from = owner.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(changed) = changed(&signal, &from) {
                heard(Heard::Changed(changed));
            }
        }
    });
    Ok(())
}

/// Signals that wpa_supplicant's name has a new owner, or none.
fn owner_changes() -> zbus::Result<MatchRule<'static>> {
    let signal = MatchRule::builder().msg_type(Type::Signal).sender(DBUS)?.interface(DBUS)?;
    Ok(signal.member("NameOwnerChanged")?.arg(0, NAME)?.build())
}

/// Signals that properties of one of wpa_supplicant's interfaces have changed.
fn property_changes() -> zbus::Result<MatchRule<'static>> {
    let signal = MatchRule::builder().msg_type(Type::Signal).sender(NAME)?;
    let signal = signal.interface("org.freedesktop.DBus.Properties")?.member("PropertiesChanged")?;
    Ok(signal.arg(0, INTERFACE)?.build())
}

/// The new owner of wpa_supplicant's name, if the bus itself says so; the empty name if there is none.
fn new_owner(signal: &Message) -> Option<String> {
    let (name, _, new) = signal.body().deserialize::<(String, String, String)>().ok()?;
    (signal.header().sender()?.as_str() == DBUS && name == NAME).then_some(new)
}

/// What has changed according to wpa_supplicant itself, which is `owner`.
fn changed(signal: &Message, owner: &str) -> Option<HashMap<String, OwnedValue>> {
    if signal.header().sender()?.as_str() != owner {
        return None;
    }
    type Changes = (String, HashMap<String, OwnedValue>, Vec<String>);
    let (interface, changed, _) = signal.body().deserialize::<Changes>().ok()?;
    (interface == INTERFACE).then_some(changed)
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

    fn signal<B: serde::Serialize + zbus::zvariant::DynamicType>(
        sender: &str,
        member: &str,
        body: &B,
    ) -> Message {
        let signal = Message::signal("/x", "a.b", member).unwrap();
        signal.sender(sender).unwrap().build(body).unwrap()
    }

    #[test]
    fn only_wpa_supplicant_itself_is_believed_about_its_properties() {
        let body = (INTERFACE, HashMap::from([("State", Value::from("completed"))]), Vec::<&str>::new());
        let state = |sender, owner| changed(&signal(sender, "PropertiesChanged", &body), owner);
        assert!(state(":1.5", ":1.5").unwrap().contains_key("State"));
        assert!(state(":1.66", ":1.5").is_none());
        assert!(state(":1.5", "").is_none(), "wpa_supplicant is not running");
    }

    #[test]
    fn only_the_bus_is_believed_about_who_wpa_supplicant_is() {
        let owner = |sender, name| new_owner(&signal(sender, "NameOwnerChanged", &(name, ":1.5", ":1.66")));
        assert_eq!(owner(DBUS, NAME).unwrap(), ":1.66");
        assert_eq!(owner(":1.66", NAME), None);
        assert_eq!(owner(DBUS, "a.b"), None);
    }

    #[test]
    fn quotes_are_taken_off_in_pairs() {
        assert_eq!(unquoted("\"simple:30:-70:86400\""), "simple:30:-70:86400");
        assert_eq!(unquoted("\"\""), "");
        assert_eq!(unquoted("\""), "\"");
        assert_eq!(unquoted("simple"), "simple");
    }
}
