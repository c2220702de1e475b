//! wpa_supplicant's control interface: what wpa_cli asks of it, without a process for each question. Waiting asks thousands.

use crate::check::s;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::atomic::{AtomicU32, Ordering};

/// The longest reply (wpa_supplicant 2.10, the buffer of `_wpa_ctrl_command()`).
const LONGEST: usize = 4096;

/// What wpa_supplicant replies to a command for the station's interface, or what kept it from replying.
pub(crate) fn ask(command: &str) -> String {
    replied(command).unwrap_or_else(|e| format!("{command}: {e}"))
}

fn replied(command: &str) -> io::Result<String> {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let name = format!("testbed-{}-{}", std::process::id(), ASKED.fetch_add(1, Ordering::Relaxed));
    let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
    socket.connect("/run/wpa_supplicant/wlan0")?;
    socket.set_read_timeout(Some(s(10)))?;
    socket.send(command.as_bytes())?;
    let mut reply = [0; LONGEST];
    let octets = socket.recv(&mut reply)?;
    Ok(String::from_utf8_lossy(&reply[..octets]).trim().to_owned())
}
