"""A corner of this machine that nobody else sees: namespaces that are gone with the process, however that ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from airloom.errors import EmulationError

if TYPE_CHECKING:
    from collections.abc import Sequence

TOOLS = {"unshare": "util-linux", "nsenter": "util-linux", "mount": "mount", "ip": "iproute2"}
"""The programs that are needed, and the packages that have them."""

TUN = "/dev/net/tun"

INSIDE = "AIRLOOM_INSIDE"
"""For the process that begins in such a corner, and for no other: the pipe that ends when the one outside does."""


def is_inside() -> bool:
    """Whether this process was begun by `enter`; its children were not. It ends with the process outside."""
    pipe = os.environ.pop(INSIDE, None)
    if pipe is None:
        return False
    os.set_inheritable(int(pipe), False)
    threading.Thread(target=end_with, args=(int(pipe),), name="outside", daemon=True).start()
    return True


def end_with(pipe: int) -> None:
    """Ends this process as soon as nobody holds the other end of a pipe."""
    os.read(pipe, 1)
    os._exit(1)


def enter(arguments: Sequence[str]) -> int:
    """Begins the program anew, with these arguments, in namespaces of its own for mounts, networks and processes.

    It is the first process there: when it ends, the kernel ends all that was begun within, and removes devices,
    addresses and routes. It ends with this one too, however that comes. Without root this needs a user namespace.

    Returns:
        Its exit code.

    Raises:
        EmulationError: This machine does not allow it, or lacks a program.
    """
    check()
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    own = ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = ["unshare", *user, *own, "--", sys.executable, "-m", "airloom", *arguments]
    ends, held = os.pipe()
    with subprocess.Popen(command, env={**os.environ, INSIDE: str(ends)}, pass_fds=(ends,)) as inside:
        os.close(ends)
        # Ctrl-C is for what runs within.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return inside.wait()
        finally:
            os.close(held)


def check() -> None:
    """Refuses a machine on which it cannot work.

    Raises:
        EmulationError: What it lacks.
    """
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            raise EmulationError(f"needs `{tool}`, which the package {package} brings")
    try:
        os.close(os.open(TUN, os.O_RDWR))
    except OSError as error:
        raise EmulationError(
            f"needs {TUN} for reading and writing ({error.strerror}): run it as root, or `chmod 666 {TUN}` once"
        ) from None
