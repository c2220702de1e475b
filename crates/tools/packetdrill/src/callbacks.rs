//! The callbacks: C's arguments turned into calls of the stack, and their answers into results and `errno`.
//!
//! All `unsafe` of the library is here and in `interpose`: packetdrill's pointers are read and written, as its interface
//! promises them to be valid for the length that goes with them.
#![allow(unsafe_code, reason = "a C interface: packetdrill calls in with pointers")]

use crate::abi::Interface;
use crate::options;
use crate::settings::Settings;
use crate::stack::{Answer, Stack};
use crate::waiting::Machine;
use airloom_sim::{Duration, Time};
use libc::{
    c_char, c_int, c_long, c_longlong, c_uint, c_ulong, c_void, epoll_event, iovec, msghdr, nfds_t, pollfd,
    size_t, sockaddr, sockaddr_in, socklen_t, ssize_t, timeval, useconds_t,
};
use std::ffi::CStr;
use std::net::SocketAddrV4;
use std::slice;
use std::sync::OnceLock;

/// `SIOCINQ` and `SIOCOUTQ`, with their other names.
const BYTES_TO_READ: c_ulong = libc::FIONREAD;
const BYTES_TO_SEND: c_ulong = libc::TIOCOUTQ;
/// `TCP_INQ`'s control message (`TCP_CM_INQ`).
const LEFT: c_int = 36;
/// The most buffers that a message has (`include/uapi/linux/uio.h`).
const UIO_MAXIOV: usize = 1024;

/// The machine. packetdrill loads one library for one script; its own `getsockopt` must find it too (`interpose`).
static MACHINE: OnceLock<Machine> = OnceLock::new();

/// The machine, once packetdrill has asked for it.
pub(crate) fn machine() -> Option<&'static Machine> {
    MACHINE.get()
}

fn on<T>(act: impl FnOnce(&Machine) -> Result<T, c_int>) -> Result<T, c_int> {
    act(MACHINE.get().ok_or(libc::ENXIO)?)
}

/// Sets `errno`.
pub(crate) fn fail(error: c_int) {
    // SAFETY: the C library's own place for this thread's error.
    unsafe { *libc::__errno_location() = error };
}

fn whole(answer: Result<c_int, c_int>) -> c_int {
    answer.unwrap_or_else(|error| {
        fail(error);
        -1
    })
}

fn done(answer: Result<(), c_int>) -> c_int {
    whole(answer.map(|()| 0))
}

fn length(answer: Result<u64, c_int>) -> ssize_t {
    match answer {
        Ok(bytes) => bytes as ssize_t,
        Err(error) => {
            fail(error);
            -1
        }
    }
}

/// Reads an address of IPv4.
///
/// # Safety
///
/// `at` is null or leads to `len` bytes.
unsafe fn address(at: *const sockaddr, len: socklen_t) -> Result<SocketAddrV4, c_int> {
    if at.is_null() {
        return Err(libc::EFAULT);
    }
    if (len as usize) < size_of::<sockaddr_in>() {
        return Err(libc::EINVAL);
    }
    // SAFETY: the caller promises `len` bytes, which are enough for an address of IPv4.
    let read = unsafe { at.cast::<sockaddr_in>().read_unaligned() };
    if c_int::from(read.sin_family) != libc::AF_INET {
        return Err(libc::EAFNOSUPPORT);
    }
    Ok(SocketAddrV4::new(u32::from_be(read.sin_addr.s_addr).into(), u16::from_be(read.sin_port)))
}

/// Writes an address of IPv4 where one is wanted.
///
/// # Safety
///
/// `at` is null, or leads to as many bytes as `len` says, which may be written to.
unsafe fn tell_address(at: *mut sockaddr, len: *mut socklen_t, address: SocketAddrV4) {
    if at.is_null() || len.is_null() {
        return;
    }
    // SAFETY: the caller promises that `len` can be read and written, and so much room at `at`.
    unsafe {
        if *len as usize >= size_of::<sockaddr_in>() {
            let told = sockaddr_in {
                sin_family: libc::AF_INET as u16,
                sin_port: address.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from(*address.ip()).to_be() },
                sin_zero: [0; 8],
            };
            at.cast::<sockaddr_in>().write_unaligned(told);
        }
        *len = size_of::<sockaddr_in>() as socklen_t;
    }
}

