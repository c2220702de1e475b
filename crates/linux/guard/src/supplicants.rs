//! The supplicants that there are, wpa_supplicant and iwd, as if they were one: by the path of an object it is known whose it is.

use crate::bus;
use crate::iwd::{self, Iwd};
use crate::supplicant::{Link, Supplicant};
use crate::wpa_supplicant::{self, WpaSupplicant};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use zbus::blocking::{Connection, MessageIterator};
use zbus::message::Type;
use zbus::zvariant::OwnedValue;
use zbus::{MatchRule, Message};

const DBUS: &str = "org.freedesktop.DBus";

/// One interface of the supplicant that has it.
pub(crate) struct OverDBus {
    wpa_supplicant: WpaSupplicant,
    iwd: Iwd,
}

impl OverDBus {
    /// The interface asked for, or any.
    pub(crate) fn new(bus: Connection, wanted: Option<String>) -> Self {
        Self { iwd: Iwd::new(bus.clone(), wanted.clone()), wpa_supplicant: WpaSupplicant::new(bus, wanted) }
    }

    /// The interface and whether its link is up; an error says why there is none.
    pub(crate) fn link(&self) -> Result<Link, String> {
        let links = [self.wpa_supplicant.link(), self.iwd.link()];
        if let Some(up) = links.iter().flatten().find(|link| link.completed) {
            return Ok(up.clone());
        }
        let [first, second] = links;
        first.or_else(|why| second.map_err(|other| format!("{why}; {other}")))
    }

    fn of(&self, network: &str) -> &dyn Supplicant {
        if network.starts_with(iwd::ROOT) { &self.iwd } else { &self.wpa_supplicant }
    }
}

impl Supplicant for OverDBus {
    fn owner(&self, network: &str) -> Result<Option<String>, String> {
        self.of(network).owner(network)
    }

    fn bgscan(&self, owner: &str, network: &str) -> Result<Option<String>, String> {
        self.of(network).bgscan(owner, network)
    }

    fn set_bgscan(&self, owner: &str, network: &str, value: &str) -> Result<(), String> {
        self.of(network).set_bgscan(owner, network, value)
    }
}

/// What is heard of a supplicant.
#[derive(Debug)]
pub(crate) enum Heard {
    /// It came or went.
    Owner,
    /// Properties of one of its interfaces have changed, by name.
    Changed(HashMap<String, OwnedValue>),
    /// Nothing will be heard any more: the bus is gone.
    TheEnd,
}

/// Calls back with what is heard of the supplicants, from threads of their own.
///
/// Any program may send signals that look like a supplicant's. A signal is believed if it comes from the one connection that
/// owns its name, and the bus alone says which connection that is.
pub(crate) fn listen(bus: &Connection, heard: impl Fn(Heard) + Clone + Send + 'static) -> Result<(), String> {
    listen_to(bus, wpa_supplicant::NAME, wpa_supplicant::INTERFACE, heard.clone())?;
    listen_to(bus, iwd::NAME, iwd::STATION, heard)
}

fn listen_to(
    bus: &Connection,
    name: &'static str,
    interface: &'static str,
    heard: impl Fn(Heard) + Clone + Send + 'static,
) -> Result<(), String> {
    let signals = |rule: zbus::Result<MatchRule<'static>>| {
        rule.and_then(|rule| MessageIterator::for_match_rule(rule, bus, None))
            .map_err(|e| format!("{name}: {e}"))
    };
    let owners = signals(owner_changes(name))?;
    let changes = signals(property_changes(name, interface))?;
    let owner = Arc::new(Mutex::new(bus::owner(bus, name)?.unwrap_or_default()));
    let (now, report) = (Arc::clone(&owner), heard.clone());
    thread::spawn(move || {
        for signal in owners.flatten() {
            if let Some(new) = new_owner(&signal, name) {
                *now.lock().unwrap_or_else(PoisonError::into_inner) = new;
                report(Heard::Owner);
            }
        }
        report(Heard::TheEnd);
    });
    thread::spawn(move || {
        for signal in changes.flatten() {
            let from = owner.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(changed) = changed(&signal, &from, interface) {
                heard(Heard::Changed(changed));
            }
        }
    });
    Ok(())
}

/// Signals that a name has a new owner, or none.
fn owner_changes(name: &'static str) -> zbus::Result<MatchRule<'static>> {
    let signal = MatchRule::builder().msg_type(Type::Signal).sender(DBUS)?.interface(DBUS)?;
    Ok(signal.member("NameOwnerChanged")?.arg(0, name)?.build())
}

/// Signals that properties of one of a supplicant's interfaces have changed.
fn property_changes(name: &'static str, interface: &'static str) -> zbus::Result<MatchRule<'static>> {
    let signal = MatchRule::builder().msg_type(Type::Signal).sender(name)?;
    let signal = signal.interface("org.freedesktop.DBus.Properties")?.member("PropertiesChanged")?;
    Ok(signal.arg(0, interface)?.build())
}

/// A name's new owner, if the bus itself says so; the empty name if there is none.
fn new_owner(signal: &Message, expected: &str) -> Option<String> {
    let (name, _, new) = signal.body().deserialize::<(String, String, String)>().ok()?;
    (signal.header().sender()?.as_str() == DBUS && name == expected).then_some(new)
}

/// What has changed according to the supplicant itself, which is `owner`.
fn changed(signal: &Message, owner: &str, expected: &str) -> Option<HashMap<String, OwnedValue>> {
    if signal.header().sender()?.as_str() != owner {
        return None;
    }
    type Changes = (String, HashMap<String, OwnedValue>, Vec<String>);
    let (interface, changed, _) = signal.body().deserialize::<Changes>().ok()?;
    (interface == expected).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wpa_supplicant::{INTERFACE, NAME};
    use zbus::zvariant::Value;

    fn signal<B: serde::Serialize + zbus::zvariant::DynamicType>(
        sender: &str,
        member: &str,
        body: &B,
    ) -> Message {
        let signal = Message::signal("/x", "a.b", member).unwrap();
        signal.sender(sender).unwrap().build(body).unwrap()
    }

    #[test]
    fn only_the_supplicant_itself_is_believed_about_its_properties() {
        let body = (INTERFACE, HashMap::from([("State", Value::from("completed"))]), Vec::<&str>::new());
        let state = |sender, owner| changed(&signal(sender, "PropertiesChanged", &body), owner, INTERFACE);
        assert!(state(":1.5", ":1.5").unwrap().contains_key("State"));
        assert!(state(":1.66", ":1.5").is_none());
        assert!(state(":1.5", "").is_none(), "wpa_supplicant is not running");
        assert!(changed(&signal(":1.5", "PropertiesChanged", &body), ":1.5", iwd::STATION).is_none());
    }

    #[test]
    fn only_the_bus_is_believed_about_who_the_supplicant_is() {
        let owner =
            |sender, name| new_owner(&signal(sender, "NameOwnerChanged", &(name, ":1.5", ":1.66")), NAME);
        assert_eq!(owner(DBUS, NAME).unwrap(), ":1.66");
        assert_eq!(owner(":1.66", NAME), None);
        assert_eq!(owner(DBUS, "a.b"), None);
    }
}
