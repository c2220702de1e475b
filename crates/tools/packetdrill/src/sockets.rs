//! Descriptors and what they lead to.

use crate::device::Ends;
use libc::c_int;
use std::collections::BTreeMap;
use std::fs::File;
use std::net::SocketAddrV4;
use std::os::fd::{AsRawFd, IntoRawFd};

/// A connection in the stack.
pub(crate) type Id = usize;

/// What a socket was told before it has a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Options {
    pub(crate) bound: Option<SocketAddrV4>,
    /// `TCP_MAXSEG`.
    pub(crate) mss: Option<u32>,
    /// `TCP_NODELAY`.
    pub(crate) no_delay: bool,
    /// `TCP_CORK`.
    pub(crate) corked: bool,
    /// `SO_SNDBUF`, as the kernel doubles it.
    pub(crate) send_buffer: Option<u32>,
    /// `TCP_NOTSENT_LOWAT`.
    pub(crate) unsent_limit: Option<u32>,
    /// `TCP_INQ`: reading tells how much is left to read.
    pub(crate) tell_left: bool,
}

/// What a descriptor leads to.
pub(crate) enum Entry {
    /// A socket without a connection.
    Fresh,
    /// A listening socket, with connections whose handshake is under way and those to be accepted.
    Listening {
        /// Connections in the order of their SYNs; those that are established are accepted first come, first served.
        arrived: Vec<Id>,
    },
    /// A connection.
    Connected(Id),
    /// Descriptors watched together.
    Watch(crate::watch::Watch),
}

/// A descriptor.
pub(crate) struct Socket {
    pub(crate) entry: Entry,
    pub(crate) options: Options,
    pub(crate) nonblocking: bool,
}

/// The table of descriptors. Each is a real one, open on nothing, so that numbers are unique in the process and packetdrill can
/// close what is left at the end.
#[derive(Default)]
pub(crate) struct Sockets(BTreeMap<c_int, Socket>);

impl Sockets {
    /// Opens a descriptor.
    pub(crate) fn open(&mut self, entry: Entry, options: Options, nonblocking: bool) -> Result<c_int, c_int> {
        let file = File::open("/dev/null").map_err(|error| error.raw_os_error().unwrap_or(libc::EMFILE))?;
        let fd = file.as_raw_fd();
        self.0.insert(fd, Socket { entry, options, nonblocking });
        let _ = file.into_raw_fd();
        Ok(fd)
    }

    pub(crate) fn get(&self, fd: c_int) -> Result<&Socket, c_int> {
        self.0.get(&fd).ok_or(libc::EBADF)
    }

    pub(crate) fn get_mut(&mut self, fd: c_int) -> Result<&mut Socket, c_int> {
        self.0.get_mut(&fd).ok_or(libc::EBADF)
    }

    /// Forgets a descriptor, which its caller closes.
    pub(crate) fn remove(&mut self, fd: c_int) -> Result<Socket, c_int> {
        self.0.remove(&fd).ok_or(libc::EBADF)
    }

    /// The listening socket that a SYN is for.
    pub(crate) fn listener(&mut self, ends: Ends) -> Option<(&Options, &mut Vec<Id>)> {
        self.0.values_mut().find_map(|socket| match &mut socket.entry {
            Entry::Listening { arrived }
                if socket.options.bound.is_some_and(|at| at.port() == ends.local.port()) =>
            {
                Some((&socket.options, arrived))
            }
            _ => None,
        })
    }

    /// A local port that no socket is bound to.
    pub(crate) fn free_port(&self) -> u16 {
        let taken = self.0.values().filter_map(|socket| socket.options.bound.map(|at| at.port()));
        taken.fold(32_768, |free, port| free.max(port.saturating_add(1)))
    }
}