/// The bytes of a message's buffers, if every one of them leads somewhere.
///
/// # Safety
///
/// `at` is null or leads to `count` buffers.
unsafe fn total(at: *const iovec, count: usize) -> Result<u64, c_int> {
    if count == 0 {
        return Ok(0);
    }
    if count > UIO_MAXIOV {
        return Err(libc::EINVAL);
    }
    if at.is_null() {
        return Err(libc::EFAULT);
    }
    // SAFETY: the caller promises `count` buffers, which live as long as the call.
    let buffers = unsafe { slice::from_raw_parts(at, count) };
    if buffers.iter().any(|one| one.iov_base.is_null() && one.iov_len > 0) {
        return Err(libc::EFAULT);
    }
    let sum = buffers.iter().try_fold(0_isize, |sum, one| sum.checked_add_unsigned(one.iov_len));
    sum.map(|sum| sum as u64).ok_or(libc::EINVAL)
}

/// Whether calls on a descriptor wait, unless `flags` say otherwise.
fn blocks(machine: &Machine, fd: c_int, flags: c_int) -> Result<bool, c_int> {
    let nonblocking = machine.now(|stack| stack.socket(fd).map(|socket| socket.nonblocking))?;
    Ok(!nonblocking && flags & libc::MSG_DONTWAIT == 0)
}

/// Reads up to `count` bytes, which are zeros, whatever packetdrill sent.
fn take(fd: c_int, count: u64, flags: c_int) -> Result<u64, c_int> {
    on(|machine| {
        let blocks = blocks(machine, fd, flags)?;
        machine.wait(blocks, libc::EAGAIN, |stack| stack.read(fd, count, flags & libc::MSG_PEEK != 0))
    })
}

/// Writes `count` bytes; a call that waits writes all of them, unless the connection ends.
fn put(fd: c_int, count: u64, flags: c_int) -> Result<u64, c_int> {
    on(|machine| {
        let blocks = blocks(machine, fd, flags)?;
        let (mut written, mut asleep) = (0, None);
        machine.wait(blocks, libc::EAGAIN, |stack| -> Answer<u64> {
            // One that waits for room is woken once a third of the buffer is free, not by every byte.
            let wakes = stack.look(fd).map(|(_, wakes)| wakes.1);
            if asleep.is_some_and(|asleep| asleep == wakes) {
                return None;
            }
            asleep = Some(wakes);
            match stack.write(fd, count - written, flags & libc::MSG_MORE != 0) {
                Some(Ok(taken)) => written += taken,
                Some(Err(error)) if written == 0 => return Some(Err(error)),
                Some(Err(_)) => return Some(Ok(written)),
                None => {}
            }
            (written == count || (written > 0 && (!blocks || machine.is_main()))).then_some(Ok(written))
        })
    })
}

/// Writes `count` zeros.
///
/// # Safety
///
/// `at` leads to `count` bytes, which may be written to.
unsafe fn zeros(at: *mut c_void, count: u64) {
    // SAFETY: as the caller promises.
    unsafe { at.cast::<u8>().write_bytes(0, count as usize) };
}

unsafe extern "C" fn free(_: *mut c_void) {}

unsafe extern "C" fn socket(_: *mut c_void, family: c_int, kind: c_int, _: c_int) -> c_int {
    whole(on(|machine| machine.now(|stack| stack.open(family, kind))))
}

unsafe extern "C" fn bind(_: *mut c_void, fd: c_int, at: *const sockaddr, len: socklen_t) -> c_int {
    // SAFETY: packetdrill's address with its length.
    let at = unsafe { address(at, len) };
    done(at.and_then(|at| on(|machine| machine.now(|stack| stack.bind(fd, at)))))
}

