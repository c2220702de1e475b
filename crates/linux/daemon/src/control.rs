//! wpa_supplicant's control interface: what `wpa_cli` asks of it, without a process for each question.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The longest reply (wpa_supplicant 2.10, the buffer of `_wpa_ctrl_command()`).
const LONGEST: usize = 4096;

/// An interface of wpa_supplicant that can be asked.
#[derive(Debug)]
pub struct Control {
    socket: UnixDatagram,
}

impl Control {
    /// That of a network interface; a reply that is later than `patience` was lost.
    ///
    /// # Errors
    /// `NotFound` if no wpa_supplicant has the interface, `PermissionDenied` to all but root and the group netdev.
    pub fn of(interface: &str, patience: Duration) -> io::Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        // An address in no folder, so that there is none to leave behind.
        let name = format!("airloom-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
        socket.set_read_timeout(Some(patience))?;
        socket.connect(format!("/run/wpa_supplicant/{interface}"))?;
        Ok(Self { socket })
    }

    /// The reply to a command, such as `STATUS`.
    ///
    /// # Errors
    /// Those of the socket; a reply that does not come is one.
    pub fn ask(&self, command: &str) -> io::Result<String> {
        self.socket.send(command.as_bytes())?;
        let mut reply = [0; LONGEST];
        let octets = self.socket.recv(&mut reply)?;
        Ok(String::from_utf8_lossy(&reply[..octets]).trim().to_owned())
    }
}
