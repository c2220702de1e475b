"""The cells: scenarios, and the flows that a kernel's TCP and ours carry over them.

They were chosen before any of them was run, for what each asks. The air is one that the machine's processor keeps up
with: 20 MHz and one stream, at most 72 Mbit/s.

- The scan paper's upload: a radio that comes and goes for 8 of 15 s. Loss-based, with a queue that never loses and
  with one that does; BBR, whose model of the path the scan breaks; and the paper's remedy.
- The bloat paper's upload beside its ping, near and far, and far with the paper's remedy: a standing queue, limited by
  the send buffer alone, and losses that no queue made.
- Two stations, near and far: uploads that contend, and downloads that share the access point's queue, a FIFO that
  overflows and mac80211's queues, with each of the congestion controls that the kernel has.

Where a run loses a packet or two, the instant of the first decides all of it, and three runs have no mean: so the far
laptop stands where it loses none (9 dB) or hundreds (7 dB), and the far one of two uploads at 15 m. These places were
chosen by how far simulated runs scatter.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
SEEDS = (1, 2, 3)
"""Every cell is carried once with each, by both."""
FIRST_S, APART_S = 0.5, 0.5
"""When the first flow begins, and how much later each other one."""
PHASE_S = 0.0005
"""The world begins with a tick of the kernel's clock, flows do not."""
CONTROLS = {"reno": "newreno", "cubic": "cubic", "bbr": "bbr"}
"""The kernel's names and ours."""
PING = "200 ms"

Settings = dict[str, Any]

HOST = {"profile": "linux-6.12", "small_queue": "off"}
"""The machine's kernel. A device of the emulated world takes packets at once: small queues hold nothing back."""
STATION = HOST | {"queue": {"discipline": "fifo", "limit": "2000 packets"}}
"""Nor does it tell the kernel of a packet for which a station's own queue has no room. This one has, whatever the
send buffer lets out."""
PULLED = HOST | {"queue": {"discipline": "mac80211"}}
ALONE = {"streams": 1, "small_queue_shift": 10}
"""What a station's adapter is here beside its profile. mac80211 tells TCP to plan for bursts of a 128th of a second, by
which BBR widens its window (`sk_pacing_shift_update`, `bbr_quantization_budget`); a device of the emulated world tells
it nothing, and the kernel plans for a 1024th."""
FIFO = {"discipline": "fifo", "limit": "382 packets"}
"""The scan paper's access point."""


@dataclass(frozen=True)
class Flow:
    """A flow that sends as much as it can."""

    source: str
    to: str
    control: str
    """As the kernel calls it."""

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"{self.source} to {self.to}"


@dataclass(frozen=True)
class Cell:
    """A scenario with its flows."""

    name: str
    file: str
    """The scenario that it changes, in this tree."""
    settings: Settings
    flows: tuple[Flow, ...]
    ping: Flow | None = None
    """Beside them, simulated on both sides."""
    seconds: float = 15.0
    ticks: int = 2
    """How often the kernel's clock ticks for each instruction of the machine, which executes one in a nanosecond."""

    @cached_property
    def text(self) -> str:
        """The scenario's text."""
        return (ROOT / self.file).read_text(encoding="utf-8")

    def starts(self) -> list[float]:
        """When its flows begin, in seconds."""
        return [FIRST_S + n * APART_S + PHASE_S for n in range(len(self.flows))]

    def set(self, *, simulated: bool) -> Settings:
        """What is laid over the scenario: its flows are simulated, or they are a kernel's and it has none.

        The rate control is that of the air on which the kernels were measured, which there was alone then. Their
        devices took a segment at a time: so do ours.
        """
        stations = range(self.text.count("[[station]]"))
        hosts = [*(f"station.{n}" for n in stations), "server.0"]
        bursts = {f"{host}.host.bursts": False for host in hosts if simulated}
        minstrel = {f"station.{n}.adapter.minstrel": "linux-3.13" for n in stations}
        return self.given(simulated=simulated) | minstrel | bursts

    def given(self, *, simulated: bool) -> Settings:
        """The same without the rate control."""
        flows: list[Settings] = [
            {"name": f"flow-{n}", "from": flow.source, "to": flow.to, "start": f"{start:.4f} s"}
            | {"tcp": {"congestion": CONTROLS[flow.control]}}
            for n, (flow, start) in enumerate(zip(self.flows, self.starts(), strict=True), 1)
            if simulated
        ]
        if self.ping:
            ends = {"from": self.ping.source, "to": self.ping.to}
            flows.append({"name": "ping", "kind": "ping", "interval": PING} | ends)
        return AIR | {"duration": f"{self.seconds} s", "flow": flows} | self.settings

    @property
    def about(self) -> str:
        """What decides what the world is: what the file says, words for people aside, and what is laid over it."""
        said = tomllib.loads(self.text)
        said = {key: said[key] for key in said if key not in {"title", "description"}}
        return json.dumps([said, self.given(simulated=True)])


PLAIN: Settings = {}
AIR: Settings = {"air.width": "20 MHz", "server.0.host": HOST}


def _scan(name: str, control: str, station: Settings = STATION, more: Settings = PLAIN) -> Cell:
    settings: Settings = {
        "station.0.adapter": {"profile": "ath9k-3.13"} | ALONE,
        "station.0.host": station,
        "station.0.scan.first": "3 s",
    }
    flow = Flow("sta1", "server", control)
    return Cell(f"scan: {name}, {control}", "tests/kernel/air/scan.toml", settings | more, (flow,))


def _bloat(name: str, snr: str, more: Settings = PLAIN) -> Cell:
    settings: Settings = {
        "station.0.adapter": {"profile": "broadcom"} | ALONE,
        "station.0.host": STATION,
        "station.0.snr": snr,
    }
    flow, file = Flow("laptop", "server", "cubic"), "tests/kernel/air/house.toml"
    # Few packets: there is time for a kernel whose processor is four times as fast as in the other cells.
    ticks = 8 if name.startswith("far") else 2
    return Cell(f"bloat: {name}, {flow.control}", file, settings | more, (flow,), ping=flow, ticks=ticks)


def _near_far(
    name: str, control: str, *, up: bool = False, queue: Settings | None = None, more: Settings = PLAIN
) -> Cell:
    settings: Settings = dict(more)
    for station in (0, 1):
        settings |= {f"station.{station}.host": STATION, f"station.{station}.adapter": {"profile": "ath9k"} | ALONE}
    if queue:
        settings["ap.0.queue"] = queue
    stations = ("near", "far")
    flows = tuple(Flow(one, "server", control) if up else Flow("server", one, control) for one in stations)
    return Cell(f"near and far: {name}, {control}", "tests/kernel/air/near-far.toml", settings, flows)


CELLS = {
    cell.name: cell
    for cell in (
        _scan("a scan", "cubic"),
        _scan("a scan, mac80211 queues", "reno", PULLED),
        _scan("a scan", "bbr"),
        _scan("no scan while data moves", "cubic", more={"station.0.scan.remedy": "skip-if-moved"}),
        _bloat("near", "20 dB"),
        _bloat("far", "9 dB"),
        _bloat("far, pseudo retry-out", "7 dB", more={"ap.0.pseudo_retry_out": True}),
        _near_far("uploads", "cubic", up=True, more={"station.1.distance": "15 m"}),
        _near_far("downloads, FIFO", "cubic", queue=FIFO),
        _near_far("downloads, mac80211 queues", "cubic"),
        _near_far("downloads, FIFO", "reno", queue=FIFO),
        _near_far("downloads, FIFO", "bbr", queue=FIFO),
    )
}
"""All of them, by their names."""
