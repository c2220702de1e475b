//! The interface between packetdrill and a stack in a shared library, as its `packetdrill.h` lays it out.

use libc::{
    c_char, c_int, c_long, c_longlong, c_uint, c_ulong, c_void, epoll_event, iovec, msghdr, nfds_t, pollfd,
    size_t, sockaddr, socklen_t, ssize_t, timeval, useconds_t,
};

/// The callbacks that packetdrill makes, each with the `userdata` that the library chose. As many fields as `packetdrill.h` has, in
/// its order: the layout is packetdrill's. `fcntl` and `ioctl` are variadic in C;
/// their third argument is passed as that of a plain function by the calling conventions of x86-64 and AArch64 under Linux.
#[repr(C)]
#[allow(missing_docs, reason = "each is the function of C's library with the same name")]
pub struct Interface {
    pub userdata: *mut c_void,
    pub free: unsafe extern "C" fn(*mut c_void),
    pub socket: unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int) -> c_int,
    pub bind: unsafe extern "C" fn(*mut c_void, c_int, *const sockaddr, socklen_t) -> c_int,
    pub listen: unsafe extern "C" fn(*mut c_void, c_int, c_int) -> c_int,
    pub accept: unsafe extern "C" fn(*mut c_void, c_int, *mut sockaddr, *mut socklen_t) -> c_int,
    pub connect: unsafe extern "C" fn(*mut c_void, c_int, *const sockaddr, socklen_t) -> c_int,
    pub read: unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, size_t) -> ssize_t,
    pub readv: unsafe extern "C" fn(*mut c_void, c_int, *const iovec, c_int) -> ssize_t,
    pub recv: unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, size_t, c_int) -> ssize_t,
    pub recvfrom: unsafe extern "C" fn(
        *mut c_void,
        c_int,
        *mut c_void,
        size_t,
        c_int,
        *mut sockaddr,
        *mut socklen_t,
    ) -> ssize_t,
    pub recvmsg: unsafe extern "C" fn(*mut c_void, c_int, *mut msghdr, c_int) -> ssize_t,
    pub write: unsafe extern "C" fn(*mut c_void, c_int, *const c_void, size_t) -> ssize_t,
    pub writev: unsafe extern "C" fn(*mut c_void, c_int, *const iovec, c_int) -> ssize_t,
    pub send: unsafe extern "C" fn(*mut c_void, c_int, *const c_void, size_t, c_int) -> ssize_t,
    pub sendto: unsafe extern "C" fn(
        *mut c_void,
        c_int,
        *const c_void,
        size_t,
        c_int,
        *const sockaddr,
        socklen_t,
    ) -> ssize_t,
    pub sendmsg: unsafe extern "C" fn(*mut c_void, c_int, *const msghdr, c_int) -> ssize_t,
    pub fcntl: unsafe extern "C" fn(*mut c_void, c_int, c_int, c_long) -> c_int,
    pub ioctl: unsafe extern "C" fn(*mut c_void, c_int, c_ulong, *mut c_int) -> c_int,
    pub close: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    pub shutdown: unsafe extern "C" fn(*mut c_void, c_int, c_int) -> c_int,
    pub getsockopt:
        unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int, *mut c_void, *mut socklen_t) -> c_int,
    pub setsockopt: unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int, *const c_void, socklen_t) -> c_int,
    pub poll: unsafe extern "C" fn(*mut c_void, *mut pollfd, nfds_t, c_int) -> c_int,
    pub netdev_send: unsafe extern "C" fn(*mut c_void, *const c_void, size_t) -> c_int,
    pub netdev_receive: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut size_t, *mut c_longlong) -> c_int,
    pub usleep: unsafe extern "C" fn(*mut c_void, useconds_t) -> c_int,
    pub gettimeofday: unsafe extern "C" fn(*mut c_void, *mut timeval, *mut c_void) -> c_int,
    pub epoll_create: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    pub epoll_ctl: unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int, *mut epoll_event) -> c_int,
    pub epoll_wait: unsafe extern "C" fn(*mut c_void, c_int, *mut epoll_event, c_int, c_int) -> c_int,
    pub pipe: unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int,
    pub splice:
        unsafe extern "C" fn(*mut c_void, c_int, *mut i64, c_int, *mut i64, size_t, c_uint) -> ssize_t,
}

/// The function that packetdrill looks for, `packetdrill_interface_init`: it fills the interface, given the text of `--so_flags`.
pub type Init = unsafe extern "C" fn(*const c_char, *mut Interface);

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    /// The order of `packetdrill.h`: one pointer each.
    #[test]
    fn every_callback_is_where_packetdrill_looks_for_it() {
        let places = [
            offset_of!(Interface, userdata),
            offset_of!(Interface, free),
            offset_of!(Interface, socket),
            offset_of!(Interface, bind),
            offset_of!(Interface, listen),
            offset_of!(Interface, accept),
            offset_of!(Interface, connect),
            offset_of!(Interface, read),
            offset_of!(Interface, readv),
            offset_of!(Interface, recv),
            offset_of!(Interface, recvfrom),
            offset_of!(Interface, recvmsg),
            offset_of!(Interface, write),
            offset_of!(Interface, writev),
            offset_of!(Interface, send),
            offset_of!(Interface, sendto),
            offset_of!(Interface, sendmsg),
            offset_of!(Interface, fcntl),
            offset_of!(Interface, ioctl),
            offset_of!(Interface, close),
            offset_of!(Interface, shutdown),
            offset_of!(Interface, getsockopt),
            offset_of!(Interface, setsockopt),
            offset_of!(Interface, poll),
            offset_of!(Interface, netdev_send),
            offset_of!(Interface, netdev_receive),
            offset_of!(Interface, usleep),
            offset_of!(Interface, gettimeofday),
            offset_of!(Interface, epoll_create),
            offset_of!(Interface, epoll_ctl),
            offset_of!(Interface, epoll_wait),
            offset_of!(Interface, pipe),
            offset_of!(Interface, splice),
        ];
        let expected: Vec<usize> = (0..places.len()).map(|n| 8 * n).collect();
        assert_eq!(places.as_slice(), expected);
        assert_eq!(size_of::<Interface>(), 8 * places.len());
    }
}
