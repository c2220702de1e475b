//! The system's bus, and a session's.

use crate::narrow::Narrow;
use async_io::Timer;
use futures_lite::FutureExt;
use std::time::Duration;
use zbus::address::transport::{Transport, UnixSocket};
use zbus::blocking::Connection;
use zbus::blocking::fdo::{DBusProxy, PropertiesProxy};
use zbus::fdo::RequestNameFlags;
use zbus::names::{BusName, InterfaceName};
use zbus::proxy::CacheProperties;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Address, connection, fdo};

/// No call may keep the loop waiting for longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// Connects to the system's bus.
pub(crate) fn system() -> Result<Connection, String> {
    connected(Address::system()).map_err(|e| format!("no system bus: {e}"))
}

/// Connects to the bus of this session.
pub(crate) fn session() -> Result<Connection, String> {
    connected(Address::session()).map_err(|e| format!("no session bus: {e}"))
}

fn connected(address: zbus::Result<Address>) -> Result<Connection, String> {
    let late = async {
        Timer::after(ANSWER_WITHIN).await;
        Err(format!("no answer within {} s", ANSWER_WITHIN.as_secs()))
    };
    zbus::block_on(connect(address).or(late)).map(Connection::from)
}

async fn connect(address: zbus::Result<Address>) -> Result<zbus::Connection, String> {
    let address = address.map_err(|e| e.to_string())?;
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

/// The connection that owns a name now; `None` if it is known that there is none.
pub(crate) fn owner(bus: &Connection, name: &'static str) -> Result<Option<String>, String> {
    let say = |e: &dyn std::fmt::Display| format!("the bus: {e}");
    let proxy = DBusProxy::new(bus).map_err(|e| say(&e))?;
    match proxy.get_name_owner(BusName::from_static_str(name).expect("well-formed")) {
        Ok(owner) => Ok(Some(owner.to_string())),
        Err(fdo::Error::NameHasNoOwner(_)) => Ok(None),
        Err(e) => Err(say(&e)),
    }
}

/// A property of an object of the connection `owner`.
pub(crate) fn get(
    bus: &Connection,
    owner: &str,
    path: &str,
    interface: &'static str,
    property: &str,
) -> fdo::Result<OwnedValue> {
    properties(bus, owner, path)?.get(InterfaceName::from_static_str_unchecked(interface), property)
}

/// Sets it.
pub(crate) fn set(
    bus: &Connection,
    owner: &str,
    path: &str,
    interface: &'static str,
    property: &str,
    value: Value<'_>,
) -> fdo::Result<()> {
    properties(bus, owner, path)?.set(InterfaceName::from_static_str_unchecked(interface), property, value)
}

fn properties<'a>(bus: &Connection, owner: &'a str, path: &'a str) -> zbus::Result<PropertiesProxy<'a>> {
    let proxy = PropertiesProxy::builder(bus).destination(owner)?.path(path)?;
    proxy.cache_properties(CacheProperties::No).build()
}
