//! The stack: connections behind descriptors, on a device, in virtual time.

use crate::clock::Clock;
use crate::connection::Connection;
use crate::device::{self, Device, Ends};
use crate::settings::{Host, Settings};
use crate::sockets::{Entry, Id, Options, Socket, Sockets};
use crate::watch::{Watch, WatchedState};
use airloom_sim::Time;
use airloom_tcp::{Phase, Role, Segment};
use airloom_wire::TcpFlags;
use libc::c_int;
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};

/// The outcome of a call: a value, or an error of `errno`; nothing yet if the call has to wait.
pub(crate) type Answer<T> = Option<Result<T, c_int>>;

/// The address of a socket that connects without being bound; packetdrill reads it from the SYN.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(192, 168, 0, 1);

/// The whole stack.
pub(crate) struct Stack {
    pub(crate) clock: Clock,
    settings: Settings,
    device: Device,
    sockets: Sockets,
    /// By their ids, in the order in which they began.
    connections: BTreeMap<Id, Connection>,
    /// The id of the next connection.
    next: Id,
}

fn with_options(mut host: Host, options: &Options) -> Host {
    let offered = &mut host.tcp.offer.mss;
    *offered = options.mss.map_or(*offered, |mss| mss.min(*offered));
    host.tcp.nagle &= !options.no_delay;
    host
}

fn apply(connection: &mut Connection, now: Time, options: &Options, device: &mut Device) {
    if options.corked {
        connection.with(now, device, |endpoint, fx| endpoint.set_cork(now, true, fx, &mut ()));
    }
    connection.unsent_limit = options.unsent_limit;
    if let Some(size) = options.send_buffer {
        connection.queue.fix(size.into());
    }
}

