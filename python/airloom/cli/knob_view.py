"""A world in real time on the terminal: what its hosts carry, and keys that change it."""

from __future__ import annotations

import select
import sys
import termios
import time
import tty
from typing import TYPE_CHECKING

from rich.console import Group
from rich.live import Live
from rich.table import Table

from airloom.cli.blocks import blocks
from airloom.cli.screen import Screen
from airloom.errors import EmulationError
from airloom.results.timing import WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airloom.emulation.knobs import Shell
    from airloom.emulation.shapes import HostState, State

EVERY_S = 0.5
"""From one look to the next."""

STEP = 1.25
"""How much farther a step carries a station."""

STEP_DB = 3.0
"""How much weaker its signal is after a step, where the scenario says no distance."""

WALK = "1 s"
"""How long such a step takes on a plan."""

DISCIPLINES = ("fifo", "codel", "fq_codel", "pie", "sfq")
"""The queues that a key goes through, with their defaults."""

HELP = "up, down: station   s: scan   + -: farther, nearer   r: remedy   w: its queue   a: queue of the AP   x: leave"


def watch(shell: Shell) -> None:
    """Shows the world until a key ends it, or the shell ends."""
    screen, chosen, said = Screen(), 0, ""
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        state, rates = shell.look(), dict[str, tuple[float, float]]()
        with Live(console=screen, auto_refresh=False, screen=True) as live:
            while True:
                stations = [host["name"] for host in state["hosts"] if host["kind"] == "station"]
                chosen %= len(stations)
                live.update(Group(table(screen, state, stations[chosen], rates), HELP, said), refresh=True)
                key = pressed(EVERY_S)
                if key in {"x", "\x1b", "\x04"}:
                    return
                chosen += {"up": -1, "down": 1}.get(key, 0)
                try:
                    said = turned(shell, state, stations[chosen % len(stations)], key) or said
                    later = shell.look()
                except EmulationError as error:
                    said = str(error)
                    later = shell.look()
                if later["time_s"] - state["time_s"] >= EVERY_S / 2:
                    rates = carried(state, later)
                    state = later
    except EmulationError as error:
        screen.say(f"{error}")
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def once(screen: Screen, shell: Shell) -> Group:
    """The state, with the rates of a moment, as it has room."""
    before = shell.look()
    time.sleep(EVERY_S)
    after = shell.look()
    return table(screen, after, None, carried(before, after))


def turned(shell: Shell, state: State, name: str, key: str) -> str:
    """Does what a key wishes of a station; gives what to say of it."""
    hosts = {host["name"]: host for host in state["hosts"]}
    own = hosts[name]
    ap = hosts[own["ap"] or ""]
    if key == "s":
        return f"{name} scans at {shell.scan(name):.1f} s"
    if key in {"+", "-"} and (there := along(ap, own, farther=key == "+")):
        return f"{name} walks to {there} from {shell.walk(name, there, WALK):.1f} s on"
    settings = {
        "+": [signal(own, farther=True)],
        "-": [signal(own, farther=False)],
        "r": [(f"station.{name}.scan.remedy", "none" if own["remedy"] != "none" else "skip-if-moved")],
        "a": [(f"ap.{ap['name']}.queue", following(ap))],
        "w": [(f"station.{name}.host.queue", following(own))],
    }.get(key)
    if settings is None:
        return ""
    return f"{', '.join(f'{key} = {value}' for key, value in settings)} at {shell.change(settings):.1f} s"


def along(ap: HostState, host: HostState, *, farther: bool) -> str:
    """The place a step farther away from an access point, or nearer; nothing if the scenario has no places."""
    if host["position_m"] is None or ap["position_m"] is None:
        return ""
    step = STEP if farther else 1 / STEP
    return ", ".join(f"{a + step * (h - a):.2f} m" for a, h in zip(ap["position_m"], host["position_m"], strict=True))


def signal(host: HostState, *, farther: bool) -> tuple[str, str]:
    """A station a step farther away, or nearer: by its distance where it has one."""
    if host["distance_m"] is not None:
        metres = host["distance_m"] * (STEP if farther else 1 / STEP)
        return f"station.{host['name']}.distance", f"{metres:.2f} m"
    db = (host["snr_db"] or 0.0) - (STEP_DB if farther else -STEP_DB)
    return f"station.{host['name']}.snr", f"{db:.1f} dB"


