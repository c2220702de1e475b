//! Socket options (`setsockopt`, `getsockopt`).

use crate::figures::figures;
use crate::stack::Stack;
use libc::c_int;

/// Not in the C library's headers that Rust knows (`include/uapi/linux/tcp.h`).
const TCP_INQ: c_int = 36;
/// The most that `SO_SNDBUF` takes (`net.core.wmem_max`), and the least that a buffer has (`SOCK_MIN_SNDBUF`).
const SEND_BUFFER: (u32, u32) = (212_992, 4608);
/// What `TCP_MAXSEG` takes, but for zero, which unsets it (`TCP_MIN_MSS`, `MAX_TCP_WINDOW`).
const MSS: std::ops::RangeInclusive<c_int> = 88..=32767;
/// The bits of `IP_TOS`.
const IPTOS_MASK: c_int = 0xff;

/// Sets an option to a whole number. What changes nothing that a wire shows is taken and forgotten.
pub(crate) fn set(
    stack: &mut Stack,
    fd: c_int,
    level: c_int,
    name: c_int,
    value: c_int,
) -> Result<(), c_int> {
    match (level, name) {
        (libc::SOL_SOCKET, libc::SO_SNDBUF) => {
            let size = (value as u32).min(SEND_BUFFER.0).saturating_mul(2).max(SEND_BUFFER.1);
            stack.socket(fd)?.options.send_buffer = Some(size);
            stack.change(fd, |connection, _, _| connection.queue.fix(size.into()))
        }
        (libc::IPPROTO_TCP, libc::TCP_NODELAY) => stack.set_nagle(fd, value == 0),
        (libc::IPPROTO_TCP, libc::TCP_CORK) => stack.set_cork(fd, value != 0),
        (libc::IPPROTO_TCP, libc::TCP_MAXSEG) => {
            stack.socket(fd)?.options.mss = match value {
                0 => None,
                _ if MSS.contains(&value) => Some(value as u32),
                _ => return Err(libc::EINVAL),
            };
            Ok(())
        }
        (libc::IPPROTO_TCP, libc::TCP_NOTSENT_LOWAT) => {
            let limit = (value != 0).then_some(value as u32);
            stack.socket(fd)?.options.unsent_limit = limit;
            stack.change(fd, |connection, _, _| connection.unsent_limit = limit)
        }
        (libc::IPPROTO_TCP, TCP_INQ) => {
            stack.socket(fd)?.options.tell_left = value != 0;
            Ok(())
        }
        (libc::IPPROTO_TCP, libc::TCP_USER_TIMEOUT)
        | (libc::SOL_SOCKET, libc::SO_REUSEADDR | libc::SO_KEEPALIVE | libc::SO_MARK | libc::SO_RCVBUF)
        | (libc::IPPROTO_IP, libc::IP_MTU_DISCOVER | libc::IP_FREEBIND) => stack.socket(fd).map(|_| ()),
        (libc::IPPROTO_IP, libc::IP_TOS) if value & !IPTOS_MASK == 0 => stack.socket(fd).map(|_| ()),
        _ => Err(libc::ENOPROTOOPT),
    }
}

/// The value of an option.
pub(crate) fn get(stack: &mut Stack, fd: c_int, level: c_int, name: c_int) -> Result<Vec<u8>, c_int> {
    let options = stack.socket(fd)?.options;
    let whole = |value: u32| Ok(value.to_ne_bytes().to_vec());
    match (level, name) {
        (libc::SOL_SOCKET, libc::SO_SNDBUF) => {
            let size = match stack.connection(fd) {
                Ok(connection) => connection.queue.bound(),
                Err(_) => options.send_buffer.map_or(stack.host().tcp.send.send_buffer_initial.0, u64::from),
            };
            whole(size as u32)
        }
        (libc::SOL_SOCKET, libc::SO_ERROR) => {
            let error = stack.connection(fd).ok().and_then(|connection| connection.error.take());
            whole(error.unwrap_or(0) as u32)
        }
        (libc::SOL_SOCKET, libc::SO_MEMINFO) => Ok(vec![0; 36]),
        (libc::IPPROTO_TCP, libc::TCP_MAXSEG) => match stack.connection(fd) {
            Ok(connection) if connection.established => whole(connection.endpoint.figures().mss),
            _ => whole(options.mss.unwrap_or(536)),
        },
        (libc::IPPROTO_TCP, libc::TCP_NOTSENT_LOWAT) => whole(options.unsent_limit.unwrap_or(0)),
        (libc::IPPROTO_TCP, libc::TCP_INFO) => {
            let (state, now) = (stack.state(fd)?, stack.clock.now());
            let connection = stack.connection(fd).map_err(|_| libc::ENOTCONN)?;
            Ok(figures(connection, state, now).to_vec())
        }
        (libc::IPPROTO_TCP, libc::TCP_CC_INFO) => Ok(Vec::new()),
        _ => Err(libc::ENOPROTOOPT),
    }
}