impl Stack {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            clock: Clock::new(),
            settings,
            device: Device::default(),
            sockets: Sockets::default(),
            connections: BTreeMap::new(),
            next: 0,
        }
    }

    fn now(&self) -> Time {
        self.clock.now()
    }

    /// The host as it is set now. A mistake in its settings is reported once and ends the run, since every result would be
    /// another host's.
    pub(crate) fn host(&self) -> Host {
        self.settings.read().unwrap_or_else(|error| {
            eprintln!("airloom: {error}");
            std::process::exit(2);
        })
    }

    /// A new socket (`socket`).
    pub(crate) fn open(&mut self, family: c_int, kind: c_int) -> Result<c_int, c_int> {
        if family != libc::AF_INET {
            return Err(libc::EAFNOSUPPORT);
        }
        if kind & 0xf != libc::SOCK_STREAM {
            return Err(libc::EPROTONOSUPPORT);
        }
        self.sockets.open(Entry::Fresh, Options::default(), kind & libc::SOCK_NONBLOCK != 0)
    }

    pub(crate) fn bind(&mut self, fd: c_int, at: SocketAddrV4) -> Result<(), c_int> {
        self.sockets.get_mut(fd)?.options.bound = Some(at);
        Ok(())
    }

    pub(crate) fn listen(&mut self, fd: c_int) -> Result<(), c_int> {
        let socket = self.sockets.get_mut(fd)?;
        match socket.entry {
            Entry::Fresh => socket.entry = Entry::Listening { arrived: Vec::new() },
            Entry::Listening { .. } => {}
            _ => return Err(libc::EINVAL),
        }
        Ok(())
    }

    /// The next connection of a listening socket, if one is established, behind a descriptor of its own.
    pub(crate) fn accept(&mut self, fd: c_int) -> Answer<(c_int, SocketAddrV4)> {
        let socket = match self.sockets.get_mut(fd) {
            Ok(socket) => socket,
            Err(error) => return Some(Err(error)),
        };
        let Entry::Listening { arrived } = &mut socket.entry else { return Some(Err(libc::EINVAL)) };
        let connections = &self.connections;
        let done = |id: &Id| connections.get(id).is_some_and(|connection| connection.established);
        let id = arrived.remove(arrived.iter().position(done)?);
        let options = Options { bound: None, ..socket.options };
        let remote = self.connections.get(&id).map(|connection| connection.ends.remote)?;
        Some(self.sockets.open(Entry::Connected(id), options, false).map(|new| (new, remote)))
    }

    /// Begins to connect; the handshake is still under way then.
    pub(crate) fn connect(&mut self, fd: c_int, remote: SocketAddrV4) -> Result<(), c_int> {
        let (now, host, port) = (self.now(), self.host(), self.sockets.free_port());
        let socket = self.sockets.get_mut(fd)?;
        match socket.entry {
            Entry::Fresh => {}
            Entry::Connected(id) => {
                let under_way = self.connections.get(&id).is_some_and(|connection| !connection.established);
                return Err(if under_way { libc::EALREADY } else { libc::EISCONN });
            }
            _ => return Err(libc::EINVAL),
        }
        let local = socket.options.bound.unwrap_or(SocketAddrV4::new(ADDRESS, port));
        socket.options.bound = Some(local);
        let mut connection =
            Connection::new(with_options(host, &socket.options), Role::Active, Ends { local, remote });
        apply(&mut connection, now, &socket.options, &mut self.device);
        socket.entry = Entry::Connected(self.next);
        connection.with(now, &mut self.device, |endpoint, fx| endpoint.open(now, fx, &mut ()));
        self.connections.insert(self.next, connection);
        self.next += 1;
        Ok(())
    }

    /// Whether connecting has come to its end.
    pub(crate) fn connected(&mut self, fd: c_int) -> Answer<()> {
        match self.connection(fd) {
            Err(error) => Some(Err(error)),
            Ok(connection) => match connection.error.take() {
                Some(error) => Some(Err(error)),
                None if connection.over.is_some() => Some(Err(libc::ETIMEDOUT)),
                None => connection.established.then_some(Ok(())),
            },
        }
    }

    /// Does something with the connection behind a descriptor.
    pub(crate) fn connection(&mut self, fd: c_int) -> Result<&mut Connection, c_int> {
        let Entry::Connected(id) = self.sockets.get(fd)?.entry else { return Err(libc::ENOTCONN) };
        self.connections.get_mut(&id).ok_or(libc::ENOTCONN)
    }

    pub(crate) fn socket(&mut self, fd: c_int) -> Result<&mut Socket, c_int> {
        self.sockets.get_mut(fd)
    }

    pub(crate) fn read(&mut self, fd: c_int, count: u64, peek: bool) -> Answer<u64> {
        match self.connection(fd) {
            Ok(connection) => connection.read(count, peek),
            Err(error) => Some(Err(error)),
        }
    }

    pub(crate) fn write(&mut self, fd: c_int, count: u64, more: bool) -> Answer<u64> {
        let now = self.now();
        let id = match self.sockets.get(fd).map(|socket| &socket.entry) {
            Ok(Entry::Connected(id)) => *id,
            Ok(_) => return Some(Err(libc::EPIPE)),
            Err(error) => return Some(Err(error)),
        };
        self.connections.get_mut(&id)?.write(now, count, more, &mut self.device)
    }

    /// The bytes left to read, if reading is to tell (`TCP_INQ`); at the end of what the peer sends, one more (`tcp_inq_hint`).
    pub(crate) fn left_to_tell(&mut self, fd: c_int) -> Result<Option<c_int>, c_int> {
        let tells = self.sockets.get(fd)?.options.tell_left;
        let connection = self.connection(fd)?;
        let left = connection.readable.max(u64::from(connection.endpoint.peer_closed()));
        Ok(tells.then_some(left as c_int))
    }

    /// Ends reading, writing or both (`inet_shutdown`).
    pub(crate) fn shutdown(&mut self, fd: c_int, how: c_int) -> Result<(), c_int> {
        let now = self.now();
        let Entry::Connected(id) = self.sockets.get(fd)?.entry else { return Err(libc::ENOTCONN) };
        let connection = self.connections.get_mut(&id).ok_or(libc::ENOTCONN)?;
        if !connection.established || connection.over.is_some() {
            return Err(libc::ENOTCONN);
        }
        connection.shut.0 |= how == libc::SHUT_RD || how == libc::SHUT_RDWR;
        if how != libc::SHUT_RD {
            connection.shut.1 = true;
            connection.finish(now, &mut self.device);
        }
        connection.wakes.0 += 1;
        Ok(())
    }

    /// Closes a descriptor.
    pub(crate) fn close(&mut self, fd: c_int) -> Result<(), c_int> {
        let now = self.now();
        match self.sockets.remove(fd)?.entry {
            Entry::Connected(id) => {
                if let Some(connection) = self.connections.get_mut(&id) {
                    connection.close(now, &mut self.device);
                }
            }
            Entry::Listening { arrived } => {
                for id in arrived {
                    if let Some(connection) = self.connections.get_mut(&id) {
                        connection
                            .with(now, &mut self.device, |endpoint, fx| endpoint.abort(now, fx, &mut ()));
                        connection.orphaned = true;
                    }
                }
            }
            Entry::Fresh | Entry::Watch(_) => {}
        }
        Ok(())
    }

    /// Changes options that work at once.
    pub(crate) fn set_nagle(&mut self, fd: c_int, on: bool) -> Result<(), c_int> {
        self.sockets.get_mut(fd)?.options.no_delay = !on;
        self.change(fd, |connection, now, device| {
            connection.with(now, device, |endpoint, fx| endpoint.set_nagle(now, on, fx, &mut ()));
        })
    }

    pub(crate) fn set_cork(&mut self, fd: c_int, on: bool) -> Result<(), c_int> {
        self.sockets.get_mut(fd)?.options.corked = on;
        self.change(fd, |connection, now, device| {
            connection.with(now, device, |endpoint, fx| endpoint.set_cork(now, on, fx, &mut ()));
        })
    }

    /// Changes the connection behind a descriptor, if there is one yet.
    pub(crate) fn change(
        &mut self,
        fd: c_int,
        change: impl FnOnce(&mut Connection, Time, &mut Device),
    ) -> Result<(), c_int> {
        let now = self.now();
        if let Entry::Connected(id) = self.sockets.get(fd)?.entry
            && let Some(connection) = self.connections.get_mut(&id)
        {
            change(connection, now, &mut self.device);
        }
        Ok(())
    }

    /// A packet arrives from the network.
    pub(crate) fn receive(&mut self, bytes: &[u8]) {
        let now = self.now();
        let Some((ends, segment)) = device::parse(bytes) else { return };
        let known = |connection: &&mut Connection| connection.ends == ends && !connection.is_gone(now);
        if let Some(connection) = self.connections.values_mut().rev().find(known) {
            connection.receive(now, &segment, &mut self.device);
        } else {
            self.meet(now, ends, &segment);
        }
    }

    /// A segment of no connection: a SYN for a listening socket begins one, anything else is refused.
    fn meet(&mut self, now: Time, ends: Ends, segment: &Segment) {
        let flags = segment.header.flags;
        let opens =
            flags.contains(TcpFlags::SYN) && !flags.contains(TcpFlags::ACK) && !flags.contains(TcpFlags::RST);
        let host = self.host();
        match self.sockets.listener(ends).filter(|_| opens) {
            None => self.device.refuse(now, ends, segment),
            Some((options, arrived)) => {
                let mut connection = Connection::new(with_options(host, options), Role::Passive, ends);
                apply(&mut connection, now, options, &mut self.device);
                connection.receive(now, segment, &mut self.device);
                arrived.push(self.next);
                self.connections.insert(self.next, connection);
                self.next += 1;
            }
        }
    }

    /// The next packet that left, and when.
    pub(crate) fn take(&mut self) -> Option<(Time, Vec<u8>)> {
        self.device.take()
    }

    /// When something happens by itself.
    pub(crate) fn due(&self) -> Option<Time> {
        self.connections.values().filter_map(Connection::due).min()
    }

    /// Time passes until `at`, before which nothing happens.
    pub(crate) fn step(&mut self, at: Time) {
        self.clock.set(at);
        let now = self.now();
        self.connections.retain(|_, connection| {
            connection.fire(now, &mut self.device);
            !(connection.orphaned && connection.is_gone(now))
        });
    }

    /// The events of a descriptor, and how often its waiters were woken.
    pub(crate) fn look(&mut self, fd: c_int) -> Option<WatchedState> {
        match &self.sockets.get(fd).ok()?.entry {
            Entry::Fresh => Some((libc::EPOLLOUT | libc::EPOLLHUP, (0, 0))),
            Entry::Listening { arrived } => {
                let done =
                    |id: &&Id| self.connections.get(*id).is_some_and(|connection| connection.established);
                let waiting = arrived.iter().filter(done).count();
                Some((if waiting > 0 { libc::EPOLLIN | libc::EPOLLRDNORM } else { 0 }, (waiting as u64, 0)))
            }
            Entry::Connected(id) => {
                let connection = self.connections.get_mut(id)?;
                let events = connection.events();
                Some((events, connection.wakes))
            }
            Entry::Watch(_) => None,
        }
    }

    /// A descriptor that watches others.
    pub(crate) fn open_watch(&mut self) -> Result<c_int, c_int> {
        self.sockets.open(Entry::Watch(Watch::default()), Options::default(), false)
    }

    /// What is ready of the descriptors that `fd` watches.
    pub(crate) fn watched(&mut self, fd: c_int, most: usize) -> Result<Vec<(c_int, u64)>, c_int> {
        let Entry::Watch(watch) = &mut self.sockets.get_mut(fd)?.entry else { return Err(libc::EINVAL) };
        let mut watch = std::mem::take(watch);
        let ready = watch.ready(most, |fd| self.look(fd));
        if let Entry::Watch(place) = &mut self.sockets.get_mut(fd)?.entry {
            *place = watch;
        }
        Ok(ready)
    }

    /// Changes what `fd` watches.
    pub(crate) fn control_watch(
        &mut self,
        fd: c_int,
        operation: c_int,
        of: c_int,
        wanted: c_int,
        data: u64,
    ) -> Result<(), c_int> {
        self.sockets.get(of)?;
        let Entry::Watch(watch) = &mut self.sockets.get_mut(fd)?.entry else { return Err(libc::EINVAL) };
        watch.control(operation, of, wanted, data)
    }

    /// The state of a socket as the kernel numbers it (`TCP_ESTABLISHED` is 1).
    pub(crate) fn state(&self, fd: c_int) -> Result<u8, c_int> {
        Ok(match &self.sockets.get(fd)?.entry {
            Entry::Listening { .. } => 10,
            Entry::Connected(id) => self.connections.get(id).map_or(7, state),
            Entry::Fresh | Entry::Watch(_) => 7,
        })
    }
}

fn state(connection: &Connection) -> u8 {
    let endpoint = &connection.endpoint;
    match (endpoint.phase(), endpoint.is_closing(), endpoint.close_acknowledged(), endpoint.peer_closed()) {
        (Phase::SynSent, ..) => 2,
        (Phase::SynReceived, ..) => 3,
        (Phase::Idle, ..) => 7,
        (Phase::Finished, _, true, true) => 6,
        (Phase::Finished, ..) => 7,
        (Phase::Established, false, _, false) => 1,
        (Phase::Established, false, _, true) => 8,
        (Phase::Established, true, false, false) => 4,
        (Phase::Established, true, true, false) => 5,
        (Phase::Established, true, false, true) => 9,
        (Phase::Established, true, true, true) => 6,
    }
}