def following(host: HostState) -> str:
    """The next queue for a node."""
    known = host["discipline"] in DISCIPLINES
    place = DISCIPLINES.index(host["discipline"] or "") + 1 if known else 0
    return f'{{ discipline = "{DISCIPLINES[place % len(DISCIPLINES)]}" }}'


def carried(before: State, after: State) -> dict[str, tuple[float, float]]:
    """What each host has sent and received between two looks, and each flow delivered, in Mbit/s."""
    seconds = after["time_s"] - before["time_s"]
    if seconds <= 0:
        # It has come to its end.
        return {}
    hosts = {host["name"]: (host["sent"], host["received"]) for host in before["hosts"]}
    flows = {flow["name"]: flow["delivered"] for flow in before["flows"]}

    def rate(now: int, then: int) -> float:
        return (now - then) * 8e-6 / seconds

    rates = {
        host["name"]: (rate(host["sent"], hosts[host["name"]][0]), rate(host["received"], hosts[host["name"]][1]))
        for host in after["hosts"]
    }
    return rates | {
        f"flow {flow['name']}": (rate(flow["delivered"], flows.get(flow["name"], 0)), 0.0) for flow in after["flows"]
    }


def pressed(seconds: float) -> str:
    """The key that is pressed within this time, or nothing; arrows by name."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if not select.select([sys.stdin], [], [], left)[0]:
            return ""
        key = sys.stdin.read(1)
        if key != "\x1b":
            return key
        # An arrow is ESC [ A or ESC [ B; ESC alone is a key of its own.
        if select.select([sys.stdin], [], [], 0.02)[0] and sys.stdin.read(1) == "[":
            return {"A": "up", "B": "down"}.get(sys.stdin.read(1), "")
        return key
    return ""


def where(host: HostState) -> str:
    """Where a station is: on the plan, or how far from its access point, as far as the scenario says."""
    if host["position_m"] is not None:
        x, y, _ = host["position_m"]
        return f"({x:.1f}, {y:.1f}) m, "
    return f"{host['distance_m']:g} m, " if host["distance_m"] is not None else ""


def at(state: State, host: HostState) -> str:
    """At which access point a station is, where there are several."""
    several = sum(other["kind"] == "access point" for other in state["hosts"]) > 1
    return f" at {host['ap']}" if several and host["ap"] else ""


def table(screen: Screen, state: State, chosen: str | None, rates: Mapping[str, tuple[float, float]]) -> Group:
    """The state: the hosts, the flows, and whether the machine keeps time."""
    verdict = WORDS[state["verdict"]].format(below=state["valid_below_mbps"] or 0)
    title = f"{state['title']}   {state['time_s']:.1f} s   timing {verdict}, 99 % late by {state['late_us'][1]:,} us"
    hosts = Table("", "sends", "receives", "waiting", "signal", "queue", "remedy", "", box=None)
    hosts.add_row("", "Mbit/s", "Mbit/s", "packets", style="dim")
    for host in state["hosts"]:
        place = where(host)
        # An access point passes on what others send.
        own = rates.get(host["name"]) if host["kind"] != "access point" else None
        hosts.add_row(
            host["name"],
            *([f"{rate:.1f}" for rate in own] if own else ["", ""]),
            "" if host["queued"] is None else str(host["queued"]),
            "" if host["snr_db"] is None else f"{place}{host['snr_db']:.1f} dB{at(state, host)}",
            host["discipline"] or "",
            host["remedy"] or "",
            "off" if host["off"] else "scans" if host["away"] else "",
            style="reverse" if host["name"] == chosen else "",
        )
    flows = Table("connection", "goodput", "window", "round trip", "sent again", box=None)
    for flow in state["flows"]:
        if not flow["closed"]:
            known = rates.get(f"flow {flow['name']}")
            flows.add_row(
                flow["name"],
                f"{known[0]:.1f} Mbit/s" if known else "",
                str(flow["cwnd"]),
                f"{flow['srtt_ms']:.1f} ms",
                str(flow["retransmissions"]),
            )
    connections = blocks(flows, screen) if flows.row_count else [""]
    return Group(title, "", *blocks(hosts, screen), "", *connections, "")
