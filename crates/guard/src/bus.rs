//! The system bus.

use crate::narrow::Narrow;
use crate::service;
use async_io::Timer;
use futures_lite::FutureExt;
use std::time::Duration;
use zbus::address::transport::{Transport, UnixSocket};
use zbus::blocking::Connection;
use zbus::fdo::RequestNameFlags;
use zbus::zvariant::Value;
use zbus::{Address, connection};

/// No call may keep the loop waiting for longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// Connects.
pub(crate) fn system() -> Result<Connection, String> {
    let late = async {
        Timer::after(ANSWER_WITHIN).await;
        Err(format!("no answer within {} s", ANSWER_WITHIN.as_secs()))
    };
    zbus::block_on(connect().or(late)).map(Connection::from).map_err(|e| format!("no system bus: {e}"))
}

async fn connect() -> Result<zbus::Connection, String> {
    let address = Address::system().map_err(|e| e.to_string())?;
    let Transport::Unix(unix) = address.transport() else {
        return Err(format!("{address} is no Unix socket"));
    };
    let UnixSocket::File(path) = unix.path() else {
        return Err(format!("{address} has no path"));
    };
    let socket = Narrow::connect(path).await.map_err(|e| format!("{}: {e}", path.display()))?;
    let builder = connection::Builder::socket(socket).method_timeout(ANSWER_WITHIN);
    builder.build().await.map_err(|e| e.to_string())
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
