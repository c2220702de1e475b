"""Asks a shell that runs, and has it change its world."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Self, TypedDict, cast

from airloom.emulation.hosts import ENVIRONMENT
from airloom.emulation.shells import NAME, asked, opened
from airloom.errors import EmulationError

if TYPE_CHECKING:
    from collections.abc import Sequence


class HostState(TypedDict):
    """A node of the world: what it has sent and received, and what can be changed about it."""

    name: str
    kind: str
    sent: int
    received: int
    queued: int | None
    away: bool
    distance_m: float | None
    snr_db: float | None
    discipline: str | None
    remedy: str | None


class FlowState(TypedDict):
    """A real TCP connection, one way of it."""

    name: str
    delivered: int
    cwnd: int
    srtt_ms: float
    retransmissions: int
    closed: bool


class State(TypedDict):
    """A world in real time, as it is now."""

    title: str
    time_s: float
    verdict: str
    valid_below_mbps: float | None
    late_us: list[int]
    hosts: list[HostState]
    flows: list[FlowState]


class Shell:
    """A shell that runs.

    Attributes:
        process: Its process outside; zero for the one around this program.

    Raises:
        EmulationError: There is none, or it is not clear which.
    """

    def __init__(self, process: int | None = None) -> None:
        """The shell around this program, the one of a process, or the only one that runs."""
        if process is None and os.environ.get(ENVIRONMENT):
            self._socket, self.process = asked(NAME), 0
        else:
            self._socket, self.process = opened(process)
        self._lines = self._socket.makefile("r", encoding="utf-8")

    def __enter__(self) -> Self:
        """Asks as long as the block lasts."""
        return self

    def __exit__(self, *_: object) -> None:
        """Lets go of the shell."""
        self._lines.close()
        self._socket.close()

    def look(self) -> State:
        """How its world is now."""
        return cast("State", self._ask("look"))

    def scan(self, station: str) -> float:
        """Has a station ask for a scan now; gives the time of the world in seconds."""
        return float(self._ask({"scan": station})["time_s"])

    def change(self, settings: Sequence[tuple[str, str]]) -> float:
        """Changes its scenario, as `--set` does before it starts; gives the time of the world in seconds."""
        return float(self._ask({"set": [list(one) for one in settings]})["time_s"])

    def _ask(self, request: object) -> dict[str, Any]:
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            answer = self._lines.readline()
        except OSError as error:
            raise EmulationError(f"the shell does not answer: {error}") from None
        if not answer:
            raise EmulationError("the shell is gone, or belongs to somebody else")
        found: dict[str, Any] = json.loads(answer)
        if "error" in found:
            raise EmulationError(found["error"])
        return found
