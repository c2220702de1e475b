//! What systemd wants to know of a service (sd_notify(3)): that it is ready, and that it is alive.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The service does what it is there for.
pub const READY: &str = "READY=1";
/// The service is alive.
pub const ALIVE: &str = "WATCHDOG=1";
/// The service is about to end.
pub const STOPPING: &str = "STOPPING=1";

/// Sends it, if systemd listens.
pub fn notify(what: &str) {
    if let Some(address) = env::var_os("NOTIFY_SOCKET") {
        // If it gets lost, systemd restarts a service that seems dead: nothing better is left.
        let _ = send(&address, what);
    }
}

fn send(address: &OsStr, what: &str) -> io::Result<usize> {
    let socket = UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    let address = match address.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        path => SocketAddr::from_pathname(OsStr::from_bytes(path))?,
    };
    socket.send_to_addr(what.as_bytes(), &address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_arrives_at_a_path_and_at_an_abstract_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let name = format!("airloom-daemon-test-{}", std::process::id());
        let listeners = [
            (path.clone().into_os_string(), UnixDatagram::bind(&path).unwrap()),
            (
                format!("@{name}").into(),
                UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap(),
            ),
        ];
        for (address, listener) in listeners {
            send(&address, READY).unwrap();
            let mut octets = [0; 64];
            let n = listener.recv(&mut octets).unwrap();
            assert_eq!(&octets[..n], b"READY=1");
        }
        send(OsStr::new("/nonexistent/notify"), READY).unwrap_err();
    }
}
