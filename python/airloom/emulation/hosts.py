"""Hosts as network namespaces, each with one device that the world holds the other end of."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.emulation.private import TUN
from airloom.emulation.shells import NAME, listener
from airloom.errors import EmulationError
from airloom.support.itself import path_with_itself

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TUNSETIFF = 0x400454CA
"""Makes an open file the other end of a device (Linux: include/uapi/linux/if_tun.h)."""

IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
"""Packets from the IP header on, and nothing before it."""

CLONE_NEWNET = 0x40000000
"""A namespace of the kind network (Linux: include/uapi/linux/sched.h)."""

NETLINK_SOCK_DIAG = 4
"""Tells of sockets (Linux: include/uapi/linux/netlink.h)."""

CLOSED_TCP = 0b101
"""The groups that tell of closed sockets of TCP, of IPv4 and IPv6 (Linux: `enum sknetlink_groups`)."""

NETWORK = "/16"
"""All hosts are in one subnet, bridged by the access point."""

DEVICE = "air0"
"""What the device of each host is called."""

BUCKETS = Path("/proc/sys/net/ipv4/tcp_child_ehash_entries"), "4096"
"""How long the table of connections is of each network that is made in this one (Linux 6.1, ip-sysctl.rst).

Otherwise all share that of the machine, and a kernel that is asked for its sockets, a hundred times a second for each
host, walks all of it.
"""

LISTENING = "0A"
"""A socket's state in /proc/net/tcp (`TCP_LISTEN` in include/net/tcp_states.h)."""

PATIENCE_S = 5.0
"""How long a namespace may take to be there."""

COVERED = "/tmp"  # noqa: S108 - nothing is written there, but over it
"""A folder that every system has, and nobody but root can move."""

ENVIRONMENT = "AIRLOOM_HOSTS"
"""What tells programs within about the hosts: `name=process` by spaces, processes whose networks are theirs."""


@dataclass(frozen=True)
class Host:
    """A host.

    Attributes:
        name: Its name.
        address: Its address.
        holder: A process whose network is the host's.
        device: The file at the other end of its device.
        kernel: A netlink socket in its network, by which its kernel tells of TCP.
        listener: A socket in its network, by which programs ask the shell.
    """

    name: str
    address: str
    holder: int
    device: int
    kernel: int
    listener: int


def made(named: Sequence[tuple[str, str]]) -> list[Host]:
    """Makes hosts with these names and addresses, which know each other's names.

    Raises:
        EmulationError: The system refuses.
    """
    names = "".join(f"{address} {name}\n" for name, address in named)
    lay_over("/etc/hosts", f"127.0.0.1 localhost\n{names}")
    table, buckets = BUCKETS
    with suppress(OSError):
        table.write_text(buckets, encoding="ascii")
    return [host(name, address) for name, address in named]


def lay_over(file: str, text: str) -> None:
    """Has a file say something else, in this process's mounts alone.

    The text lies on a file system of its own, which is gone with the mount. A file that has no name any more would do
    as well, but nothing can be laid over that once more, as a shell within a shell does.

    Raises:
        EmulationError: The system refuses.
    """
    # It covers a folder that there is, for a moment and for nobody else: nothing is left of it, whenever Ctrl-C comes.
    # That is the system's own: one that the environment names may be another user's, with a link in its place.
    place = COVERED
    system("mount", "-t", "tmpfs", "-o", "mode=755", "airloom", place)
    own = Path(place, "text")
    own.write_text(text, encoding="utf-8")
    own.chmod(0o644)
    system("mount", "--bind", str(own), file)
    system("umount", "--lazy", place)


