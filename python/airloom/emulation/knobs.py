"""Asks a shell that runs, and has it change its world."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Self, TypedDict, TypeVar

from airloom.emulation.hosts import ENVIRONMENT
from airloom.emulation.shapes import State
from airloom.emulation.shells import NAME, PATIENCE_S, asked, opened
from airloom.errors import EmulationError
from airloom.support import reading

if TYPE_CHECKING:
    from collections.abc import Sequence


Shape = TypeVar("Shape")


class Done(TypedDict):
    """What a change is answered with, of the state after it.

    Attributes:
        time_s: When it was made, in seconds of the world.
    """

    time_s: float


class Refused(TypedDict, total=False):
    """What a request is answered with that cannot be met: why."""

    error: str


LONGEST = 16 << 20
"""Octets of the longest answer: the state of a world with tens of thousands of hosts and flows."""


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

    def __enter__(self) -> Self:
        """Asks as long as the block lasts."""
        return self

    def __exit__(self, *_: object) -> None:
        """Lets go of the shell."""
        self._socket.close()

    def look(self) -> State:
        """How its world is now."""
        return self._ask("look", State)

    def scan(self, station: str) -> float:
        """Has a station ask for a scan now; gives the time of the world in seconds."""
        return self._ask({"scan": station}, Done)["time_s"]

    def walk(self, station: str, to: str, pace: str) -> float:
        """Sends a station for a walk to a place, at a speed or in a time; gives the time of the world in seconds."""
        return self._ask({"walk": [station, to, pace]}, Done)["time_s"]

    def switch(self, access_point: str, *, on: bool) -> float:
        """Has an access point with power or without; gives the time of the world in seconds."""
        return self._ask({"on" if on else "off": access_point}, Done)["time_s"]

    def change(self, settings: Sequence[tuple[str, str]]) -> float:
        """Changes its scenario, as `--set` does before it starts; gives the time of the world in seconds."""
        return self._ask({"set": [list(one) for one in settings]}, Done)["time_s"]

    def _ask(self, request: object, shape: type[Shape]) -> Shape:
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            answer = self._line()
        except OSError as error:
            raise EmulationError(f"the shell does not answer: {error}") from None
        if not answer:
            raise EmulationError("the shell is gone")
        try:
            found = reading.json(answer)
            refused = reading.shaped(found, Refused).get("error")
            if refused is None:
                return reading.shaped(found, shape)
        except ValueError as error:
            raise EmulationError(f"what answers is no shell of this version: {error}") from None
        first, *hints = refused.split("\n")
        raise EmulationError(first, *(hint.strip() for hint in hints))

    def _line(self) -> bytes:
        """The next line, or what there is of it when the other end has gone.

        Raises:
            OSError: It is not whole in time, or has no end.
        """
        until = time.monotonic() + PATIENCE_S
        line = bytearray()
        while not line.endswith(b"\n"):
            if len(line) > LONGEST:
                raise OSError(f"a line of more than {LONGEST >> 20} MiB")
            self._socket.settimeout(max(until - time.monotonic(), 0.001))
            part = self._socket.recv(65_536)
            if not part:
                break
            line += part
        return bytes(line)
