"""A corner of this machine that nobody else sees: namespaces that are gone with the process, however that ends."""

from __future__ import annotations

import errno
import os
import select
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from airloom.emulation.shells import listener, new_name
from airloom.errors import EmulationError
from airloom.support.itself import itself

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TOOLS = {"unshare": "util-linux", "nsenter": "util-linux", "mount": "mount", "ip": "iproute2"}
"""The programs that are needed, and the packages that have them."""

TUN = "/dev/net/tun"

NAMESPACES = ("--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
"""Those of the corner, and how they are made (unshare(1)): their first process ends with the one that made them."""

ALLOW = "allow user namespaces by sysctl: user.max_user_namespaces, or kernel.apparmor_restrict_unprivileged_userns=0"
"""What a user without rights may ask for."""

ABSENT = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
"""What the system says of a device that it does not have."""

GRACE_S = 10.0
"""How long the process within may take to end in order: its bundle is written meanwhile."""

INSIDE = "AIRLOOM_INSIDE"
"""For the process that begins in such a corner, and for no other: the pipe that ends when the one outside does, and the
socket that listens outside."""


class Outside(NamedTuple):
    """What the process outside has left to the one within.

    Attributes:
        listener: A socket that listens outside.
        ask: A pipe by which it is asked to help.
    """

    listener: int
    ask: int


def inside() -> Outside | None:
    """What is left from outside to a process that was begun by `enter`; None of any other, as its children are.

    This process ends with the one outside from now on.
    """
    numbers = os.environ.pop(INSIDE, None)
    if numbers is None:
        return None
    pipe, listens, ask = map(int, numbers.split())
    for number in (pipe, listens, ask):
        os.set_inheritable(number, False)
    # See `enter`: an interrupt that has come meanwhile is raised here.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if select.select([pipe], [], [], 0)[0]:
        # What came while this process could not hear it yet: Ctrl-C, or the end.
        raise KeyboardInterrupt if os.read(pipe, 1) else SystemExit(1)
    threading.Thread(target=end_with, args=(pipe,), name="outside", daemon=True).start()
    return Outside(listens, ask)


def end_with(pipe: int) -> None:
    """Ends this process as soon as nobody holds the other end of a pipe: in order, unless that takes too long."""
    while os.read(pipe, 1):
        pass
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    time.sleep(GRACE_S)
    os._exit(1)


def enter(arguments: Sequence[str], helper: Callable[[int, int], object] | None = None) -> int:
    """Begins the program anew, with these arguments, in namespaces of its own for mounts, networks and processes.

    It is the first process there: when it ends, the kernel ends all that was begun within, and removes devices,
    addresses and routes. It ends with this one too, however that comes. Without root this needs a user namespace.

    Args:
        arguments: The program's.
        helper: Called in a thread, with a pipe that has what the process within asks, and one that ends with this one.

    Returns:
        Its exit code.

    Raises:
        EmulationError: This machine does not allow it, or lacks a program.
    """
    check()
    command = [*corner(), *itself(*arguments)]
    ends, held = os.pipe()
    asked, ask = os.pipe()
    listens = listener(new_name())
    left = (ends, listens, ask)
    variables = {**os.environ, INSIDE: " ".join(map(str, left))}

    def type_on(*_: object) -> None:
        with suppress(OSError):
            os.write(held, b"c")

    # What begins the process within must not end before that has.
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # Python that is interrupted while it starts ends as if it were broken: the process within begins deaf to that.
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    with subprocess.Popen(command, env=variables, pass_fds=left) as inner:
        signal.signal(signal.SIGHUP, before)
        # Ctrl-C is for what runs within, which has it from the terminal but for its first moments.
        signal.signal(signal.SIGINT, type_on)
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        os.close(listens)
        os.close(ask)
        if helper is not None:
            threading.Thread(target=helper, args=(asked, ends), name="helper", daemon=True).start()
        try:
            return inner.wait()
        finally:
            os.close(held)


def corner() -> list[str]:
    """What goes before a command that runs in namespaces of its own. Without root that needs a user namespace."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *user, *NAMESPACES, "--"]


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
        remedy = device_remedy(error.errno)
        raise EmulationError(f"needs {TUN} for reading and writing ({error.strerror}): {remedy}") from None
    tried = subprocess.run([*corner(), "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        said = tried.stderr.strip().rpartition("\n")[2].removeprefix("unshare: ") or f"code {tried.returncode}"
        remedy = "a container needs `--privileged`" if os.geteuid() == 0 else f"run it as root, or {ALLOW}"
        raise EmulationError(f"needs namespaces of its own, which this system refuses ({said}): {remedy}")


def device_remedy(number: int | None) -> str:
    """What helps where the device cannot be opened for this reason (errno(3))."""
    if number in ABSENT:
        return f"`modprobe tun` brings it, and a container is given it by `--device {TUN}`"
    if os.geteuid() == 0:
        return f"a container is given it by `--device {TUN}`"
    return f"run it as root, or `chmod 666 {TUN}` once"
