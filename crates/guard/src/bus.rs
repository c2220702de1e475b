//! The system bus.

use crate::{service, supplicant};
use std::collections::HashMap;
use std::thread;
use std::time::Duration;
use zbus::blocking::{Connection, MessageIterator, connection};
use zbus::fdo::RequestNameFlags;
use zbus::message::Type;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{MatchRule, Message};

/// No call may keep the loop waiting for longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// Connects.
pub(crate) fn system() -> Result<Connection, String> {
    connection::Builder::system()
        .and_then(|builder| builder.method_timeout(ANSWER_WITHIN).build())
        .map_err(|e| format!("no system bus: {e}"))
}

/// Takes a name that only one may have.
pub(crate) fn own(bus: &Connection, name: &str) -> Result<(), String> {
    match bus.request_name_with_flags(name, RequestNameFlags::DoNotQueue.into()) {
        Ok(_) => Ok(()),
        Err(zbus::Error::NameTaken) => {
            Err(format!("another guard is running: {name} is taken on the system bus"))
        }
        Err(e) => Err(format!("{name} on the system bus: {e}")),
    }
}

/// Calls back whenever wpa_supplicant comes, goes, or changes the state of a link.
pub(crate) fn on_supplicant(
    bus: &Connection,
    told: impl Fn() + Clone + Send + 'static,
) -> Result<(), String> {
    let signals = |rule: zbus::Result<MatchRule<'static>>| {
        rule.and_then(|rule| MessageIterator::for_match_rule(rule, bus, None)).map_err(|e| e.to_string())
    };
    let owners = signals(name_owner_changes(supplicant::NAME))?;
    let changes = signals(property_changes())?;
    let also_told = told.clone();
    thread::spawn(move || owners.for_each(|_| told()));
    thread::spawn(move || {
        for message in changes.flatten() {
            if concerns_link(&message) {
                also_told();
            }
        }
    });
    Ok(())
}

/// Signals that a name has a new owner, or none.
fn name_owner_changes(name: &'static str) -> zbus::Result<MatchRule<'static>> {
    Ok(MatchRule::builder()
        .msg_type(Type::Signal)
        .sender("org.freedesktop.DBus")?
        .interface("org.freedesktop.DBus")?
        .member("NameOwnerChanged")?
        .arg(0, name)?
        .build())
}

/// Signals that properties of one of wpa_supplicant's interfaces have changed.
pub(crate) fn property_changes() -> zbus::Result<MatchRule<'static>> {
    Ok(MatchRule::builder()
        .msg_type(Type::Signal)
        .sender(supplicant::NAME)?
        .interface("org.freedesktop.DBus.Properties")?
        .member("PropertiesChanged")?
        .arg(0, supplicant::INTERFACE)?
        .build())
}

/// What changed, by name.
pub(crate) fn changed(message: &Message) -> Option<HashMap<String, OwnedValue>> {
    type Changes = (String, HashMap<String, OwnedValue>, Vec<String>);
    message.body().deserialize::<Changes>().ok().map(|(_, changed, _)| changed)
}

fn concerns_link(message: &Message) -> bool {
    changed(message)
        .is_some_and(|changed| changed.contains_key("State") || changed.contains_key("CurrentNetwork"))
}

/// Calls a method of the guard that runs.
pub(crate) fn ask_guard(
    method: &str,
    body: &(impl serde::Serialize + zbus::zvariant::DynamicType),
) -> Result<(), String> {
    system()?
        .call_method(Some(service::NAME), service::PATH, Some(service::NAME), method, body)
        .map(|_| ())
        .map_err(|e| explain(&e))
}

/// What the guard that runs shows of itself, in order.
pub(crate) fn guard_status() -> Result<Vec<(String, String)>, String> {
    let bus = system()?;
    let properties = zbus::blocking::fdo::PropertiesProxy::builder(&bus)
        .destination(service::NAME)
        .and_then(|proxy| proxy.path(service::PATH))
        .and_then(|proxy| proxy.build())
        .map_err(|e| explain(&e))?;
    let name = zbus::names::InterfaceName::from_static_str_unchecked(service::NAME);
    let all = properties.get_all(name).map_err(|e| explain(&e.into()))?;
    let mut all: Vec<_> = all
        .into_iter()
        .map(|(key, value)| match &*value {
            Value::Str(text) => (key, text.to_string()),
            Value::U32(number) => (key, number.to_string()),
            other => (key, other.to_string()),
        })
        .collect();
    all.sort();
    Ok(all)
}

fn explain(error: &zbus::Error) -> String {
    let text = error.to_string();
    if text.contains("ServiceUnknown") || text.contains("NameHasNoOwner") {
        return "no guard is running; start it with: systemctl start airloom-guard".into();
    }
    format!("the guard: {text}")
}
