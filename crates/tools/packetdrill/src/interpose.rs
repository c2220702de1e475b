//! `getsockopt` of the C library, replaced: packetdrill asks for `TCP_INFO` by it even where a stack is in a library.
//!
//! The library must be loaded before the C library's for this (`LD_PRELOAD`). Descriptors that are not the stack's go to the
//! kernel.
#![allow(unsafe_code, reason = "takes the place of a C function")]

use crate::callbacks;
use libc::{c_int, c_void, socklen_t};

/// As `getsockopt(2)`.
///
/// # Safety
///
/// As there: `to` leads to as many bytes as `len` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn getsockopt(
    fd: c_int,
    level: c_int,
    name: c_int,
    to: *mut c_void,
    len: *mut socklen_t,
) -> c_int {
    let ours = callbacks::machine().is_some_and(|machine| machine.now(|stack| stack.socket(fd).is_ok()));
    if ours {
        // SAFETY: the caller's promises are those that the callback asks for.
        return unsafe { callbacks::getsockopt(std::ptr::null_mut(), fd, level, name, to, len) };
    }
    // SAFETY: the system call with the caller's arguments.
    unsafe { libc::syscall(libc::SYS_getsockopt, fd, level, name, to, len) as c_int }
}