def host(name: str, address: str) -> Host:
    """Makes a host."""
    holder = network(name)
    device = os.open(TUN, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", DEVICE.encode(), IFF_TUN | IFF_NO_PI))
    except OSError as error:
        raise EmulationError(f"{name}: {TUN} makes no device ({error.strerror})") from None
    system("ip", "link", "set", "dev", DEVICE, "netns", str(holder))
    # The world has addresses of IPv4 alone.
    commands = f"""\
link set dev {DEVICE} addrgenmode none
link set dev lo up
link set dev {DEVICE} up
address add {address}{NETWORK} dev {DEVICE}
"""
    system(*within(holder), "ip", "-batch", "-", given=commands)
    with network_of(holder):
        kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG)
        asked = listener(NAME)
    kernel.setblocking(False)
    kernel.bind((0, CLOSED_TCP))
    return Host(name, address, holder, device, kernel.detach(), asked)


def network(name: str) -> int:
    """Makes a network for a host of this name: a process that holds it.

    Raises:
        EmulationError: The system refuses.
    """
    holder = subprocess.Popen(
        ["unshare", "--net", "--", "sleep", "infinity"],  # noqa: S607 - by PATH
        stderr=subprocess.PIPE,
        text=True,
        # What is typed in the terminal, such as Ctrl-C, is not for it.
        start_new_session=True,
    )
    own = Path("/proc/self/ns/net").readlink()
    until = time.monotonic() + PATIENCE_S
    while holder.poll() is None and Path(f"/proc/{holder.pid}/ns/net").readlink() == own:
        if time.monotonic() > until:
            holder.kill()
        time.sleep(0.001)
    if holder.returncode is not None:
        said = holder.communicate()[1].strip() or "it takes too long"
        raise EmulationError(f"{name}: the system makes no network namespace ({said})")
    return holder.pid


def gone(host: Host) -> bool:
    """Whether the process that held a host's network has ended, and with it the host."""
    try:
        return os.waitpid(host.holder, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return True


def listens(holder: int) -> bool:
    """Whether anybody takes connections or datagrams in the network of a process (proc_net_tcp.rst)."""
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        with suppress(OSError):
            rows = Path(f"/proc/{holder}/net/{kind}").read_text(encoding="ascii").splitlines()[1:]
            if any(kind.startswith("udp") or row.split()[3] == LISTENING for row in rows):
                return True
    return False


@contextmanager
def network_of(process: int) -> Iterator[None]:
    """Has this thread in the network of a process: the sockets that it opens meanwhile stay there."""
    with Path("/proc/thread-self/ns/net").open() as own, Path(f"/proc/{process}/ns/net").open() as other:
        enter(other.fileno())
        try:
            yield
        finally:
            enter(own.fileno())


def enter(network: int) -> None:
    """Has this thread in a network, given by an open file.

    Raises:
        EmulationError: The system refuses.
    """
    if ctypes.CDLL(None, use_errno=True).setns(network, CLONE_NEWNET):
        raise EmulationError(f"the system lets nobody into a network namespace: {os.strerror(ctypes.get_errno())}")


def within(holder: int) -> list[str]:
    """What goes before a command that runs with the network of a process."""
    return ["nsenter", "--target", str(holder), "--net", "--"]


def environment(hosts: Sequence[Host]) -> dict[str, str]:
    """The variables of programs within, which find this one, too."""
    path = path_with_itself(os.environ.get("PATH", os.defpath))
    return {**os.environ, "PATH": path, ENVIRONMENT: " ".join(f"{host.name}={host.holder}" for host in hosts)}


def known() -> dict[str, int]:
    """The hosts that a program within can reach, and their processes; none outside."""
    words = (word.rpartition("=") for word in os.environ.get(ENVIRONMENT, "").split())
    return {name: int(holder) for name, _, holder in words if holder.isdecimal()}


def system(*command: str, given: str = "") -> None:
    """Runs a program of the system, which may be given something to read.

    Raises:
        EmulationError: It failed.
    """
    came = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if came.returncode:
        said = came.stderr.strip().splitlines()
        raise EmulationError(f"`{' '.join(command)}` failed: {said[0] if said else came.returncode}")