unsafe extern "C" fn listen(_: *mut c_void, fd: c_int, _: c_int) -> c_int {
    done(on(|machine| machine.now(|stack| stack.listen(fd))))
}

unsafe extern "C" fn accept(_: *mut c_void, fd: c_int, at: *mut sockaddr, len: *mut socklen_t) -> c_int {
    let accepted = on(|machine| {
        let blocks = blocks(machine, fd, 0)?;
        machine.wait(blocks, libc::EAGAIN, |stack| stack.accept(fd))
    });
    whole(accepted.map(|(new, remote)| {
        // SAFETY: packetdrill's room for an address with its length.
        unsafe { tell_address(at, len, remote) };
        new
    }))
}

unsafe extern "C" fn connect(_: *mut c_void, fd: c_int, at: *const sockaddr, len: socklen_t) -> c_int {
    // SAFETY: packetdrill's address with its length.
    let at = unsafe { address(at, len) };
    done(at.and_then(|at| {
        on(|machine| {
            machine.now(|stack| stack.connect(fd, at))?;
            let blocks = blocks(machine, fd, 0)?;
            machine.wait(blocks, libc::EINPROGRESS, |stack| stack.connected(fd))
        })
    }))
}

unsafe extern "C" fn read(data: *mut c_void, fd: c_int, to: *mut c_void, count: size_t) -> ssize_t {
    // SAFETY: the caller's promises are those that `recv` asks for.
    unsafe { recv(data, fd, to, count, 0) }
}

unsafe extern "C" fn readv(_: *mut c_void, fd: c_int, to: *const iovec, count: c_int) -> ssize_t {
    // SAFETY: packetdrill's buffers with their number.
    let count = unsafe { total(to, count as usize) };
    length(count.and_then(|count| take(fd, count, 0)))
}

unsafe extern "C" fn recv(
    _: *mut c_void,
    fd: c_int,
    to: *mut c_void,
    count: size_t,
    flags: c_int,
) -> ssize_t {
    if to.is_null() && count > 0 {
        return length(Err(libc::EFAULT));
    }
    let taken = take(fd, count as u64, flags);
    if let Ok(taken) = taken {
        // SAFETY: packetdrill's buffer has `count` bytes, of which at most that many were taken.
        unsafe { zeros(to, taken) };
    }
    length(taken)
}

unsafe extern "C" fn recvfrom(
    data: *mut c_void,
    fd: c_int,
    to: *mut c_void,
    count: size_t,
    flags: c_int,
    _: *mut sockaddr,
    _: *mut socklen_t,
) -> ssize_t {
    // SAFETY: the caller's promises are those that `recv` asks for; TCP tells no address.
    unsafe { recv(data, fd, to, count, flags) }
}

unsafe extern "C" fn recvmsg(_: *mut c_void, fd: c_int, message: *mut msghdr, flags: c_int) -> ssize_t {
    // SAFETY: packetdrill's message, which it lets the callee change.
    let Some(message) = (unsafe { message.as_mut() }) else { return length(Err(libc::EFAULT)) };
    // SAFETY: the message's buffers with their number.
    let count = unsafe { total(message.msg_iov, message.msg_iovlen) };
    let taken = count.and_then(|count| take(fd, count, flags));
    message.msg_flags = 0;
    let left = on(|machine| machine.now(|stack| stack.left_to_tell(fd)));
    match (&taken, left) {
        // SAFETY: the message says how much room its control messages have.
        (Ok(_), Ok(Some(left))) => unsafe { tell_left(message, left) },
        _ => message.msg_controllen = 0,
    }
    length(taken)
}

/// Adds the control message that tells how much is left to read.
///
/// # Safety
///
/// `msg_control` of `message` leads to as many bytes as `msg_controllen` says.
unsafe fn tell_left(message: &mut msghdr, left: c_int) {
    // SAFETY: the C library's macros stay within the room that the message says it has; what does not fit is not written.
    unsafe {
        let room = libc::CMSG_SPACE(size_of::<c_int>() as u32) as usize;
        let header = libc::CMSG_FIRSTHDR(message);
        if header.is_null() || message.msg_controllen < room {
            message.msg_controllen = 0;
            return;
        }
        (*header).cmsg_level = libc::IPPROTO_TCP;
        (*header).cmsg_type = LEFT;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<c_int>() as u32) as usize;
        libc::CMSG_DATA(header).cast::<c_int>().write_unaligned(left);
        message.msg_controllen = room;
    }
}

