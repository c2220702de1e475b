"""The library in packetdrill's place: its callbacks (`crates/tools/packetdrill/src/abi.rs`) as functions."""

from __future__ import annotations

import ctypes
import errno
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CALLBACKS = (
    "userdata free socket bind listen accept connect read readv recv recvfrom recvmsg write writev send sendto sendmsg "
    "fcntl ioctl close shutdown getsockopt setsockopt poll netdev_send netdev_receive usleep gettimeofday epoll_create "
    "epoll_ctl epoll_wait pipe splice"
)
LONG = {"read", "recv", "write", "send"}
"""Those that return a length."""

IPPROTO_TCP, TCP_INFO = 6, 11
INFO = (
    "state:0B ca_state:1B retransmits:2B probes:3B backoff:4B rto:8I snd_mss:16I unacked:24I sacked:28I lost:32I "
    "retrans:36I last_data_recv:52I rtt:68I snd_ssthresh:76I snd_cwnd:80I advmss:84I reordering:88I "
    "pacing_rate:104Q bytes_acked:120Q bytes_received:128Q notsent_bytes:144I min_rtt:148I busy_time:168Q "
    "rwnd_limited:176Q sndbuf_limited:184Q snd_wnd:228I"
)
"""The figures of `TCP_INFO` that the library has, each with its place and size (`include/uapi/linux/tcp.h`)."""


@dataclass(frozen=True)
class Answer:
    """What a call returned, and the name of its error."""

    result: int
    error: str | None = None


class Stack:
    """The stack of a library, one for each process."""

    def __init__(self, library: Path, settings: str) -> None:
        """Load it; `settings` is the path of a file."""
        self.table = (ctypes.c_void_p * len(CALLBACKS.split()))()
        # It ends the process by itself if settings are wrong.
        ctypes.CDLL(str(library)).packetdrill_interface_init(settings.encode(), self.table)

    def function(self, name: str) -> Callable[..., int]:
        """One of the callbacks."""
        result = ctypes.c_ssize_t if name in LONG else ctypes.c_int
        at = self.table[CALLBACKS.split().index(name)]
        count = {"netdev_receive": 3, "getsockopt": 5, "setsockopt": 5}.get(name, 4)
        kinds = [ctypes.c_void_p] + [ctypes.c_size_t] * count
        made: Callable[..., int] = ctypes.CFUNCTYPE(result, *kinds, use_errno=True)(at or 0)
        return lambda *given: made(None, *given, *[0] * (count - len(given)))

    def call(self, name: str, *given: int | bytes | ctypes.Array[ctypes.c_char]) -> Answer:
        """Make a call; what is not a number is passed by its address."""
        kept = [ctypes.create_string_buffer(one, len(one)) if isinstance(one, bytes) else one for one in given]
        plain = [one if isinstance(one, int) else ctypes.addressof(one) for one in kept]
        ctypes.set_errno(0)
        result = self.function(name)(*(one & (1 << 64) - 1 for one in plain))
        return Answer(result, errno.errorcode[ctypes.get_errno()] if result == -1 else None)

    def info(self, fd: int) -> dict[str, int]:
        """The figures of a connection, by the names that scripts have for them."""
        octets = ctypes.create_string_buffer(280)
        answer = self.call("getsockopt", fd, IPPROTO_TCP, TCP_INFO, octets, struct.pack("=I", len(octets)))
        if answer.result:
            message = f"TCP_INFO: {answer.error}"
            raise OSError(message)
        places = (word.split(":") for word in INFO.split())
        return {f"tcpi_{name}": struct.unpack_from(at[-1], octets, int(at[:-1]))[0] for name, at in places}

    def now(self) -> int:
        """The time in microseconds."""
        room = ctypes.create_string_buffer(16)
        self.call("gettimeofday", room)
        seconds, micros = struct.unpack("=qq", room.raw)
        return int(seconds * 1_000_000 + micros)

    def sleep(self, micros: int) -> None:
        """Let time pass."""
        self.call("usleep", micros)

    def inject(self, octets: bytes) -> None:
        """A packet arrives."""
        self.call("netdev_send", octets, len(octets))

    def sniff(self) -> tuple[int, bytes] | None:
        """The next packet that leaves, and when; None if there is none."""
        room, length, when = (ctypes.create_string_buffer(size) for size in (65_536, 8, 8))
        length.raw = struct.pack("=Q", len(room))
        self.call("netdev_receive", room, length, when)
        (count,), (at,) = struct.unpack("=Q", length.raw), struct.unpack("=q", when.raw)
        return (at, room.raw[:count]) if count else None
