"""A way out of the corner in which the hosts live: one of them forwards what is for addresses elsewhere.

slirp4netns, a program outside, gives that host a device whose packets leave as connections of this user: nothing of the
machine's own network is changed, and no rights are needed for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from airloom.emulation.hosts import DEVICE, PATIENCE_S, lay_over, system, within
from airloom.emulation.reach import children, innermost
from airloom.errors import EmulationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airloom.emulation.hosts import Host

TOOLS = {"slirp4netns": "slirp4netns", "nft": "nftables"}
"""The programs that are needed, and the packages that have them."""

UPLINK = "out0"
"""What the forwarding host's device outside is called."""

NETWORK = "192.168.127.0/24"
"""That device's network, of slirp4netns alone; the third address answers for names."""

NAMES = "192.168.127.3"

LONGEST = 32
"""Of a number as text."""

MASQUERADE = f"""
table ip out {{
    chain out {{
        type nat hook postrouting priority srcnat;
        oifname "{UPLINK}" masquerade
    }}
}}
"""
"""What is forwarded has the forwarding host's address."""


PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
"""Where they are: a user's own path may lack those of the system."""


def check() -> None:
    """Refuses a machine that lacks a program.

    Raises:
        EmulationError: Which one.
    """
    for tool, package in TOOLS.items():
        if shutil.which(tool, path=PATH) is None:
            raise EmulationError(f"--internet needs `{tool}`, which the package {package} brings")


def serve(asked: int, held: int) -> None:
    """Gives a host a way out until `held` ends with this process; `asked` has the number of its holder within."""
    number = os.read(asked, LONGEST)
    if not number:
        return
    (first,) = (process for beside in children(os.getpid()) for process in children(beside))
    (holder,) = (process for process in children(first) if innermost(process) == int(number))
    user = [] if os.geteuid() == 0 else [f"--userns-path=/proc/{holder}/ns/user"]
    options = ["--configure", "--mtu=1500", f"--cidr={NETWORK}", f"--exit-fd={held}", *user]
    subprocess.Popen(
        ["slirp4netns", *options, str(holder), UPLINK],  # noqa: S607 - by PATH
        pass_fds=(held,),
        env={**os.environ, "PATH": PATH},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def lead_out(hosts: Sequence[Host], gateway: Host, ask: int) -> None:
    """Has a host forward what the others send elsewhere, by a device that the process outside is asked for.

    Raises:
        EmulationError: There is none after a while, or the system refuses.
    """
    os.write(ask, str(gateway.holder).encode())
    until = time.monotonic() + PATIENCE_S
    command = [*within(gateway.holder), "ip", "-4", "-brief", "address", "show", UPLINK]
    while "/" not in subprocess.run(command, capture_output=True, text=True, check=False).stdout:
        if time.monotonic() > until:
            raise EmulationError("--internet: slirp4netns gives no way out here")
        time.sleep(0.05)
    system(*within(gateway.holder), "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
    system(*within(gateway.holder), "env", f"PATH={PATH}", "nft", "-f", "-", given=MASQUERADE)
    for host in hosts:
        if host is not gateway:
            system(*within(host.holder), "ip", "route", "add", "default", "dev", DEVICE)
    lay_over(str(Path("/etc/resolv.conf").resolve()), f"nameserver {NAMES}\n")