unsafe extern "C" fn write(data: *mut c_void, fd: c_int, from: *const c_void, count: size_t) -> ssize_t {
    // SAFETY: the caller's promises are those that `send` asks for.
    unsafe { send(data, fd, from, count, 0) }
}

unsafe extern "C" fn writev(_: *mut c_void, fd: c_int, from: *const iovec, count: c_int) -> ssize_t {
    // SAFETY: packetdrill's buffers with their number.
    let count = unsafe { total(from, count as usize) };
    length(count.and_then(|count| put(fd, count, 0)))
}

unsafe extern "C" fn send(
    _: *mut c_void,
    fd: c_int,
    from: *const c_void,
    count: size_t,
    flags: c_int,
) -> ssize_t {
    if from.is_null() && count > 0 {
        return length(Err(libc::EFAULT));
    }
    length(put(fd, count as u64, flags))
}

unsafe extern "C" fn sendto(
    data: *mut c_void,
    fd: c_int,
    from: *const c_void,
    count: size_t,
    flags: c_int,
    _: *const sockaddr,
    _: socklen_t,
) -> ssize_t {
    // SAFETY: the caller's promises are those that `send` asks for; without Fast Open an address is ignored.
    unsafe { send(data, fd, from, count, flags) }
}

unsafe extern "C" fn sendmsg(_: *mut c_void, fd: c_int, message: *const msghdr, flags: c_int) -> ssize_t {
    // SAFETY: packetdrill's message.
    let Some(message) = (unsafe { message.as_ref() }) else { return length(Err(libc::EFAULT)) };
    // SAFETY: the message's buffers with their number.
    let count = unsafe { total(message.msg_iov, message.msg_iovlen) };
    length(count.and_then(|count| put(fd, count, flags)))
}

unsafe extern "C" fn fcntl(_: *mut c_void, fd: c_int, command: c_int, argument: c_long) -> c_int {
    whole(on(|machine| {
        machine.now(|stack| {
            let socket = stack.socket(fd)?;
            match command {
                libc::F_GETFL if socket.nonblocking => Ok(libc::O_RDWR | libc::O_NONBLOCK),
                libc::F_GETFL => Ok(libc::O_RDWR),
                libc::F_SETFL => {
                    socket.nonblocking = argument as c_int & libc::O_NONBLOCK != 0;
                    Ok(0)
                }
                _ => Err(libc::EINVAL),
            }
        })
    }))
}

unsafe extern "C" fn ioctl(_: *mut c_void, fd: c_int, request: c_ulong, to: *mut c_int) -> c_int {
    if to.is_null() {
        return done(Err(libc::EFAULT));
    }
    done(on(|machine| {
        let bytes = machine.now(|stack| {
            let connection = stack.connection(fd)?;
            match request {
                BYTES_TO_READ => Ok(connection.readable),
                BYTES_TO_SEND => Ok(connection.endpoint.bytes_written() - connection.endpoint.bytes_acked()),
                _ => Err(libc::EINVAL),
            }
        })?;
        // SAFETY: packetdrill's room for a whole number.
        unsafe { to.write(bytes as c_int) };
        Ok(())
    }))
}

unsafe extern "C" fn close(_: *mut c_void, fd: c_int) -> c_int {
    done(on(|machine| {
        machine.now(|stack| stack.close(fd))?;
        // SAFETY: the descriptor is the library's own, which nothing uses any more.
        unsafe { libc::close(fd) };
        Ok(())
    }))
}

unsafe extern "C" fn shutdown(_: *mut c_void, fd: c_int, how: c_int) -> c_int {
    done(on(|machine| machine.now(|stack| stack.shutdown(fd, how))))
}

