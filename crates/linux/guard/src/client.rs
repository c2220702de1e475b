//! The commands that speak to the guard that runs.

use crate::bus;
use crate::service;
use zbus::zvariant::Value;

/// Calls a method of the guard that runs.
pub(crate) fn call(
    method: &str,
    body: &(impl serde::Serialize + zbus::zvariant::DynamicType),
) -> Result<(), String> {
    bus::system()?
        .call_method(Some(service::NAME), service::PATH, Some(service::NAME), method, body)
        .map(|_| ())
        .map_err(|e| explain(&e))
}

/// What the guard that runs shows of itself, in order.
pub(crate) fn status() -> Result<Vec<(String, String)>, String> {
    let bus = bus::system()?;
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
