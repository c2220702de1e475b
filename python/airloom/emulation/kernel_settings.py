"""How this kernel's TCP differs from a scenario's: real programs have the kernel's, whatever the scenario says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airloom.support.formatting import enumerated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Read = Callable[[str], str | None]

FOLDER = Path("/proc/sys/net/ipv4")
"""The settings of the network that this process is in (Linux 6.12, ip-sysctl.rst)."""

UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
"""Octets of the units that a resolved scenario writes."""

CONTROL = "tcp_congestion_control"
"""What a host begins with is the machine's own (`tcp_sk_init`, Linux 6.12)."""

CONTROLS = {"newreno": "reno"}
"""Congestion controls that the kernel calls something else."""

BUFFERS = {"tcp_rmem": "receive_buffer", "tcp_wmem": "send_buffer"}
"""Settings with a least, a first and a greatest size, and how a scenario's keys begin that have the last two."""


@dataclass(frozen=True)
class Switch:
    """A setting that is on or off.

    Attributes:
        name: The kernel's name for it.
        of: Whether a scenario's host has it on.
        on: The kernel's values that are on.
        usual: The value that sets it on.
    """

    name: str
    of: Callable[[Mapping[str, Any]], bool]
    on: tuple[str, ...] = ("1",)
    usual: str = "1"


SWITCHES = (
    Switch("tcp_sack", lambda host: host["sack"]),
    Switch("tcp_dsack", lambda host: host["duplicate_sack"]),
    Switch("tcp_timestamps", lambda host: host["timestamps"], on=("1", "2")),
    Switch("tcp_window_scaling", lambda host: host["window_scale"] > 0),
    Switch("tcp_slow_start_after_idle", lambda host: host["slow_start_after_idle"]),
    Switch("tcp_early_retrans", lambda host: host["recovery"]["tail_loss_probe"], on=("3", "4"), usual="3"),
    Switch("tcp_ecn", lambda host: host["ecn"] != "off"),
)


@dataclass(frozen=True)
class Wanted:
    """What a host has: a setting's name, its value as the kernel writes it, and whether the kernel's is as good."""

    name: str
    value: str
    fits: Callable[[str], bool]


def differing(scenario: Mapping[str, Any], read: Read) -> list[str]:
    """A line for each setting of this kernel that is not a host's, with the command that sets it there.

    Args:
        scenario: The resolved scenario.
        read: What the kernel has, by a setting's name; none where it has no such setting.
    """
    found: dict[tuple[str, str, str], list[str]] = {}
    for host in (*scenario.get("station", ()), *scenario.get("server", ())):
        for one in wanted(host, scenario.get("flow", ())):
            now = read(one.name)
            if now is not None and not one.fits(now):
                found.setdefault((one.name, " ".join(now.split()), one.value), []).append(host["name"])
    return [
        f"{name} is {now} in this kernel, where {enumerated(hosts)} {'has' if len(hosts) == 1 else 'have'} {value}: "
        f"{command(name, value, hosts[0])}"
        for (name, now, value), hosts in found.items()
    ]


def command(name: str, value: str, host: str) -> str:
    """What sets it; most congestion controls can be set outside alone (`tcp_set_default_congestion_control`)."""
    setting = f'sysctl -w net.ipv4.{name}="{value}"'
    return f"before the shell, sudo {setting}" if name == CONTROL else f"airloom on {host} {setting}"


def wanted(host: Mapping[str, Any], flows: Iterable[Mapping[str, Any]]) -> Iterable[Wanted]:
    """What a host has; its flows may have a congestion control of their own."""
    settings = host["host"]
    own = [flow.get("tcp", {}).get("congestion") for flow in flows if flow["from"] == host["name"]]
    controls = [CONTROLS.get(word, word) for word in filter(None, own)]
    usual = CONTROLS.get(settings["congestion"], settings["congestion"])
    yield Wanted(CONTROL, (controls or [usual])[0], lambda now: now in (controls or [usual]))
    for switch in SWITCHES:
        yield switched(switch, on=bool(switch.of(settings)))
    for name, key in BUFFERS.items():
        yield sized(name, [octets(settings[f"{key}_{size}"]) for size in ("initial", "max")])


def switched(switch: Switch, *, on: bool) -> Wanted:
    """A switch that is on or off."""
    return Wanted(switch.name, switch.usual if on else "0", lambda now: (now in switch.on) == on)


def sized(name: str, sizes: list[int]) -> Wanted:
    """A buffer with its first and its greatest size; the least is the kernel's."""
    words = [str(size) for size in sizes]
    return Wanted(name, " ".join(["4096", *words]), lambda now: now.split()[1:] == words)


def octets(size: str) -> int:
    """A size of a resolved scenario in octets."""
    value, unit = size.split()
    return round(float(value) * UNITS[unit])


def of_kernel(name: str) -> str | None:
    """What the kernel has for the network that this process is in; none where it has no such setting."""
    try:
        return (FOLDER / name).read_text(encoding="ascii").strip()
    except OSError:
        return None