/// An option's value; also for packetdrill's own calls (`interpose`).
pub(crate) unsafe extern "C" fn getsockopt(
    _: *mut c_void,
    fd: c_int,
    level: c_int,
    name: c_int,
    to: *mut c_void,
    len: *mut socklen_t,
) -> c_int {
    if to.is_null() || len.is_null() {
        return done(Err(libc::EFAULT));
    }
    done(on(|machine| {
        let value = machine.now(|stack| options::get(stack, fd, level, name))?;
        // SAFETY: packetdrill's room with its length; no more than that is written.
        unsafe {
            let count = value.len().min(*len as usize);
            to.cast::<u8>().copy_from_nonoverlapping(value.as_ptr(), count);
            *len = count as socklen_t;
        }
        Ok(())
    }))
}

unsafe extern "C" fn setsockopt(
    _: *mut c_void,
    fd: c_int,
    level: c_int,
    name: c_int,
    from: *const c_void,
    len: socklen_t,
) -> c_int {
    if from.is_null() {
        return done(Err(libc::EFAULT));
    }
    // SAFETY: packetdrill's value with its length. Options of IP may be given as a byte (`ip_setsockopt`).
    let value = unsafe {
        match len {
            0 => None,
            1..4 => Some(c_int::from(from.cast::<u8>().read())),
            _ => Some(from.cast::<c_int>().read_unaligned()),
        }
    };
    let value = value.ok_or(libc::EINVAL);
    done(
        value
            .and_then(|value| on(|machine| machine.now(|stack| options::set(stack, fd, level, name, value)))),
    )
}

fn timeout(milliseconds: c_int) -> Option<Duration> {
    u64::try_from(milliseconds).ok().map(Duration::from_millis)
}

unsafe extern "C" fn poll(_: *mut c_void, at: *mut pollfd, count: nfds_t, milliseconds: c_int) -> c_int {
    if at.is_null() && count > 0 {
        return done(Err(libc::EFAULT));
    }
    // SAFETY: packetdrill's array with its length.
    let descriptors =
        if count == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(at, count as usize) } };
    whole(on(|machine| {
        let look = |stack: &mut Stack| {
            let mut ready = 0;
            for one in descriptors.iter_mut() {
                let wanted = c_int::from(one.events) | libc::EPOLLERR | libc::EPOLLHUP;
                one.revents = match stack.look(one.fd) {
                    Some((events, _)) => (events & wanted) as i16,
                    None => libc::POLLNVAL,
                };
                ready += c_int::from(one.revents != 0);
            }
            (ready > 0).then_some(Ok(ready))
        };
        machine.wait_for(timeout(milliseconds), look).unwrap_or(Ok(0))
    }))
}

unsafe extern "C" fn netdev_send(_: *mut c_void, from: *const c_void, count: size_t) -> c_int {
    if from.is_null() {
        return done(Err(libc::EFAULT));
    }
    // SAFETY: packetdrill's packet with its length.
    let packet = unsafe { slice::from_raw_parts(from.cast::<u8>(), count) };
    done(on(|machine| {
        machine.now(|stack| stack.receive(packet));
        Ok(())
    }))
}

unsafe extern "C" fn netdev_receive(
    _: *mut c_void,
    to: *mut c_void,
    room: *mut size_t,
    when: *mut c_longlong,
) -> c_int {
    let Some(machine) = machine() else { return done(Err(libc::ENXIO)) };
    let (at, packet) = machine.sniff().unwrap_or_else(|| (machine.read_clock(), Vec::new()));
    // SAFETY: packetdrill's room with its length; no more than that is written. No bytes tell it that there is no packet.
    unsafe {
        let count = packet.len().min(*room);
        to.cast::<u8>().copy_from_nonoverlapping(packet.as_ptr(), count);
        *room = count;
        *when = micros(at) as c_longlong;
    }
    0
}

fn micros(at: Time) -> u64 {
    at.as_nanos() / 1000
}

