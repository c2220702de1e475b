//! The system bus.

use crate::narrow::Narrow;
use async_io::Timer;
use futures_lite::FutureExt;
use std::time::Duration;
use zbus::address::transport::{Transport, UnixSocket};
use zbus::blocking::Connection;
use zbus::fdo::RequestNameFlags;
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
