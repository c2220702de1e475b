"""The shells that run on this machine, and whose they are.

A name in Linux's abstract namespace (unix(7)) has no owner: any user may listen at any. So a name says where to ask and
nothing else. Which process listens there, and which user's it is, the kernel says (`SO_PEERCRED`).
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from airloom.errors import EmulationError

NAME = "airloom-shell"
"""Of the sockets by which a shell is asked, in the abstract namespace, so that they are gone with it.

Each host has one of this name; outside it has a word behind it that nobody can know before and take.
"""

PATIENCE_S = 10.0
"""How long an answer may take."""

CREDENTIALS = struct.Struct("iII")
"""Process, user and group of the other end (Linux: `struct ucred` in include/linux/socket.h)."""


class Listener(NamedTuple):
    """Who listens at a socket.

    Attributes:
        process: The process that began to listen; zero if it is none of this namespace.
        user: Its user.
    """

    process: int
    user: int

    @property
    def own(self) -> bool:
        """Whether it is this user's."""
        return self.user == os.geteuid()


def new_name() -> str:
    """The name of a new shell's socket outside."""
    return f"{NAME}/{secrets.token_hex(8)}"


def listener(name: str) -> int:
    """A socket of this name that listens, in the network of this thread."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(f"\0{name}")
    made.listen()
    return made.detach()


def connected(name: str) -> tuple[socket.socket, Listener]:
    """A connection to the socket of this name, and who listens there.

    Raises:
        OSError: Nobody does, or takes no connection now.
    """
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(PATIENCE_S)
        made.connect(f"\0{name}")
        process, user, _ = CREDENTIALS.unpack(made.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size))
    except OSError:
        made.close()
        raise
    return made, Listener(process, user)


def listeners() -> dict[Listener, str]:
    """What listens on this machine under the name of a shell, and where: anybody's, true and false ones."""
    table = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace")
    found: dict[Listener, str] = {}
    for name in re.findall(rf"@({NAME}/\S+)$", table, re.MULTILINE):
        with suppress(OSError):
            made, other = connected(name)
            made.close()
            if other.process:
                found[other] = name
    return found


def running() -> list[int]:
    """This user's shells that run on this machine, by the numbers of their processes."""
    return sorted(other.process for other in listeners() if other.own)


def opened(process: int | None) -> tuple[socket.socket, int]:
    """A connection to this user's shell of this process, or to the only one there is; and its process.

    Raises:
        EmulationError: There is none, it is another user's, or it is not clear which.
    """
    known = listeners()
    own = {other.process: name for other, name in known.items() if other.own}
    if process is None and len(own) > 1:
        raise EmulationError(f"which shell? --shell with one of {', '.join(map(str, sorted(own)))}")
    if process is None and not own:
        raise EmulationError(
            "no shell of yours runs here; `airloom shell SCENARIO` starts one",
            *(["one of another user is asked as that user: `sudo -u USER airloom ...`"] if known else []),
        )
    chosen = next(iter(own)) if process is None else process
    if chosen not in own:
        others = [other.user for other in known if other.process == chosen]
        raise EmulationError(another(chosen, others[0])) if others else EmulationError(f"no such shell: {chosen}")
    return asked(own[chosen]), chosen


def asked(name: str) -> socket.socket:
    """A connection to this user's socket of this name.

    Raises:
        EmulationError: Nobody listens there, or another user does.
    """
    try:
        made, other = connected(name)
    except OSError as error:
        raise EmulationError(f"no such shell: {error.strerror}") from None
    if not other.own:
        made.close()
        raise EmulationError(another(other.process, other.user))
    return made


def another(process: int, user: int) -> str:
    """Why a shell of another user is not asked."""
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = f"#{user}"
    return f"process {process} belongs to {name}, and so does what it says: ask it as that user, by `sudo -u {name}`"