unsafe extern "C" fn usleep(_: *mut c_void, micros: useconds_t) -> c_int {
    done(on(|machine| {
        let until = machine.now(|stack| stack.clock.now()) + Duration::from_micros(micros.into());
        machine.pass(until);
        Ok(())
    }))
}

unsafe extern "C" fn gettimeofday(_: *mut c_void, to: *mut timeval, _: *mut c_void) -> c_int {
    done(on(|machine| {
        let now = micros(machine.read_clock());
        // SAFETY: packetdrill's room for a time.
        unsafe { to.write(timeval { tv_sec: (now / 1_000_000) as i64, tv_usec: (now % 1_000_000) as i64 }) };
        Ok(())
    }))
}

unsafe extern "C" fn epoll_create(_: *mut c_void, size: c_int) -> c_int {
    match size {
        1.. => whole(on(|machine| machine.now(Stack::open_watch))),
        _ => done(Err(libc::EINVAL)),
    }
}

unsafe extern "C" fn epoll_ctl(
    _: *mut c_void,
    fd: c_int,
    operation: c_int,
    of: c_int,
    event: *mut epoll_event,
) -> c_int {
    // SAFETY: packetdrill's event; there may be none as a watch ends.
    let event = unsafe { event.as_ref() }.map_or((0, 0), |event| (event.events as c_int, event.u64));
    done(on(|machine| machine.now(|stack| stack.control_watch(fd, operation, of, event.0, event.1))))
}

unsafe extern "C" fn epoll_wait(
    _: *mut c_void,
    fd: c_int,
    to: *mut epoll_event,
    most: c_int,
    milliseconds: c_int,
) -> c_int {
    let most = match usize::try_from(most) {
        Ok(most @ 1..) if !to.is_null() => most,
        _ => return done(Err(libc::EINVAL)),
    };
    whole(on(|machine| {
        let look = |stack: &mut Stack| match stack.watched(fd, most) {
            Ok(ready) if ready.is_empty() => None,
            answer => Some(answer),
        };
        let ready = machine.wait_for(timeout(milliseconds), look).unwrap_or(Ok(Vec::new()))?;
        for (place, &(events, data)) in ready.iter().enumerate() {
            // SAFETY: packetdrill's array has room for `most` events, and no more are ready.
            unsafe { to.add(place).write_unaligned(epoll_event { events: events as u32, u64: data }) };
        }
        Ok(ready.len() as c_int)
    }))
}

unsafe extern "C" fn pipe(_: *mut c_void, _: *mut c_int) -> c_int {
    done(Err(libc::ENOSYS))
}

unsafe extern "C" fn splice(
    _: *mut c_void,
    _: c_int,
    _: *mut i64,
    _: c_int,
    _: *mut i64,
    _: size_t,
    _: c_uint,
) -> ssize_t {
    length(Err(libc::ENOSYS))
}

/// Fills packetdrill's interface. `flags` is the path of a file with the host's settings, or empty.
///
/// # Safety
///
/// `flags` is null or ends in a zero byte; `interface` leads to room for the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn packetdrill_interface_init(flags: *const c_char, interface: *mut Interface) {
    let flags = match flags.is_null() {
        true => String::new(),
        // SAFETY: a text of C, as the caller promises.
        false => unsafe { CStr::from_ptr(flags) }.to_string_lossy().into_owned(),
    };
    MACHINE.get_or_init(|| Machine::new(Stack::new(Settings::new(&flags))));
    let filled = Interface {
        userdata: std::ptr::null_mut(),
        free,
        socket,
        bind,
        listen,
        accept,
        connect,
        read,
        readv,
        recv,
        recvfrom,
        recvmsg,
        write,
        writev,
        send,
        sendto,
        sendmsg,
        fcntl,
        ioctl,
        close,
        shutdown,
        getsockopt,
        setsockopt,
        poll,
        netdev_send,
        netdev_receive,
        usleep,
        gettimeofday,
        epoll_create,
        epoll_ctl,
        epoll_wait,
        pipe,
        splice,
    };
    // SAFETY: room for the interface, as the caller promises.
    unsafe { interface.write(filled) };
}
